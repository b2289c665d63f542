//===- TraceFrontEnd.cpp - The trace of a run as a probe ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `-trace=LETTERS[,OPTION...]`, which is `-probes=trace:LETTERS[,OPTION...]`:
/// a probe whose rules are the filters of traces, and whose advices call the
/// activation that `jopt.boot.Link` gives. Classes need not see ours, so what
/// is called are interfaces of the JDK.
///
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Trace/Declarations.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::Expected;
using llvm::StringRef;

/// Names of classes that are not traced begin so, unless the option whitelist
/// includes them.
static constexpr llvm::StringLiteral Excluded[] = {
    "java/",     "sun/",       "apple/",      "com/apple",         "com/sun",
    "sunw",      "javax/",     "jdk/",        "org/ietf",          "org/jcp",
    "org/omg",   "org/w3c",    "org/xml",     "org/objectweb/asm", "junit",
    "org/junit", "jopt/boot/", "jopt/probe/", "jopt/probes/"};

namespace {
enum class OptionValue { None, Optional, Needed };
struct TraceOption {
  llvm::StringLiteral Name;
  OptionValue Value;
};
} // namespace

/// Those of which nothing needs to be done are taken too.
static constexpr TraceOption Options[] = {
    {"control", OptionValue::None},        {"calldepth", OptionValue::None},
    {"sourcename", OptionValue::None},     {"exceptional", OptionValue::None},
    {"entry-method", OptionValue::Needed}, {"entry-class", OptionValue::Needed},
    {"whitelist", OptionValue::Optional},  {"only", OptionValue::Needed},
    {"requests", OptionValue::None},       {"negative", OptionValue::None},
    {"stop-app-ins", OptionValue::None},   {"frames", OptionValue::None},
    {"retransform", OptionValue::None},    {"safe", OptionValue::None}};

/// A rule about the classes whose whole name \p Pattern matches.
static TargetRule rule(const llvm::Twine &Pattern, bool Include) {
  TargetRule R;
  R.Type = Pattern.str();
  R.Include = Include;
  R.Text = (Include ? "trace include " : "trace exclude ") + R.Type;
  return R;
}

/// Checks the options behind the letters, and adds the rules that they ask for;
/// \p Only gets the classes that are traced, if they are named.
static llvm::Error readOptions(StringRef Rest, std::vector<TargetRule> &Rules,
                               std::vector<TargetRule> &Only) {
  while (!Rest.empty()) {
    auto [Option, Others] = Rest.split(',');
    Rest = Others;
    auto [Name, Value] = Option.split('=');
    const auto *Row = llvm::find_if(
        Options, [&, N = Name](const TraceOption &O) { return O.Name == N; });
    if (Row == std::end(Options)) {
      auto Names = llvm::map_range(
          Options, [](const TraceOption &O) { return StringRef(O.Name); });
      return makeError("a trace has no option '" + Name + "'; there are " +
                       llvm::join(Names, ", "));
    }
    if (Value.empty()
            ? Row->Value == OptionValue::Needed || Option.contains('=')
            : Row->Value == OptionValue::None)
      return makeError("option '" + Name + "' of a trace has " +
                       (Value.empty() ? "a" : "no") + " value");
    if (Name == "entry-method" && !Value.contains('('))
      return makeError("option 'entry-method' of a trace wants a descriptor "
                       "too, as in '" +
                       Value + "()V', not '" + Value + "'");
    for (StringRef Class : llvm::split(Value, ':')) {
      if (Name == "whitelist" && !Class.empty())
        Rules.push_back(rule(Class + "*", true));
      if (Name == "only" && !Class.empty())
        Only.push_back(rule(Class, true));
    }
  }
  return llvm::Error::success();
}

static llvm::Error checkLetters(StringRef Letters) {
  if (Letters.empty() || Letters == "A" || Letters == "0")
    return llvm::Error::success();
  const std::string Known = (trace::AllLetters + "I").str();
  size_t Wrong = Letters.find_first_not_of(Known);
  if (Wrong != StringRef::npos)
    return makeError("a trace is asked for by A (all), 0 (nothing), or letters "
                     "of " +
                     llvm::Twine(Known) + ", and '" + Letters.substr(Wrong, 1) +
                     "' is none of them");
  return llvm::Error::success();
}

/// An advice of \p Set that calls \p Name of the interface \p Owner on the
/// activation, with \p Data.
static void addCall(AdviceSet &Set, StringRef Owner, StringRef Name,
                    StringRef Parameters, StringRef Result,
                    std::vector<DataUse> Data) {
  Advice A;
  A.Kind = AdviceKind::TraceEvent;
  A.Body.Owner = Owner.str();
  A.Body.Name = Name.str();
  A.Body.Descriptor = ("(Ljava/lang/Object;" + Parameters + ")" + Result).str();
  A.Body.OfInterface = true;
  A.Data = {DataItem::Kept};
  llvm::append_range(A.Data, Data);
  Set.Advices.push_back(std::move(A));
}

/// What the woven class calls; docs/TraceFormat.md says what it means.
static void addAdvices(AdviceSet &Set) {
  constexpr StringRef Object = "Ljava/lang/Object;";
  Advice Enter;
  Enter.Kind = AdviceKind::TraceEnter;
  Enter.Body.Owner = "jopt/boot/Link";
  Enter.Body.Name = "trace";
  Enter.Body.Descriptor = "(Ljava/lang/Object;I)Ljava/lang/Object;";
  Enter.Data = {DataItem::ThisObject, DataItem::EventNumber};
  Enter.Result = ResultUse::Keep;
  Set.Advices.push_back(std::move(Enter));
  addCall(Set, "java/util/function/IntConsumer", "accept", "I", "V",
          {DataItem::EventNumber});
  addCall(Set, "java/util/function/ObjIntConsumer", "accept",
          (Object + "I").str(), "V",
          {DataItem::EventObject, DataItem::EventNumber});
  addCall(Set, "java/util/function/IntUnaryOperator", "applyAsInt", "I", "I",
          {DataItem::EventNumber});
  addCall(Set, "java/util/function/Consumer", "accept", Object, "V",
          {DataItem::EventObject});
  addCall(Set, "java/util/function/LongConsumer", "accept", "J", "V",
          {DataItem::EventIndex});
  addCall(Set, "java/util/function/ToIntFunction", "applyAsInt", Object, "I",
          {DataItem::EventObject});
  addCall(Set, "java/lang/Runnable", "run", "", "V", {});
}

/// Of a trace whose events are rebuilt: letters and options for which the
/// record would have nothing are refused.
static llvm::Error checkReconstructed(StringRef Given) {
  auto [Letters, Rest] = Given.split(',');
  if (Letters.empty() || Letters == "A")
    Letters = trace::AllLetters;
  static constexpr std::pair<char, StringRef> Values[] = {
      {'E', "types of arguments"},
      {'I', "types of arguments"},
      {'f', "owners and values of fields"},
      {'z', "arrays, their lengths and elements"}};
  std::vector<std::string> Refused;
  for (auto [Letter, What] : Values)
    if (Letters.contains(Letter))
      Refused.push_back(
          (llvm::Twine("letter ") + llvm::Twine(Letter) + " (" + What + ")")
              .str());
  for (StringRef Option : llvm::split(Rest, ','))
    if (Option == "exceptional" || Option.starts_with("entry-method="))
      Refused.push_back(("option " + Option.split('=').first).str());
  if (Refused.empty())
    return llvm::Error::success();
  return makeError("-trace-reconstruct has only what control flow tells, and "
                   "not what is needed for " +
                   llvm::join(Refused, ", "));
}

static bool recognises(const ProbeInput &In) {
  return StringRef(In.Path).starts_with(TracePrefix);
}

static Expected<ProbePart> read(const ProbeInput &In, const ProbeOptions &O,
                                DiagnosticEngine &) {
  StringRef Given = StringRef(In.Path).drop_front(TracePrefix.size());
  auto [Letters, Rest] = Given.split(',');
  if (llvm::Error E = checkLetters(Letters))
    return inFile(std::move(E), "-trace");
  Probe P;
  P.Name = "trace";
  P.Trace = (Letters.empty() ? "A" : "") + Given.str();
  if (O.ReconstructsTrace) {
    if (llvm::Error E = checkReconstructed(Given))
      return inFile(std::move(E), "-trace");
    P.Trace += "," + trace::ReconstructOption.str();
  }
  P.Reach = TargetReach::Own;
  // In this order: the first that is about a class decides.
  for (StringRef Part : {"Test", "Mock"})
    P.Rules.push_back(rule("*" + Part + "*", false));
  std::vector<TargetRule> Only;
  if (llvm::Error E = readOptions(Rest, P.Rules, Only))
    return inFile(std::move(E), "-trace");
  for (StringRef Prefix : Excluded)
    P.Rules.push_back(rule(Prefix + "*", false));
  llvm::append_range(P.Rules, Only);
  P.Rules.push_back(rule("*", Only.empty()));

  ProbePart Part;
  if (Letters == "0")
    return Part;
  Part.Advices.Probes.push_back(std::move(P));
  addAdvices(Part.Advices);
  return Part;
}

const FrontEnd jopt::TraceFrontEnd = {recognises, read};
