//===- Verifier.cpp - Is this IR valid? -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Verifier/Verifier.h"
#include "VerifierImpl.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;

namespace {
struct RuleRow {
  const char *Name;
  IRTier Tier;
  const char *Text;
};
constexpr RuleRow Rules[] = {
#define JOPT_IR_RULE(Name, Tier, Text) {#Name, IRTier::Tier, Text},
#include "jopt/IR/Verifier/VerifierRules.def"
};
} // namespace

IRTier jopt::getTier(IRRule R) { return Rules[unsigned(R)].Tier; }
llvm::StringRef jopt::getRuleText(IRRule R) { return Rules[unsigned(R)].Text; }

std::string jopt::getRuleName(IRRule R) {
  std::string Name;
  for (const char *C = Rules[unsigned(R)].Name; *C; ++C) {
    if (llvm::isUpper(*C) && !Name.empty())
      Name += '-';
    Name += llvm::toLower(*C);
  }
  return Name;
}

std::string IRFinding::str() const {
  std::string S = Class;
  if (!Method.empty())
    S += "." + Method;
  if (!Block.empty())
    S += ": " + Block;
  if (BCI >= 0)
    S += " @" + std::to_string(BCI);
  if (!Instruction.empty())
    S += ": '" + Instruction + "'";
  return S + ": " + Message + " [" + getRuleName(Rule) + "]";
}

template <typename Fn> std::string Findings::print(Fn F) {
  if (!Printer)
    Printer.emplace(B, P.writer());
  F(*Printer);
  std::string Text = P.take();
  P.clear();
  return Text;
}

std::string Findings::name(const Block *Blk) {
  return print([&](BodyPrinter &P) { P.block(Blk); });
}

std::string Findings::name(const Value *V) {
  return print([&](BodyPrinter &P) { P.value(V); });
}

std::string Findings::name(Type T) {
  return print([&](BodyPrinter &P) { P.type(T); });
}

void Findings::add(IRRule R, const Block *Blk, const Instruction *I,
                   const llvm::Twine &Message) {
  const ClassFile &Class = B.classFile();
  IRFinding F;
  F.Rule = R;
  F.Class = toDisplayUTF8(Class.name());
  F.Method = toDisplayUTF8(Class.name(B.method())) +
             toDisplayUTF8(Class.descriptor(B.method()));
  if (Blk)
    F.Block = name(Blk);
  if (I) {
    F.Instruction = print([&](BodyPrinter &P) { P.instruction(*I); });
    F.BCI = I->bci();
  } else if (Blk) {
    F.BCI = Blk->bci();
  }
  F.Message = Message.str();
  F.Unit = I     ? static_cast<const void *>(I)
           : Blk ? static_cast<const void *>(Blk)
                 : static_cast<const Member *>(&B.method());
  All.push_back(std::move(F));
}

static void verify(const Body &B, IRTier UpTo, FindingPrinter &P,
                   std::vector<IRFinding> &All) {
  static constexpr std::pair<IRTier, void (*)(const Body &, Findings &)>
      Tiers[] = {{IRTier::Structure, verifyStructure},
                 {IRTier::Shape, verifyShape},
                 {IRTier::Types, verifyTypes},
                 {IRTier::Instrumentation, verifyInstrumentation}};
  Findings F(B, P, All);
  if (B.Patch) {
    verifyPatch(B, F);
    // A snippet is no method: its frames are those of the place, and it may
    // begin with a handler.
    const size_t Before = All.size();
    forEachSnippet(*B.Patch, [&](const Snippet &Code) {
      if (Code.IR)
        verify(*Code.IR, IRTier::Structure, P, All);
    });
    auto IsOfMethods = [](const IRFinding &Of) {
      return Of.Rule == IRRule::EntryBlock;
    };
    All.erase(
        std::remove_if(All.begin() + ptrdiff_t(Before), All.end(), IsOfMethods),
        All.end());
    return;
  }
  size_t Before = All.size();
  for (auto [Tier, Verify] : Tiers)
    if (Tier <= UpTo && All.size() == Before)
      Verify(B, F);
}

std::vector<IRFinding> jopt::verifyBody(const Body &B, IRTier UpTo) {
  std::vector<IRFinding> All;
  FindingPrinter P(B.classFile());
  verify(B, UpTo, P, All);
  return All;
}

/// Checks everything that does not need the code.
static void verifyHeader(const ClassFile &Class, std::vector<IRFinding> &All) {
  auto Add = [&](IRRule R, std::string Method, const llvm::Twine &Message,
                 const void *Unit = nullptr) {
    IRFinding F;
    F.Unit = Unit ? Unit : &Class;
    F.Rule = R;
    F.Class = toDisplayUTF8(Class.name());
    F.Method = std::move(Method);
    F.Message = Message.str();
    All.push_back(std::move(F));
  };
  const ConstantPool &Pool = Class.Pool;
  auto IsClass = [&](unsigned I) {
    return Pool.has(I, CPTag::Class) && Pool.has(Pool[I].A, CPTag::Utf8);
  };
  if (!IsClass(Class.ThisIndex))
    Add(IRRule::ClassHeader, "", "this_class is no Class");
  if (Class.SuperIndex && !IsClass(Class.SuperIndex))
    Add(IRRule::ClassHeader, "", "super_class is no Class");
  for (uint16_t I : Class.Interfaces)
    if (!IsClass(I))
      Add(IRRule::ClassHeader, "",
          "interface #" + llvm::Twine(I) + " is no Class");
  for (const Field &F : Class.Fields)
    if (!Pool.has(F.NameIndex, CPTag::Utf8) ||
        !isFieldDescriptor(Class.descriptor(F)))
      Add(IRRule::ClassHeader, "",
          "field #" + llvm::Twine(F.NameIndex) +
              " has no name or no valid descriptor",
          static_cast<const Member *>(&F));
  for (const Method &M : Class.Methods) {
    std::string Name =
        toDisplayUTF8(Class.name(M)) + toDisplayUTF8(Class.descriptor(M));
    if (!Pool.has(M.NameIndex, CPTag::Utf8) ||
        !isMethodDescriptor(Class.descriptor(M)))
      Add(IRRule::ClassHeader, Name, "no name or no valid descriptor",
          static_cast<const Member *>(&M));
    bool HasCode = M.IR || M.codeAttribute(Pool) >= 0;
    bool Needs =
        !methodIs(Class, M, ACC_NATIVE) && !methodIs(Class, M, ACC_ABSTRACT);
    if (HasCode != Needs)
      Add(IRRule::CodePresence, Name,
          HasCode ? "a native or abstract method has code"
                  : "the method has no code",
          static_cast<const Member *>(&M));
  }
}

std::vector<IRFinding> jopt::verifyClassIR(const ClassFile &Class,
                                           IRTier UpTo) {
  std::vector<IRFinding> All;
  verifyHeader(Class, All);
  if (!All.empty())
    return All;
  FindingPrinter P(Class);
  for (const Method &M : Class.Methods)
    if (M.IR)
      verify(*M.IR, UpTo, P, All);
  return All;
}
