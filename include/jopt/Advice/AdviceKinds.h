//===- AdviceKinds.h - Kinds of advice and data items -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table Advice.td as C++ has it: at what kinds of places an advice may
/// run, and what it may be given there.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_ADVICEKINDS_H
#define JOPT_ADVICE_ADVICEKINDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace jopt {

// AdviceKind, NumAdviceKinds, DataItem, NumDataItems, Selector, and the sets
// CallKinds, SiteKinds and AnnotatedKinds.
#define GET_ADVICE_ENUMS
#include "jopt/Advice/Advice.inc"

/// The record of a kind in Advice.td; see there.
struct AdviceKindInfo {
  llvm::StringLiteral Name, Keyword;
  bool Backwards, ReplacesValue, EndsMethod, Begins, InFiles, Behind;
  uint8_t Selectors; ///< Selector bits: what a SiteFilter may say
};
const AdviceKindInfo &getInfo(AdviceKind K);

/// An instruction that is a site (Advice.td, SiteOpcode).
struct SiteOpcode {
  uint8_t Opcode; ///< in its general form
  AdviceKind Kind;
  SiteTest Test; ///< on the member that it names
  /// The data items for the operands, in their order, and for the result;
  /// advices get no operands without an item.
  llvm::SmallVector<DataItem, 3> Operands, Result;
};
/// The rows of \p Opcode: the kinds of sites that its instructions may be.
llvm::ArrayRef<SiteOpcode> findSiteOpcodes(uint8_t Opcode);
/// A call of \p Name, a method of class \p Owner, may have its thread wait
/// (Advice.td, BlockingMethod).
bool isBlockingMethod(llvm::StringRef Owner, llvm::StringRef Name);

/// An annotation that parameters of probe classes have (Advice.td).
struct ItemAnnotation {
  llvm::StringLiteral Name; ///< simple name
  DataItem Item;
  llvm::StringLiteral Descriptor;
  bool Declared; ///< the parameter may be of any type
};
llvm::ArrayRef<ItemAnnotation> getItemAnnotations();
/// The kind of sites for which methods of probe classes have the annotation of
/// this name: FieldRead and so on.
std::optional<AdviceKind> findSiteAnnotation(llvm::StringRef Name);

/// Who knows the value of a data item, but for calls, where the site knows all.
enum class DataSource : uint8_t { Site, Host, Class };

/// The rule for the type of a data item.
enum class DataTypeRule : uint8_t {
  Fixed,    ///< that of the table, or Object
  Field,    ///< of the static field of the probe, or Object
  Kept,     ///< of what the probe keeps, or Object
  Declared, ///< whatever the parameter that takes it has
};

/// Which slot of an activation a data item is read from.
enum class ItemSlot : uint8_t { None, Array, Kept, Argument, Begin };

/// The record of a data item in Advice.td; see there.
struct DataItemInfo {
  llvm::StringLiteral Name, FileName, Descriptor, JavaType;
  DataSource Source;
  DataTypeRule TypeRule;
  uint32_t AllowedAt; ///< bit K: at sites of kind K
  ItemSlot Slot;
  llvm::StringLiteral Key;
  bool NumericKey, DependsOnName, DependsOnDescriptor, Costly, OfWholeBody,
      AtPatchedCalls, IsName, PushesText, IsShared, IsReceiver, IsReturned,
      OfOriginalCode, OfMethodOrder;

  /// An advice may have several, each with its DataUse::Key.
  bool hasKey() const { return !Key.empty(); }
};
const DataItemInfo &getInfo(DataItem D);

/// \p D is a String constant that names a method: that of the site, at calls
/// the one that is called.
inline bool isNameOfMethod(DataItem D) {
  const DataItemInfo &Info = getInfo(D);
  return Info.IsName && (Info.DependsOnName || Info.DependsOnDescriptor);
}

/// The pointcut of such an advice selects calls by what is called; that of the
/// other kinds selects the methods (or classes) that contain the sites.
inline bool isCallKind(AdviceKind K) { return CallKinds >> unsigned(K) & 1; }

/// An item whose value depends on the site: it is an operand of the `advice`
/// instruction. The others are made by lower-advice. At calls the names are
/// those of the callee, as operands, and so is the array of arguments.
bool isSiteItem(AdviceKind K, DataItem D);

/// The item can be had at this kind of site.
bool isAllowedAt(AdviceKind K, DataItem D);

inline llvm::StringRef getAdviceKindName(AdviceKind K) {
  return getInfo(K).Name;
}
/// The kind of this name: "entry", "exit", "catch" and so on.
std::optional<AdviceKind> findAdviceKind(llvm::StringRef Name);
inline llvm::StringRef getDataItemName(DataItem D) { return getInfo(D).Name; }
/// The kind of this name that a fragment may have.
std::optional<AdviceKind> findFragmentKind(llvm::StringRef Name);
/// The item of this name: "returnedObject" and so on.
std::optional<DataItem> findDataItem(llvm::StringRef Name);

/// A data item as an advice asks for it.
struct DataUse {
  DataUse(DataItem Item, std::string Key = {})
      : Item(Item), Key(std::move(Key)) {}

  DataItem Item;
  /// Which of them, where DataItemInfo::hasKey: the name of a variable, say.
  std::string Key;

  operator DataItem() const { return Item; }
  /// The key of an item with DataItemInfo::NumericKey; none if that is not a
  /// number.
  std::optional<unsigned> number() const;
};

} // namespace jopt

#endif
