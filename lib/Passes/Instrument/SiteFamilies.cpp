//===- SiteFamilies.cpp - Code of sites that differ in a number -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// There are many units and calls in a class, and what stands there differs in
/// the number of the unit, or the names of what is called. One code of a family
/// is made as any other; the others are its bytes with constants of their own.
///
//===----------------------------------------------------------------------===//

#include "SpliceSites.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

/// The family of \p List: what it pushes of a number, or of the names of what
/// is called.
SiteCodes::Family SiteCodes::familyOf(Kind K, ArrayRef<unsigned> List) const {
  Family Of;
  Of.Of = K;
  Of.List = List;
  bool Unclear = false;
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data) {
      const bool Names = K >= BeforeCall && (Use.Item == DataItem::ClassName ||
                                             Use.Item == DataItem::MethodName ||
                                             Use.Item == DataItem::MethodSig);
      Of.NumUses += Names || (K == Unit && Use.Item == DataItem::UnitNumber);
      // What is there instead of it may be a constant, too.
      Unclear |= K != Unit && Use.Item == DataItem::StaticField;
    }
  Of.Differ = Of.NumUses != 0;
  if (Unclear)
    Of.NumUses = 0;
  return Of;
}

SiteCodes::Family &SiteCodes::units(const Body &F, const Plan &P,
                                    bool HasThis) {
  Site At;
  At.HasThis = HasThis;
  const Plan::Differs By = differ(P, Unit);
  const Shape Of = shapeOf(F, Unit, P.Units, At, By);
  for (const auto &[Known, Has] : Units)
    if (Known == Of)
      return *Has;
  auto Made = std::make_unique<Family>(familyOf(Unit, P.Units));
  Made->HasThis = HasThis;
  Units.push_back({Of, std::move(Made)});
  return *Units.back().second;
}

/// Pushed by code of which that of sites with other numbers is made.
static constexpr unsigned ModelNumber = 0x5a71;

llvm::Expected<SiteCode &> SiteCodes::add(Body &F, Family &Of,
                                          unsigned Number) {
  const bool OfUnit = Of.Of == Unit;
  SiteConstants Constants;
  llvm::SmallVector<llvm::StringRef, SiteConstants::Max> Texts;
  bool IsLike = Of.NumUses != 0;
  if (OfUnit) {
    IsLike &= Number <= INT16_MAX;
    Constants.IsInt = true;
    Constants.Count = 1;
    Constants.Values[0] = uint16_t(Number);
  } else if (IsLike) {
    IsLike = findTexts(Of, F.classFile().callee(Number), Texts);
    Constants.Count = uint8_t(Texts.size());
  }
  SiteCode *Code = nullptr;
  if (IsLike && !Of.Model) {
    auto Model = make(F, Of, OfUnit ? ModelNumber : Number);
    if (!Model)
      return Model.takeError();
    Of.Model = *Model;
    Of.Model->Holes = std::make_unique<SiteHoles>();
    Of.Model->Holes->NumUses = Of.NumUses;
    Of.Model->Constants = Constants;
    Of.Model->Constants.Values[0] = ModelNumber;
    Code = OfUnit ? nullptr : Of.Model;
  } else if (!IsLike) {
    auto Made = make(F, Of, Number);
    if (!Made)
      return Made.takeError();
    Code = *Made;
  }
  if (!Code) {
    Code = &OfFamilies.emplace_back();
    Code->Like = Of.Model;
    Code->Continues = Of.Model->Continues;
    Code->NumAdvices = Of.Model->NumAdvices;
    Code->Constants = Constants;
  }
  // In the order of placing, as Placement has them.
  for (size_t N = 0; N < Texts.size() && IsLike; ++N)
    Code->Constants.Values[N] = F.pool().addString(Texts[N]);
  if (Number >= Of.Known.size())
    Of.Known.resize(OfUnit ? Number + 16 : F.pool().size());
  return *(Of.Known[Number] = Code);
}

/// Makes the code of \p Of for \p Number.
llvm::Expected<SiteCode *> SiteCodes::make(Body &F, const Family &Of,
                                           unsigned Number) {
  SiteCode &Code = OfFamilies.emplace_back();
  Code.NumAdvices = unsigned(Of.List.size());
  Code.Continues = Of.Of <= Finally;
  if (Error E = make(Code, F, Of.Of, Of.List, {nullptr, Number, Of.HasThis}))
    return E;
  return &Code;
}

/// The \p Texts that code of \p Of pushes of the names of \p Callee. False: it
/// could not be told from what else it does.
bool SiteCodes::findTexts(const Family &Of, const MemberRef &Callee,
                          llvm::SmallVectorImpl<llvm::StringRef> &Texts) const {
  const std::pair<DataItem, llvm::StringRef> Names[] = {
      {DataItem::ClassName, Callee.Owner},
      {DataItem::MethodName, Callee.Name},
      {DataItem::MethodSig, Callee.Descriptor}};
  llvm::SmallVector<DataItem, SiteConstants::Max> Used;
  for (unsigned N : Of.List)
    for (const DataUse &Use : Set.Advices[N].Data)
      for (const auto &[Item, Text] : Names) {
        if (Item != Use.Item || llvm::is_contained(Used, Item))
          continue;
        if (llvm::is_contained(Texts, Text))
          return false;
        Used.push_back(Item);
        Texts.push_back(Text);
      }
  return true;
}
