//===- MakeProbe.cpp - Probe classes to probes ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakeProbe.h"
#include "Pattern.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Probes/ProbeText.h"
#include "jopt/Support/JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::classes;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What an annotation of a parameter stands for.
struct ParameterRow {
  StringRef Name;
  DataItem Item;
  /// The descriptor that the parameter must have, or Object; empty: see Type.
  StringRef Descriptor;
  bool AtEnter = true, AtReturn = true, AtException = true;
  enum { Given, Any, Object, OfOnEnter } Type = Given;
};

} // namespace

static const ParameterRow ParameterRows[] = {
    {"This", DataItem::Receiver, "", true, true, true, ParameterRow::Object},
    {"ClassRef", DataItem::HostClass, "Ljava/lang/Class;"},
    {"Param", DataItem::Parameter, "", true, true, true, ParameterRow::Any},
    {"Params", DataItem::Arguments, "[Ljava/lang/Object;"},
    {"MethodName", DataItem::MethodName, "Ljava/lang/String;"},
    {"MethodSignature", DataItem::MethodSig, "Ljava/lang/String;"},
    {"MethodParameterTypes", DataItem::ParameterTypes, "Ljava/lang/String;"},
    {"OnEnterResult", DataItem::Kept, "", false, true, true,
     ParameterRow::OfOnEnter},
    {"ReturnValue", DataItem::Result, "", false, true, false,
     ParameterRow::Any},
    {"ThrownException", DataItem::ExceptionObject, "Ljava/lang/Throwable;",
     false, false, true},
    {"Lock", DataItem::Lock, "Ljava/lang/Object;"},
    {"MethodTimeMs", DataItem::ElapsedMillis, "J", false},
    {"MethodTimeNs", DataItem::ElapsedNanos, "J", false},
};

/// Those above, and behind them what sites give.
static llvm::ArrayRef<ParameterRow> allRows() {
  static const auto *All = [] {
    auto *Rows = new std::vector<ParameterRow>(std::begin(ParameterRows),
                                               std::end(ParameterRows));
    for (const ItemAnnotation &A : getItemAnnotations())
      Rows->push_back({A.Name, A.Item, A.Descriptor, false, false, false,
                       A.Declared ? ParameterRow::Any : ParameterRow::Given});
    return Rows;
  }();
  return *All;
}

static const ParameterRow *findRow(StringRef Name) {
  auto *At = llvm::find_if(
      allRows(), [&](const ParameterRow &R) { return R.Name == Name; });
  return At == allRows().end() ? nullptr : At;
}

static bool isAllowed(const ParameterRow &R, CallbackKind K) {
  switch (K) {
  case CallbackKind::AtSite:
    llvm_unreachable("the kind of the site tells");
  case CallbackKind::OnEnter:
    return R.AtEnter;
  case CallbackKind::OnReturn:
    return R.AtReturn;
  case CallbackKind::OnUncaughtException:
  case CallbackKind::OnUncaughtExceptionExt:
    return R.AtException;
  case CallbackKind::OnExit:
    return R.AtReturn || R.AtException;
  }
  llvm_unreachable("all callbacks are listed");
}

/// The callbacks that may have \p R, for a message.
static std::string placesOf(const ParameterRow &R) {
  std::vector<StringRef> Names;
  for (unsigned K = 0; K < NumCallbackKinds; ++K)
    if (isAllowed(R, CallbackKind(K)))
      Names.push_back(getCallbackName(CallbackKind(K)));
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (AnnotatedKinds >> K & 1 && isAllowedAt(AdviceKind(K), R.Item))
      Names.push_back(getAdviceKindName(AdviceKind(K)));
  return llvm::join(Names, ", ");
}

static const Callback *findCallback(const ProbeClass &C, CallbackKind K) {
  auto At = llvm::find_if(C.Callbacks,
                          [&](const Callback &B) { return B.Kind == K; });
  return At == C.Callbacks.end() ? nullptr : &*At;
}

/// The type of the first `@This` of \p C; empty if there is none.
static StringRef thisType(const ProbeClass &C) {
  auto InOf = [](const Callback &B) -> StringRef {
    for (const CallbackParameter &P : B.Parameters)
      if (P.Marks.size() == 1 && P.Marks[0].Name == "This")
        return P.Type;
    return {};
  };
  for (const Callback &B : C.Callbacks) {
    if (StringRef Type = InOf(B); !Type.empty())
      return Type;
    for (const Callback &When : B.Deciders)
      if (StringRef Type = InOf(When); !Type.empty())
        return Type;
  }
  return {};
}

/// Sets what the element \p Key of an annotation says; the default is nothing.
static llvm::Error setFilter(SiteFilter &F, StringRef Key, StringRef Value) {
  const bool IsDefault = Value.empty() || (Key == "ordinal" && Value == "0");
  return IsDefault ? llvm::Error::success() : F.set(Key, Value);
}

//===----------------------------------------------------------------------===//
// Violations
//===----------------------------------------------------------------------===//

namespace {

class ProbeExaminer {
public:
  explicit ProbeExaminer(const ProbeClass &C) : C(C) {}

  std::vector<Violation> run();

private:
  void say(unsigned Line, const Twine &What) {
    Found.push_back(
        {Line, ("probe class '" + C.displayName() + "': " + What).str()});
  }
  void say(const Callback &B, const Twine &What) {
    say(B.Line, B.name() + ": " + What);
  }
  void examineClass();
  void examinePatterns();
  void examineSet();
  void exclude(CallbackKind One, CallbackKind Other);
  void examineResults();
  void examineReturn(const Callback &B);
  void examine(const Callback &B);
  void examine(const Callback &B, size_t Number);
  std::string typeProblem(const ParameterRow &R, StringRef Type) const;

  const ProbeClass &C;
  std::vector<Violation> Found;
};

} // namespace

void ProbeExaminer::examineClass() {
  if (!(C.Access & ACC_PUBLIC))
    say(0, "it must be public, so that every class may call it");
  if (C.Nested && !(C.Access & ACC_STATIC))
    say(0, "it must be static, as it is nested");
  if (C.Access & ACC_INTERFACE)
    say(0, "it is an interface; callbacks are methods of a class");
}

void ProbeExaminer::examinePatterns() {
  const Mark &M = *C.find("MethodPattern");
  if (M.Texts.empty())
    say(0, "@MethodPattern has no pattern");
  bool Includes = false;
  for (StringRef Text : M.Texts) {
    auto R = parsePattern(Text);
    if (R)
      Includes |= R->Include;
    else
      say(0, "the pattern '" + Text + "': " + toMessage(R.takeError()));
  }
  if (!Includes && Found.empty())
    say(0, "all its patterns begin with '-', so they select nothing");
  if (const Mark *Of = C.find("InstanceOf"))
    if (Of->Texts.size() != 1 || !isQualifiedName(Of->Texts[0]))
      say(0, "@InstanceOf needs the full name of a class or interface, as "
             "\"java.sql.Driver\"");
}

/// \p One and \p Other are not to be together.
void ProbeExaminer::exclude(CallbackKind One, CallbackKind Other) {
  if (const Callback *B = findCallback(C, Other); B && findCallback(C, One))
    say(*B, "it cannot stand beside " + getCallbackName(One) +
                "; make two probe classes of one pattern");
}

void ProbeExaminer::examineSet() {
  if (C.Callbacks.empty())
    say(0, "it has no callback: onEnter, onReturn, onUncaughtException, "
           "onUncaughtExceptionExt or onExit, nor a method for sites, as one "
           "with @FieldWrite");
  for (unsigned K = 0; K < NumCallbackKinds; ++K) {
    auto Is = [&](const Callback &B) { return B.Kind == CallbackKind(K); };
    if (llvm::count_if(C.Callbacks, Is) > 1)
      say(*llvm::find_if(llvm::reverse(C.Callbacks), Is),
          "there are several of that name, and there may be one");
  }
  exclude(CallbackKind::OnReturn, CallbackKind::OnExit);
  exclude(CallbackKind::OnUncaughtException,
          CallbackKind::OnUncaughtExceptionExt);
  exclude(CallbackKind::OnUncaughtException, CallbackKind::OnExit);
  exclude(CallbackKind::OnUncaughtExceptionExt, CallbackKind::OnExit);
}

void ProbeExaminer::examineResults() {
  for (const Callback &B : C.Callbacks)
    if ((B.Kind == CallbackKind::OnUncaughtException ||
         B.Kind == CallbackKind::OnExit || B.Kind == CallbackKind::AtSite) &&
        B.result() != "V" && !B.When)
      say(B, "it must return void; what it returns would have no use");
  const Callback *First = findCallback(C, CallbackKind::OnReturn);
  if (First && First->result() == "V")
    First = nullptr;
  for (const Callback &B : C.Callbacks) {
    if (!B.ends())
      continue;
    if (First && First->result() != B.result())
      say(B, "it returns " + javaTypeName(B.result()) + ", and " +
                 First->name() + " " + javaTypeName(First->result()) +
                 ": no method returns both");
    First = &B;
  }
}

/// What `@ReturnWhen` of \p B says.
void ProbeExaminer::examineReturn(const Callback &B) {
  if (!B.When)
    return;
  const bool AtHandler = B.Site == AdviceKind::Handler;
  if (B.Kind != CallbackKind::OnEnter && !AtHandler &&
      B.Kind != CallbackKind::OnUncaughtExceptionExt)
    return say(B, "@ReturnWhen is for onEnter, onUncaughtExceptionExt, and "
                  "methods with @Catch");
  if (B.Deciders.size() != 1)
    return say(
        B, "@ReturnWhen names '" + *B.When + "', and there " +
               (B.Deciders.empty() ? "is no method" : "are several methods") +
               " of that name");
  const Callback &When = B.Deciders.front();
  if (When.result() != "Z")
    say(When,
        "it must return boolean, as @ReturnWhen of " + B.name() + " names it");
  examine(When);
  if (B.Kind != CallbackKind::OnUncaughtExceptionExt)
    return;
  // The condition runs at the same site, so it has only the callback's values.
  auto IsSame = [](const CallbackParameter &L, const CallbackParameter &R) {
    return L.Type == R.Type && L.Marks.size() == 1 && R.Marks.size() == 1 &&
           L.Marks[0].Name == R.Marks[0].Name &&
           L.Marks[0].Number == R.Marks[0].Number;
  };
  for (const auto &[Number, P] : llvm::enumerate(When.Parameters))
    if (llvm::none_of(B.Parameters, [&](const CallbackParameter &Of) {
          return IsSame(Of, P);
        }))
      say(When, "parameter " + Twine(Number + 1) + " is none of " + B.name() +
                    ", which must have what it is asked with");
}

/// Why \p Type does not fit a parameter of row \p R; empty if it fits.
std::string ProbeExaminer::typeProblem(const ParameterRow &R,
                                       StringRef Type) const {
  std::string Is =
      "is of type " + javaTypeName(Type) + ", and must be of type ";
  switch (R.Type) {
  case ParameterRow::Any:
    return {};
  case ParameterRow::Given:
    return Type == R.Descriptor ? "" : Is + javaTypeName(R.Descriptor);
  case ParameterRow::Object:
    if (Type.front() != 'L')
      return Is + "Object, or of a class or interface";
    return Type == thisType(C) ? ""
                               : Is + javaTypeName(thisType(C)) +
                                     " as the others with @This are";
  case ParameterRow::OfOnEnter: {
    const Callback *Enter = findCallback(C, CallbackKind::OnEnter);
    if (!Enter || Enter->result() == "V" || Enter->When)
      return "has nothing to be given: there is no onEnter that returns a "
             "value";
    return Type == Enter->result()
               ? ""
               : Is + javaTypeName(Enter->result()) + ", which onEnter returns";
  }
  }
  llvm_unreachable("all rules are listed");
}

void ProbeExaminer::examine(const Callback &B, size_t Number) {
  const CallbackParameter &P = B.Parameters[Number];
  std::string Which = "parameter " + std::to_string(Number + 1) + " ";
  if (P.Marks.empty())
    return say(B, Which + "has no annotation that says what it is given, as "
                          "@Param(1)");
  if (P.Marks.size() != 1) {
    for (const Mark &M : P.Marks)
      Which += (&M == &P.Marks.front()  ? "has @"
                : &M == &P.Marks.back() ? " and @"
                                        : ", @") +
               M.Name;
    return say(B, Which + ", and needs exactly one");
  }
  const Mark &M = P.Marks.front();
  const ParameterRow *R = findRow(M.Name);
  if (!R)
    return say(B, Which + "has @" + M.Name + ", which is for classes");
  Which += "(@" + M.Name + ") ";
  if (B.Site ? !isAllowedAt(*B.Site, R->Item) : !isAllowed(*R, B.Kind))
    return say(B, Which + "is there only for " + placesOf(*R));
  if (R->Item == DataItem::Parameter && (!M.Number || *M.Number < 1))
    return say(B, Which + "needs a number from 1 on");
  if (std::string Why = typeProblem(*R, P.Type); !Why.empty())
    say(B, Which + Why);
}

void ProbeExaminer::examine(const Callback &B) {
  if (!(B.Access & ACC_PUBLIC) || !(B.Access & ACC_STATIC))
    say(B, "it must be public and static");
  SiteFilter Filter;
  for (const auto &[Key, Value] : B.SiteMark.Elements)
    if (llvm::Error E = setFilter(Filter, Key, Value))
      say(B, "'" + Key + "' of @" + B.SiteMark.Name + " is '" + Value +
                 "', which is " + toMessage(std::move(E)));
  for (size_t I = 0; I < B.Parameters.size(); ++I)
    examine(B, I);
  examineReturn(B);
}

std::vector<Violation> ProbeExaminer::run() {
  examineClass();
  examinePatterns();
  examineSet();
  examineResults();
  for (const Callback &B : C.Callbacks)
    examine(B);
  return std::move(Found);
}

std::vector<Violation> classes::findViolations(const ProbeClass &C) {
  return ProbeExaminer(C).run();
}

//===----------------------------------------------------------------------===//
// Advices
//===----------------------------------------------------------------------===//

static void setKind(Advice &A, const Callback &B) {
  const bool Returns = B.result() != "V";
  A.Kind = AdviceKind::Exit;
  switch (B.Kind) {
  case CallbackKind::OnEnter:
    A.Kind = AdviceKind::Entry;
    A.Result = B.When    ? ResultUse::Return
               : Returns ? ResultUse::Keep
                         : ResultUse::Ignore;
    break;
  case CallbackKind::OnReturn:
    A.Way = ExitWay::Return;
    A.Result = Returns ? ResultUse::ReplaceValue : ResultUse::Ignore;
    break;
  case CallbackKind::OnUncaughtExceptionExt:
    A.Way = ExitWay::Exception;
    A.Result = ResultUse::Return;
    break;
  case CallbackKind::OnUncaughtException:
    A.Way = ExitWay::Exception;
    break;
  case CallbackKind::OnExit:
    break;
  case CallbackKind::AtSite:
    A.Kind = *B.Site;
    if (B.When)
      A.Result = ResultUse::Return;
    for (const auto &[Key, Value] : B.SiteMark.Elements)
      llvm::cantFail(setFilter(A.Site, Key, Value));
    break;
  }
}

static DataUse dataUse(const Mark &M) {
  DataItem Item = findRow(M.Name)->Item;
  return Item == DataItem::Parameter
             ? DataUse(Item, std::to_string(*M.Number - 1))
             : DataUse(Item);
}

/// What the class and the method must be, besides what the patterns say.
static void setConditions(Probe &P, const ProbeClass &C) {
  P.Reach = TargetReach::Own;
  P.Interfaces = true;
  P.Nests = true;
  if (const Mark *Of = C.find("InstanceOf")) {
    std::string Type = Of->Texts.front();
    std::replace(Type.begin(), Type.end(), '.', '/');
    P.Ancestors.push_back(std::move(Type));
  }
  StringRef This = thisType(C);
  if (!This.empty() && This != "Ljava/lang/Object;") {
    P.InstanceOnly = true;
    P.Ancestors.push_back(This.drop_front().drop_back().str());
  }
  for (const Callback &B : C.Callbacks)
    if (B.ends() || (B.Kind == CallbackKind::OnReturn && B.result() != "V"))
      P.ReturnType = B.result().str();
}

/// What \p B of \p C is, but for its probe.
static Advice makeAdvice(const ProbeClass &C, const Callback &B) {
  Advice A;
  A.Body = {C.Name, B.name().str(), B.Descriptor};
  setKind(A, B);
  if (!thisType(C).empty() && !B.Site)
    A.Constructor = ConstructorPlace::AfterSuper;
  for (const CallbackParameter &Q : B.Parameters)
    A.Data.push_back(dataUse(Q.Marks.front()));
  return A;
}

void classes::appendProbe(AdviceSet &Set, const ProbeClass &C,
                          const Location &Where) {
  Probe &P = Set.Probes.emplace_back();
  P.Name = C.displayName();
  P.Where = Where;
  P.HasMode = true;
  std::vector<TargetRule> Patterns;
  for (StringRef Text : C.find("MethodPattern")->Texts) {
    Patterns.push_back(llvm::cantFail(parsePattern(Text)));
    Patterns.back().Where = Where;
  }
  P.Rules = toRules(Patterns);
  setConditions(P, C);
  for (const Callback &B : C.Callbacks) {
    auto Add = [&](const Callback &Of) -> Advice & {
      Advice &A = Set.Advices.emplace_back(makeAdvice(C, Of));
      A.Probe = unsigned(Set.Probes.size() - 1);
      return A;
    };
    // What decides stands in front of it.
    for (const Callback &When : B.Deciders)
      Add(When).Result = ResultUse::Decide;
    Add(B);
  }
}
