//===- Advice.h - The advice model ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every front-end compiles to: where an advice applies (pointcut), what
/// kind of place it is, which data it gets, and what it runs. Passes know this
/// model and no front-end.
///
/// In the IR an advice at its site is `%r = advice #n(operands)`. Its operands
/// are the values of those data items that depend on the site (isSiteItem), in
/// the order of Advice::Data; an item that has no value there (returnedObject
/// of a void method, thisObject before super()) is the constant null. Values
/// are passed as they are; lower-advice boxes. Where the result replaces a
/// value (result=replace at a return), that value is one more operand, the
/// last, and %r has its type. With result=keep %r has the type that the body
/// returns. Everywhere else the instruction has no result.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_ADVICE_H
#define JOPT_ADVICE_ADVICE_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

/// The kind of place where an advice runs.
enum class AdviceKind : uint8_t {
  Entry, ///< before the first original instruction, once per activation
  Exit,  ///< before each return, and where an exception leaves the method
};

/// A value that an advice is given. The order of the enumerators is Probekit's
/// canonical order of parameters (reference A4), except Kept, which Probekit
/// does not have.
enum class DataItem : uint8_t {
  ReturnedObject,  ///< Object: the boxed return value; null for void and throws
  ExceptionObject, ///< Throwable; null on normal exit
  ClassName,       ///< String: internal name of the host class
  MethodName,      ///< String
  MethodSig,       ///< String: the descriptor
  ThisObject,      ///< Object: null in static methods and where uninitialised
  Args,            ///< Object[]: one array per activation, built at entry
  Kept,            ///< what the probe's entry advice with result=keep returned;
                   ///< any type, zero or null where that did not run
};

/// An item whose value depends on the site: it is an operand of the `advice`
/// instruction. The others are made by lower-advice.
inline bool isSiteItem(DataItem D) {
  return D == DataItem::ReturnedObject || D == DataItem::ExceptionObject ||
         D == DataItem::ThisObject || D == DataItem::Kept;
}

/// What becomes of the value that an advice returns.
enum class ResultUse : uint8_t {
  Ignore,       ///< popped, if there is one
  ReplaceValue, ///< Exit: takes the place of the value that is returned
  Keep,         ///< Entry: kept for this activation, for later advices
};

/// Where an advice stands relative to the method's exception ranges.
enum class RangePlace : uint8_t {
  Outside, ///< its exceptions leave the method directly (Probekit entry, exit)
  Inside,  ///< its exceptions are seen by the handlers that cover the place
};

/// Where an entry advice of a constructor runs.
enum class ConstructorPlace : uint8_t {
  BeforeSuper, ///< first of all, `this` not accessible (Probekit)
  AfterSuper,  ///< after super() or this() returned
};

/// What becomes of exceptions that the advice throws.
enum class AdviceExceptions : uint8_t {
  Propagate, ///< as if the host had thrown them
  Isolate,   ///< caught around the call and dropped
};

/// The code of an advice: a static method, called with the data items as its
/// parameters in order.
struct AdviceBody {
  std::string Owner;      ///< internal name
  std::string Name;       ///< method
  std::string Descriptor; ///< one parameter per data item
};

struct Advice {
  AdviceKind Kind = AdviceKind::Entry;
  AdviceBody Body;
  std::vector<DataItem> Data;
  ResultUse Result = ResultUse::Ignore;
  RangePlace Range = RangePlace::Outside;
  ConstructorPlace Constructor = ConstructorPlace::BeforeSuper;
  AdviceExceptions Exceptions = AdviceExceptions::Propagate;
  /// A static boolean field "owner.name" that must be true for the advice to
  /// run; empty: always.
  std::string Switch;
  /// Index of the probe in AdviceSet::Probes.
  unsigned Probe = 0;
};

/// One line of a target list. Patterns know `*` only (reference A8); packages
/// are in slash form; "." or "/" is the unnamed package.
struct TargetRule {
  std::string Package = "*", Class = "*", Method = "*", Signature = "*";
  bool Include = true;
  Location Where; ///< in the probe file, for "matched nothing"
};

/// A group of advices with one target list.
struct Probe {
  std::string Name; ///< for reports
  Location Where;
  std::vector<TargetRule> Rules;
};

/// All advices of a run, in order: where several apply at one place, they run
/// in this order. Immutable while passes run; shared by all threads. The number
/// of an advice is its index in Advices.
struct AdviceSet {
  std::vector<Probe> Probes;
  std::vector<Advice> Advices;
  /// Rules that are asked before every probe's own (Probekit's FILTER lines).
  std::vector<TargetRule> Filters;
  bool empty() const { return Advices.empty(); }
};

/// \name Text form
/// In `.jir` files an advice set stands before the classes:
/// \code
///   probe #0 "name" { include "pkg" "Class" "method" "sig"  exclude ... }
///   advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;)V (className)
///   advice #1 probe #0 exit  call p/P.leave:(...)Ljava/lang/Object;
///   (returnedObject) result=replace
/// \endcode
/// @{
void printAdviceSet(const AdviceSet &A, llvm::raw_ostream &OS);
/// Reads declarations from the start of \p Text up to the first line that is
/// none; removes them from \p Text. Lines count from \p Line, which advances.
llvm::Expected<AdviceSet> parseAdviceSet(llvm::StringRef &Text,
                                         llvm::StringRef File, unsigned &Line);
/// @}

/// The first thing that is wrong in \p A: a descriptor that does not fit its
/// data items, an item or a result that its kind does not have, a rule or
/// advice without its probe, a malformed switch. Front-ends call it on what
/// they made; parseAdviceSet does.
llvm::Error checkAdviceSet(const AdviceSet &A);

/// The advice of probe \p Probe whose result is kept, or null.
const Advice *findKeeper(const AdviceSet &A, unsigned Probe);

llvm::StringRef getDataItemName(DataItem D);       ///< "returnedObject"
llvm::StringRef getDataItemDescriptor(DataItem D); ///< "Ljava/lang/Object;"
std::optional<DataItem> findDataItem(llvm::StringRef Name);
llvm::StringRef getAdviceKindName(AdviceKind K);

} // namespace jopt

#endif
