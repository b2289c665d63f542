//===- PlaceHandlers.cpp - Advices where exceptions are caught ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "../Sites/SelfCoveringHandlers.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;

#define GET_STATISTICS_PlaceHandlers
#include "jopt/Passes/Passes.inc"

/// The classes that the entries of the exception table that lead to \p B catch,
/// in their order: constants of classes, and 0 for everything. Entries whose
/// range is never reached have no try in a body that was inferred, so this
/// reads the table itself where there is one.
static llvm::SmallVector<uint16_t, 4>
catchTypes(const Body &F, const CodeView &Code, const Block &B) {
  llvm::SmallVector<uint16_t, 4> Types;
  for (const CodeView::Handler &H : Code.Handlers)
    if (H.Target == B.bci())
      Types.push_back(H.CatchType);
  if (Types.empty())
    for (const TryEntry *T : F.tries())
      if (T->Handler == &B)
        Types.push_back(T->CatchType);
  return Types;
}

/// The names of \p Types, none if they are everything.
static llvm::StringRef namesOf(Body &F, llvm::ArrayRef<uint16_t> Types) {
  if (llvm::is_contained(Types, 0))
    return {};
  std::string Names;
  for (uint16_t Type : Types) {
    llvm::StringRef Name = F.pool().className(Type);
    if (!llvm::is_contained(llvm::split(Names, '|'), Name))
      Names += (Names.empty() ? "" : "|") + Name.str();
  }
  return F.pool().save(Names);
}

bool PlaceHandlersPass::begin(PassContext &C) const {
  if (!hasAdviceOf(AdviceKind::Handler, C))
    return false;
  if (C.classFile().Original.empty())
    materializeBytecode(C, needsOriginalCode(C.get<ClassAdvices>().set()));
  return true;
}

llvm::Expected<PreservedAnalyses> PlaceHandlersPass::run(Body &F,
                                                         PassContext &C) const {
  if (F.Patch) {
    auto Placed = patchHandlers(F, C);
    if (!Placed)
      return Placed.takeError();
    NumHandlers += *Placed;
    return PreservedAnalyses::changedIf(*Placed);
  }
  llvm::SmallVector<Block *, 8> Handlers;
  for (Block &B : F.blocks())
    if (B.isHandler())
      Handlers.push_back(&B);
  if (Handlers.empty())
    return PreservedAnalyses::all();

  Placement P(F, C);
  auto List = P.advices(AdviceKind::Handler);
  P.prepareThis(List);
  const Method &M = F.method();
  // Text has no table.
  CodeView Code;
  int At = M.codeAttribute(F.pool());
  if (At >= 0 && !M.Attributes[unsigned(At)].Data.empty())
    if (llvm::Error E =
            parseCode(F.classFile(), M.Attributes[unsigned(At)].Data, Code))
      return E;
  const MethodUnits *Units = nullptr;
  if (P.names(List, DataItem::UnitNumber))
    Units = &C.analysis<ClassUnits>(F.classFile()).of(M, C);

  const bool Names = P.names(List, DataItem::CaughtType);
  for (Block *B : Handlers) {
    SiteValues S;
    S.HasThis = P.hasThis(B->locals());
    const auto Types = catchTypes(F, Code, *B);
    S.giveCaught(B->parameters()[0], !Types.empty() && !Types.front(),
                 Units && B->bci() >= 0 ? Units->unitAt(uint32_t(B->bci()))
                                        : 0);
    // The instruction that stores or drops the exception may be gone.
    if (P.names(List, DataItem::LineNumber) && B->bci() >= 0)
      S.give(DataItem::LineNumber,
             int32_t(C.analysis<LineNumbers>(F).at(B->bci())));
    if (llvm::StringRef Caught = Names ? namesOf(F, Types) : "";
        !Caught.empty())
      S.give(DataItem::CaughtType, Caught);
    SelfCoveringHandler Own(F, &*B->begin());
    Instruction *Before = P.cutBefore(&*B->begin());
    for (unsigned N : List)
      if (!endsMethod(P.Set.Advices[N]))
        P.emit(Before, N, S);
      else if (Instruction *Return = P.emitReturn(Before, N, S))
        Return->setAdvice(-1); // Exits are placed there as at any other.
    // Advices that return have cut more.
    if (Before->block() == B)
      Own.close(Before);
    ++NumHandlers;
  }
  if (llvm::Error E = P.finish())
    return E;
  return PreservedAnalyses::none();
}
