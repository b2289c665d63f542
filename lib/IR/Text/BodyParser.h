//===- BodyParser.h - Code blocks from text ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_BODYPARSER_H
#define JOPT_LIB_IR_TEXT_BODYPARSER_H

#include "TextReader.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/Body.h"
#include "jopt/IR/Model/CodePatch.h"

namespace jopt {

/// Reads one code block. Names of blocks, values and tries may be used before
/// they are defined; they are put in at the end.
class BodyParser {
public:
  BodyParser(TextReader &R, Body &B) : R(R), S(R.S), B(B) {}

  /// Parses the text behind `code` (and behind the index of its name).
  bool parse();

private:
  /// An instruction as far as it is read.
  struct Draft {
    llvm::StringRef ResultName;
    std::optional<Type> ResultType;
    bool HasResult = false;
    bool Keep = false;
    std::optional<bool> Popped;
    IROp Kind = irop::Nop;
    std::optional<Opcode> Op;
    uint32_t Index = 0;
    int32_t Imm = 0;
    llvm::SmallVector<llvm::StringRef, 8> Operands;
    llvm::SmallVector<llvm::StringRef, 4> Successors;
    llvm::SmallVector<int32_t, 0> Keys;
    llvm::SmallVector<llvm::StringRef, 4> Exit;
    bool LongForm = false, Floating = false;
    std::optional<bool> Init;
    int32_t Advice = -1, BCI = -1;
    const char *Start = nullptr;

    void clear();
  };

  struct ParameterDraft {
    llvm::StringRef Name;
    Type Ty;
    bool Keep = false, Popped = false;
  };

  bool header();
  bool bodyItems();
  bool begin(const char *At);
  bool tryEntry();
  bool everywhere();
  bool attribute();
  bool label(llvm::StringRef Name, const char *At);
  bool parameters(llvm::SmallVectorImpl<ParameterDraft> &Drafts);
  bool setParameters(Block *Blk, llvm::ArrayRef<ParameterDraft> Drafts,
                     bool Handler);
  bool throwList(Block *Blk);

  bool type(Type &T);
  bool join(Type &T);
  bool slots(llvm::SmallVectorImpl<Type> &Slots);
  bool valueName(llvm::StringRef &Name);
  bool valueList(llvm::SmallVectorImpl<llvm::StringRef> &Names);
  bool blockName(llvm::StringRef &Name);

  bool result(Draft &D);
  bool instruction(Draft &D, llvm::StringRef Word);
  bool narrowType(unsigned &Code);
  bool narrowTypes(Draft &D);
  bool immediates(Draft &D);
  bool constant(Draft &D);
  bool successors(Draft &D);
  bool switchTargets(Draft &D);
  bool suffixes(Draft &D);
  bool build(Draft &D);
  bool impliedOpcode(Draft &D, llvm::ArrayRef<Value *> Ops);
  bool impliedType(Draft &D, llvm::ArrayRef<Value *> Ops);
  Instruction *create(Draft &D, llvm::ArrayRef<Value *> Ops);

  /// Parses the text behind `raw`.
  bool raw();
  bool rawStores(llvm::SmallVectorImpl<RawCode::Store> &Stores);
  bool rawInstruction(llvm::SmallVectorImpl<uint8_t> &Code, bool MayBranch);
  bool rawBranch(DecodedInst &I, llvm::SmallVectorImpl<uint8_t> &Code);
  bool rawSwitch(Opcode Op, llvm::SmallVectorImpl<uint8_t> &Code);
  bool rawOperands(DecodedInst &I);
  bool arrayType(uint32_t &Code);

  /// \name Patched bodies (PatchText.cpp)
  /// @{
  bool place(uint32_t &BCI);
  bool range(uint32_t &From, uint32_t &To);
  template <typename List> bool types(List &Types);
  bool patchHead();
  bool patchItem(llvm::StringRef Word, const char *At);
  bool original();
  bool numbered(llvm::SmallVectorImpl<uint8_t> &Code);
  bool site();
  bool detour();
  bool syntheticHandler();
  Snippet *snippet();
  bool snippetIR(Snippet &Of);
  bool snippetBytes(Snippet &Of);
  /// @}

  bool define(llvm::StringRef Name, Value *V, const char *At);
  Value *lookup(llvm::StringRef Name) const { return Values.lookup(Name); }
  /// Null for those that are not defined yet.
  llvm::SmallVector<Value *, 8>
  lookUp(llvm::ArrayRef<llvm::StringRef> Names) const;
  /// Puts \p I, whose operands \p D names, at the end of the block.
  void append(Instruction *I, const Draft &D);
  bool resolve();

  TextReader &R;
  Scanner &S;
  Body &B;
  Block *Current = nullptr;
  bool IsSnippet = false; ///< code may stand without the head of its block
  Draft D;

  template <typename T> struct Fixup {
    T **Where;
    llvm::StringRef Name; ///< also its place in the text
  };
  llvm::DenseMap<llvm::StringRef, Value *> Values;
  llvm::DenseMap<llvm::StringRef, Block *> Blocks;
  llvm::DenseMap<llvm::StringRef, TryEntry *> Tries;
  llvm::DenseMap<unsigned, unsigned> Sites;
  llvm::DenseMap<std::pair<TryEntry *, const ThrowEdge *>, const ThrowEdge *>
      Edges;
  std::vector<Fixup<Value>> ValueFixups;
  std::vector<Fixup<Block>> BlockFixups;
};

} // namespace jopt

#endif
