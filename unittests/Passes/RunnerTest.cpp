//===- RunnerTest.cpp -----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the runner promises: untouched methods are not lifted, a failing method
/// is put back together with the pool, analyses are forgotten in time.
///
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/AdviceRun.h"
#include "jopt/Passes/ClassAdvices.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "gtest/gtest.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

const char *const Text = R"(
class public super A extends java/lang/Object version 61.0 {
  method static a:()V {
    code slots 0 {
    b0:
      return
    }
  }
  method static b:()V {
    code slots 0 {
    b0:
      return
    }
  }
}
)";

std::unique_ptr<ClassFile> parsed() {
  auto Classes = parseIR(Text, "t.jir");
  EXPECT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  return std::move(Classes->front());
}

using Log = std::vector<std::string>;

/// A pass made of functions.
struct Scripted {
  std::string Name;
  Log *Events = nullptr;
  std::function<Error(Body &, PassContext &)> Work = nullptr;
  std::function<bool(StringRef)> Wanted = [](StringRef) { return true; };
  bool Changes = false;
  std::function<void(PassContext &)> Begin = [](PassContext &) {};

  bool begin(PassContext &C) const {
    Begin(C);
    return true;
  }
  bool wants(const Method &M, PassContext &C) const {
    return Wanted(C.classFile().name(M));
  }
  Expected<PreservedAnalyses> run(Body &B, PassContext &C) const {
    Events->push_back(Name + ":" + B.classFile().name(B.method()).str());
    if (Work)
      if (Error E = Work(B, C))
        return E;
    return PreservedAnalyses::changedIf(Changes);
  }
};

struct FailingClassPass {
  Expected<PreservedAnalyses> run(ClassFile &, PassContext &) const {
    return makeError("no such luck");
  }
};

class Runner : public ::testing::Test {
protected:
  Runner() {
    auto F = parsed();
    auto R = runPipeline(Pipeline(), *F, {});
    EXPECT_TRUE(bool(R)) << llvm::toString(R.takeError());
    auto Out = writeClass(*F);
    EXPECT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
    Input = std::move(*Out);
    auto Read = readClass(Input);
    EXPECT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
    Class = std::move(*Read);
  }

  template <typename P> void add(StringRef Name, P Pass) {
    PassInfo I;
    I.Argument = Name.str();
    I.Create = [Pass](OptionText) -> Expected<AnyPass> {
      return AnyPass(Pass);
    };
    EXPECT_FALSE(bool(Registry.add(std::move(I))));
  }
  void add(Scripted S) {
    S.Events = &Events;
    add(S.Name, S);
  }
  Expected<ClassResult> run(StringRef Passes, ClassFile &F) {
    auto P = Pipeline::parse(Passes, Registry);
    if (!P)
      return P.takeError();
    AdviceRunOptions O;
    O.Instrumentation = &PI;
    return runWithAdvices(*P, F, O);
  }
  ClassResult runOk(StringRef Passes) {
    auto R = run(Passes, *Class);
    if (R)
      return std::move(*R);
    ADD_FAILURE() << llvm::toString(R.takeError());
    return {};
  }
  Method &method(unsigned I) { return Class->Methods[I]; }

  Log Events;
  PassRegistry Registry;
  PassInstrumentation PI;
  llvm::SmallVector<uint8_t, 0> Input;
  std::unique_ptr<ClassFile> Class;
};

TEST_F(Runner, ConsecutivePassesRunPerMethod) {
  add({"x"});
  add({"y"});
  runOk("x,y");
  EXPECT_EQ(Events, (Log{"x:a", "y:a", "x:b", "y:b"}));
}

TEST_F(Runner, UnwantedMethodsAreNotLifted) {
  Scripted S{"x"};
  S.Wanted = [](StringRef N) { return N == "b"; };
  add(S);
  ClassResult R = runOk("x");
  EXPECT_EQ(Events, (Log{"x:b"}));
  EXPECT_EQ(R.MethodsLifted, 1u);
  EXPECT_EQ(R.MethodsChanged, 0u);
  EXPECT_FALSE(Class->isChanged());
  EXPECT_EQ(method(1).IR, nullptr);
}

/// A call more in front of the return.
Error addCall(Body &B, PassContext &) {
  Builder(B, B.entry().terminator()).callStatic("P", "hit", "()V", {});
  return Error::success();
}

TEST_F(Runner, ChangedMethodsAreLowered) {
  Scripted S{"x", nullptr, addCall};
  S.Changes = true;
  add(S);
  ClassResult R = runOk("x");
  EXPECT_EQ(R.MethodsChanged, 2u);
  EXPECT_FALSE(R.LeftUndone);
  EXPECT_TRUE(Class->isChanged());
  EXPECT_EQ(method(0).IR, nullptr);
}

TEST_F(Runner, AFailingMethodIsPutBack) {
  Scripted S{"x", nullptr, [](Body &B, PassContext &C) -> Error {
               if (Error E = addCall(B, C))
                 return E;
               return makeError("not this one");
             }};
  S.Changes = true;
  add(S);
  std::vector<std::string> Remarks;
  PI.OnRemark.push_back([&](const Diagnostic &D) {
    Remarks.push_back(D.Pass + " " + D.Message);
  });
  ClassResult R = runOk("x");
  EXPECT_TRUE(R.LeftUndone);
  ASSERT_EQ(R.Rows.Other.size(), 2u);
  EXPECT_EQ(R.Rows.Other[0].What, ReportRow::LeftAlone);
  EXPECT_EQ(R.Rows.Other[0].Method, "a()V");
  EXPECT_EQ(toMessage(R.Rows.Other[1].Reasons), "not this one");
  EXPECT_EQ(Remarks[0], "x A.a()V: left as it was: not this one");
  EXPECT_FALSE(Class->isChanged());
  auto Out = writeClass(*Class);
  ASSERT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  EXPECT_EQ(Bytes(*Out), Bytes(Input));
}

TEST_F(Runner, OtherMethodsAreDone) {
  Scripted S{"x", nullptr, [](Body &B, PassContext &C) -> Error {
               Error E = addCall(B, C);
               if (!E && B.classFile().name(B.method()) == "b")
                 return makeError("not this one");
               return E;
             }};
  S.Changes = true;
  add(S);
  ClassResult R = runOk("x");
  EXPECT_EQ(R.MethodsChanged, 1u);
  EXPECT_TRUE(method(0).Changed);
  EXPECT_FALSE(method(1).Changed);
  EXPECT_FALSE(method(1).IR);
}

TEST_F(Runner, AFullPoolIsAFailureOfTheMethod) {
  unsigned Size = Class->Pool.size();
  Scripted S{"x", nullptr, [](Body &B, PassContext &) -> Error {
               if (B.classFile().name(B.method()) == "a")
                 for (int I = 0; I < 40000; ++I)
                   B.pool().addString("s" + std::to_string(I));
               return Error::success();
             }};
  S.Changes = true;
  add(S);
  ClassResult R = runOk("x");
  ASSERT_EQ(R.Rows.Other.size(), 1u);
  EXPECT_EQ(R.Rows.Other[0].Method, "a()V");
  EXPECT_NE(toMessage(R.Rows.Other[0].Reasons).find("65,535"),
            std::string::npos);
  EXPECT_FALSE(Class->Pool.overflowed());
  EXPECT_TRUE(method(1).Changed);
  EXPECT_EQ(Class->Pool.size(), Size);
}

TEST_F(Runner, ChecksAreFailuresOfThePass) {
  add({"x"});
  PI.CheckPass.push_back([](const PassInfo &, ClassFile &, Method *M) -> Error {
    return M ? makeError("checked") : Error::success();
  });
  ClassResult R = runOk("x");
  EXPECT_TRUE(R.LeftUndone);
  EXPECT_EQ(toMessage(R.Rows.Other[0].Reasons), "checked");
}

TEST_F(Runner, ClassPassesFailForTheClass) {
  add("bad", FailingClassPass());
  auto R = run("bad", *Class);
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(llvm::toString(R.takeError()), "error: no such luck");
}

TEST_F(Runner, TextHasNothingToGoBackTo) {
  add({"x", nullptr,
       [](Body &, PassContext &) { return makeError("not this one"); }});
  auto F = parsed();
  auto R = run("x", *F);
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(llvm::toString(R.takeError()), "error: A.a()V: not this one");
}

/// A pass that fails on A.a() but for what the class needs of it.
Scripted failingBut() {
  Scripted S{"x", nullptr, [](Body &B, PassContext &C) -> Error {
               if (B.classFile().name(B.method()) == "b")
                 return C.attempt().onlyRequired()
                            ? makeError("b is not required")
                            : addCall(B, C);
               Builder(B, B.entry().terminator())
                   .callStatic("P", C.attempt().onlyRequired() ? "must" : "may",
                               "()V", {});
               return C.attempt().onlyRequired() ? Error::success()
                                                 : makeError("not that much");
             }};
  S.Changes = true;
  S.Begin = [](PassContext &C) {
    C.get<ClassEditor>().require(C.classFile().Methods[0]);
  };
  return S;
}

TEST_F(Runner, RequiredMethodsGetWhatTheClassNeeds) {
  add(failingBut());
  ClassResult R = runOk("x");
  EXPECT_EQ(Events, (Log{"x:a", "x:a", "x:b"}));
  EXPECT_TRUE(R.LeftUndone);
  ASSERT_EQ(R.Rows.Other.size(), 1u);
  EXPECT_EQ(R.Rows.Other[0].What, ReportRow::Undone);
  EXPECT_EQ(toMessage(R.Rows.Other[0].Reasons),
            "only what makes its static fields, no other "
            "advices: not that much");
  auto Out = writeClass(*Class);
  ASSERT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  StringRef Written(reinterpret_cast<const char *>(Out->data()), Out->size());
  EXPECT_TRUE(Written.contains("must") && Written.contains("hit"));
  EXPECT_FALSE(Written.contains("may"));
}

TEST_F(Runner, RequiredTextHasNothingToGoBackTo) {
  add(failingBut());
  auto R = run("x", *parsed());
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(llvm::toString(R.takeError()), "error: A.a()V: not that much");
}

struct HarmlessClassPass {
  Expected<PreservedAnalyses> run(ClassFile &, PassContext &) const {
    return PreservedAnalyses::all();
  }
};

TEST_F(Runner, WhatAClassPassSawHasNoOtherTurn) {
  add(failingBut());
  add("c", HarmlessClassPass());
  auto R = run("x,c", *Class);
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(llvm::toString(R.takeError()), "error: A.a()V: not that much");
}

struct Counted {
  static AnalysisKey Key;
  static int Runs;
  static Counted run(const Body &, PassContext &) {
    ++Runs;
    return {};
  }
};
AnalysisKey Counted::Key;
int Counted::Runs;

TEST_F(Runner, AnalysesAreCachedUntilTheBodyChanges) {
  auto Ask = [](Body &B, PassContext &C) {
    C.analysis<Counted>(B);
    C.analysis<Counted>(B);
    return Error::success();
  };
  add({"look", nullptr, Ask});
  Scripted Change{"change", nullptr, Ask};
  Change.Changes = true;
  add(Change);
  Counted::Runs = 0;
  runOk("look,look");
  EXPECT_EQ(Counted::Runs, 2); // one per method
  Counted::Runs = 0;
  runOk("change,look");
  EXPECT_EQ(Counted::Runs, 4);
}

TEST_F(Runner, ReasonsStayApart) {
  add({"x", nullptr, [](Body &, PassContext &) {
         return llvm::joinErrors(makeError("one"),
                                 makeError(Location("f.jir", 3), "two"));
       }});
  ClassResult R = runOk("x");
  ASSERT_EQ(R.Rows.Other.size(), 2u);
  ASSERT_EQ(R.Rows.Other[0].Reasons.size(), 2u);
  EXPECT_EQ(R.Rows.Other[0].Reasons[0].Message, "one");
  EXPECT_EQ(R.Rows.Other[0].Reasons[1].Where.Line, 3u);
  EXPECT_EQ(toMessage(R.Rows.Other[0].Reasons), "one; f.jir:3: two");
}

/// A service that is none of jopt's.
struct Tally {
  static ServiceKey Key;
  int Count = 0;
};
ServiceKey Tally::Key;

TEST_F(Runner, ServicesAreFoundByType) {
  PassContext C(*Class);
  EXPECT_EQ(C.find<Tally>(), nullptr);
  EXPECT_EQ(C.find<ClassEditor>(), nullptr);
  Tally T;
  C.add(T);
  ClassEditor E(C, SchemaPolicy::Keep);
  EXPECT_EQ(&C.get<Tally>(), &T);
  EXPECT_EQ(&C.get<ClassEditor>(), &E);
  EXPECT_EQ(C.attempt().Which, Attempt::First);
}

TEST_F(Runner, WithoutAdvicesNoneSelectsAnything) {
  Scripted S{"x"};
  int Asked = 0;
  S.Begin = [&](PassContext &C) {
    auto &Advices = C.get<ClassAdvices>();
    EXPECT_TRUE(Advices.set().empty());
    for (const Method &M : C.classFile().Methods) {
      EXPECT_TRUE(Advices.advicesFor(M).empty());
      EXPECT_FALSE(Advices.hasSelectedCall(M));
      ++Asked;
    }
    EXPECT_TRUE(Advices.classProbes().none());
    EXPECT_FALSE(C.get<AdviceCalls>().callsBySites());
    EXPECT_FALSE(C.get<ClassEditor>().keepsSchema());
  };
  add(S);
  runOk("x");
  EXPECT_EQ(Asked, 2);
}

TEST_F(Runner, ChangesOfMembersAreNoted) {
  ASSERT_FALSE(Class->isChanged());
  PassContext C(*Class);
  ClassEditor E(C, SchemaPolicy::Change);
  const size_t NumMethods = Class->Methods.size();
  Method &M = E.addMethod(ACC_STATIC, "made", "()V");
  EXPECT_TRUE(E.isAdded(M));
  EXPECT_TRUE(M.Changed);
  EXPECT_TRUE(Class->Changed);
  E.dropMethods(NumMethods);
  EXPECT_EQ(Class->Methods.size(), NumMethods);
}

TEST(PassRegistry, RefusesNamesItCannotParse) {
  PassRegistry R;
  PassInfo I;
  I.Pipeline = "relower";
  for (StringRef Name : {"", "a,b", "a<b", "relower"}) {
    I.Argument = Name.str();
    Error E = R.add(I);
    EXPECT_TRUE(bool(E)) << Name.str();
    llvm::consumeError(std::move(E));
  }
  I.Argument = "again";
  EXPECT_FALSE(bool(R.add(I)));
  auto P = Pipeline::parse("again", R);
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(P->elements().size(), 1u);
}

} // namespace
