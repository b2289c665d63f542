//===- CodeUnitsTest.cpp --------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Bytecode/Opcodes.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace jopt;
using Code = std::vector<uint8_t>;
using Numbers = std::vector<unsigned>;

namespace {

Numbers starts(const MethodUnits &M) {
  Numbers R;
  for (const CodeUnit &U : M.Units)
    R.push_back(U.Start);
  return R;
}

Numbers lines(const MethodUnits &M) {
  Numbers R;
  for (const CodeUnit &U : M.Units)
    R.push_back(U.Line);
  return R;
}

std::string encode(std::initializer_list<Numbers> Methods) {
  LineTableEncoder E;
  bool First = true;
  for (const Numbers &M : Methods) {
    if (!First)
      E.nextMethod();
    First = false;
    for (unsigned L : M)
      E.emit(L);
  }
  return E.take();
}

/// What a reader of methodLineTables makes of it (docs/ProbekitReference.md,
/// Data items).
std::vector<Numbers> decode(const std::string &Text) {
  std::vector<Numbers> R(1);
  unsigned Value = 0;
  for (size_t I = 0; I < Text.size();) {
    char Ch = Text[I++];
    if (Ch == ',') {
      R.emplace_back();
    } else if (Ch == '#') {
      Value = 0;
      while (I < Text.size() && Text[I] >= '0' && Text[I] <= '9')
        Value = Value * 10 + unsigned(Text[I++] - '0');
      R.back().push_back(Value);
    } else if (Ch != '+') {
      R.back().push_back(Value += unsigned(Ch - '0'));
    }
  }
  return R;
}

//===----------------------------------------------------------------------===//
// The encoding
//===----------------------------------------------------------------------===//

TEST(LineTables, Vectors) {
  EXPECT_EQ(encode({{51, 52, 54, 54, 55, 75, 76, 77}, {81, 82}}),
            "#51+1201#75+11,41");
  EXPECT_EQ(encode({{0}, {51}}), "+0,#51");
  EXPECT_EQ(encode({{5}, {5}}), "+5,0");
  EXPECT_EQ(encode({{100}, {3}, {4}}), "#100,#3,+1");
}

TEST(LineTables, Borders) {
  EXPECT_EQ(encode({{9}}), "+9");
  EXPECT_EQ(encode({{10}}), "#10");
  EXPECT_EQ(encode({{65535, 65535, 0, 9, 18, 17}}), "#65535+0#0+99#17");
  // The single value of a method without code, by the state before it.
  EXPECT_EQ(encode({{1}, {0}, {0}, {2}, {0}}), "+1,#0,+0,2,#0");
}

/// A reader gets back what went in. The `+` separates an absolute number
/// from the digits behind it.
TEST(LineTables, ReadBack) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    std::vector<Numbers> Methods(1 + Random() % 6);
    LineTableEncoder E;
    for (Numbers &M : Methods) {
      if (&M != &Methods.front())
        E.nextMethod();
      M.resize(1 + Random() % 12);
      unsigned Line = Random() % 4 ? Random() % 300 : 0;
      for (unsigned &L : M) {
        unsigned Kind = Random() % 4;
        Line = Kind == 0   ? Random() % 65536
               : Kind == 1 ? Line
                           : std::min(65535u, Line + unsigned(Random() % 12));
        E.emit(L = Line);
      }
    }
    std::string Text = E.take();
    EXPECT_EQ(decode(Text), Methods) << Text;
  }
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

TEST(Units, WithoutLines) {
  MethodUnits M = findCodeUnits(
      Code{op::ICONST_0, op::IFEQ, 0, 4, op::NOP, op::RETURN}, {}, {});
  EXPECT_FALSE(M.HasLines);
  EXPECT_EQ(starts(M), Numbers{0});
  EXPECT_EQ(lines(M), Numbers{0});
}

/// One line: only what transfers control, and calls, cut.
TEST(Units, OneInstruction) {
  struct Row {
    Code Inst;
    bool Cuts;
  };
  const Row Rows[] = {
      {{op::NOP}, false},
      {{op::NEW, 0, 1}, false},
      {{op::MONITORENTER}, false},
      {{op::MONITOREXIT}, false},
      {{op::GETFIELD, 0, 1}, false},
      {{op::PUTSTATIC, 0, 1}, false},
      {{op::IDIV}, false},
      {{op::CHECKCAST, 0, 1}, false},
      {{op::AALOAD}, false},
      {{op::ARRAYLENGTH}, false},
      {{op::POP}, false},
      {{0xc4, op::IINC, 0, 1, 0, 1}, false}, // wide
      {{0xc4, op::RET, 0, 1}, true},
      {{op::INVOKEVIRTUAL, 0, 1}, true},
      {{op::INVOKESPECIAL, 0, 1}, true},
      {{op::INVOKESTATIC, 0, 1}, true},
      {{op::INVOKEINTERFACE, 0, 1, 1, 0}, true},
      {{op::INVOKEDYNAMIC, 0, 1, 0, 0}, true},
      {{op::RET, 1}, true},
      {{op::ATHROW}, true},
      {{op::RETURN}, true},
      {{op::IRETURN}, true},
      {{op::LRETURN}, true},
      {{op::FRETURN}, true},
      {{op::DRETURN}, true},
      {{op::ARETURN}, true},
  };
  for (const Row &R : Rows) {
    Code C{op::NOP, op::NOP};
    C.insert(C.end(), R.Inst.begin(), R.Inst.end());
    unsigned Behind = unsigned(C.size());
    C.insert(C.end(), {op::NOP, op::RETURN});
    MethodUnits M = findCodeUnits(C, {}, LineEntry{0, 9});
    EXPECT_EQ(starts(M), R.Cuts ? (Numbers{0, Behind}) : (Numbers{0}))
        << unsigned(R.Inst[0]);
    EXPECT_TRUE(M.HasLines);
  }
}

/// Branches cut behind themselves and at their targets.
TEST(Units, Branches) {
  for (const OpcodeInfo &Info : getOpcodeTable()) {
    const Opcode Op = Info.Encoding;
    bool Long = Info.Fmt == op::FmtBranch4;
    if (!Long && Info.Fmt != op::FmtBranch2)
      continue;
    // 0 nop, 1 nop, 2 branch to 1, then nop.
    Code C{op::NOP, op::NOP, Opcode(Op)};
    C.insert(C.end(), Long ? 4 : 2, 0xff);
    unsigned Behind = unsigned(C.size());
    C.push_back(op::NOP);
    EXPECT_EQ(starts(findCodeUnits(C, {}, LineEntry{0, 1})),
              (Numbers{0, 1, Behind}))
        << Info.Mnemonic;
  }
}

TEST(Units, Switches) {
  // 0 nop, 1 tableswitch: default 24, 0 -> 25, 1 -> 26; code up to 28.
  Code Table{op::NOP, op::TABLESWITCH,
             0,       0,
             0,       0,
             0,       23,
             0,       0,
             0,       0,
             0,       0,
             0,       1,
             0,       0,
             0,       24,
             0,       0,
             0,       25,
             0,       0,
             0,       0};
  EXPECT_EQ(starts(findCodeUnits(Table, {}, LineEntry{0, 1})),
            (Numbers{0, 24, 25, 26}));
  Code Lookup{op::NOP, op::LOOKUPSWITCH,
              0,       0,
              0,       0,
              0,       20,
              0,       0,
              0,       1,
              0,       0,
              0,       7,
              0,       0,
              0,       22,
              0,       0,
              0,       0,
              0};
  EXPECT_EQ(starts(findCodeUnits(Lookup, {}, LineEntry{0, 1})),
            (Numbers{0, 20, 21, 23}));
}

TEST(Units, HandlersAndLines) {
  Code C(10, op::NOP);
  CodeView::Handler H[] = {{0, 4, 6, 0}, {0, 4, 6, 3}, {0, 4, 99, 3}};
  LineEntry L[] = {{0, 10}, {3, 11}};
  MethodUnits M = findCodeUnits(C, H, L);
  EXPECT_EQ(starts(M), (Numbers{0, 3, 6}));
  EXPECT_EQ(lines(M), (Numbers{10, 11, 11}));
  EXPECT_EQ(M.unitAt(0), 0u);
  EXPECT_EQ(M.unitAt(2), 0u);
  EXPECT_EQ(M.unitAt(3), 1u);
  EXPECT_EQ(M.unitAt(9), 2u);
}

/// A handler behind no jump: the original fails, jopt cuts.
TEST(Units, StartsInsideInstructionsCutNothing) {
  Code C{op::SIPUSH, 1, 2, op::POP, op::RETURN};
  CodeView::Handler H[] = {{0, 3, 1, 0}};
  LineEntry L[] = {{0, 1}, {2, 2}, {200, 3}};
  MethodUnits M = findCodeUnits(C, H, L);
  EXPECT_EQ(starts(M), Numbers{0});
}

TEST(Units, CodeThatCannotBeDecoded) {
  for (Code C : {Code{0xfe}, Code{op::NOP, op::SIPUSH, 1}, Code{}}) {
    MethodUnits M = findCodeUnits(C, {}, LineEntry{0, 7});
    EXPECT_EQ(starts(M), Numbers{0});
    EXPECT_EQ(lines(M), Numbers{0});
    EXPECT_FALSE(M.HasLines);
  }
}

//===----------------------------------------------------------------------===//
// Lines of units
//===----------------------------------------------------------------------===//

/// nops with calls, so that units can be had without lines.
const Code Calls{op::NOP, op::INVOKESTATIC, 0, 1,
                 op::NOP, op::INVOKESTATIC, 0, 1,
                 op::NOP, op::RETURN};

TEST(Lines, OneStepForEachUnit) {
  auto Of = [&](llvm::ArrayRef<LineEntry> L) {
    MethodUnits M = findCodeUnits(Calls, {}, L);
    return std::pair(starts(M), lines(M));
  };
  using P = std::pair<Numbers, Numbers>;
  // In order: what javac writes.
  EXPECT_EQ(Of({{0, 5}, {4, 6}}), P({0, 4, 8}, {5, 6, 6}));
  // Before the first entry the line is 0.
  EXPECT_EQ(Of({{4, 6}}), P({0, 4, 8}, {0, 6, 6}));
  // Two of the same start: the second holds from the next unit on.
  EXPECT_EQ(Of({{0, 5}, {0, 6}}), P({0, 4, 8}, {5, 6, 6}));
  EXPECT_EQ(Of({{0, 5}, {0, 6}, {0, 7}, {0, 8}}), P({0, 4, 8}, {5, 6, 7}));
  // Not sorted: the cursor waits.
  EXPECT_EQ(Of({{8, 9}, {0, 5}}), P({0, 4, 8}, {0, 0, 9}));
  EXPECT_EQ(Of({{0, 5}, {8, 9}, {4, 6}}), P({0, 4, 8}, {5, 5, 9}));
  // An entry that cuts nothing stands in the way all the same.
  EXPECT_EQ(Of({{0, 5}, {500, 6}, {4, 7}}), P({0, 4, 8}, {5, 5, 5}));
}

/// Against a second formulation of the rules, over generated code.
TEST(Units, Generated) {
  std::mt19937 Random(3);
  for (unsigned Round = 0; Round < 3000; ++Round) {
    Code C;
    std::set<unsigned> At, Cuts{0};
    std::vector<std::pair<unsigned, unsigned>> Branches; // operand, base
    unsigned Insts = 1 + Random() % 20;
    for (unsigned I = 0; I < Insts; ++I) {
      unsigned Start = unsigned(C.size());
      At.insert(Start);
      switch (Random() % 6) {
      case 0:
        C.push_back(op::IADD);
        break;
      case 1:
        C.insert(C.end(), {op::NEW, 0, 1});
        break;
      case 2:
        C.insert(C.end(), {uint8_t(op::INVOKEVIRTUAL + Random() % 3), 0, 1});
        Cuts.insert(unsigned(C.size()));
        break;
      case 3:
        C.push_back(uint8_t(op::IRETURN + Random() % 6));
        Cuts.insert(unsigned(C.size()));
        break;
      default:
        C.insert(C.end(), {uint8_t(op::IFEQ + Random() % 15), 0, 0});
        Branches.push_back({Start + 1, Start});
        Cuts.insert(unsigned(C.size()));
      }
    }
    auto Any = [&] { return *std::next(At.begin(), Random() % At.size()); };
    for (auto [Operand, Base] : Branches) {
      unsigned Target = Any();
      writeU2(&C[Operand], uint16_t(Target - Base));
      Cuts.insert(Target);
    }
    std::vector<CodeView::Handler> Handlers(Random() % 3);
    for (CodeView::Handler &H : Handlers)
      Cuts.insert(H.Target = uint16_t(Any()));
    std::vector<LineEntry> Table(1 + Random() % 5);
    for (LineEntry &L : Table) {
      L = {uint16_t(Any()), uint16_t(1 + Random() % 99)};
      Cuts.insert(L.Start);
    }
    Cuts.erase(unsigned(C.size()));

    Numbers Wanted;
    size_t Passed = 0; // entries that took effect
    for (unsigned Start : Cuts) {
      Passed += Passed < Table.size() && Table[Passed].Start <= Start;
      Wanted.push_back(Passed ? Table[Passed - 1].Line : 0u);
    }
    MethodUnits M = findCodeUnits(C, Handlers, Table);
    EXPECT_EQ(starts(M), Numbers(Cuts.begin(), Cuts.end()));
    EXPECT_EQ(lines(M), Wanted);
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

const char *const Text = R"(
class public super abstract A extends java/lang/Object version 61.0 {
  method abstract a:()V
  method static b:(I)V {
    code slots 1 {
    b0:
      %0:int = local.get 0 @0
      ifeq (%0) b2, b1 @1
    b1 @4:
      %1:int = const int 3 @4
      invokestatic A.b:(I)V (%1) @5
      goto b2 @8
    b2 @11 frame [int]:
      return @11
      attribute LineNumberTable = [{@0 line 51}, {@4 line 53}, {@11 line 54}]
    }
  }
  method static c:()V {
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

void expectUnits(ClassFile &F, PassContext &C) {
  const auto &Methods = C.analysis<OriginalMethods>(F);
  const auto &Units = C.analysis<ClassUnits>(F);
  EXPECT_EQ(Methods.names(F), "a()V+b(I)V+c()V");
  EXPECT_EQ(starts(Units.Methods[1]), (Numbers{0, 4, 8, 11}));
  EXPECT_EQ(lines(Units.Methods[1]), (Numbers{51, 53, 53, 54}));
  EXPECT_EQ(Units.Previous, (Numbers{0, 1, 5, 6}));
  EXPECT_EQ(Units.lineTables(), "+0,#51+201,#0");
  EXPECT_EQ(&Units.of(F.Methods[1], C), &Units.Methods[1]);
  EXPECT_EQ(Methods.numberOf(F.Methods[2]), 2u);
}

TEST(ClassUnits, Text) {
  auto F = parsed();
  PassContext C(*F);
  materializeBytecode(C, true);
  expectUnits(*F, C);
  EXPECT_FALSE(F->Methods[1].IR);
}

/// Code that was changed, and methods that were added, since the class was read
/// make no difference.
TEST(ClassUnits, OfTheClassAsItCame) {
  auto F = parsed();
  for (Method &M : F->Methods)
    ASSERT_FALSE(bool(lowerMethod(*F, M)));
  auto Bytes = writeClass(*F, {true});
  ASSERT_TRUE(bool(Bytes));
  auto Read = readClass(*Bytes);
  ASSERT_TRUE(bool(Read));
  ClassFile &G = **Read;
  PassContext C(G);
  for (Method &M : G.Methods)
    M.Attributes.clear();
  Method &Added = G.Methods.emplace_back();
  Added.NameIndex = G.Methods[0].NameIndex;
  Added.DescriptorIndex = G.Methods[0].DescriptorIndex;
  expectUnits(G, C);
  EXPECT_EQ(C.analysis<OriginalMethods>(G).numberOf(Added), 3u);
  EXPECT_FALSE(C.analysis<ClassUnits>(G).of(Added, C).HasLines);
}

} // namespace
