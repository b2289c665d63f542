//===- CoverageHolder.cpp - The array of a class without constants --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverageHolder.h"
#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;

ServiceKey CompanionClassSink::Key;

/// The methods that bind an array: with one text of rules, with several, and
/// for a class that has a holder.
static constexpr llvm::StringLiteral
    LinkClass = "jopt/boot/Link",
    OwnMethod = "coverage", HolderOfMethod = "coverageOf",
    PointMethod = "reached",
    PointConstant = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                    "Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)"
                    "Ljava/lang/Object;",
    PointSite = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                "Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;"
                "Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
    OneText = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
              "Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;"
              "Ljava/lang/Object;)Ljava/lang/Object;",
    SeveralTexts = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                   "Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;"
                   "[Ljava/lang/Object;)Ljava/lang/Object;",
    OfHolder = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
               "Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;"
               "Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";

CoverageArray jopt::coverageArray(coverage::Elements Kind) {
  switch (Kind) {
  case coverage::Elements::Bits:
    return {"[Z", "[Z"};
  case coverage::Elements::Counts:
    return {"[J", "[J"};
  case coverage::Elements::Words:
    return {"[J", "[J"};
  case coverage::Elements::AtomicCounts:
    return {"java/util/concurrent/atomic/AtomicLongArray",
            "Ljava/util/concurrent/atomic/AtomicLongArray;"};
  }
  llvm_unreachable("all kinds are listed");
}

/// Tells the pool what the array and the frames of a class ask it for. \p Name
/// is that of a strategy.
static void expectQuestions(ClassFile &F, llvm::StringRef Name) {
  F.Pool.expectQuestions({LinkClass, OwnMethod, OneText, Name, "()[Z",
                          "Ljava/lang/Object;", "[Z", "java/lang/Throwable",
                          "BootstrapMethods", "StackMapTable"});
}

/// How many elements, and of which kind, as Link wants it.
static uint16_t addCount(ConstantPool &Pool, const CoveragePlan &P) {
  switch (P.Kind) {
  case coverage::Elements::Bits:
    return Pool.addInteger(int32_t(P.Count));
  case coverage::Elements::Counts:
    return Pool.addLong(int64_t(P.Count));
  case coverage::Elements::AtomicCounts:
    return Pool.addLong(int64_t(P.Count) | int64_t(1) << 32);
  case coverage::Elements::Words:
    return Pool.addLong(int64_t(P.Count) | int64_t(2) << 32);
  }
  llvm_unreachable("all kinds are listed");
}

/// The rules of \p P, as constants of at most 65,535 bytes.
static void addRules(llvm::SmallVectorImpl<uint16_t> &Constants,
                     ConstantPool &Pool, const CoveragePlan &P) {
  llvm::StringRef Rest = P.Rules;
  do {
    Constants.push_back(Pool.addString(Rest.take_front(UINT16_MAX)));
    Rest = Rest.drop_front(std::min<size_t>(Rest.size(), UINT16_MAX));
  } while (!Rest.empty());
}

/// The number of the bootstrap method \p Name of Link, which is given
/// \p Constants.
static llvm::Expected<uint16_t> addLink(ClassFile &F, llvm::StringRef Name,
                                        llvm::StringRef Descriptor,
                                        llvm::ArrayRef<uint16_t> Constants) {
  constexpr uint16_t InvokeStatic = 6;
  CPEntry Handle;
  Handle.Tag = CPTag::MethodHandle;
  Handle.A = InvokeStatic;
  Handle.B = F.Pool.addMember(CPTag::Methodref, LinkClass, Name, Descriptor);
  std::optional<uint16_t> Number =
      F.addBootstrapMethod(F.Pool.addEntry(Handle), Constants);
  if (!Number)
    return makeError("its table of bootstrap methods takes no more");
  return *Number;
}

llvm::Expected<uint16_t> jopt::addCoverageBootstrap(ClassFile &F,
                                                    const CoveragePlan &P,
                                                    llvm::StringRef Of) {
  llvm::SmallVector<uint16_t, 5> Constants;
  if (!Of.empty())
    Constants.push_back(F.Pool.addClass(Of));
  Constants.push_back(F.Pool.addLong(int64_t(P.Id)));
  Constants.push_back(addCount(F.Pool, P));
  const size_t NumBefore = Constants.size();
  addRules(Constants, F.Pool, P);
  const bool IsOneText = Constants.size() == NumBefore + 1;
  return addLink(F, Of.empty() ? OwnMethod : HolderOfMethod,
                 !Of.empty() ? OfHolder
                 : IsOneText ? OneText
                             : SeveralTexts,
                 Constants);
}

llvm::Expected<uint16_t>
jopt::addPointBootstrap(ClassFile &F, const CoveragePlan &P,
                        llvm::StringRef Name, uint32_t Element, bool IsSite) {
  llvm::SmallVector<uint16_t, 5> Constants;
  if (IsSite) {
    Constants.push_back(F.Pool.addLong(int64_t(P.Id)));
    Constants.push_back(addCount(F.Pool, P));
  } else {
    // The array is a constant of its own, resolved for the first point.
    auto Array = addArrayLoad(F, P, Name);
    if (!Array)
      return Array.takeError();
    Constants.push_back(Array->Index);
  }
  Constants.push_back(F.Pool.addInteger(int32_t(Element)));
  if (IsSite)
    addRules(Constants, F.Pool, P);
  return addLink(F, PointMethod, IsSite ? PointSite : PointConstant, Constants);
}

std::string jopt::holderName(llvm::StringRef Of, const CoveragePlan &P,
                             llvm::StringRef Name) {
  std::string Key = Name.str();
  for (const uint64_t N : {P.Id, uint64_t(P.Count), uint64_t(P.Rules.size())})
    Key += " " + std::to_string(N);
  const auto Hash = uint32_t(llvm::xxh3_64bits(Key));
  std::string Own = (Of + "$jopt").str();
  for (int Shift = 28; Shift >= 0; Shift -= 4)
    Own += llvm::hexdigit(Hash >> Shift & 15, /*LowerCase=*/true);
  return Own;
}

/// The code of its method.
static llvm::SmallVector<uint8_t, 0> codeOf(uint16_t Site) {
  ByteWriter W;
  W.u2(1); // stack
  W.u2(0); // slots
  W.u4(6);
  W.u1(op::INVOKEDYNAMIC);
  W.u2(Site);
  W.u2(0);
  W.u1(op::ARETURN);
  W.u2(0); // handlers
  W.u2(0); // attributes
  return {W.data().begin(), W.data().end()};
}

llvm::Expected<CompanionClass> jopt::makeHolder(llvm::StringRef Of,
                                                const CoveragePlan &P,
                                                llvm::StringRef Name) {
  ClassFile F;
  CompanionClass Result;
  Result.Name = holderName(Of, P, Name);
  F.Major = FirstWithCallSites;
  F.Access = ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC;
  F.ThisIndex = F.Pool.addClass(Result.Name);
  F.SuperIndex = F.Pool.addClass("java/lang/Object");
  F.Changed = true;
  auto Bootstrap = addCoverageBootstrap(F, P, Of);
  if (!Bootstrap)
    return Bootstrap.takeError();
  const std::string Getter = coverageArray(P.Kind).getter();
  CPEntry Site;
  Site.Tag = CPTag::InvokeDynamic;
  Site.A = *Bootstrap;
  Site.B = F.Pool.addNameAndType(Name, Getter);
  const llvm::SmallVector<uint8_t, 0> Code = codeOf(F.Pool.addEntry(Site));
  Method &M = F.newMethod();
  M.Access = ACC_STATIC;
  M.NameIndex = F.Pool.addUtf8(HolderMethod);
  M.DescriptorIndex = F.Pool.addUtf8(Getter);
  M.Changed = true;
  M.Attributes.push_back({F.Pool.addUtf8("Code"), Code});
  auto Data = writeClass(F);
  if (!Data)
    return Data.takeError();
  Result.Data = std::move(*Data);
  return Result;
}

/// The pool shrinks where a method is put back.
static bool isIn(const ConstantPool &Pool, const ArrayLoad &L,
                 llvm::StringRef Cast) {
  if (L.Index >= Pool.size() || L.Cast >= Pool.size())
    return false;
  const CPEntry &E = Pool[L.Index];
  return E.Tag == L.Entry.Tag && E.A == L.Entry.A && E.B == L.Entry.B &&
         (!L.Cast || Pool.className(L.Cast) == Cast);
}

llvm::Expected<ArrayLoad>
jopt::addArrayLoad(ClassFile &F, const CoveragePlan &P, llvm::StringRef Name) {
  ConstantPool &Pool = F.Pool;
  const CoverageArray Array = coverageArray(P.Kind);
  if (P.Load && isIn(Pool, *P.Load, Array.Class))
    return *P.Load;
  if (!P.Load)
    expectQuestions(F, Name);
  ArrayLoad L;
  if (F.Major < FirstWithCallSites) {
    L.Op = op::INVOKESTATIC;
    L.Index = Pool.addMember(CPTag::Methodref, holderName(F.name(), P, Name),
                             HolderMethod, Array.getter());
  } else {
    auto Bootstrap = addCoverageBootstrap(F, P);
    if (!Bootstrap)
      return Bootstrap.takeError();
    const bool IsConstant = F.Major >= FirstWithConstants;
    CPEntry Entry;
    Entry.Tag = IsConstant ? CPTag::Dynamic : CPTag::InvokeDynamic;
    Entry.A = L.Bootstrap = *Bootstrap;
    Entry.B = IsConstant ? Pool.addNameAndType(Name, "Ljava/lang/Object;")
                         : Pool.addNameAndType(Name, Array.getter());
    L.Op = IsConstant ? op::LDC : op::INVOKEDYNAMIC;
    L.Index = Pool.addEntry(Entry);
    if (IsConstant)
      L.Cast = Pool.addClass(Array.Class);
  }
  // A full pool has none; that is found out later.
  if (L.Index < Pool.size())
    L.Entry = Pool[L.Index];
  P.Load = L;
  return L;
}

llvm::Expected<Value *> jopt::loadCoverageArray(Builder &B, Body &F,
                                                const CoveragePlan &P,
                                                llvm::StringRef Name) {
  auto L = addArrayLoad(F.classFile(), P, Name);
  if (!L)
    return L.takeError();
  const CoverageArray Array = coverageArray(P.Kind);
  if (L->Op == op::INVOKESTATIC)
    return B.callStatic(L->Index, Array.getter(), {});
  if (L->Op == op::INVOKEDYNAMIC)
    return B.callSite(L->Bootstrap, Name, Array.getter(), {});
  Instruction *I =
      B.make(irop::Const, op::LDC, F.types().ref("java/lang/Object"));
  I->setIndex(L->Index);
  return B.cast(I, Array.Class);
}

std::string jopt::addHolder(const CoveragePlan &Plan, llvm::StringRef Name,
                            PassContext &C) {
  if (C.classFile().Major >= FirstWithCallSites)
    return {};
  auto *Sink = C.find<CompanionClassSink>();
  if (!Sink)
    return "is of a version without call sites: coverage needs a class beside "
           "it, which text has not";
  auto Holder = makeHolder(C.classFile().name(), Plan, Name);
  if (!Holder)
    return toMessage(Holder.takeError());
  Sink->Take(std::move(*Holder));
  return {};
}

void jopt::addToElement(Builder &B, Instruction *Array, Instruction *Element,
                        Value *Count) {
  // As compilers write `a[i]++`: one dup2 copies both.
  for (Instruction *I : {Array, Element}) {
    I->setFloating(false);
    I->setKeep(true);
  }
  Value *Old = B.make(irop::Plain, op::LALOAD, Type::Long, {Array, Element});
  Value *New = B.make(irop::Plain, op::LADD, Type::Long, {Old, Count});
  B.make(irop::Plain, op::LASTORE, Type::Void, {Array, Element, New});
}

void jopt::addElement(Builder &B, coverage::Elements Kind, Instruction *Array,
                      Instruction *Element, Value *Count) {
  if (Kind == coverage::Elements::AtomicCounts)
    B.callVirtual(coverageArray(Kind).Class, "getAndAdd", "(IJ)J",
                  {Array, Element, Count});
  else
    addToElement(B, Array, Element, Count);
}

Instruction *jopt::sampleElement(Builder &B, Instruction *Array,
                                 Instruction *Element, int32_t Rate) {
  return B.callStatic(LinkClass, "sample", "([JII)I",
                      {Array, Element, B.constant(Rate)});
}

void jopt::recordElement(Builder &B, coverage::Elements Kind,
                         Instruction *Array, Instruction *Element) {
  switch (Kind) {
  case coverage::Elements::Bits:
    B.make(irop::Plain, op::BASTORE, Type::Void,
           {Array, Element, B.constant(1)});
    return;
  case coverage::Elements::Counts:
    addToElement(B, Array, Element, B.constantLong(1));
    return;
  case coverage::Elements::AtomicCounts:
    B.callVirtual(coverageArray(Kind).Class, "getAndIncrement", "(I)J",
                  {Array, Element});
    return;
  case coverage::Elements::Words:
    B.callStatic(LinkClass, "reach",
                 ("(" + coverageArray(Kind).Type + "I)V").str(),
                 {Array, Element});
    return;
  }
}
