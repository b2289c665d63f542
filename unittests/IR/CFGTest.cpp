//===- CFGTest.cpp - LLVM's graph templates on bodies ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/CFG.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include "llvm/Support/GenericLoopInfo.h"
#include "llvm/Support/GenericLoopInfoImpl.h"
#include "llvm/Support/GraphWriter.h"
#include "gtest/gtest.h"

using namespace jopt;

namespace {

/// What LoopInfoBase wants of whoever uses it.
class Loop : public llvm::LoopBase<FlowNode, Loop> {
  friend class llvm::LoopInfoBase<FlowNode, Loop>;
  friend class llvm::LoopBase<FlowNode, Loop>;
  explicit Loop(FlowNode *Header) : LoopBase(Header) {}
};
using Loops = llvm::LoopInfoBase<FlowNode, Loop>;
using Dominators = llvm::DominatorTreeBase<FlowNode, /*IsPostDom=*/false>;
using PostDominators = llvm::DominatorTreeBase<FlowNode, /*IsPostDom=*/true>;

/// The method of a text, with its blocks by their labels there, in order.
struct Code {
  explicit Code(llvm::StringRef Blocks, llvm::StringRef Tries = "") {
    unsigned Line = 1;
    std::string Text = ("class T version 61.0 { method static m:(I)V { code "
                        "slots 1 { " +
                        Tries + Blocks + " } } }")
                           .str();
    auto Parsed = parseIR(Text, "test", Line);
    if (!Parsed) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError());
      std::abort();
    }
    Class = std::move(Parsed->front());
    for (const IRFinding &Found : verifyClassIR(*Class))
      ADD_FAILURE() << Found.str();
  }
  Body &body() { return *Class->Methods.front().IR; }
  std::unique_ptr<ClassFile> Class;
};

/// The blocks of \p Nodes, by their numbers in the layout.
template <typename Range> std::string names(Range &&Nodes) {
  std::string Text;
  for (const FlowNode *N : Nodes)
    Text += (Text.empty() ? "" : " ") + blockName(N->block());
  return Text;
}

const char *const Branch = "%c:int = local.get 0\n ifeq (%c) ";

/// if (..) 1 else 2; both go on to 3; 4 is reached by nobody and goes to 3.
const std::string Diamond = std::string("b0: ") + Branch +
                            "b2, b1\n"
                            "b1: goto b3\n"
                            "b2 frame [int]: goto b3\n"
                            "b3 frame [int]: return\n"
                            "b4 frame [int]: goto b3\n";

/// 1 is the header of a loop with 2, 3 of one in it; 4 is behind both.
const std::string Nested = std::string("b0: fallthrough b1\n"
                                       "b1 frame [int]: ") +
                           Branch +
                           "b4, b2\n"
                           "b2: fallthrough b3\n"
                           "b3 frame [int]: %d:int = local.get 0\n"
                           " ifeq (%d) b3, b5\n"
                           "b5: goto b1\n"
                           "b4 frame [int]: return\n";

/// 1 and 2 lead to each other, and 0 to both.
const std::string Irreducible = std::string("b0: ") + Branch +
                                "b2, b1\n"
                                "b1 frame [int]: fallthrough b2\n"
                                "b2 frame [int]: %d:int = local.get 0\n"
                                " ifeq (%d) b1, b3\n"
                                "b3: return\n";

/// 0 and 1 are covered; the handler 3 goes back to 1, and is covered by 4.
const char *const Tries = "try t0 -> b3 catch java/io/IOException\n"
                          "try t1 -> b3 catch any\n try t2 -> b4 catch any\n";
const std::string Handlers =
    "b0 throws t0, t1: fallthrough b1\n"
    "b1 frame [int] throws t1, t2: fallthrough b2\n"
    "b2: return\n"
    "b3(%e:java/lang/Throwable) handler frame [int] throws t2: goto b1\n"
    "b4(%f:java/lang/Throwable) handler frame [int]: return\n";

} // namespace

TEST(CFG, SuccessorsAndPredecessors) {
  Code C(Diamond);
  FlowGraph G(C.body(), FlowEdges::WithThrows);
  auto &N = G.nodes();
  ASSERT_EQ(5u, N.size());
  EXPECT_EQ("b2 b1", names(N[0].successors()));
  EXPECT_EQ("", names(N[0].predecessors()));
  EXPECT_EQ("b0", names(N[1].predecessors()));
  EXPECT_EQ("b1 b2 b4", names(N[3].predecessors()));
  EXPECT_EQ("", names(N[4].predecessors()));
  EXPECT_EQ(&N[3], &G[N[3].block()]);
  EXPECT_EQ(&C.body().entry(), &G.front().block());
}

TEST(CFG, EveryWayIsAnEdge) {
  Code C(std::string("b0: ") + Branch + "b1, b1\nb1 frame [int]: return\n");
  FlowGraph G(C.body(), FlowEdges::Normal);
  EXPECT_EQ("b1 b1", names(G.nodes()[0].successors()));
  EXPECT_EQ("b0 b0", names(G.nodes()[1].predecessors()));
}

TEST(CFG, EdgesOfExceptions) {
  Code C(Handlers, Tries);
  FlowGraph Normal(C.body(), FlowEdges::Normal);
  EXPECT_EQ("b1", names(Normal.nodes()[0].successors()));
  EXPECT_EQ("", names(Normal.nodes()[3].predecessors()));
  FlowGraph All(C.body(), FlowEdges::WithThrows);
  const FlowNode &B0 = All.nodes()[0], &B1 = All.nodes()[1];
  EXPECT_EQ("b1 b3", names(B0.successors())) << "a handler once";
  EXPECT_FALSE(B0.isThrow(0));
  EXPECT_TRUE(B0.isThrow(1));
  EXPECT_EQ("b2 b3 b4", names(B1.successors())) << "in order of priority";
  EXPECT_EQ("b0 b1", names(All.nodes()[3].predecessors()));
  EXPECT_EQ("b1 b3", names(All.nodes()[4].predecessors()));
}

TEST(CFG, PostOrder) {
  Code C(Diamond);
  FlowGraph G(C.body(), FlowEdges::Normal);
  EXPECT_EQ("b3 b2 b1 b0", names(llvm::post_order(&G)));
  llvm::ReversePostOrderTraversal<FlowGraph *> Reverse(&G);
  EXPECT_EQ("b0 b1 b2 b3", names(Reverse));
  EXPECT_EQ("b0 b1", names(llvm::inverse_post_order(&G.nodes()[1])));
}

TEST(CFG, StronglyConnected) {
  auto Components = [](Code C) {
    FlowGraph G(C.body(), FlowEdges::WithThrows);
    std::string Text;
    for (auto It = llvm::scc_begin(&G); !It.isAtEnd(); ++It)
      Text += "(" + names(*It) + (It.hasCycle() ? ")*" : ")");
    return Text;
  };
  EXPECT_EQ("(b3)(b2)(b1)(b0)", Components(Code(Diamond)));
  EXPECT_EQ("(b5)(b4 b3 b2 b1)*(b0)", Components(Code(Nested)));
  EXPECT_EQ("(b3)(b1 b2)*(b0)", Components(Code(Irreducible)));
  EXPECT_EQ("(b2)(b4)(b3 b1)*(b0)", Components(Code(Handlers, Tries)));
}

TEST(CFG, Dominators) {
  Code C(Diamond);
  FlowGraph G(C.body(), FlowEdges::Normal);
  auto &N = G.nodes();
  Dominators D;
  D.recalculate(G);
  EXPECT_TRUE(D.verify());
  EXPECT_TRUE(D.dominates(&N[0], &N[3]));
  EXPECT_FALSE(D.dominates(&N[1], &N[3]));
  EXPECT_EQ(&N[0], D.getNode(&N[3])->getIDom()->getBlock());
  EXPECT_EQ(&N[0], D.findNearestCommonDominator(&N[1], &N[2]));
  EXPECT_FALSE(D.isReachableFromEntry(&N[4]));
  EXPECT_TRUE(D.dominates(&N[1], &N[4])) << "there is no way around it";

  PostDominators P;
  P.recalculate(G);
  EXPECT_TRUE(P.verify());
  EXPECT_TRUE(P.dominates(&N[3], &N[0]));
  EXPECT_FALSE(P.dominates(&N[2], &N[0]));
}

TEST(CFG, DominatorsOfHandlers) {
  Code C(Handlers, Tries);
  FlowGraph G(C.body(), FlowEdges::WithThrows);
  auto &N = G.nodes();
  Dominators D;
  D.recalculate(G);
  EXPECT_TRUE(D.dominates(&N[0], &N[3]));
  EXPECT_FALSE(D.dominates(&N[1], &N[3])) << "0 may throw";
  EXPECT_FALSE(D.dominates(&N[1], &N[4])) << "3 may throw";
  EXPECT_TRUE(D.dominates(&N[1], &N[2]));
  FlowGraph Normal(C.body(), FlowEdges::Normal);
  D.recalculate(Normal);
  EXPECT_FALSE(D.isReachableFromEntry(&Normal.nodes()[3]));
}

TEST(CFG, DominatorsOfIrreducibleCode) {
  Code C(Irreducible);
  FlowGraph G(C.body(), FlowEdges::Normal);
  auto &N = G.nodes();
  Dominators D;
  D.recalculate(G);
  EXPECT_TRUE(D.verify());
  EXPECT_FALSE(D.dominates(&N[1], &N[2]));
  EXPECT_FALSE(D.dominates(&N[2], &N[1]));
  EXPECT_EQ(&N[0], D.getNode(&N[1])->getIDom()->getBlock());
  EXPECT_EQ(&N[2], D.getNode(&N[3])->getIDom()->getBlock());
}

TEST(CFG, NaturalLoops) {
  auto Find = [](Code C) {
    FlowGraph G(C.body(), FlowEdges::WithThrows);
    Dominators D;
    D.recalculate(G);
    Loops L;
    L.analyze(D);
    std::string Text;
    for (const Loop *Each : L.getLoopsInPreorder())
      Text += std::to_string(Each->getLoopDepth()) + ": " +
              names(Each->blocks()) + "; ";
    return Text;
  };
  EXPECT_EQ("", Find(Code(Diamond)));
  EXPECT_EQ("1: b1 b2 b3 b4; 2: b3; ", Find(Code(Nested)));
  EXPECT_EQ("", Find(Code(Irreducible))) << "no header";
  EXPECT_EQ("", Find(Code(Handlers, Tries))) << "0 enters the handler too";
}

TEST(CFG, GraphWriter) {
  Code C(Diamond);
  FlowGraph G(C.body(), FlowEdges::Normal);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::WriteGraph(OS, &G);
  EXPECT_EQ(5u, llvm::StringRef(Text).count("shape=record"));
  EXPECT_EQ(5u, llvm::StringRef(Text).count(" -> "));
}

TEST(CFG, Dot) {
  Code C(Handlers, Tries);
  FlowGraph G(C.body(), FlowEdges::WithThrows);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printDot(G, "T.m", OS);
  EXPECT_EQ(R"(digraph "T.m" {
	label="T.m";

	Node0x1[ shape=box,fontname=monospace, label ="b0 throws t0, t1:\l  fallthrough b1\l"];
	Node0x1 -> Node0x2;
	Node0x1 -> Node0x4[label="java/io/IOException, any",style=dashed];
	Node0x2[ shape=box,fontname=monospace, label ="b1 frame [int] throws t1, t2:\l  fallthrough b2\l"];
	Node0x2 -> Node0x3;
	Node0x2 -> Node0x4[label="any",style=dashed];
	Node0x2 -> Node0x5[label="any",style=dashed];
	Node0x3[ shape=box,fontname=monospace, label ="b2:\l  return\l"];
	Node0x4[ shape=box,fontname=monospace, label ="b3(%0:java/lang/Throwable) handler frame [int] throws t2:\l  goto b1\l"];
	Node0x4 -> Node0x2;
	Node0x4 -> Node0x5[label="any",style=dashed];
	Node0x5[ shape=box,fontname=monospace, label ="b4(%1:java/lang/Throwable) handler frame [int]:\l  return\l"];
}
)",
            Text);
}
