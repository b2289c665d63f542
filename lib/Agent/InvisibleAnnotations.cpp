//===- InvisibleAnnotations.cpp - What the JVM does not keep --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/InvisibleAnnotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Writer/ClassWriter.h"
#include <map>
#include <tuple>

using namespace jopt;
using llvm::StringRef;

static constexpr StringRef Name = "RuntimeInvisibleAnnotations";

namespace {
/// Copies annotations from one class file to another.
class Copier {
public:
  Copier(const ClassFile &From, ClassFile &To) : From(From), To(To) {}

  /// The payload of Name in \p Of; empty if it is malformed.
  Bytes copy(const Attribute &Of) {
    In = ByteCursor(Of.Data);
    Malformed = false;
    Out.clear();
    // A stack of our own: how deep they nest the input decides.
    llvm::SmallVector<Level, 8> Levels{{number(), Annotation}};
    while (!Levels.empty() && !In.failed()) {
      Level &L = Levels.back();
      if (!L.Left) {
        Levels.pop_back();
        continue;
      }
      --L.Left;
      if (L.Of == Annotation) {
        index();
        Levels.push_back({number(), Pair});
        continue;
      }
      if (L.Of == Pair)
        index();
      uint8_t Tag = In.u1();
      Out.u1(Tag);
      switch (Tag) {
      case '@':
        index();
        Levels.push_back({number(), Pair});
        break;
      case '[':
        Levels.push_back({number(), Value});
        break;
      case 'e':
        index();
        index();
        break;
      default:
        index();
      }
    }
    return Malformed || In.failed() || !In.atEnd() ? Bytes()
                                                   : To.save(Out.data());
  }

private:
  enum What { Annotation, Pair, Value };
  struct Level {
    unsigned Left;
    What Of;
  };

  unsigned number() {
    uint16_t N = In.u2();
    Out.u2(N);
    return N;
  }
  /// Of a string or a number: all that annotations refer to.
  void index() {
    const CPEntry &E = From.Pool[In.u2()];
    if (E.Tag == CPTag::Utf8)
      Out.u2(To.Pool.addUtf8(E.text()));
    else if (E.Tag == CPTag::Integer || E.Tag == CPTag::Float ||
             E.Tag == CPTag::Long || E.Tag == CPTag::Double)
      Out.u2(To.Pool.addEntry(E));
    else
      Malformed = true;
  }

  const ClassFile &From;
  ClassFile &To;
  ByteCursor In{Bytes()};
  bool Malformed = false;
  ByteWriter Out;
};
} // namespace

using MemberKey = std::tuple<StringRef, StringRef, uint16_t>;

/// The JVM makes static initialisers of old class files static.
static MemberKey keyOf(const ClassFile &F, const Member &M) {
  StringRef Name = F.name(M);
  return {Name, F.descriptor(M), Name == "<clinit>" ? 0 : M.Access};
}

template <typename List>
static std::vector<MemberKey> keysOf(const ClassFile &F, const List &Members) {
  std::vector<MemberKey> Keys;
  for (const Member &M : Members)
    Keys.push_back(keyOf(F, M));
  llvm::sort(Keys);
  return Keys;
}

static std::vector<StringRef> interfacesOf(const ClassFile &F) {
  std::vector<StringRef> Names;
  for (uint16_t I : F.Interfaces)
    Names.push_back(F.Pool.className(I));
  return Names;
}

/// What differs between them; empty: nothing.
static StringRef findDifference(const ClassFile &A, const ClassFile &B) {
  if (A.name() != B.name())
    return "name";
  if ((A.Access | ACC_SUPER) != (B.Access | ACC_SUPER))
    return "access flags";
  if (A.superName() != B.superName() || interfacesOf(A) != interfacesOf(B))
    return "superclass or interfaces";
  if (keysOf(A, A.Fields) != keysOf(B, B.Fields))
    return "fields";
  if (keysOf(A, A.Methods) != keysOf(B, B.Methods))
    return "methods";
  return {};
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>>
agent::addInvisibleAnnotations(Bytes Data, Bytes Resource) {
  auto Read = readClass(Data);
  if (!Read)
    return Read.takeError();
  auto Other = readClass(Resource);
  if (!Other)
    return Other.takeError();
  ClassFile &To = **Read;
  const ClassFile &From = **Other;
  if (StringRef What = findDifference(From, To); !What.empty())
    return makeError("that is another class: its " + What + " differ");
  Copier Copy(From, To);
  // Whether it got any.
  auto Add = [&](const auto &Source, auto &Target) {
    const Attribute *A =
        ClassFile::findAttribute(From.Pool, Source.Attributes, Name);
    if (!A || ClassFile::findAttribute(To.Pool, Target.Attributes, Name))
      return false;
    Bytes Payload = Copy.copy(*A);
    if (Payload.empty())
      return false;
    Target.Attributes.push_back({To.Pool.addUtf8(Name), Payload});
    Target.Changed = true;
    return true;
  };
  bool Any = Add(From, To);
  std::map<MemberKey, const Method *> Methods;
  for (const Method &M : From.Methods)
    Methods[keyOf(From, M)] = &M;
  for (Method &M : To.Methods)
    Any |= Add(*Methods[keyOf(To, M)], M);
  if (!Any)
    return llvm::SmallVector<uint8_t, 0>();
  if (To.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return writeClass(To);
}
