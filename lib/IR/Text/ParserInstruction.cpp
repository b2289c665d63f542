//===- ParserInstruction.cpp - Instructions from text ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "TextWriter.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using llvm::StringRef;

void BodyParser::Draft::clear() {
  ResultName = {};
  ResultType.reset();
  HasResult = Keep = LongForm = Floating = false;
  Popped.reset();
  Op.reset();
  Init.reset();
  Index = 0;
  Imm = 0;
  Operands.clear();
  Successors.clear();
  Keys.clear();
  Exit.clear();
  Advice = Instruction::OfProgram;
  BCI = -1;
}

namespace {
/// The meaning of an instruction's first word.
struct Mnemonic {
  IROp Kind;
  std::optional<Opcode> Op;
};
} // namespace

static const Mnemonic *findMnemonic(StringRef Word) {
  static const llvm::StringMap<Mnemonic> *Map = [] {
    auto *M = new llvm::StringMap<Mnemonic>;
    for (const OpcodeInfo &I : getOpcodeTable()) {
      std::optional<IROp> Kind = getIROp(I.Encoding);
      if (Kind && !*getInstructionInfo(*Kind).Keyword)
        (*M)[I.Mnemonic] = {*Kind, I.Encoding};
    }
    llvm::ArrayRef<InstructionInfo> Kinds = getInstructionTable();
    for (unsigned K = 0; K < Kinds.size(); ++K)
      if (*Kinds[K].Keyword)
        (*M)[Kinds[K].Keyword] = {IROp(K), std::nullopt};
    return M;
  }();
  auto It = Map->find(Word);
  return It == Map->end() ? nullptr : &It->second;
}

bool BodyParser::result(Draft &D) {
  D.HasResult = true;
  if (!valueName(D.ResultName))
    return false;
  if (S.eat(':')) {
    Type T;
    if (!type(T))
      return false;
    D.ResultType = T;
  }
  D.Keep = S.eatWord("keep");
  if (S.eatWord("popped"))
    D.Popped = true;
  else if (S.eatWord("unpopped"))
    D.Popped = false;
  return S.expect('=');
}

/// False without an error if \p Word starts no instruction.
bool BodyParser::instruction(Draft &D, StringRef Word) {
  const Mnemonic *M = findMnemonic(Word);
  if (!M)
    return false;
  D.Kind = M->Kind;
  D.Op = M->Op;
  if (D.Kind == irop::Raw)
    return raw();
  if (!immediates(D))
    return false;
  if (S.sameLine() && S.peek() == '(' && !valueList(D.Operands))
    return false;
  if (getInstructionInfo(D.Kind).Terminator && !successors(D))
    return false;
  return suffixes(D) && build(D);
}

bool BodyParser::constant(Draft &D) {
  uint16_t Entry = 0;
  if (S.eatWord("null")) {
    D.Op = op::ACONST_NULL;
    return true;
  }
  for (Opcode Push : {op::BIPUSH, op::SIPUSH}) {
    if (!S.eatWord(getMnemonic(Push)))
      continue;
    int64_t V;
    if (!S.integer(V, INT32_MIN, INT32_MAX))
      return false;
    D.Op = Push;
    D.Imm = int32_t(V);
    return true;
  }
  static constexpr std::pair<const char *, CPTag> Numbers[] = {
      {"int", CPTag::Integer},
      {"long", CPTag::Long},
      {"float", CPTag::Float},
      {"double", CPTag::Double}};
  bool Load = S.eatWord("ldc");
  for (auto [Word, Tag] : Numbers) {
    if (Load || !S.eatWord(Word))
      continue;
    CPEntry E;
    E.Tag = Tag;
    if (!S.number(E.Bits, Tag))
      return false;
    Opcode Op = opcodeOfEntry(E);
    D.Op = Op;
    if (Op == op::LDC || Op == op::LDC2_W) {
      if (!R.number(Entry, Tag, E.Bits))
        return false;
      D.Index = Entry;
    } else if (Tag == CPTag::Integer) {
      D.Imm = int32_t(E.Bits);
    }
    return true;
  }
  if (!R.entry(Entry, LoadableTags))
    return false;
  D.Index = Entry;
  D.Op = loadOpcode(B.pool(), Entry);
  return true;
}

/// The operand of newarray: a name, or a number in broken code.
bool BodyParser::arrayType(uint32_t &Code) {
  S.space();
  const char *At = S.position();
  StringRef Name = S.identifier();
  if (!Name.getAsInteger(10, Code))
    return true;
  for (Code = FirstArrayType; Code <= LastArrayType; ++Code)
    if (arrayTypeName(Code) == Name)
      return true;
  return S.failAt(At, "expected a primitive type");
}

/// False without an error if there is none.
bool BodyParser::narrowType(unsigned &Code) {
  for (Code = FirstArrayType; S.sameLine() && Code <= LastArrayType; ++Code) {
    StringRef Name = narrowTypeName(Code);
    if (!Name.empty() && S.eatWord(Name))
      return true;
  }
  return false;
}

/// Those of an advice's values.
bool BodyParser::narrowTypes(Draft &D) {
  NarrowTypes Of(0);
  unsigned Code, N;
  if (narrowType(Code))
    Of.setValue(Code);
  if (S.sameLine() && S.eat('[')) {
    do {
      const char *At = S.position();
      if (!S.unsignedInteger(N, NarrowTypes::NumOperands - 1) || !S.expect(':'))
        return false;
      if (Of.operand(N))
        return S.failAt(At, "the operand has a type already");
      if (!narrowType(Code))
        return S.fail("expected a type that is narrower than int");
      Of.setOperand(N, Code);
    } while (S.eat(','));
    if (!S.expect(']'))
      return false;
  }
  D.Imm = Of.imm();
  return true;
}

bool BodyParser::immediates(Draft &D) {
  uint16_t Entry = 0;
  int64_t V;
  switch (D.Kind) {
  case irop::Const:
    return constant(D);
  case irop::LocalGet:
  case irop::LocalSet:
    return S.unsignedInteger(D.Index, 65535);
  case irop::LocalInc:
    if (!S.unsignedInteger(D.Index, 65535) || !S.expect(',') ||
        !S.integer(V, INT32_MIN, INT32_MAX))
      return false;
    D.Imm = int32_t(V);
    return true;
  case irop::FieldAccess:
  case irop::Invoke:
  case irop::New:
  case irop::ClassOp:
    if (!R.entry(Entry, getOpcodeInfo(*D.Op)->PoolTags))
      return false;
    D.Index = Entry;
    return true;
  case irop::MultiNewArray:
    if (!R.entry(Entry, tagBit(CPTag::Class)) || !S.expect(',') ||
        !S.integer(V, INT32_MIN, INT32_MAX))
      return false;
    D.Index = Entry;
    D.Imm = int32_t(V);
    return true;
  case irop::NewArray:
    return arrayType(D.Index);
  case irop::Anchor: {
    S.space();
    const char *At = S.position();
    StringRef Name = S.identifier();
    if (!Name.getAsInteger(10, D.Index))
      return true;
    std::optional<Opcode> Op = findOpcode(Name);
    if (!Op)
      return S.failAt(At, "expected the name of an opcode");
    D.Index = *Op;
    return true;
  }
  case irop::Advice:
    if (!S.expect('#') || !S.unsignedInteger(D.Index, INT32_MAX))
      return false;
    return narrowTypes(D);
  default:
    return true;
  }
}

bool BodyParser::switchTargets(Draft &D) {
  if (!S.expect('['))
    return false;
  while (!S.eat(']')) {
    if (D.Successors.empty()) {
      if (!S.expectWord("default"))
        return false;
    } else {
      int64_t Key;
      if (!S.expect(',') || !S.integer(Key, INT32_MIN, INT32_MAX))
        return false;
      D.Keys.push_back(int32_t(Key));
    }
    StringRef Name;
    if (!S.expect(':') || !blockName(Name))
      return false;
    D.Successors.push_back(Name);
  }
  return true;
}

bool BodyParser::successors(Draft &D) {
  switch (D.Kind) {
  case irop::TableSwitch:
  case irop::LookupSwitch:
    if (!switchTargets(D))
      return false;
    break;
  case irop::Return:
  case irop::Throw:
    break;
  default:
    do {
      StringRef Name;
      if (!blockName(Name))
        return false;
      D.Successors.push_back(Name);
    } while (S.eat(','));
    break;
  }
  return !(S.sameLine() && S.eatWord("with")) || valueList(D.Exit);
}

bool BodyParser::suffixes(Draft &D) {
  unsigned N;
  while (S.sameLine()) {
    if (S.eat('@')) {
      if (!S.unsignedInteger(N, INT32_MAX))
        return false;
      D.BCI = int32_t(N);
    } else if (S.eatWord("longform")) {
      D.LongForm = true;
    } else if (S.eatWord("wide")) {
      D.LongForm = true;
      D.Imm = 1;
    } else if (S.eatWord("floating")) {
      D.Floating = true;
    } else if (S.eatWord("init")) {
      D.Init = true;
    } else if (S.eatWord("noinit")) {
      D.Init = false;
    } else if (S.eatWord("by")) {
      if (S.eatWord("pass")) {
        D.Advice = Instruction::OfPass;
        continue;
      }
      if (!S.expect('#') || !S.unsignedInteger(N, INT32_MAX))
        return false;
      D.Advice = int32_t(N);
    } else if (S.eatWord("opcode")) {
      StringRef Name = S.identifier();
      D.Op = findOpcode(Name);
      if (!D.Op)
        return S.fail("expected the name of an opcode");
    } else {
      return S.peek() == '}' || S.fail("expected the end of the instruction");
    }
  }
  return true;
}

/// The opcode of kinds that have a keyword.
bool BodyParser::impliedOpcode(Draft &D, llvm::ArrayRef<Value *> Ops) {
  if (D.Op)
    return true;
  switch (D.Kind) {
  case irop::LocalGet:
    if (!D.ResultType)
      return S.failAt(D.Start, "the result must be given a type");
    D.Op = opcodeFor(op::ILOAD, *D.ResultType);
    return true;
  case irop::LocalSet:
    if (Ops.empty() || !Ops[0])
      return S.failAt(D.Start, "the operand must be defined before");
    D.Op = opcodeFor(op::ISTORE, Ops[0]->type());
    return true;
  case irop::LocalInc:
    D.Op = op::IINC;
    return true;
  default:
    D.Op = op::NOP;
    return true;
  }
}

bool BodyParser::impliedType(Draft &D, llvm::ArrayRef<Value *> Ops) {
  if (D.ResultType)
    return true;
  if (D.Kind == irop::New)
    D.ResultType = B.addNewSite(nullptr);
  else if (D.Kind == irop::Advice && !D.HasResult)
    D.ResultType = Type(Type::Void);
  else
    D.ResultType = resultType(B, D.Kind, *D.Op, D.Index, Ops);
  if (!D.ResultType)
    return S.failAt(D.Start, "the result must be given a type");
  if (D.HasResult && D.ResultType->isVoid())
    return S.failAt(D.Start, "the instruction has no result");
  return true;
}

Instruction *BodyParser::create(Draft &D, llvm::ArrayRef<Value *> Ops) {
  Instruction *I = B.create(D.Kind, *D.Op, *D.ResultType, Ops, D.BCI);
  I->setIndex(D.Index);
  I->setImm(D.Imm);
  I->setKeep(D.Keep);
  if (D.Popped)
    I->setPopped(*D.Popped);
  I->setLongForm(D.LongForm);
  I->setFloating(D.Floating);
  I->setAdvice(D.Advice);
  if (D.Init.value_or(isInitCall(B.pool(), *D.Op, D.Index)))
    B.setInit(I);
  if (D.Kind == irop::New && I->type().is(Type::Uninit)) {
    Instruction *&Site = B.NewSites[I->type().payload()];
    if (!Site)
      Site = I;
  }
  return I;
}

llvm::SmallVector<Value *, 8>
BodyParser::lookUp(llvm::ArrayRef<StringRef> Names) const {
  llvm::SmallVector<Value *, 8> Found;
  for (StringRef Name : Names)
    Found.push_back(lookup(Name));
  return Found;
}

void BodyParser::append(Instruction *I, const Draft &D) {
  for (size_t N = 0; N < D.Operands.size(); ++N)
    if (!I->operands()[N])
      ValueFixups.push_back({&I->operands()[N], D.Operands[N]});
  B.append(I, Current);
  S.note(I, D.Start);
}

bool BodyParser::build(Draft &D) {
  if (!begin(D.Start))
    return false;
  llvm::SmallVector<Value *, 8> Ops = lookUp(D.Operands);
  if (!impliedOpcode(D, Ops) || !impliedType(D, Ops))
    return false;
  Instruction *I = create(D, Ops);
  if (!D.Successors.empty()) {
    llvm::SmallVector<Block *, 4> Unknown(D.Successors.size(), nullptr);
    B.setSuccessors(I, Unknown, D.Keys);
    for (size_t N = 0; N < Unknown.size(); ++N)
      BlockFixups.push_back({&I->successors()[N], D.Successors[N]});
  }
  if (!D.Exit.empty()) {
    llvm::SmallVector<Value *, 8> Exit = lookUp(D.Exit);
    B.setExitValues(Current, Exit);
    for (size_t N = 0; N < Exit.size(); ++N)
      if (!Exit[N])
        ValueFixups.push_back({&Current->exitValues()[N], D.Exit[N]});
  }
  append(I, D);
  return !D.HasResult || define(D.ResultName, I, D.ResultName.data());
}
