//===- SnippetFamilies.cpp - Snippets that differ in a number -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class has many units and calls. Their snippets differ in the number of the
/// unit, or in the names of the callee. One snippet of a family is made as any
/// other; the others are its bytes with other constants.
///
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

/// The family of \p List: how often it pushes a number, or the names of the
/// callee.
Snippets::Family Snippets::familyOf(Kind K, ArrayRef<unsigned> List) const {
  Family Of;
  Of.Of = K;
  Of.List = List;
  bool Unclear = false;
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data) {
      const DataItemInfo &Info = getInfo(Use.Item);
      const bool Names = K >= BeforeCall && Info.IsName;
      Of.NumUses += Names || (K == Unit && Use.Item == DataItem::UnitNumber);
      if (Names && !llvm::is_contained(Of.Names, Use.Item))
        Of.Names.push_back(Use.Item);
      // The text for this item may be a constant, too.
      Unclear |= K != Unit && !Info.IsName && Info.PushesText;
    }
  Of.Differ = Of.NumUses != 0;
  if (Unclear)
    Of.NumUses = 0;
  return Of;
}

Snippets::Family &Snippets::units(const Body &F, const Plan &P, bool HasThis) {
  Site At;
  At.HasThis = HasThis;
  const Plan::Differs By = differ(P, Unit);
  const Shape Of = shapeOf(F, Unit, P.at(AdviceKind::Unit), At, By);
  for (const auto &[Known, Has] : Units)
    if (Known == Of)
      return *Has;
  auto Made = std::make_unique<Family>(familyOf(Unit, P.at(AdviceKind::Unit)));
  Made->HasThis = HasThis;
  Made->By = By;
  Units.push_back({Of, std::move(Made)});
  return *Units.back().second;
}

/// The \p Texts that code with \p Names pushes of those of \p Callee. False: it
/// could not be told from what else it does.
static bool findTexts(ArrayRef<DataItem> Names, const MemberRef &Callee,
                      llvm::SmallVectorImpl<llvm::StringRef> &Texts) {
  for (const DataItem Item : Names) {
    const llvm::StringRef Text = Item == DataItem::ClassName ? Callee.Owner
                                 : Item == DataItem::MethodName
                                     ? Callee.Name
                                     : Callee.Descriptor;
    if (llvm::is_contained(Texts, Text))
      return false;
    Texts.push_back(Text);
  }
  return true;
}

/// Pushed by code of which that of sites with other numbers is made.
static constexpr unsigned ModelNumber = 0x5a71;

llvm::Expected<SnippetInstance> Snippets::add(Body &F, Family &Of,
                                              unsigned Number) {
  const bool OfUnit = Of.Of == Unit;
  llvm::SmallVector<llvm::StringRef, 3> Texts;
  bool HasFixups = Of.NumUses != 0;
  if (OfUnit)
    HasFixups &= Number <= INT16_MAX;
  else if (HasFixups)
    HasFixups = findTexts(Of.Names, F.classFile().callee(Number), Texts);
  SnippetInstance Code = Of.Model;
  const bool IsNew = !HasFixups || !Of.Model;
  if (IsNew) {
    auto Made =
        make(F, Of, HasFixups && OfUnit ? ModelNumber : Number, HasFixups);
    if (!Made)
      return Made.takeError();
    Code = *Made;
  }
  // In the order of placing, as Placement has them.
  if (HasFixups)
    for (size_t N = 0; N < Texts.size(); ++N)
      Code.Constants[N] = F.pool().addString(Texts[N]);
  if (IsNew && HasFixups) {
    Of.Model = Code.Of;
  }
  if (IsNew && HasFixups && !Code->Template) {
    Of.Model->Fixups = std::make_unique<SnippetFixups>();
    SnippetFixups &Fixups = *Of.Model->Fixups;
    Fixups.IsInt = OfUnit;
    Fixups.NumUses = Of.NumUses;
    Fixups.NumConstants = OfUnit ? 1 : uint8_t(Texts.size());
    Fixups.Own = OfUnit ? FixupConstants{ModelNumber} : Code.Constants;
  }
  if (HasFixups && OfUnit)
    return SnippetInstance(Of.Model, {uint16_t(Number)});
  if (Number >= Of.Known.size())
    Of.Known.resize(Number ? std::max<size_t>(F.pool().size(), Number + 1) : 1);
  return Of.Known[Number] = Code;
}

/// Makes the code of \p Of for \p Number.
llvm::Expected<Snippet *> Snippets::make(Body &F, const Family &Of,
                                         unsigned Number, bool HasFixups) {
  Snippet &Code = Made.OfFamilies.emplace_back();
  Code.NumAdvices = unsigned(Of.List.size());
  Code.Continues = Of.Of <= Finally;
  const Site At = {nullptr, Number, Of.HasThis};
  Plan::Differs By = Of.By;
  By.HasFixups = HasFixups;
  if (C.isWatched())
    keepPlaced(Code, F, Of.Of, Of.List, At);
  if (useTemplate(Code, F, Of.Of, Of.List, At, By))
    return &Code;
  if (Error E = make(Code, F, Of.Of, Of.List, At))
    return E;
  return &Code;
}
