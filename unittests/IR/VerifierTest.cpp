//===- VerifierTest.cpp - Every rule is broken once -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Text/Parser.h"
#include "gtest/gtest.h"
#include <set>

using namespace jopt;

namespace {

/// A text and the rule that it breaks.
struct Broken {
  IRRule Rule;
  /// Members of a class T, or a whole class if it starts with `class`.
  const char *Text;
};

const Broken Cases[] = {
    {IRRule::ClassHeader,
     "class public #1 version 61.0 { pool { #1 = Utf8 \"T\" } }"},
    {IRRule::ClassHeader,
     "class public T extends #1 version 61.0 { pool { #1 = Utf8 \"T\" } }"},
    {IRRule::ClassHeader, "class T implements #9 version 61.0 { }"},
    {IRRule::ClassHeader, "field x:Q"},
    {IRRule::ClassHeader, "method abstract m:I"},
    {IRRule::CodePresence, "method m:()V"},
    // The depth, a store that is not declared, one of another kind, one too
    // many, and one over `this`.
    {IRRule::RawCode, "method static m:()V { code slots 1 { b0: raw stack 2 "
                      "stores [0: int] @0 { iconst_1 istore_0 }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 1 { b0: raw stack 1 "
                      "@0 { iconst_1 istore_0 }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 2 { b0: raw stack 2 "
                      "stores [0: int] @0 { lconst_1 lstore_0 }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 2 { b0: raw stack 0 "
                      "stores [0: int] @0 { nop }\n return } }"},
    {IRRule::RawCode, "method m:()V { code slots 1 { b0: raw stack 1 stores "
                      "[0: int] @0 { iconst_1 istore_0 }\n return } }"},
    // A slot that does not exist, an empty stack, half a long, values that are
    // not left, of another kind, or not behind it.
    {IRRule::RawCode, "method static m:()V { code slots 1 { b0: raw stack 0 "
                      "@0 { wide iinc 1, 300 }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 0 "
                      "@0 { pop }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 3 "
                      "@0 { lconst_0 dup }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 1 "
                      "@0 { iconst_0 }\n return } }"},
    {IRRule::RawCode,
     "method static m:()V { code slots 0 { b0: raw stack 1 @0 { iconst_0 }\n "
     "%0:float = raw.value @0\n %1:float = fneg (%0)\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: %0:int = "
                      "raw.value @0\n return } }"},
    // Bytes that are no instruction, end the block, are of another version, or
    // name a missing entry.
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 0 "
                      "@0 { hex \"b2\" }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 0 "
                      "@0 { hex \"b1\" }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 0 "
                      "@0 { hex \"a90001\" }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 1 "
                      "@0 { getstatic #9999 pop }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 1 "
                      "@0 { ldc long 7 pop }\n return } }"},
    {IRRule::RawCode, "method static m:()V { code slots 0 { b0: raw stack 1 "
                      "@0 { iconst_1 hex \"bc03\" pop }\n return } }"},
    {IRRule::CodePresence,
     "method native static m:()V { code slots 0 { b0: return } }"},
    {IRRule::Terminator, "method static m:()V { code slots 0 { b0: nop } }"},
    {IRRule::Terminator,
     "method static m:()V { code slots 0 { b0: return\n return } }"},
    {IRRule::Successors, "method static m:(I)V { code slots 1 { b0: %0:int = "
                         "local.get 0\n ifeq (%0) b1\n b1: return } }"},
    {IRRule::Successors, "method static m:()V { code slots 0 { b0: goto b1, "
                         "b1\n b1 frame []: return } }"},
    {IRRule::Layout, "method static m:()V { code slots 0 { b0: fallthrough "
                     "b2\n b1 frame []: return\n b2 frame []: return } }"},
    {IRRule::Layout, "method static m:(I)V { code slots 1 { b0: %0:int = "
                     "local.get 0\n ifeq (%0) b1, b2\n"
                     " b1 frame []: return\n b2 frame []: return } }"},
    {IRRule::EntryBlock,
     "method static m:()V { code slots 0 { b0(%0:int): return } }"},
    {IRRule::EntryBlock,
     "method static m:()V { code slots 0 { b0(%0:java/lang/Throwable) handler "
     "frame []: return } }"},
    {IRRule::HandlerBlock, "method static m:()V { code slots 0 { try t0 -> b1 "
                           "catch any\n b0 throws t0: return\n"
                           " b1(%0:java/lang/Throwable) frame []: return } }"},
    {IRRule::HandlerBlock, "method static m:()V { code slots 0 { try t0 -> b1 "
                           "catch any\n b0 throws t0: return\n"
                           " b1 handler frame []: return } }"},
    {IRRule::HandlerBlock,
     "method static m:()V { code slots 0 { try t0 -> b1 catch any\n b0 throws "
     "t0: return\n"
     " b1(%0:java/lang/Throwable, %1:int) handler frame []: return } }"},
    {IRRule::HandlerBlock,
     "method static m:()V { code slots 0 { try t0 -> b1 catch any\n b0 throws "
     "t0: fallthrough b1 with (%x)\n"
     " b1(%0:java/lang/Throwable) handler: return\n bx frame []: %x = const "
     "null\n return } }"},
    {IRRule::Uses, "method static m:()I { code slots 0 { b0: ireturn (%0)\n b1 "
                   "frame []: %0 = const int 1\n return } }"},
    {IRRule::Uses, "method static m:()I { code slots 0 { b0: %0 = const int "
                   "1\n fallthrough b1\n b1: ireturn (%0) } }"},
    {IRRule::Uses, "method static m:()I { code slots 0 { b0: %1 = ineg (%0)\n "
                   "%0 = const int 1\n ireturn (%1) } }"},
    {IRRule::Uses, "method static m:()V { code slots 0 { b0: goto b1 with "
                   "(%0)\n b1(%1:int) frame []: return\n"
                   " b2 frame []: %0 = const int 1\n return } }"},
    {IRRule::Uses, "method static m:()V { code slots 0 { b0: goto b1 with "
                   "(%0)\n b1(%1:void) frame []: return\n"
                   " b2 frame []: %0 = const int 1\n return } }"},
    {IRRule::ExitArity, "method static m:()V { code slots 0 { b0: goto b1\n "
                        "b1(%1:int) frame []: return } }"},
    {IRRule::ExitArity, "method static m:()V { code slots 0 { b0: %0 = const "
                        "int 1\n goto b1 with (%0)\n b1 frame []: return } }"},
    {IRRule::FrameMissing,
     "method static m:()V { code slots 0 { b0: goto b1\n b1: return } }"},
    {IRRule::FrameMissing,
     "method static m:()V { code slots 0 { b0: return\n b1: return } }"},
    {IRRule::FrameMissing,
     "method static m:()V { code slots 0 { b0: goto b0 } }"},
    {IRRule::SlotLayout, "method static m:()V { code slots 1 { b0: goto b1\n "
                         "b1 frame [int, int]: return } }"},
    {IRRule::SlotLayout, "method static m:()V { code slots 2 { b0: goto b1\n "
                         "b1 frame [int, high]: return } }"},
    {IRRule::SlotLayout, "method static m:()V { code slots 2 { b0: goto b1\n "
                         "b1 frame [long nohigh, int]: return } }"},
    {IRRule::SlotLayout, "method static m:()V { code slots 2 { b0: goto b1\n "
                         "b1 frame [long nohigh]: return } }"},
    {IRRule::SlotLayout,
     "method static m:(II)V { code slots 1 { b0: return } }"},
    {IRRule::SwitchKeys,
     "method static m:(I)V { code slots 1 { b0: %0:int = local.get 0\n"
     " tableswitch (%0) [default: b1, 1: b1, 3: b1]\n b1 frame []: return } }"},
    {IRRule::SwitchKeys,
     "method static m:(I)V { code slots 1 { b0: %0:int = local.get 0\n"
     " lookupswitch (%0) [default: b1, 3: b1, 3: b1]\n b1 frame []: return } "
     "}"},
    {IRRule::NewSites, "method static m:()V { code slots 1 { b0: goto b1\n b1 "
                       "frame [uninit(7)]: return } }"},
    {IRRule::NewSites, "method static m:()V { code slots 1 { b0: %0:uninit(0) "
                       "= new T\n %1:uninit(0) = new T\n return } }"},

    {IRRule::OpcodeKind, "method static m:()V { code slots 1 { b0: %0:int = "
                         "local.get 0 opcode iadd\n return } }"},
    {IRRule::OpcodeKind, "method static m:(I)V { code slots 1 { b0: %0:int = "
                         "local.get 0 opcode iload_0\n return } }"},
    {IRRule::OpcodeVersion,
     "class T version 50.0 { method static m:()V { code slots 0 { b0: "
     "invokedynamic 0 x:()V ()\n return } } }"},
    {IRRule::PoolEntry, "method static m:()V { code slots 0 { b0: %0:int = "
                        "getstatic #9\n return } }"},
    {IRRule::PoolEntry, "method static m:()V { code slots 0 { b0: invokestatic "
                        "T.m:I ()\n return } }"},
    {IRRule::PoolEntry, "method static m:()V { code slots 0 { b0: %0:int = "
                        "getstatic T.f:Q\n return } }"},
    {IRRule::PoolEntry,
     "method static m:()V { code slots 0 { try t0 -> b1 catch #77\n b0 throws "
     "t0: return\n"
     " b1(%0:java/lang/Throwable) handler frame []: return } }"},
    {IRRule::Immediate, "method static m:()V { code slots 0 { b0: %0 = const "
                        "bipush 128\n return } }"},
    {IRRule::Immediate, "method static m:()V { code slots 0 { b0: %0 = const "
                        "sipush 40000\n return } }"},
    {IRRule::PoolEntry, "method static m:()V { code slots 0 { b0: %0:long = "
                        "const long 7 opcode ldc\n return } }"},
    {IRRule::Immediate, "method static m:(I)V { code slots 1 { b0: local.inc "
                        "0, 40000\n return } }"},
    {IRRule::Immediate, "method static m:(I)V { code slots 1 { b0: %0:int = "
                        "local.get 0\n %1:[I = newarray 3 (%0)\n return } }"},
    {IRRule::Immediate,
     "method static m:(I)V { code slots 1 { b0: %0:int = local.get 0\n"
     " %1 = multianewarray [I, 2 (%0, %0)\n return } }"},
    {IRRule::Immediate,
     "method static m:()V { code slots 1 { b0: %0 = new [I\n return } }"},
    {IRRule::SlotRange, "method static m:()V { code slots 1 { b0: %0:int = "
                        "local.get 1\n return } }"},
    {IRRule::SlotRange, "method static m:()V { code slots 1 { b0: %0:long = "
                        "local.get 0\n return } }"},
    {IRRule::SlotRange,
     "method static m:()V { code slots 1 { everywhere 1: int\n b0: return } }"},
    {IRRule::OperandCount, "method static m:()V { code slots 0 { b0: %0 = "
                           "const int 1\n %1:int = iadd (%0)\n return } }"},
    {IRRule::OperandCount, "method static m:()V { code slots 0 { b0: "
                           "invokestatic T.m:(I)V ()\n return } }"},
    {IRRule::OperandSize, "method static m:()V { code slots 0 { b0: %0 = const "
                          "long 1\n %1:int = ineg (%0)\n return } }"},
    {IRRule::Result, "method static m:()V { code slots 0 { b0: %0 = const int "
                     "1\n %1:long = ineg (%0)\n return } }"},
    {IRRule::Result, "method static m:()V { code slots 0 { b0: "
                     "%0:java/lang/String = const int 1\n return } }"},
    {IRRule::InitCall, "method static m:()V { code slots 0 { b0: %0 = new T\n "
                       "invokevirtual T.<init>:()V (%0)\n return } }"},
    {IRRule::InitCall,
     "method static m:()V { code slots 0 { b0: %0 = new T\n %1:T = "
     "invokespecial T.<init>:()V (%0) noinit\n return } }"},
    {IRRule::InitCall, "method static m:()V { code slots 0 { b0: invokestatic "
                       "T.<clinit>:()V ()\n return } }"},
    {IRRule::InitCall, "method static m:()V { code slots 0 { b0: %0 = new T\n "
                       "%1:T = invokespecial T.<init>:()I (%0)\n return } }"},
    {IRRule::ReturnKind, "method static m:()I { code slots 0 { b0: return } }"},
    {IRRule::ReturnKind, "method static m:()V { code slots 0 { b0: %0 = const "
                         "int 1\n ireturn (%0) } }"},

    {IRRule::OperandType, "method static m:()V { code slots 0 { b0: %0 = const "
                          "float 1\n %1:int = ineg (%0)\n return } }"},
    {IRRule::OperandType, "method static m:()V { code slots 0 { b0: %0 = const "
                          "int 1\n invokestatic T.m:(F)V (%0)\n return } }"},
    {IRRule::OperandType, "method static m:()V { code slots 0 { b0: %0 = new "
                          "T\n invokestatic T.m:(LT;)V (%0)\n return } }"},
    {IRRule::OperandType, "method static m:([J)V { code slots 1 { b0: %0:[J = "
                          "local.get 0\n %1 = const int 1\n"
                          " %2:int = iaload (%0, %1)\n return } }"},
    {IRRule::OperandType,
     "method static m:([I)V { code slots 1 { b0: %0:[I = local.get 0\n "
     "invokestatic T.m:(LT;)V (%0)\n return } }"},
    {IRRule::OperandType,
     "method static m:(LT;)V { code slots 1 { b0: %0:T = local.get 0\n "
     "invokestatic T.m:([I)V (%0)\n return } }"},
    {IRRule::OperandType, "method static m:()V { code slots 0 { b0: %0 = const "
                          "int 1\n %1:int = getfield T.f:I (%0)\n return } }"},
    {IRRule::OperandType, "method static m:()LT; { code slots 0 { b0: %0 = new "
                          "T\n areturn (%0) } }"},
    {IRRule::OperandType, "method static m:([I)V { code slots 1 { b0: %0:[I = "
                          "local.get 0\n athrow (%0) } }"},
    {IRRule::ResultType, "method static m:()V { code slots 0 { b0: %0:[I = "
                         "const \"s\"\n return } }"},
    {IRRule::ResultType,
     "method static m:()V { code slots 0 { b0: %0:T = new T\n return } }"},
    {IRRule::ResultType,
     "method static m:()V { code slots 0 { b0: %0 = new T\n %1:U = "
     "invokespecial T.<init>:()V (%0)\n return } }"},
    {IRRule::SlotType, "method static m:()V { code slots 1 { b0: %0:int = "
                       "local.get 0\n return } }"},
    {IRRule::SlotType, "method static m:(F)V { code slots 1 { b0: %0:int = "
                       "local.get 0\n return } }"},
    {IRRule::SlotType,
     "method static m:(F)V { code slots 1 { b0: local.inc 0, 1\n return } }"},
    {IRRule::SlotType, "method static m:(J)V { code slots 2 { b0: %0 = const "
                       "int 1\n local.set 1 (%0)\n"
                       " %1:long = local.get 0\n return } }"},
    {IRRule::InitObject,
     "method static m:(LT;)V { code slots 1 { b0: %0:T = local.get 0\n"
     " %1:T = invokespecial T.<init>:()V (%0)\n return } }"},
    {IRRule::InitObject,
     "method static m:()V { code slots 0 { b0: %0 = new T\n %1:T = "
     "invokespecial U.<init>:()V (%0)\n return } }"},
    {IRRule::InitObject,
     "method static m:()V { code slots 0 { b0: %0 = new T\n %1:T = "
     "invokespecial T.<init>:()V (%0)\n"
     " %2:T = invokespecial T.<init>:()V (%0)\n return } }"},
    {IRRule::InitObject,
     "method <init>:()V { code slots 1 { b0: %0:uninitThis = local.get 0\n"
     " %1:T = invokespecial U.<init>:()V (%0)\n return } }"},
    {IRRule::ParameterType, "method static m:()V { code slots 0 { b0: %0 = "
                            "const float 1\n goto b1 with (%0)\n"
                            " b1(%1:int) frame []: return } }"},
    {IRRule::FrameState, "method static m:()V { code slots 1 { b0: goto b1\n "
                         "b1 frame [int]: return } }"},
    {IRRule::FrameState, "method <init>:()V { code slots 1 { b0: goto b1\n b1 "
                         "frame []: %0 = const null\n athrow (%0) } }"},
    {IRRule::FrameState, "method static m:()V { code slots 1 { everywhere 0: "
                         "int\n b0: goto b1\n b1 frame []: return } }"},
    {IRRule::ThrowFrame,
     "method static m:(I)V { code slots 1 { try t0 -> b1 catch any\n"
     " b0 throws t0: %0 = const float 1\n local.set 0 (%0)\n nop\n return\n"
     " b1(%1:java/lang/Throwable) handler frame [int]: return } }"},
    {IRRule::ThrowFrame, // the handler covers the call of super()
     "method <init>:()V { code slots 1 { try t0 -> b1 catch any\n"
     " b0 throws t0: %0:uninitThis = local.get 0\n %1 = invokespecial "
     "java/lang/Object.<init>:()V (%0)\n return\n"
     " b1(%2:java/lang/Throwable) handler frame [uninitThis]: athrow (%2) } }"},
    {IRRule::ThrowFrame,
     "method <init>:()V { code slots 1 { try t0 -> b1 catch any\n"
     " b0 throws t0: nop\n fallthrough b2\n b2: %0:uninitThis = local.get 0\n"
     " %1 = invokespecial java/lang/Object.<init>:()V (%0)\n return\n"
     " b1(%2:java/lang/Throwable) handler frame []: athrow (%2) } }"},
    {IRRule::CaughtType, "method static m:()V { code slots 0 { try t0 -> b1 "
                         "catch any\n b0 throws t0: return\n"
                         " b1(%0:[I) handler frame []: return } }"},
    {IRRule::CaughtType, "method static m:()V { code slots 0 { try t0 -> b1 "
                         "catch T\n b0 throws t0: return\n"
                         " b1(%0:int) handler frame []: return } }"},
    {IRRule::ConstructorReturn,
     "method <init>:()V { code slots 1 { b0: return } }"},
    {IRRule::JoinInFrame, "method static m:(LT;)V { code slots 1 { b0: goto "
                          "b1\n b1 frame [join(T, U)]: return } }"},

    {IRRule::AdviceLeft,
     "method static m:()V { code slots 0 { b0: advice #0\n return } }"},
    {IRRule::EarlyThis, "method <init>:()V { code slots 1 { b0: %0:uninitThis "
                        "= local.get 0\n local.set 0 (%0)\n"
                        " %1:uninitThis = local.get 0 @0\n %2 = invokespecial "
                        "java/lang/Object.<init>:()V (%1) @1\n return @4 } }"},
};

std::string wholeClass(llvm::StringRef Text) {
  if (Text.starts_with("class"))
    return Text.str();
  return "class public super T extends java/lang/Object version 61.0 {\n" +
         Text.str() + "\n}\n";
}

std::vector<IRFinding> verify(llvm::StringRef Text, std::string &Error,
                              IRTier UpTo = IRTier::Instrumentation) {
  auto Classes = parseIR(wholeClass(Text), "test.jir");
  if (!Classes) {
    Error = llvm::toString(Classes.takeError());
    return {};
  }
  return verifyClassIR(*Classes->front(), UpTo);
}

TEST(Verifier, EachRuleHasATestThatBreaksIt) {
  // No text breaks these: see TriesOfAnotherBody and Patches.
  std::set<IRRule> Broken = {IRRule::ThrowList, IRRule::Patches};
  for (const auto &C : Cases)
    Broken.insert(C.Rule);
  for (unsigned R = 0; R < NumIRRules; ++R)
    EXPECT_TRUE(Broken.count(IRRule(R))) << getRuleName(IRRule(R));
}

TEST(Verifier, BrokenRulesAreFound) {
  for (const auto &C : Cases) {
    std::string Error;
    std::vector<IRFinding> Found = verify(C.Text, Error);
    ASSERT_EQ("", Error) << C.Text;
    bool Has = false;
    std::string All;
    for (const IRFinding &F : Found) {
      Has |= F.Rule == C.Rule;
      All += F.str() + "\n";
    }
    EXPECT_TRUE(Has) << getRuleName(C.Rule) << " expected in\n"
                     << C.Text << "\nfound: " << All;
  }
}

const char *const Valid[] = {
    "method abstract m:()V field x:I",
    // A constructor that sets a field of its own class before super().
    "method <init>:(I)V { code slots 2 { b0: %0:uninitThis = local.get 0\n"
    " %1:int = local.get 1\n putfield T.x:I (%0, %1)\n"
    " %2:uninitThis = local.get 0\n %3 = invokespecial "
    "java/lang/Object.<init>:()V (%2)\n return } }",
    // Copies of a new object are initialised with it.
    "method static m:()LT; { code slots 1 { b0: %0:uninit(0) keep = new T\n "
    "local.set 0 (%0)\n"
    " %1:T = invokespecial T.<init>:()V (%0)\n %2:T = local.get 0\n areturn "
    "(%0) } }",
    // A store is the last instruction: no handler sees it.
    "method static m:(I)V { code slots 1 { try t0 -> b2 catch any\n"
    " b0 throws t0: %0 = const float 1\n local.set 0 (%0)\n fallthrough b1\n "
    "b1: return\n"
    " b2(%1:java/lang/Throwable) handler frame [int]: return } }",
    // A handler that ends the construction, before and behind super().
    "method <init>:()V { code slots 1 { try t0 -> b3 catch any\n try t1 -> b4 "
    "catch any\n"
    " b0 throws t0: nop\n fallthrough b1\n"
    " b1: %0:uninitThis = local.get 0\n %1 = invokespecial "
    "java/lang/Object.<init>:()V (%0)\n fallthrough b2\n"
    " b2 throws t1: nop\n return\n"
    " b3(%2:java/lang/Throwable) handler frame [uninitThis]: athrow (%2)\n"
    " b4(%3:java/lang/Throwable) handler frame []: athrow (%3) } }",
    // Versions without frames cover the call itself.
    "class T extends java/lang/Object version 49.0 { method <init>:()V { code "
    "slots 1 inferred {\n"
    " try t0 -> b1 catch any\n b0 throws t0: %0:uninitThis = local.get 0\n"
    " %1 = invokespecial java/lang/Object.<init>:()V (%0)\n return\n"
    " b1(%2:java/lang/Throwable) handler frame []: athrow (%2) } } }",
    // Joins and null.
    "class T extends java/lang/Object version 49.0 { method static m:(I)V { "
    "code slots 2 inferred {\n"
    " b0: %0:int = local.get 0\n %1 = const null\n ifeq (%0) b2, b1 with (%1)\n"
    " b1(%2:A): goto b3 with (%2)\n b2(%3:B) frame [int]: fallthrough b3 with "
    "(%3)\n"
    " b3(%4:join(A, B)) frame [int]: invokestatic T.n:(LC;)V (%4)\n return } } "
    "}",
    // Frames that are wrong, in a version where the JVM falls back.
    "class T extends java/lang/Object version 50.0 { method static m:()V { "
    "code slots 1 {\n"
    " b0: goto b1\n b1 frame [int]: return } } }",
    // Slots that hold halves of a long, method-wide slots, drops.
    "method static m:(J)V { code slots 4 { everywhere 2: long\n b0: %0:long = "
    "local.get 0\n"
    " local.set 2 (%0)\n drop (%0)\n goto b1\n b1 frame []: %1:long = "
    "local.get 2\n return } }",
};

TEST(Verifier, ValidCodeHasNoFinding) {
  for (const char *Text : Valid) {
    std::string Error;
    std::vector<IRFinding> Found = verify(Text, Error, IRTier::Types);
    ASSERT_EQ("", Error) << Text;
    for (const IRFinding &F : Found)
      ADD_FAILURE() << F.str() << "\n" << Text;
  }
}

TEST(Verifier, TriesOfAnotherBody) {
  const char *Code =
      " { code slots 0 { try t0 -> b1 catch any\n b0 throws t0: return\n"
      " b1(%0:java/lang/Throwable) handler frame []: return } }\n";
  auto Classes = parseIR(wholeClass(std::string("method static a:()V") + Code +
                                    "method static b:()V" + Code),
                         "test.jir");
  ASSERT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  ClassFile &C = *Classes->front();
  EXPECT_TRUE(verifyClassIR(C, IRTier::Instrumentation).empty());
  Body &A = *C.Methods[0].IR, &B = *C.Methods[1].IR;
  A.blocks().front().setThrowEdges(B.blocks().front().throwEdges());
  std::vector<IRFinding> Found = verifyClassIR(C, IRTier::Structure);
  ASSERT_EQ(1u, Found.size());
  EXPECT_EQ(IRRule::ThrowList, Found[0].Rule);
  EXPECT_EQ("b0", Found[0].Block);
}

TEST(Verifier, Patches) {
  auto Classes = parseIR(
      wholeClass("method static m:()V { code slots 0 { b0: return } }\n"),
      "test.jir");
  ASSERT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  Method &M = Classes->front()->Methods[0];
  Body F(*Classes->front(), M);
  const uint8_t Code[] = {op::BIPUSH, 1, op::POP, op::RETURN};
  Snippet Site;
  auto Found = [&](std::vector<InsertionPoint> Sites,
                   llvm::SmallVector<SyntheticHandler, 2> Handlers = {}) {
    CodePatch S;
    S.Code.Code = Code;
    S.Sites = std::move(Sites);
    S.Handlers = std::move(Handlers);
    F.Patch = &S;
    std::string All;
    for (const IRFinding &Of : verifyBody(F, IRTier::Instrumentation))
      All += Of.Message + "; ";
    return All;
  };
  EXPECT_EQ("", Found({{0, 0, false, &Site}, {2, 4, true, &Site}},
                      {{0, 4, SyntheticHandler::None, &Site}}));
  EXPECT_EQ("no instruction is at 1, where a site is; ",
            Found({{1, 1, false, &Site}}));
  EXPECT_EQ("the site at 0 is not behind that at 2; no instruction is at 0, "
            "where a site is; ",
            Found({{2, 2, false, &Site}, {0, 0, false, &Site}}));
  EXPECT_EQ("the site at 3 ends at 5; ", Found({{3, 5, true, &Site}}));
  EXPECT_EQ("the site at 3 has no code; ", Found({{3, 3, false, nullptr}}));
  EXPECT_EQ("a handler is for 3 to 2; ",
            Found({}, {{3, 2, SyntheticHandler::None, &Site}}));
}

TEST(Verifier, AllFindingsWithTheirPlaces) {
  std::string Error;
  std::vector<IRFinding> Found =
      verify("method static a:()V { code slots 0 { b0 @0: nop } }\n"
             "method static b:(I)V { code slots 0 { b0: return\n"
             " b1 @7: goto b1 @7 } }",
             Error);
  ASSERT_EQ("", Error);
  ASSERT_EQ(3u, Found.size());
  EXPECT_EQ("T.a()V: b0 @0: the block has no terminator [terminator]",
            Found[0].str());
  EXPECT_EQ("T.b(I)V: 1 slots, but the method has 0 [slot-layout]",
            Found[1].str());
  EXPECT_EQ("b1", Found[2].Block);
  EXPECT_EQ(7, Found[2].BCI);
  EXPECT_EQ(IRRule::FrameMissing, Found[2].Rule);
}

TEST(Verifier, TiersStopBeforeTheNext) {
  std::string Error;
  // Wrong in structure and shape.
  const char *Text =
      "method static m:()I { code slots 0 { b0: return\n b1: nop } }";
  for (const IRFinding &F : verify(Text, Error))
    EXPECT_EQ(IRTier::Structure, getTier(F.Rule)) << F.str();
  EXPECT_EQ("", Error);
  EXPECT_TRUE(
      verify("method static m:()V { code slots 0 { b0: advice #0\n return } }",
             Error, IRTier::Types)
          .empty());
}

} // namespace
