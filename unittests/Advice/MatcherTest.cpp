//===- MatcherTest.cpp ----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Matcher.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "gtest/gtest.h"
#include <thread>

using namespace jopt;
using llvm::StringRef;

namespace {

TargetRule rule(StringRef Package, StringRef Class, StringRef Method,
                StringRef Signature, bool Include) {
  TargetRule R;
  R.Package = Package.str();
  R.Class = Class.str();
  R.Method = Method.str();
  R.Signature = Signature.str();
  R.Include = Include;
  return R;
}
TargetRule include(StringRef P, StringRef C = "*", StringRef M = "*",
                   StringRef S = "*") {
  return rule(P, C, M, S, true);
}
TargetRule exclude(StringRef P, StringRef C = "*", StringRef M = "*",
                   StringRef S = "*") {
  return rule(P, C, M, S, false);
}

AdviceSet set(std::vector<TargetRule> Rules,
              std::vector<TargetRule> Filters = {}) {
  AdviceSet Set;
  Probe P;
  P.Rules = std::move(Rules);
  P.Filters = std::move(Filters);
  Set.Probes.push_back(std::move(P));
  return Set;
}

bool selects(const AdviceSet &Set, StringRef Class, StringRef Method = "m",
             StringRef Descriptor = "()V",
             llvm::ArrayRef<StringRef> Interfaces = {}) {
  Matcher M(Set);
  return !ClassMatcher(M, {Class, Interfaces, false})
              .match({Method, Descriptor})
              .empty();
}

TEST(Wildcard, Vectors) {
  EXPECT_TRUE(matchesWildcard("java.*.thing", "java..thing"));
  EXPECT_TRUE(matchesWildcard("java.*.xx.*.yy", "java.aa.xx.aa.xx.yy"));
  EXPECT_TRUE(matchesWildcard("*tail", "tail"));
  EXPECT_FALSE(matchesWildcard("some*more", "somexxmorexx"));
  EXPECT_FALSE(matchesWildcard("*pat*more", "xyz pat"));
  EXPECT_TRUE(matchesWildcard("abc*target*", "abctarget"));
  EXPECT_FALSE(matchesWildcard("abc*longtail*", "abcshort"));
}

TEST(Wildcard, SpecialCases) {
  EXPECT_TRUE(matchesWildcard("*", ""));
  EXPECT_TRUE(matchesWildcard("*", "a/b"));
  EXPECT_TRUE(matchesWildcard("abc", "*"));
  EXPECT_TRUE(matchesWildcard("a**", "a"));
  EXPECT_TRUE(matchesWildcard("a**", "ab"));
  EXPECT_TRUE(matchesWildcard("a**b", "ab"));
  EXPECT_FALSE(matchesWildcard("a?c", "abc"));
  EXPECT_TRUE(matchesWildcard("a?c", "a?c"));
  EXPECT_FALSE(matchesWildcard("abc", "ABC"));
  // The suffix must fit behind what was consumed.
  EXPECT_FALSE(matchesWildcard("ab*ba", "aba"));
  EXPECT_TRUE(matchesWildcard("ab*ba", "abba"));
  EXPECT_TRUE(matchesWildcard("", ""));
  EXPECT_FALSE(matchesWildcard("", "a"));
  // Long inputs take linear time.
  std::string Many(20000, 'a');
  EXPECT_FALSE(matchesWildcard("*a*a*a*a*a*a*a*a*b", Many));
}

TEST(Matcher, Packages) {
  AdviceSet Exact = set({include("java/util"), exclude("*")});
  EXPECT_TRUE(selects(Exact, "java/util/List"));
  EXPECT_FALSE(selects(Exact, "java/util/concurrent/Future"));
  EXPECT_FALSE(selects(Exact, "List"));
  AdviceSet Prefix = set({include("java/util*"), exclude("*")});
  EXPECT_TRUE(selects(Prefix, "java/util/List"));
  EXPECT_TRUE(selects(Prefix, "java/util/concurrent/Future"));
  EXPECT_TRUE(selects(Prefix, "java/utilities/X"));
  for (StringRef Unnamed : {".", "/"}) {
    AdviceSet S = set({include(Unnamed), exclude("*")});
    EXPECT_TRUE(selects(S, "Main"));
    EXPECT_FALSE(selects(S, "a/Main"));
  }
  AdviceSet Empty = set({include(""), exclude("*")});
  EXPECT_TRUE(selects(Empty, "Main"));
  EXPECT_TRUE(selects(Empty, "a/Main"));
}

TEST(Matcher, ClassesKeepTheirOuterName) {
  AdviceSet S = set({include("a", "Outer$Inner"), exclude("*")});
  EXPECT_TRUE(selects(S, "a/Outer$Inner"));
  EXPECT_FALSE(selects(S, "a/Inner"));
  EXPECT_FALSE(selects(S, "a/Outer"));
}

TEST(Matcher, MethodsAndSignatures) {
  AdviceSet S =
      set({include("*", "*", "get*", "*Ljava/lang/String;*"), exclude("*")});
  EXPECT_TRUE(selects(S, "A", "getX", "(Ljava/lang/String;)V"));
  EXPECT_TRUE(selects(S, "A", "get", "()Ljava/lang/String;"));
  EXPECT_FALSE(selects(S, "A", "get", "()V"));
  EXPECT_FALSE(selects(S, "A", "setX", "(Ljava/lang/String;)V"));
}

TEST(Matcher, FirstRuleDecidesAndNoneIncludes) {
  EXPECT_TRUE(selects(set({}), "any/Class"));
  EXPECT_TRUE(selects(set({exclude("java*")}), "org/A"));
  EXPECT_FALSE(
      selects(set({exclude("java*"), include("java/util")}), "java/util/List"));
  EXPECT_TRUE(
      selects(set({include("java/util"), exclude("java*")}), "java/util/List"));
}

TEST(Matcher, BothTiersMustInclude) {
  EXPECT_FALSE(selects(set({include("a")}, {exclude("a")}), "a/B"));
  EXPECT_FALSE(selects(set({exclude("a")}, {include("a")}), "a/B"));
  EXPECT_TRUE(selects(set({include("a")}, {include("a")}), "a/B"));
  EXPECT_TRUE(selects(set({}, {include("a")}), "b/B"));
}

TEST(Matcher, InterfacesIncludeOnlyExplicitly) {
  StringRef I[] = {"api/Service"};
  // A rule that names the interface brings the class in.
  AdviceSet Named = set({include("api", "Service"), exclude("*")});
  EXPECT_TRUE(selects(Named, "impl/S", "m", "()V", I));
  EXPECT_FALSE(selects(Named, "impl/S", "m", "()V"));
  // The implicit include does not count for interfaces.
  EXPECT_FALSE(selects(set({exclude("impl")}), "impl/S", "m", "()V", I));
  // An exclude that the interface hits never removes a class.
  EXPECT_TRUE(selects(set({exclude("api")}), "impl/S", "m", "()V", I));
  // Filters and rules decide each by their first target.
  EXPECT_FALSE(selects(set({exclude("impl")}, {include("api")}), "impl/S", "m",
                       "()V", I));
  EXPECT_TRUE(selects(set({exclude("x")}, {include("api"), exclude("*")}),
                      "impl/S", "m", "()V", I));
  // The method is the class's own, whether the interface has it or not.
  AdviceSet M = set({include("api", "Service", "run"), exclude("*")});
  EXPECT_TRUE(selects(M, "impl/S", "run", "()V", I));
  EXPECT_FALSE(selects(M, "impl/S", "stop", "()V", I));
}

TEST(Matcher, FirstTargetDecidesOverInterfaces) {
  StringRef I[] = {"api/Service"};
  auto Selects = [&](std::initializer_list<TargetRule> Rules,
                     StringRef Method = "m") {
    return selects(set(Rules), "impl/S", Method, "()V", I);
  };
  // An exclude of the class wins over an include of its interface behind it.
  EXPECT_FALSE(Selects(
      {exclude("impl", "S", "m"), include("api", "Service"), exclude("*")}));
  EXPECT_TRUE(Selects(
      {exclude("impl", "S", "n"), include("api", "Service"), exclude("*")}));
  EXPECT_FALSE(Selects({exclude("impl"), include("api"), exclude("*")}));
  EXPECT_TRUE(Selects({include("api"), exclude("impl"), exclude("*")}));
  // An exclude of the interface ends what includes by its name behind it.
  EXPECT_FALSE(
      Selects({exclude("api", "Service"), include("api"), exclude("*")}));
  EXPECT_FALSE(
      Selects({exclude("api", "Service", "m"), include("api"), exclude("*")}));
  EXPECT_TRUE(Selects(
      {exclude("api", "Service", "m"), include("api"), exclude("*")}, "n"));
  // Not what names the class, or another interface.
  EXPECT_TRUE(Selects({exclude("api"), include("impl"), exclude("*")}));
  StringRef Two[] = {"api/Service", "api/Other"};
  EXPECT_TRUE(
      selects(set({exclude("api", "Service"), include("api"), exclude("*")}),
              "impl/S", "m", "()V", Two));
}

TEST(Matcher, InterfacesAreNeverInstrumented) {
  AdviceSet S = set({});
  EXPECT_TRUE(ClassMatcher(Matcher(S), {"api/Service", {}, true})
                  .match({"m", "()V"})
                  .empty());
}

TEST(Matcher, SpecialMethodsAreSelected) {
  AdviceSet S = set({include("*"), exclude("*")});
  for (StringRef M : {"<init>", "<clinit>", "lambda$run$0", "access$000"})
    EXPECT_TRUE(selects(S, "A", M));
}

TEST(Matcher, Hierarchy) {
  AdviceSet S = set({exclude("gen"), include("api", "Base"), exclude("*")});
  S.Probes[0].Reach = TargetReach::Ancestors;
  MemoryHierarchy H;
  auto Add = [&](StringRef Name, StringRef Super,
                 llvm::ArrayRef<StringRef> Interfaces = {}) {
    ClassInfo C;
    C.Name = Name;
    C.Super = Super;
    C.Interfaces = Interfaces;
    H.addAncestry(C);
  };
  Add("api/Base", "java/lang/Object");
  Add("a/Middle", "api/Base");
  Add("a/Loop", "a/Loop2");
  Add("a/Loop2", "a/Loop");
  Matcher M(S);
  auto Selects = [&](StringRef Name, StringRef Super,
                     llvm::ArrayRef<StringRef> Interfaces = {}) {
    return !ClassMatcher(M, {Name, Interfaces, false, Super, {}, &H})
                .match({"m", "()V"})
                .empty();
  };
  EXPECT_TRUE(Selects("api/Base", "java/lang/Object"));
  EXPECT_TRUE(Selects("a/Leaf", "a/Middle"));
  EXPECT_TRUE(Selects("a/Impl", "java/lang/Object", {"a/Middle"}));
  EXPECT_FALSE(Selects("gen/Leaf", "a/Middle"));
  EXPECT_FALSE(Selects("gen/Impl", "java/lang/Object", {"api/Base"}));
  EXPECT_FALSE(Selects("a/Other", "java/lang/Object"));
  EXPECT_FALSE(Selects("a/Loop", "a/Loop2"));
  // Its ancestor of that name is of another loader.
  Add("a/Above", "a/Twin");
  Add("a/Twin", "a/Middle");
  EXPECT_TRUE(Selects("a/Twin", "a/Above"));
  EXPECT_TRUE(M.unresolvedAncestors().empty());
  EXPECT_FALSE(Selects("b/Y", "lib/Unknown"));
  EXPECT_FALSE(Selects("b/X", "lib/Unknown"));
  // Of an interface, into which nothing goes, nobody asks.
  ClassMatcher(M, {"b/I", {}, true, "lib/Unknown", {}, &H});
  auto Missing = M.unresolvedAncestors();
  ASSERT_EQ(Missing.size(), 1u);
  EXPECT_EQ(Missing["lib/Unknown"].Classes, 2u);
  EXPECT_EQ(Missing["lib/Unknown"].First, "b/X");
  // Where nothing is known of ancestors, those that the class names count.
  ClassMatcher Alone(M, {"b/Z", {}, false, "api/Base"});
  EXPECT_FALSE(Alone.match({"m", "()V"}).empty());
  // Filters, too.
  AdviceSet Filter = set({}, {include("api", "Base"), exclude("*")});
  Filter.Probes[0].Reach = TargetReach::Ancestors;
  Matcher MF(Filter);
  ClassMatcher ByFilter(MF, {"a/Leaf", {}, false, "a/Middle", {}, &H});
  EXPECT_FALSE(ByFilter.match({"m", "()V"}).empty());
  // Off, the same targets look no further than the class's own interfaces.
  S.Probes[0].Reach = TargetReach::Interfaces;
  EXPECT_FALSE(selects(S, "a/Leaf"));
  EXPECT_TRUE(selects(S, "a/Impl", "m", "()V", {"api/Base"}));
  EXPECT_FALSE(selects(S, "gen/Impl", "m", "()V", {"api/Base"}));
}

TEST(Matcher, Annotations) {
  AdviceSet S = set({include("*"), exclude("*")});
  S.Probes[0].Rules[0].Annotation = "p/Tr*";
  Matcher M(S);
  EXPECT_TRUE(M.needsAnnotations());
  StringRef Other[] = {"p/Other"}, Traced[] = {"p/Other", "p/Traced"};
  ClassMatcher ByMethod(M, {"a/B", {}, false, {}, Other});
  EXPECT_TRUE(ByMethod.match({"m", "()V"}).empty());
  EXPECT_TRUE(ByMethod.match({"m", "()V", Other}).empty());
  EXPECT_FALSE(ByMethod.match({"m", "()V", Traced}).empty());
  ClassMatcher ByClass(M, {"a/B", {}, false, {}, Traced});
  EXPECT_FALSE(ByClass.match({"m", "()V"}).empty());
}

TEST(Matcher, Interfaces) {
  AdviceSet S = set({include("a"), exclude("*")});
  EXPECT_TRUE(
      ClassMatcher(Matcher(S), {"a/I", {}, true}).match({"m", "()V"}).empty());
  S.Probes[0].Interfaces = true;
  Matcher M(S);
  EXPECT_FALSE(ClassMatcher(M, {"a/I", {}, true}).match({"m", "()V"}).empty());
  EXPECT_TRUE(ClassMatcher(M, {"b/I", {}, true}).match({"m", "()V"}).empty());
}

TEST(Matcher, CanMatchClass) {
  // Only excludes: names decide.
  AdviceSet Excludes = set({exclude("java*")});
  EXPECT_FALSE(Matcher(Excludes).canMatchClass("java/util/List"));
  EXPECT_TRUE(Matcher(Excludes).canMatchClass("org/A"));
  // A method pattern leaves other methods.
  AdviceSet Some = set({exclude("java*", "*", "get*")});
  EXPECT_TRUE(Matcher(Some).canMatchClass("java/util/List"));
  // An include may come by an interface of the class.
  AdviceSet ByInterface = set({include("api"), exclude("*")});
  EXPECT_TRUE(Matcher(ByInterface).canMatchClass("impl/S"));
  AdviceSet Filter = set({}, {include("api"), exclude("*")});
  EXPECT_TRUE(Matcher(Filter).canMatchClass("impl/S"));
  EXPECT_TRUE(selects(Filter, "impl/S", "m", "()V", {"api/S"}));
  // Unless no name reaches it.
  AdviceSet Shadowed = set({exclude("*"), include("api")});
  EXPECT_FALSE(Matcher(Shadowed).canMatchClass("impl/S"));
  EXPECT_FALSE(Matcher(Shadowed).canMatchClass("api/S"));
  AdviceSet Filtered = set({}, {exclude("java*")});
  EXPECT_FALSE(Matcher(Filtered).canMatchClass("java/util/List"));
}

TEST(Matcher, CanMatchClassByAnAncestor) {
  // One package is not all.
  AdviceSet Set = set({exclude("a"), include("api"), exclude("*")});
  Set.Probes[0].Reach = TargetReach::Ancestors;
  Matcher M(Set);
  EXPECT_TRUE(M.canMatchClass("impl/S"));
  // Once they are known they decide.
  EXPECT_TRUE(M.canMatchClass(MatchClass{"impl/S", {}, false, "x/Super"}));
  MemoryHierarchy H;
  ClassInfo Super;
  Super.Name = "x/Super";
  Super.Super = "api/Base";
  H.addAncestry(Super);
  for (auto [Name, Above, Can] : {std::tuple("impl/S", "x/Super", true),
                                  {"impl/S", "x/Other", false},
                                  {"impl/S", "api/Base", true}})
    EXPECT_EQ(M.canMatchClass(MatchClass{Name, {}, false, Above, {}, &H}), Can)
        << Name << " " << Above;
}

TEST(Matcher, CountsAreExactAcrossThreads) {
  AdviceSet S = set({include("a"), exclude("*")});
  Matcher M(S);
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I < 1000; ++I) {
        ClassMatcher(M, {"a/B", {}, false}).match({"m", "()V"});
        ClassMatcher(M, {"b/B", {}, false}).match({"m", "()V"});
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(M.probeHits(0), 4000u);
  EXPECT_EQ(M.ruleHits(0, 0), 4000u);
  EXPECT_EQ(M.ruleHits(0, 1), 4000u);
}

/// A set with one call probe.
AdviceSet callSet(std::vector<TargetRule> Rules,
                  std::vector<TargetRule> Callers = {},
                  std::vector<TargetRule> Filters = {},
                  std::vector<TargetRule> CallerFilters = {}) {
  AdviceSet Set = set(std::move(Rules), std::move(Filters));
  Set.Probes[0].Callers = std::move(Callers);
  Set.Probes[0].CallerFilters = std::move(CallerFilters);
  Set.Advices.emplace_back().Kind = AdviceKind::AfterCall;
  return Set;
}

bool selectsCall(const AdviceSet &Set, StringRef Owner, StringRef Name = "m",
                 StringRef Descriptor = "()V", StringRef Host = "host/H",
                 StringRef HostMethod = "h") {
  Matcher M(Set);
  return M.matchCall(M.matchCallee(Owner, Name, Descriptor),
                     M.matchCaller({Host, {}, false}, HostMethod, "(I)V"))[0];
}

TEST(CallMatcher, CalleeAsThePoolNamesIt) {
  // No match means include.
  EXPECT_TRUE(selectsCall(callSet({}), "a/B"));
  AdviceSet S = callSet({include("a", "B", "m", "()V"), exclude("*")});
  EXPECT_TRUE(selectsCall(S, "a/B"));
  EXPECT_FALSE(selectsCall(S, "a/B", "m", "(I)V"));
  EXPECT_FALSE(selectsCall(S, "a/C"));
  EXPECT_TRUE(selectsCall(callSet({include("*", "*", "<init>"), exclude("*")}),
                          "a/B", "<init>"));
  // The host does not count.
  EXPECT_FALSE(selectsCall(callSet({include("host"), exclude("*")}), "a/B"));
  // Filters come first.
  EXPECT_FALSE(selectsCall(callSet({include("*")}, {}, {exclude("a")}), "a/B"));
  EXPECT_TRUE(selectsCall(callSet({}, {}, {exclude("a")}), "b/B"));
}

TEST(Matcher, FiltersAreOfTheirProbe) {
  AdviceSet S = set({include("*")}, {exclude("a")});
  S.Probes.push_back(set({include("*")}, {exclude("b")}).Probes[0]);
  S.Probes.push_back(set({include("*")}).Probes[0]);
  Matcher M(S);
  auto Selected = [&](StringRef Class, llvm::ArrayRef<StringRef> Interfaces) {
    return ClassMatcher(M, {Class, Interfaces, false}).match({"m", "()V"});
  };
  using List = llvm::SmallVector<unsigned, 4>;
  EXPECT_EQ(Selected("a/B", {}), (List{1, 2}));
  EXPECT_EQ(Selected("b/B", {}), (List{0, 2}));
  EXPECT_EQ(Selected("c/B", {}), (List{0, 1, 2}));
  // An interface brings in nothing that the class's own name excludes.
  EXPECT_EQ(Selected("a/B", {"b/I"}), (List{1, 2}));
  EXPECT_EQ(Selected("a/B", {"a/I"}), (List{1, 2}));
}

TEST(CallMatcher, FiltersAreOfTheirProbe) {
  AdviceSet S = callSet({}, {}, {exclude("a")}, {exclude("x")});
  S.Probes.push_back(callSet({}, {}, {exclude("b")}).Probes[0]);
  S.Advices.emplace_back().Kind = AdviceKind::AfterCall;
  S.Advices.back().Probe = 1;
  Matcher M(S);
  auto Selected = [&](StringRef Owner, StringRef Host) {
    llvm::BitVector V =
        M.matchCall(M.matchCallee(Owner, "m", "()V"),
                    M.matchCaller({Host, {}, false}, "h", "()V"));
    return std::pair<bool, bool>(V[0], V[1]);
  };
  EXPECT_EQ(Selected("a/B", "y/H"), std::pair(false, true));
  EXPECT_EQ(Selected("b/B", "y/H"), std::pair(true, false));
  EXPECT_EQ(Selected("c/B", "x/H"), std::pair(false, true));
}

TEST(CallMatcher, ArrayOwners) {
  EXPECT_TRUE(
      selectsCall(callSet({include("", "[I"), exclude("*")}), "[I", "clone"));
  EXPECT_TRUE(selectsCall(callSet({include(".", "[I"), exclude("*")}), "[I"));
  EXPECT_TRUE(
      selectsCall(callSet({include("[Ljava/lang", "String;"), exclude("*")}),
                  "[Ljava/lang/String;", "clone"));
  EXPECT_FALSE(
      selectsCall(callSet({include("java/lang", "String"), exclude("*")}),
                  "[Ljava/lang/String;", "clone"));
}

TEST(CallMatcher, Callers) {
  AdviceSet S = callSet({}, {include("host", "*", "h"), exclude("*")});
  EXPECT_TRUE(selectsCall(S, "a/B"));
  EXPECT_FALSE(selectsCall(S, "a/B", "m", "()V", "host/H", "other"));
  EXPECT_FALSE(selectsCall(S, "a/B", "m", "()V", "else/H"));
  AdviceSet F = callSet({}, {include("*")}, {}, {exclude("host", "*", "h")});
  EXPECT_FALSE(selectsCall(F, "a/B"));
  EXPECT_TRUE(selectsCall(F, "a/B", "m", "()V", "host/H", "other"));
  // Interfaces are not scanned.
  EXPECT_TRUE(Matcher(callSet({}))
                  .matchCaller({"host/I", {}, true}, "h", "()V")
                  .none());
}

TEST(CallMatcher, ApartFromMethods) {
  AdviceSet S = callSet({});
  EXPECT_FALSE(selects(S, "a/B"));
  EXPECT_FALSE(selectsCall(set({}), "a/B"));
}

TEST(CallMatcher, CanMatchClass) {
  // Any class may call.
  EXPECT_TRUE(
      Matcher(callSet({include("a", "B"), exclude("*")})).canMatchClass("x/Y"));
  EXPECT_FALSE(Matcher(callSet({exclude("*")})).canMatchClass("x/Y"));
  EXPECT_FALSE(Matcher(callSet({}, {}, {exclude("*")})).canMatchClass("x/Y"));
  AdviceSet S = callSet({}, {include("host"), exclude("*")});
  EXPECT_TRUE(Matcher(S).canMatchClass("host/H"));
  EXPECT_FALSE(Matcher(S).canMatchClass("x/Y"));
  EXPECT_FALSE(
      Matcher(callSet({}, {}, {}, {exclude("x")})).canMatchClass("x/Y"));
  // Some calls are left.
  for (const TargetRule &R :
       {exclude("*", "*", "*", "()V"), exclude("*", "*", "m"),
        exclude("*", "A"), exclude("a")})
    EXPECT_TRUE(Matcher(callSet({R})).canMatchClass("x/Y"));
}

TEST(CallMatcher, KnowsWhetherCalleesAreAlike) {
  auto Alike = [](const AdviceSet &S) { return Matcher(S).isSameForCallees(); };
  EXPECT_TRUE(Alike(callSet({})));
  // Later rules decide nothing, nor do callers.
  EXPECT_TRUE(Alike(callSet({include("*"), exclude("a")})));
  EXPECT_TRUE(Alike(callSet({}, {exclude("a")}, {}, {exclude("b")})));
  for (const TargetRule &R :
       {exclude("*", "*", "*", "()V"), exclude("*", "*", "m"),
        exclude("*", "A"), exclude("a"), exclude(".")})
    EXPECT_FALSE(Alike(callSet({R})));
  EXPECT_FALSE(Alike(callSet({}, {}, {exclude("a")})));
  EXPECT_TRUE(Alike(set({exclude("a")}))); // has none at calls
}

TEST(CallMatcher, CountsSelectedCalls) {
  AdviceSet S = callSet({exclude("no"), include("a")});
  Matcher M(S);
  llvm::BitVector Caller = M.matchCaller({"host/H", {}, false}, "h", "()V");
  for (StringRef Owner : {"a/B", "a/C", "b/B", "no/B"})
    M.matchCall(M.matchCallee(Owner, "m", "()V"), Caller);
  EXPECT_EQ(M.probeHits(0), 3u);
  EXPECT_EQ(M.ruleHits(0, 0), 0u);
  EXPECT_EQ(M.ruleHits(0, 1), 2u);
}

/// Whether the probe \p P, with one include rule for all, selects \p M of \p C.
bool selects(const Probe &P, const MatchClass &C, const MatchMethod &M) {
  AdviceSet S;
  S.Probes.push_back(P);
  S.Advices.push_back({});
  return !ClassMatcher(Matcher(S), C).match(M).empty();
}

// What begins like no include rule is not asked about, whoever brings it in.
TEST(Matcher, FirstLettersOfMethods) {
  auto May = [](const AdviceSet &Set, StringRef Class, StringRef Method,
                llvm::ArrayRef<StringRef> Interfaces = {}) {
    Matcher M(Set, RuleCounts::OfIncludes);
    return ClassMatcher(M, {Class, Interfaces, false}).maySelect(Method);
  };
  AdviceSet Own = set({include("a", "A", "get*"), exclude("*")});
  EXPECT_TRUE(May(Own, "a/A", "getX"));
  EXPECT_FALSE(May(Own, "a/A", "setX"));
  EXPECT_FALSE(May(Own, "a/B", "getX"));
  AdviceSet ByInterface =
      set({include("i", "I", "set*"), include("a", "A", "get*"), exclude("*")});
  EXPECT_FALSE(May(ByInterface, "a/A", "setX"));
  EXPECT_TRUE(May(ByInterface, "a/A", "setX", {"i/I"}));
  EXPECT_TRUE(May(ByInterface, "a/A", "getX", {"i/I"}));
  EXPECT_FALSE(May(ByInterface, "a/A", "isX", {"i/I"}));
  AdviceSet Open = set({exclude("a", "A", "get*")});
  EXPECT_TRUE(May(Open, "a/A", "setX"));
}

// Found once for all classes; interfaces may be other probes' alone.
TEST(Matcher, NoRuleTellsClassesApart) {
  AdviceSet Set = set({include("", "", "get*"), exclude("*")});
  Set.Probes.push_back(set({include("*")}).Probes[0]);
  Set.Probes[1].Interfaces = true;
  Matcher M(Set);
  EXPECT_TRUE(M.isSameForClasses());
  using List = llvm::SmallVector<unsigned, 4>;
  for (StringRef Class : {"a/A", "B"}) {
    ClassMatcher Of(M, {Class, {"i/I"}, false});
    EXPECT_EQ(Of.match({"getX", "()V"}), List({0, 1}));
    EXPECT_EQ(Of.match({"setX", "()V"}), List({1}));
  }
  ClassMatcher Interface(M, {"i/I", {"i/J"}, true});
  EXPECT_EQ(Interface.match({"getX", "()V"}), List({1}));
  EXPECT_FALSE(Matcher(set({include("a"), exclude("*")})).isSameForClasses());
}

TEST(Matcher, ConditionsOfProbeClasses) {
  Probe P;
  TargetRule All;
  All.Include = false;
  TargetRule R;
  R.Type = "a/*C";
  P.Rules = {R, All};
  P.Reach = TargetReach::Own;
  EXPECT_TRUE(selects(P, {"a/b/C", {}}, {"m", "()V"}));
  EXPECT_FALSE(selects(P, {"b/C", {}}, {"m", "()V"}));
  // Interfaces bring nothing in.
  StringRef Interface[] = {"a/C"};
  EXPECT_FALSE(selects(P, {"b/D", Interface}, {"m", "()V"}));

  P.Rules[0].Parameters = {"I", "[L*;"};
  EXPECT_TRUE(selects(P, {"a/C", {}}, {"m", "(I[La/B;)V"}));
  EXPECT_FALSE(selects(P, {"a/C", {}}, {"m", "(I[La/B;I)V"}));
  EXPECT_FALSE(selects(P, {"a/C", {}}, {"m", "(I)V"}));
  EXPECT_FALSE(selects(P, {"a/C", {}}, {"m", "(I[I)V"}));
  P.Rules[0].MoreParameters = true;
  EXPECT_TRUE(selects(P, {"a/C", {}}, {"m", "(I[La/B;I)V"}));
  P.Rules[0].Parameters.reset();

  P.ReturnType = "Z";
  EXPECT_TRUE(selects(P, {"a/C", {}}, {"m", "()Z"}));
  EXPECT_FALSE(selects(P, {"a/C", {}}, {"m", "()I"}));
  P.ReturnType.clear();

  P.InstanceOnly = true;
  EXPECT_TRUE(selects(P, {"a/C", {}}, {"m", "()V"}));
  EXPECT_FALSE(selects(P, {"a/C", {}}, {"m", "()V", {}, true}));

  P.Ancestors = {"a/I", "a/Super"};
  StringRef I[] = {"a/I"};
  EXPECT_TRUE(selects(P, {"a/C", I, false, "a/Super"}, {"m", "()V"}));
  EXPECT_FALSE(selects(P, {"a/C", I, false, "a/Other"}, {"m", "()V"}));
  EXPECT_FALSE(selects(P, {"a/C", {}, false, "a/Super"}, {"m", "()V"}));
  P.Ancestors = {"a/C"};
  EXPECT_TRUE(selects(P, {"a/C", {}}, {"m", "()V"}));

  P.Rules[0].ClassAnnotation = "p/A";
  P.Rules[0].MethodAnnotation = "p/B";
  StringRef A[] = {"p/A"}, B[] = {"p/B"};
  EXPECT_TRUE(selects(P, {"a/C", {}, false, {}, A}, {"m", "()V", B}));
  EXPECT_FALSE(selects(P, {"a/C", {}, false, {}, B}, {"m", "()V", B}));
  EXPECT_FALSE(selects(P, {"a/C", {}, false, {}, A}, {"m", "()V", A}));
}

/// The rules of a probe that reaches its own classes select all methods.
bool saysYes(const Probe &P, StringRef Class, llvm::ArrayRef<StringRef> Above) {
  for (const std::string &A : P.Ancestors)
    if (A != Class && !llvm::is_contained(Above, A))
      return false;
  for (const TargetRule &R : P.Rules)
    if (matchesClass(R, Class))
      return R.Include;
  return true;
}

/// Probes are found by what their rules name, and none is missed.
TEST(Matcher, ManyProbes) {
  AdviceSet S;
  auto OfType = [](StringRef Type, bool Include) {
    TargetRule R;
    R.Type = Type.str();
    R.Include = Include;
    return R;
  };
  const char *Types[] = {"a/B", "a/b/C", "a/*", "a/b/*C", "a/b/*", "*C", "*"};
  const std::vector<std::string> Ancestors[] = {
      {}, {"i/I"}, {"s/S", "i/I"}, {"a/B"}};
  for (const char *Type : Types)
    for (const char *Not : {"", "a/B", "*C"})
      for (const auto &A : Ancestors)
        for (bool Ends : {true, false}) {
          Probe &P = S.Probes.emplace_back();
          P.Reach = TargetReach::Own;
          P.Ancestors = A;
          if (*Not)
            P.Rules.push_back(OfType(Not, false));
          P.Rules.push_back(OfType(Type, true));
          P.Rules.push_back(OfType("i/I", true));
          if (Ends)
            P.Rules.push_back(OfType("*", false));
        }
  Matcher M(S);
  const std::vector<StringRef> Interfaces[] = {{}, {"i/I"}, {"i/J", "i/I"}};
  unsigned Selected = 0;
  for (StringRef Class : {"a/B", "a/C", "a/b/C", "a/b/XC", "b/C", "i/I", "*"})
    for (StringRef Super : {"java/lang/Object", "s/S", "a/B"})
      for (const auto &I : Interfaces) {
        std::vector<StringRef> Above = I;
        Above.push_back(Super);
        llvm::SmallVector<unsigned, 4> Expected;
        for (unsigned P = 0; P < S.Probes.size(); ++P)
          if (saysYes(S.Probes[P], Class, Above))
            Expected.push_back(P);
        EXPECT_EQ(ClassMatcher(M, {Class, I, false, Super}).match({"m", "()V"}),
                  Expected)
            << Class.str() << " " << Super.str();
        EXPECT_TRUE(M.canMatchClass(MatchClass{Class, I, false, Super}));
        Selected += unsigned(Expected.size());
      }
  EXPECT_GT(Selected, 2000u);
}

/// What a probe selected goes to the matcher of the next session if the probe
/// stays, and is forgotten if another one has its name.
TEST(Matcher, CountsOfProbesThatStay) {
  AdviceSet Before = set({include("p", "A"), exclude("*")});
  Before.Probes[0].Name = "stays";
  Before.Probes.push_back(Before.Probes[0]);
  Before.Probes[1].Name = "changes";
  Matcher Old(Before);
  ClassMatcher(Old, {"p/A", {}, false}).match({"m", "()V"});
  AdviceSet After = Before;
  std::swap(After.Probes[0], After.Probes[1]);
  AdviceSet Changed = Before;
  Changed.Probes.erase(Changed.Probes.begin());
  Matcher New(After);
  New.countFrom(Old, Matcher(Changed));
  EXPECT_EQ(New.probeHits(0), 0u);
  EXPECT_EQ(New.ruleHits(0, 0), 0u);
  EXPECT_EQ(New.probeHits(1), 1u);
  EXPECT_EQ(New.ruleHits(1, 0), 1u);
  EXPECT_EQ(New.ruleHits(1, 1), 0u);
}

} // namespace
