//===- AttributeRecovery.cpp - What the JVM does not keep of classes
//--------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/AttributeRecovery.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Writer/ClassWriter.h"
#include <map>
#include <tuple>

using namespace jopt;
using llvm::StringRef;

static constexpr StringRef Annotations = "RuntimeInvisibleAnnotations",
                           Frames = "StackMapTable", Record = "Record";

namespace {
/// Copies annotations and frames from one class file to another.
class Copier {
public:
  Copier(const ClassFile &From, ClassFile &To) : From(From), To(To) {}

  /// The payload of a StackMapTable; empty if it is malformed.
  Bytes copyFrames(Bytes Payload) {
    begin(Payload);
    for (unsigned N = number(); N && !In.failed(); --N) {
      uint8_t Kind = byte();
      if (Kind == EarlyLarval && To.hasValueClasses()) {
        for (unsigned Fields = number(); Fields && !In.failed(); --Fields)
          nameAndType();
        Kind = byte();
      }
      if (Kind >= 128 && Kind < 247)
        Malformed = true;
      if (Kind >= 247)
        number(); // the distance
      if ((Kind >= 64 && Kind < 128) || Kind == 247)
        types(1);
      else if (Kind > 251 && Kind < 255)
        types(Kind - 251);
      else if (Kind == 255) {
        types(number());
        types(number());
      }
    }
    return end();
  }

  /// The payload of annotations; empty if it is malformed.
  Bytes copyAnnotations(Bytes Payload) {
    begin(Payload);
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
      switch (byte()) {
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
    return end();
  }

private:
  enum What { Annotation, Pair, Value };
  /// The frame of JEP 539: strict fields that are unset, and another frame.
  static constexpr uint8_t EarlyLarval = 246;
  struct Level {
    unsigned Left;
    What Of;
  };

  void begin(Bytes Payload) {
    In = ByteCursor(Payload);
    Malformed = false;
    Out.clear();
  }
  Bytes end() {
    return Malformed || In.failed() || !In.atEnd() ? Bytes()
                                                   : To.save(Out.data());
  }

  uint8_t byte() {
    uint8_t B = In.u1();
    Out.u1(B);
    return B;
  }
  /// So many types of a frame.
  void types(unsigned N) {
    for (; N && !In.failed(); --N) {
      uint8_t Tag = byte();
      if (Tag == 7) { // an object
        StringRef Class = From.Pool.className(In.u2());
        Malformed |= Class.empty();
        Out.u2(To.Pool.addClass(Class));
      } else if (Tag == 8) { // from a `new`
        number();
      }
    }
  }
  unsigned number() {
    uint16_t N = In.u2();
    Out.u2(N);
    return N;
  }
  void nameAndType() {
    const CPEntry &E = From.Pool[In.u2()];
    const StringRef Name = From.Pool.utf8(E.A), Type = From.Pool.utf8(E.B);
    Malformed |= E.Tag != CPTag::NameAndType || Name.empty() || Type.empty();
    Out.u2(Malformed ? 0 : To.Pool.addNameAndType(Name, Type));
  }
  /// Of a string or a number: all that annotations refer to.
  void index() {
    const CPEntry &E = From.Pool[In.u2()];
    if (E.Tag == CPTag::Utf8)
      Out.u2(To.Pool.addUtf8(E.text()));
    else if (isNumber(E.Tag))
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
  Keys.reserve(Members.size());
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

/// Whether \p Now has the members that there were \p Before, and no others but
/// synthetic ones, such as other agents add.
static bool hasAll(std::vector<MemberKey> Before, std::vector<MemberKey> Now) {
  std::vector<MemberKey> More;
  std::set_difference(Now.begin(), Now.end(), Before.begin(), Before.end(),
                      std::back_inserter(More));
  return Now.size() == Before.size() + More.size() &&
         llvm::all_of(More, [](const MemberKey &K) {
           return std::get<2>(K) & ACC_SYNTHETIC;
         });
}

/// What differs between a class and what it was in its file, \p A; empty:
/// nothing.
static StringRef findDifference(const ClassFile &A, const ClassFile &B) {
  if (A.name() != B.name())
    return "name";
  if ((A.Access | ACC_SUPER) != (B.Access | ACC_SUPER))
    return "access flags";
  if (A.superName() != B.superName() || interfacesOf(A) != interfacesOf(B))
    return "superclass or interfaces";
  if (!hasAll(keysOf(A, A.Fields), keysOf(B, B.Fields)))
    return "fields";
  if (!hasAll(keysOf(A, A.Methods), keysOf(B, B.Methods)))
    return "methods";
  return {};
}

/// Whether both are the same instructions; indices of the pool may differ.
static bool isSameCode(Bytes A, Bytes B) {
  if (A.size() != B.size())
    return false;
  DecodedInst I, J;
  for (uint32_t At = 0; At < A.size(); At = I.end()) {
    if (!decodeInst(A, At, I) || !decodeInst(B, At, J) || I.Op != J.Op ||
        I.Length != J.Length)
      return false;
    if (!I.info().PoolTags && A.slice(At, I.Length) != B.slice(At, I.Length))
      return false;
  }
  return true;
}

/// The place of the number of attributes in the payload of a Code attribute,
/// which is a whole one.
static size_t attributesAt(Bytes Payload) {
  ByteCursor C(Payload);
  C.skip(4);
  C.skip(C.u4());
  C.skip(8 * size_t(C.u2()));
  return C.offset();
}

/// The Code attribute of \p M, and what is in it; null if there is no valid
/// one.
static const Attribute *findCode(const ClassFile &F, const Method &M,
                                 CodeView &View) {
  int At = M.codeAttribute(F.Pool);
  if (At < 0)
    return nullptr;
  if (llvm::Error E = parseCode(F, M.Attributes[At].Data, View)) {
    llvm::consumeError(std::move(E));
    return nullptr;
  }
  return &M.Attributes[At];
}

bool agent::hasNoFrames(Bytes Data) {
  auto Read = readClass(Data);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return false;
  }
  bool Any = false;
  for (const Method &M : (*Read)->Methods) {
    CodeView View;
    if (!findCode(**Read, M, View))
      continue;
    Any = true;
    if (ClassFile::findAttribute((*Read)->Pool, View.Attributes, Frames))
      return false;
  }
  return Any && (*Read)->hasFrames();
}

/// Gives \p Target the frames of \p Source, if it has none and the same code.
static bool addFrames(Copier &Copy, const ClassFile &From, const Method &Source,
                      ClassFile &To, Method &Target) {
  CodeView Theirs, Ours;
  const Attribute *Code = findCode(To, Target, Ours);
  if (!Code || !findCode(From, Source, Theirs) ||
      ClassFile::findAttribute(To.Pool, Ours.Attributes, Frames))
    return false;
  const Attribute *A =
      ClassFile::findAttribute(From.Pool, Theirs.Attributes, Frames);
  if (!A || !isSameCode(Ours.Code, Theirs.Code))
    return false;
  Bytes Payload = Copy.copyFrames(A->Data);
  if (Payload.empty())
    return false;
  Bytes Old = Code->Data;
  size_t At = attributesAt(Old);
  ByteWriter W;
  W.bytes(Old.take_front(At));
  W.u2(uint16_t(Ours.Attributes.size() + 1));
  W.bytes(Old.drop_front(At + 2));
  W.u2(To.Pool.addUtf8(Frames));
  W.u4(uint32_t(Payload.size()));
  W.bytes(Payload);
  Target.Attributes[Target.codeAttribute(To.Pool)].Data = To.save(W.data());
  Target.Changed = true;
  return true;
}

/// Puts the methods of \p To in the order that those of \p From have; others go
/// behind them. \returns whether that changed anything.
static bool orderMethods(const ClassFile &From, ClassFile &To) {
  std::map<MemberKey, size_t> Places;
  for (const Method &M : From.Methods)
    Places.try_emplace(keyOf(From, M), Places.size());
  auto Place = [&](const Method &M) {
    auto At = Places.find(keyOf(To, M));
    return At == Places.end() ? Places.size() : At->second;
  };
  auto IsBefore = [&](const Method &A, const Method &B) {
    return Place(A) < Place(B);
  };
  if (llvm::is_sorted(To.Methods, IsBefore))
    return false;
  llvm::stable_sort(To.Methods, IsBefore);
  To.Changed = true;
  return true;
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>>
agent::recoverAttributes(Bytes Data, Bytes Resource) {
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
        ClassFile::findAttribute(From.Pool, Source.Attributes, Annotations);
    if (!A || ClassFile::findAttribute(To.Pool, Target.Attributes, Annotations))
      return false;
    Bytes Payload = Copy.copyAnnotations(A->Data);
    if (Payload.empty())
      return false;
    Target.Attributes.push_back({To.Pool.addUtf8(Annotations), Payload});
    Target.Changed = true;
    return true;
  };
  bool Any = Add(From, To);
  Any |= orderMethods(From, To);
  std::map<MemberKey, const Method *> Methods;
  for (const Method &M : From.Methods)
    Methods[keyOf(From, M)] = &M;
  for (Method &M : To.Methods) {
    auto Source = Methods.find(keyOf(To, M));
    if (Source == Methods.end())
      continue;
    Any |= Add(*Source->second, M);
    Any |= addFrames(Copy, From, *Source->second, To, M);
  }
  if (!Any)
    return llvm::SmallVector<uint8_t, 0>();
  if (To.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return writeClass(To);
}

/// Whether the JVM keeps the attribute whose name is at \p Index for components
/// of records.
static bool isKeptOfComponent(const ClassFile &F, uint16_t Index) {
  const StringRef Name = F.Pool.utf8(Index);
  return Name == "Signature" || Name == "RuntimeVisibleAnnotations" ||
         Name == "RuntimeVisibleTypeAnnotations";
}

/// Reads the payload of a Record attribute, and writes it with as many
/// attributes as each component has, if \p IsKept tells which are there, else
/// as it is. Empty if it is malformed.
static Bytes copyRecord(ClassFile &F, Bytes Payload,
                        llvm::function_ref<bool(uint16_t)> IsKept) {
  ByteCursor In(Payload);
  ByteWriter Out;
  unsigned Components = In.u2();
  Out.u2(uint16_t(Components));
  for (; Components && !In.failed(); --Components) {
    Out.u4(In.u4()); // name and descriptor
    const size_t CountAt = Out.size();
    unsigned Left = In.u2(), Found = 0;
    Out.u2(0);
    for (; Left && !In.failed(); --Left, ++Found) {
      ByteCursor Next = In;
      if (!IsKept(Next.u2()))
        break;
      const uint32_t Length = Next.u4();
      Out.bytes(In.bytes(6 + size_t(Length)));
    }
    Out.patchU2(CountAt, uint16_t(Found));
  }
  return In.failed() || !In.atEnd() ? Bytes() : F.save(Out.data());
}

llvm::SmallVector<uint8_t, 0> agent::repairRecord(Bytes Data) {
  if (!llvm::StringRef(reinterpret_cast<const char *>(Data.data()), Data.size())
           .contains(Record))
    return {};
  auto Read = readClass(Data);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return {};
  }
  ClassFile &F = **Read;
  for (Attribute &A : F.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != Record ||
        !copyRecord(F, A.Data, [](uint16_t) { return true; }).empty())
      continue;
    Bytes Repaired = copyRecord(
        F, A.Data, [&](uint16_t Name) { return isKeptOfComponent(F, Name); });
    if (Repaired.empty())
      return {};
    A.Data = Repaired;
    F.Changed = true;
    auto Written = writeClass(F);
    if (Written)
      return std::move(*Written);
    llvm::consumeError(Written.takeError());
    return {};
  }
  return {};
}
