//===- ProbeClass.cpp - Annotated classes ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeClass.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::classes;
using llvm::StringRef;

static constexpr llvm::StringLiteral CallbackNames[NumCallbackKinds] = {
    "onEnter", "onReturn", "onUncaughtException", "onUncaughtExceptionExt",
    "onExit"};

StringRef classes::getCallbackName(CallbackKind K) {
  return CallbackNames[unsigned(K)];
}

StringRef Callback::result() const { return returnDescriptor(Descriptor); }

const Mark *ProbeClass::find(StringRef MarkName) const {
  auto At =
      llvm::find_if(Marks, [&](const Mark &M) { return M.Name == MarkName; });
  return At == Marks.end() ? nullptr : &*At;
}

std::string ProbeClass::displayName() const {
  std::string Dotted = toDisplayUTF8(Name);
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  return Dotted;
}

namespace {

/// Reads annotations of the packages of the API.
class MarkReader {
public:
  MarkReader(const ClassFile &Class, llvm::ArrayRef<std::string> Packages)
      : Class(Class), Packages(Packages) {}

  /// Those of a class or method, which has \p Attributes.
  std::vector<Mark> of(llvm::ArrayRef<Attribute> Attributes) const {
    std::vector<Mark> Marks;
    forEach(Attributes, "Annotations", [&](ByteCursor &C) { read(C, Marks); });
    return Marks;
  }
  /// Those of the parameters of \p M; there are \p Count of them.
  std::vector<std::vector<Mark>> ofParameters(const Method &M,
                                              size_t Count) const {
    std::vector<std::vector<Mark>> All(Count);
    forEach(M.Attributes, "ParameterAnnotations", [&](ByteCursor &C) {
      unsigned Number = C.u1();
      for (unsigned I = 0; I < Number && !C.failed(); ++I) {
        std::vector<Mark> Beyond;
        read(C, I < Count ? All[I] : Beyond);
      }
    });
    return All;
  }

private:
  /// Calls \p Read for the attributes of that kind, visible at run time or not.
  void forEach(llvm::ArrayRef<Attribute> Attributes, StringRef Kind,
               llvm::function_ref<void(ByteCursor &)> Read) const {
    for (const Attribute &A : Attributes) {
      StringRef Name = Class.Pool.utf8(A.NameIndex);
      if (!Name.consume_back(Kind) ||
          (Name != "RuntimeVisible" && Name != "RuntimeInvisible"))
        continue;
      ByteCursor C(A.Data);
      Read(C);
    }
  }

  /// The simple name of an annotation of the API; empty if it is none.
  StringRef simpleName(StringRef Descriptor) const {
    if (!Descriptor.consume_front("L") || !Descriptor.consume_back(";"))
      return {};
    auto [Package, Simple] = Descriptor.rsplit('/');
    std::string Dotted = Package.str();
    std::replace(Dotted.begin(), Dotted.end(), '/', '.');
    return llvm::is_contained(Packages, Dotted) ? Simple : StringRef();
  }

  /// Takes the `value` that \p C stands at.
  void readValue(ByteCursor &C, Mark &M) const {
    ByteCursor Look = C;
    uint8_t Tag = Look.u1();
    unsigned Left = 1;
    if (Tag == '[') {
      Left = Look.u2();
      Tag = Left ? Look.u1() : 0;
    }
    for (; Left && !Look.failed() && (Tag == 's' || Tag == 'I'); --Left) {
      uint16_t Index = Look.u2();
      if (Tag == 's')
        M.Texts.push_back(Class.Pool.utf8(Index).str());
      else if (Class.Pool.has(Index, CPTag::Integer))
        M.Number = int32_t(Class.Pool[Index].Bits);
      if (Left > 1)
        Tag = Look.u1();
    }
    skipElementValue(C);
  }

  /// Takes the element \p Name that \p C stands at.
  void readElement(ByteCursor &C, StringRef Name, Mark &M) const {
    ByteCursor Look = C;
    const uint8_t Tag = Look.u1();
    const uint16_t Index = Look.u2();
    if (Tag == 's')
      M.Elements.push_back({Name.str(), Class.Pool.utf8(Index).str()});
    else if (Tag == 'I' && Class.Pool.has(Index, CPTag::Integer))
      M.Elements.push_back(
          {Name.str(), std::to_string(int32_t(Class.Pool[Index].Bits))});
    skipElementValue(C);
  }

  void read(ByteCursor &C, std::vector<Mark> &Marks) const {
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      Mark M;
      M.Name = simpleName(Class.Pool.utf8(C.u2())).str();
      for (unsigned Pairs = C.u2(); Pairs && !C.failed(); --Pairs)
        if (StringRef Name = Class.Pool.utf8(C.u2()); Name == "value")
          readValue(C, M);
        else
          readElement(C, Name, M);
      if (!M.Name.empty() && !C.failed())
        Marks.push_back(std::move(M));
    }
  }

  const ClassFile &Class;
  llvm::ArrayRef<std::string> Packages;
};

} // namespace

/// The first line of the code of \p M; 0 if it is not known.
static unsigned firstLine(const ClassFile &Class, const Method &M) {
  int Index = M.codeAttribute(Class.Pool);
  if (Index < 0)
    return 0;
  CodeView Code;
  if (llvm::Error E =
          parseCode(Class, M.Attributes[unsigned(Index)].Data, Code)) {
    llvm::consumeError(std::move(E));
    return 0;
  }
  const Attribute *Lines =
      ClassFile::findAttribute(Class.Pool, Code.Attributes, "LineNumberTable");
  if (!Lines)
    return 0;
  ByteCursor C(Lines->Data);
  if (!C.u2())
    return 0;
  C.skip(2);
  return C.u2();
}

static Callback readCallback(const ClassFile &Class, const Method &M,
                             CallbackKind K, const MarkReader &Reader) {
  Callback C;
  C.Kind = K;
  C.Name = Class.name(M).str();
  C.Descriptor = Class.descriptor(M).str();
  C.Access = M.Access;
  C.Line = firstLine(Class, M);
  MethodDescriptor D(C.Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    C.Parameters.push_back({P.str(), {}});
  auto Marks = Reader.ofParameters(M, C.Parameters.size());
  for (auto [P, OfP] : llvm::zip(C.Parameters, Marks))
    P.Marks = std::move(OfP);
  return C;
}

/// What `@ReturnWhen` of \p M, which \p C is of, says.
static void readDeciders(const ClassFile &Class, const Method &M, Callback &C,
                         const MarkReader &Reader) {
  for (const Mark &Of : Reader.of(M.Attributes))
    if (Of.Name == "ReturnWhen")
      C.When = Of.Texts.empty() ? "" : Of.Texts.front();
  if (!C.When)
    return;
  for (const Method &Other : Class.Methods)
    if (Class.name(Other) == *C.When) {
      Callback &D =
          C.Deciders.emplace_back(readCallback(Class, Other, C.Kind, Reader));
      D.Site = C.Site;
    }
}

/// A nested class has the access that it is declared with in InnerClasses.
static void readAccess(const ClassFile &Class, ProbeClass &P) {
  P.Access = Class.Access;
  const Attribute *A =
      ClassFile::findAttribute(Class.Pool, Class.Attributes, "InnerClasses");
  if (!A)
    return;
  ByteCursor C(A->Data);
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    uint16_t Inner = C.u2();
    C.skip(4);
    uint16_t Access = C.u2();
    if (Class.Pool.has(Inner, CPTag::Class) &&
        Class.Pool.className(Inner) == Class.name()) {
      P.Access = Access;
      P.Nested = true;
    }
  }
}

std::optional<ProbeClass>
classes::readProbeClass(const ClassFile &Class,
                        llvm::ArrayRef<std::string> Packages) {
  MarkReader Reader(Class, Packages);
  ProbeClass P;
  P.Marks = Reader.of(Class.Attributes);
  if (!P.find("MethodPattern"))
    return std::nullopt;
  P.Name = Class.name().str();
  readAccess(Class, P);
  for (const Method &M : Class.Methods) {
    if (auto *At = llvm::find(CallbackNames, Class.name(M));
        At != std::end(CallbackNames))
      P.Callbacks.push_back(readCallback(
          Class, M, CallbackKind(At - std::begin(CallbackNames)), Reader));
    for (Mark &Of : Reader.of(M.Attributes))
      if (std::optional<AdviceKind> K = findSiteAnnotation(Of.Name)) {
        Callback &C = P.Callbacks.emplace_back(
            readCallback(Class, M, CallbackKind::AtSite, Reader));
        C.Site = K;
        C.SiteMark = std::move(Of);
      }
    for (Callback &C : P.Callbacks)
      if (C.Name == Class.name(M) && C.Descriptor == Class.descriptor(M))
        readDeciders(Class, M, C, Reader);
  }
  return P;
}
