//===- Advice.h - The advice model ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The common result of all front-ends: where an advice applies (pointcut),
/// what kind of place that is, which data the advice gets, and what it runs.
/// Passes know this model and no front-end.
///
/// In the IR an advice at its site is `%r = advice #n(operands)`. Its operands
/// are the values of those data items that depend on the site (isSiteItem), in
/// the order of Advice::Data; an item that has no value there (returnedObject
/// of a void method, thisObject before super()) is the constant null. Values
/// are passed as they are; lower-advice boxes. Where the result replaces a
/// value (result=replace at a return or behind a call), that value is one more
/// operand, the last, and %r has its type. With result=return %r has the type
/// that the method returns, and at an exit the exception is one more operand.
/// What decides about an advice with result=return elsewhere is an instruction
/// in front of it, whose %r is an int. With
/// result=keep %r has the type that the body returns. Everywhere else the
/// instruction has no result. Where the returned value is narrower than int the
/// instruction says what it is: `advice #n boolean (operands)`; and so it does
/// of operands that lower-advice boxes: `advice #n [1: byte] (operands)`.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ADVICE_ADVICE_H
#define JOPT_ADVICE_ADVICE_H

#include "jopt/Advice/SiteFilter.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

/// The use of the value that an advice returns.
enum class ResultUse : uint8_t {
  Ignore,       ///< popped, if there is one
  ReplaceValue, ///< Exit, AfterCall: takes the place of the returned value
  Keep,         ///< Entry: kept for this activation, for later advices
  /// The method returns it: Entry in place of its body, Exit in place of an
  /// exception that leaves, Handler in place of what the handler does.
  Return,
  Decide, ///< a boolean: whether the next advice of the set runs
};

/// The ways out of a method that an exit advice is for.
enum class ExitWay : uint8_t { Any, Return, Exception };

/// Where an advice stands relative to the method's exception ranges.
enum class RangePlace : uint8_t {
  Outside, ///< its exceptions leave the method directly
  Inside,  ///< its exceptions are seen by the handlers that cover the place
};

/// Where an entry advice of a constructor runs, and from where on an exit
/// advice sees exceptions.
enum class ConstructorPlace : uint8_t {
  BeforeSuper, ///< first of all, `this` not accessible
  AfterSuper,  ///< after super() or this() returned
};

/// The effect of exceptions that the advice throws.
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
  /// It is a method of an interface instead, called on the first data item.
  bool OfInterface = false;
  /// Where the owner is not seen, and no call site can be: the class that has
  /// the same method for Dispatch::Stub, with Token as its last argument. Not
  /// in the text form.
  std::string Stub = {};
  int32_t Token = 0;
};

struct Advice {
  AdviceKind Kind = AdviceKind::Entry;
  AdviceBody Body;
  std::vector<DataUse> Data;
  /// Entry, BeforeCall: what the advice leaves in the array of arguments
  /// becomes the arguments. A value of the wrong type throws
  /// ClassCastException, a null for a primitive NullPointerException; an object
  /// that was left alone is not cast.
  bool WritesArgs = false;
  ResultUse Result = ResultUse::Ignore;
  ExitWay Way = ExitWay::Any;
  RangePlace Range = RangePlace::Outside;
  ConstructorPlace Constructor = ConstructorPlace::BeforeSuper;
  AdviceExceptions Exceptions = AdviceExceptions::Propagate;
  SiteFilter Site; ///< of the sites in a method, those that it is for
  /// A static method "owner.name" without parameters, whose boolean result must
  /// be true for the advice to run; empty: always. It is called at each site,
  /// and must return normally. A method, because that can be what the JVM's
  /// compilers take for a constant until it changes, and no field is.
  std::string Switch;
  /// Where several advices apply at one place, those of lower order run first,
  /// at Exit and AfterCall last; equal ones run as they are numbered.
  int Order = 0;
  /// Index of the probe in AdviceSet::Probes.
  unsigned Probe = 0;
};

/// A value for \p D may be an operand of an `advice` as it is though that takes
/// an object: lower-advice boxes it, behind what decides whether it is called.
inline bool isBoxedAtCall(DataItem D) {
  return D == DataItem::Argument || D == DataItem::Local ||
         D == DataItem::Result;
}

/// \p A, which is not at calls, needs the array of the method's arguments.
bool takesArguments(const Advice &A);

/// \p A has the method return where nothing leaves it yet: what decides about
/// it is placed, too, and where that says no the method goes on.
inline bool endsMethod(const Advice &A) {
  return A.Result == ResultUse::Return && A.Kind != AdviceKind::Exit;
}

/// The code of \p A at its sites has branches, whatever becomes of its result:
/// it may be switched off, or its exceptions are caught.
inline bool hasBranches(const Advice &A) {
  return !A.Switch.empty() || A.Exceptions == AdviceExceptions::Isolate;
}

/// Whether \p A cannot be placed in a patched body (Body::Patch), whatever
/// becomes of its result: it reads or writes values that are known in lifted
/// code only.
bool needsWholeBody(const Advice &A);

/// One line of a target list. Patterns know `*` only; packages are in slash
/// form; "." or "/" is the unnamed package.
struct TargetRule {
  std::string Package = "*", Class = "*", Method = "*", Signature = "*";
  /// Extension. Not empty: the class or the method must carry, itself, an
  /// annotation whose internal name this pattern matches, visible at run time
  /// or not. Not for calls, whose methods are known by name only.
  std::string Annotation;
  /// \name What must hold besides, where it is given. Not for calls.
  /// @{
  std::string Type; ///< a pattern for the whole internal name of the class
  /// Annotations (internal names) of the class and of the method.
  std::string ClassAnnotation, MethodAnnotation;
  /// A pattern for the descriptor of each parameter.
  std::optional<std::vector<std::string>> Parameters;
  bool MoreParameters = false; ///< there may be others behind them
  /// @}
  /// The rule as its author wrote it, where that is no line of four patterns.
  std::string Text;
  bool Include = true;
  bool Optional = false; ///< it may match nothing, as other versions differ
  Location Where;        ///< in the probe file, for "matched nothing"
};

/// By which names of classes an include rule reaches methods. Not for calls.
enum class TargetReach : uint8_t {
  Interfaces, ///< the class's own, and those of its direct interfaces
  Ancestors,  ///< also those of all superclasses and superinterfaces
  Own,        ///< its own only
};

/// A group of advices with one target list. Its advices are all of call kinds,
/// or none is.
struct Probe {
  std::string Name; ///< for reports
  Location Where;
  std::vector<TargetRule> Rules;
  /// Calls only: rules for the method that contains the call (RULEWITHIN).
  std::vector<TargetRule> Callers;
  /// Rules that are asked before Rules, and must say include as well (FILTER
  /// lines of a script, which all probes of the script have).
  std::vector<TargetRule> Filters;
  /// Likewise, before Callers (FILTERWITHIN).
  std::vector<TargetRule> CallerFilters;
  /// The class of the static field that each probed class gets (internal name;
  /// created by its constructor without parameters); empty: none.
  std::string StaticField;
  /// The name of that field, but for the number behind it: the index of the
  /// probe, or the next one of which the class has no field yet.
  std::string FieldPrefix = "jopt$staticField_";
  /// Extension, but for Interfaces.
  TargetReach Reach = TargetReach::Interfaces;
  /// \name What must hold of a method besides the rules. Not for calls.
  /// @{
  /// Its class is, extends or implements all of these (internal names).
  std::vector<std::string> Ancestors;
  bool InstanceOnly = false; ///< it is not static
  std::string ReturnType;    ///< a descriptor that it returns; empty: any
  /// @}
  /// Extension, calls only: call sites of invokedynamic are selected too. Their
  /// class is that of the bootstrap method, name and descriptor are their own.
  bool DynamicCalls = false;
  /// Extension: of several such probes at one exit the last runs first, behind
  /// which those run that are none.
  bool Nests = false;
  /// Not empty: the probe is the trace of the run, with these letters and
  /// options (lib/Probes/Trace). No other probe is.
  std::string Trace;
  /// Extension: methods of interfaces that have code are selected too; at
  /// calls, those that such methods make.
  bool Interfaces = false;
  /// A probe class: switched on and off by its name, and without a guard
  /// against recursion.
  bool HasMode = false;
};

/// All advices of a run, in order: where several apply at one place, they run
/// in this order. Immutable while passes run; shared by all threads. The number
/// of an advice is its index in Advices.
struct AdviceSet {
  std::vector<Probe> Probes;
  std::vector<Advice> Advices;
  /// There is nothing to place: no advice, and no static field.
  bool empty() const {
    return Advices.empty() && llvm::all_of(Probes, [](const Probe &P) {
             return P.StaticField.empty();
           });
  }
};

/// \name Text form
/// In `.jir` files an advice set stands before the classes:
/// \code
///   probe #0 "name" { include "pkg" "Class" "method" "sig"  exclude ... }
///   advice #0 probe #0 entry call p/P.enter:(Ljava/lang/String;)V (className)
///   advice #1 probe #0 exit  call p/P.leave:(...)Ljava/lang/Object;
///   (returnedObject) result=replace
///   probe #1 "calls" field "p/State" named "state_" { ... }
///     within { ... } filter { ... }
///     filter within { ... }
///   advice #2 probe #1 beforeCall call p/P.before:(I)V (local "x") order=2
///   probe #2 "more" hierarchy interfaces {
///     include "*" "*" "*" "*" annotation "p/Traced"
///   }
///   probe #3 "P" own ancestor "a/I" instance nests returns "Z" {
///     include "*" "*" "close" "*" type "a/*" parameters ("I" "[L*;") more
///   }
///   advice #3 probe #1 fieldRead call p/P.read:(I)V (value) owner=a/B
///   name=n* lines=10-20
///   advice #4 probe #3 exit call p/P.failed:()Z () result=return way=exception
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

/// Describes what is wrong with the data items of \p A, an advice of \p Set:
/// their number, the kinds of site that use them, their types and keys. Empty
/// if nothing is.
std::string findDataProblem(const AdviceSet &Set, const Advice &A);

/// One of the probes is a trace.
bool hasTrace(const AdviceSet &A);

/// The advice that says whether advice \p N runs; null if that always does. It
/// is the one in front of it, is asked where that is placed, and is placed
/// nowhere itself; its items are some of those that the other has.
const Advice *findDecider(const AdviceSet &A, unsigned N);

/// The advice of probe \p Probe whose result is kept, or null.
const Advice *findKeeper(const AdviceSet &A, unsigned Probe);

/// Bit P is set if the advices of probe P are of call kinds.
llvm::BitVector findCallProbes(const AdviceSet &A);

/// Puts advices that apply at one place, all of kind \p K, into the order in
/// which they run there.
void sortAdvices(const AdviceSet &A, AdviceKind K,
                 llvm::SmallVectorImpl<unsigned> &List);

} // namespace jopt

#endif
