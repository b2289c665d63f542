//===- SlicedClasses.cpp - The code that was traced -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlicedClasses.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::slice;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

uint32_t SlicedMethod::skipNops(uint32_t BCI) const {
  while (BCI < Code.Code.size() && Code.Code[BCI] == op::NOP)
    ++BCI;
  return BCI;
}

bool SlicedMethod::flows(const DecodedInst &I, uint32_t BCI) const {
  if (I.Op == op::RET)
    return true;
  bool Flows = !I.info().EndsBlock && skipNops(I.end()) == BCI;
  I.forEachTarget([&](int32_t To) { Flows |= skipNops(uint32_t(To)) == BCI; });
  return Flows;
}

CodeRegions &SlicedMethod::regions() const {
  if (!Regions)
    Regions = std::make_unique<CodeRegions>(Code);
  return *Regions;
}

int32_t SlicedMethod::line(uint32_t BCI) const {
  if (!Lines) {
    Lines = lineEntries(*Class->File, Code);
    llvm::stable_sort(*Lines, [](const LineEntry &L, const LineEntry &R) {
      return L.Start < R.Start;
    });
  }
  auto Next = llvm::partition_point(
      *Lines, [&](const LineEntry &L) { return L.Start <= BCI; });
  return Next == Lines->begin() ? -1 : std::prev(Next)->Line;
}

std::optional<unsigned> SlicedMethod::variable(StringRef Name,
                                               uint32_t End) const {
  const ConstantPool &Pool = Class->File->Pool;
  for (const Attribute &A : Code.Attributes) {
    if (Pool.utf8(A.NameIndex) != "LocalVariableTable")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && C.remaining() >= 10; --N) {
      const uint32_t Start = C.u2(), Length = C.u2();
      const StringRef Of = Pool.utf8(C.u2());
      C.u2();
      const unsigned Slot = C.u2();
      if (Of == Name && Start <= End && End <= Start + Length)
        return Slot;
    }
  }
  return std::nullopt;
}

const SlicedMethod *SlicedClass::find(StringRef Name,
                                      StringRef Descriptor) const {
  for (const SlicedMethod &M : Methods)
    if (M.Name == Name && M.Descriptor == Descriptor)
      return &M;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// \p Path, as of a class in a web application or in a module.
static StringRef insideOf(StringRef Path) {
  for (StringRef Folder : {"WEB-INF/classes/", "BOOT-INF/classes/", "classes/"})
    if (Path.consume_front(Folder))
      break;
  return Path;
}

SlicedClasses::SlicedClasses(const data::Traces &T, ClassContents Given)
    : T(T), Contents(std::move(Given)), ByNumber(T.classes().size()) {
  for (const data::TracedClass &C : T.classes())
    Names.insert(C.Declared.Name);
  for (size_t I = 0; I < Contents.size(); ++I) {
    StringRef Path = Contents[I].first;
    Path.consume_back(".class");
    Places.try_emplace(Path, I);
    Places.try_emplace(insideOf(Path), I);
    if (Contents.size() > 1 && Path.contains('/'))
      continue;
    // A class file of its own.
    if (auto F = readClass(Contents[I].second))
      Places.try_emplace((*F)->name(), I);
    else
      llvm::consumeError(F.takeError());
  }
}

const SlicedClass *SlicedClasses::find(StringRef Name) {
  auto [It, IsNew] = Classes.try_emplace(Name);
  if (!IsNew)
    return It->second.get();
  auto Place = Places.find(Name);
  if (Place == Places.end())
    return nullptr;
  auto File = readClass(Contents[Place->second].second);
  if (!File || (*File)->name() != Name) {
    if (!File)
      llvm::consumeError(File.takeError());
    return nullptr;
  }
  auto C = std::make_unique<SlicedClass>();
  C->File = std::move(*File);
  ClassFile &F = *C->File;
  const size_t Slash = Name.rfind('/');
  StringRef Source;
  if (const Attribute *A =
          ClassFile::findAttribute(F.Pool, F.Attributes, "SourceFile");
      A && A->Data.size() == 2)
    Source = F.Pool.utf8(readU2(A->Data.data()));
  C->SourceFile = toDisplayUTF8(
      Source.empty()
          ? Name.str()
          : ((Slash == StringRef::npos ? "" : Name.take_front(Slash + 1)) +
             Source)
                .str());
  for (const Method &M : F.Methods) {
    const int Code = M.codeAttribute(F.Pool);
    if (Code < 0)
      continue;
    SlicedMethod S;
    S.Class = C.get();
    S.Name = F.name(M);
    S.Descriptor = F.descriptor(M);
    S.IsStatic = isStatic(F, M);
    S.FirstSite = NextSite;
    if (llvm::Error E = parseCode(F, M.Attributes[size_t(Code)].Data, S.Code)) {
      llvm::consumeError(std::move(E));
      continue;
    }
    NextSite += SiteId(S.Code.Code.size());
    C->Methods.push_back(std::move(S));
    BySite.push_back(&C->Methods.back());
  }
  // A map may move its values, so it is looked for again.
  return (Classes[Name] = std::move(C)).get();
}

/// The opcode of \p I as traces declare it.
static int32_t declaredOpcode(const DecodedInst &I) {
  switch (I.Op) {
  case op::LDC_W:
  case op::LDC2_W:
    return op::LDC;
  case op::GOTO_W:
    return op::GOTO;
  case op::JSR_W:
    return op::JSR;
  default:
    return I.info().Canonical;
  }
}

/// All events that \p D declares are in the code of \p C, at the same lines. A
/// class that was changed while the program ran was read from the JVM, which
/// gives other bytes than those that it loaded.
static bool hasEvents(const SlicedClass &C, const trace::ClassDeclarations &D) {
  for (const trace::MethodDeclaration &M : D.Methods) {
    if (!M.HasEvents)
      continue;
    const SlicedMethod *In = C.find(D.Strings[M.Name], D.Strings[M.Descriptor]);
    for (const trace::Event &E : M.Events) {
      const int32_t Opcode = D.Kinds[E.Kind].Opcode;
      DecodedInst I;
      if (!In || (Opcode >= 0 &&
                  (!In->decode(E.BCI, I) || declaredOpcode(I) != Opcode ||
                   In->line(E.BCI) != E.Line)))
        return false;
    }
  }
  return true;
}

llvm::Expected<const SlicedClass *> SlicedClasses::traced(uint32_t Number) {
  if (ByNumber[Number])
    return ByNumber[Number];
  const trace::ClassDeclarations &D = T.classes()[Number].Declared;
  const std::string Name = toDisplayUTF8(D.Name);
  auto *C = const_cast<SlicedClass *>(find(D.Name));
  if (!C)
    return makeError("class " + Name +
                     " was traced, and is not on the class path");
  if (llvm::xxh3_64bits(C->File->Original) != D.Id && !hasEvents(*C, D))
    return makeError("class " + Name +
                     " on the class path is another one than was traced");
  C->Traced = Number;
  for (const trace::MethodDeclaration &M : D.Methods)
    C->Declared.push_back(C->find(D.Strings[M.Name], D.Strings[M.Descriptor]));
  return ByNumber[Number] = C;
}

bool SlicedClasses::inherits(StringRef Name, StringRef Ancestor) {
  if (Name == Ancestor || Ancestor == "java/lang/Object")
    return true;
  const SlicedClass *C = find(Name);
  if (!C)
    return false;
  if (!C->File->superName().empty() && inherits(C->File->superName(), Ancestor))
    return true;
  return llvm::any_of(C->File->Interfaces, [&](uint16_t I) {
    return inherits(C->File->Pool.className(I), Ancestor);
  });
}

//===----------------------------------------------------------------------===//
// Fields and sites
//===----------------------------------------------------------------------===//

/// The class that declares \p Field (JVM specification, 5.4.3.2); null if it is
/// not known.
const SlicedClass *SlicedClasses::declarer(const MemberRef &Field) {
  const SlicedClass *C = find(Field.Owner);
  if (!C)
    return nullptr;
  const ClassFile &F = *C->File;
  for (const jopt::Field &Each : F.Fields)
    if (F.name(Each) == Field.Name && F.descriptor(Each) == Field.Descriptor)
      return C;
  MemberRef Above = Field;
  for (uint16_t I : F.Interfaces) {
    Above.Owner = F.Pool.className(I);
    if (const SlicedClass *Found = declarer(Above))
      return Found;
  }
  Above.Owner = F.superName();
  return Above.Owner.empty() ? nullptr : declarer(Above);
}

uint32_t SlicedClasses::field(const SlicedClass &In, uint32_t Index) {
  auto [It, IsNew] = Resolved.try_emplace({&In, Index});
  if (!IsNew)
    return It->second;
  const MemberRef Field = In.File->Pool.member(Index);
  const SlicedClass *C = declarer(Field);
  const StringRef Owner = C ? C->File->name() : Field.Owner;
  auto [At, IsFirst] = Fields.try_emplace(
      (Owner + "." + Field.Name + ":" + Field.Descriptor).str(),
      uint32_t(TracedFields.size()));
  if (IsFirst)
    TracedFields.push_back(isTraced(Owner));
  return Resolved[{&In, Index}] = At->second;
}

const SlicedMethod *SlicedClasses::method(SiteId Site) const {
  if (Site == 0)
    return nullptr;
  return *std::prev(llvm::partition_point(
      BySite, [&](const SlicedMethod *M) { return M->FirstSite <= Site; }));
}

SourceLine SlicedClasses::line(SiteId Site) const {
  const SlicedMethod *M = method(Site);
  return {M->Class->SourceFile, M->line(Site - M->FirstSite)};
}
