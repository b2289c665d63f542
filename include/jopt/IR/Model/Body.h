//===- Body.h - Methods as control-flow graphs ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The IR of a method: values, instructions, blocks, exception edges.
///
/// Differences from JVM code:
///  - operand-stack values are SSA values; dup, swap and pop do not exist.
///  - a value is used in its own block only. What is on the stack where a block
///    ends is the block's exit list, and the successor's parameters, bottom to
///    top; so there is no dominance to care about.
///  - locals are slots, read by local.get and written by local.set.
///  - exception ranges are ordered throw edges of blocks; a range border splits
///    a block.
///  - the caught object is the only parameter of a handler block.
///  - falling through and goto are different terminators.
///  - the straight code of a block may be raw: bytes that stay as they are.
///    Branches, returns and throws are always instructions.
///  - jsr and ret are gone; their bodies are copied at each call, and copies
///    share bytecode indices.
///
/// Everything of a Body lives in the arena of its class: no destructor of a
/// block, instruction or value runs.
///
/// Size: Instruction and Body have a field for each property that the text
/// form, the verifier and the writer know; nothing would be told apart by
/// grouping them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_BODY_H
#define JOPT_IR_MODEL_BODY_H

#include "jopt/Bytecode/Opcodes.h"
#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Model/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/iterator_range.h"
#include "llvm/ADT/simple_ilist.h"
#include "llvm/Support/Allocator.h"

namespace jopt {

class Block;
class Body;
class Instruction;
struct CodePatch;

/// `IROp::LocalGet` and the immediates, generated from Instructions.td.
#define GET_IROpEnum_DECL
#define GET_ImmediateEnum_DECL
namespace irop {
#include "jopt/IR/Instructions.inc"
} // namespace irop
using IROp = irop::IROpEnum;

/// A row of Instructions.td.
struct InstructionInfo {
  const char *Name;
  const char *Keyword; ///< empty: written with the mnemonic of its opcode
  irop::ImmediateEnum Imm;
  const char *Summary;
  bool Terminator;
  bool Pure;
  bool NoCode;
};
const InstructionInfo &getInstructionInfo(IROp Op);
/// InstructionInfo::Terminator, without the way through the table.
inline bool isTerminator(IROp Op) {
  switch (Op) {
  case irop::FallThrough:
  case irop::Goto:
  case irop::If:
  case irop::LookupSwitch:
  case irop::Return:
  case irop::TableSwitch:
  case irop::Throw:
    return true;
  default:
    return false;
  }
}
/// All rows; the index of a row is its IROp.
llvm::ArrayRef<InstructionInfo> getInstructionTable();
/// The kind that stands for \p Op in the IR; none for the dup, swap and pop
/// family, wide, jsr and ret.
std::optional<IROp> getIROp(Opcode Op);

/// The opcode for values of type \p Ty in a family whose opcode for int is
/// \p Int: iload, istore, ireturn.
inline Opcode opcodeFor(Opcode Int, Type Ty) {
  return Opcode(Int + (Ty.is(Type::Int)      ? 0
                       : Ty.is(Type::Long)   ? 1
                       : Ty.is(Type::Float)  ? 2
                       : Ty.is(Type::Double) ? 3
                                             : 4));
}

/// Something an instruction may use: the result of an instruction or a
/// parameter of a block.
class Value {
public:
  enum class Kind : uint8_t { Result, Parameter };

  Kind kind() const { return K; }
  Type type() const { return Ty; }
  void setType(Type T) { Ty = T; }

  /// Shape of the original code, for the scheduler: the original duplicated
  /// this value. Cleared by passes that add uses.
  bool keep() const { return Keep; }
  void setKeep(bool B) { Keep = B; }
  /// The original popped a copy; true for values made by passes.
  bool popped() const { return Popped; }
  void setPopped(bool B) { Popped = B; }

  /// For printing and for side tables: dense within the body.
  unsigned id() const { return Id; }

protected:
  Value(Kind K, Type Ty, unsigned Id) : Ty(Ty), Id(Id), K(K) {}

private:
  friend class Body;
  Type Ty;
  unsigned Id;
  Kind K;
  bool Keep = false;
  bool Popped = false;
};

/// A value on the operand stack where its block is entered.
class Parameter : public Value {
public:
  Block *block() const { return Owner; }
  static bool classof(const Value *V) { return V->kind() == Kind::Parameter; }

private:
  friend class Body;
  Parameter(Block *B, Type Ty, unsigned Id)
      : Value(Kind::Parameter, Ty, Id), Owner(B) {}
  Block *Owner;
};

/// The types of values that are int in the IR and narrower once an advice gets
/// them as objects: coded as newarray does, 0 for any other. Four bits for the
/// value that is returned, read or written, then four for each of the first
/// operands.
class NarrowTypes {
public:
  static constexpr unsigned NumOperands = 7;

  explicit NarrowTypes(int32_t Imm) : Bits(uint32_t(Imm)) {}
  int32_t imm() const { return int32_t(Bits); }

  unsigned value() const { return Bits & 15; }
  void setValue(unsigned Code) { Bits = (Bits & ~15U) | Code; }
  /// Operand \p N, one of the first NumOperands.
  unsigned operand(unsigned N) const { return Bits >> 4 * (N + 1) & 15; }
  void setOperand(unsigned N, unsigned Code) { Bits |= Code << 4 * (N + 1); }

private:
  uint32_t Bits;
};

/// How much of a body may be raw code (irop::Raw). Each includes those before.
enum class KeepRaw : uint8_t {
  No, ///< nothing: a scheduler may move whatever is in the body
  /// Stack shuffles (dup, swap, pop), an instruction at a time: original code
  /// stays as it is when something is put between.
  Moves,
  Straight, ///< straight code that nobody looks into
};

/// Original code that is copied as it is: it has no branch, and no pass wanted
/// to see its instructions. Immutable, in the arena of its body.
struct RawCode {
  struct Store {
    uint32_t Slot;
    Type Ty;
  };
  uint32_t BCI;      ///< where it begins in the original code
  Bytes Code;        ///< whole instructions
  uint32_t MaxStack; ///< depth of the operand stack inside, in slots
  bool MayThrow;     ///< one of its instructions may
  bool HasMonitors;  ///< it has a monitorenter or monitorexit
  /// The stores to slots, in order. Never `this` in slot 0.
  llvm::ArrayRef<Store> Stores;
};

/// One instruction; also its result, if type() is not Void.
class Instruction : public Value, public llvm::ilist_node<Instruction> {
public:
  IROp op() const { return Op; }
  /// The opcode, in its general form (iload, not iload_1; ldc, not ldc_w;
  /// bipush and iconst_2 stay as they are). Meaningless for kinds with NoCode
  /// and for Drop and Advice.
  Opcode opcode() const { return JOp; }
  const OpcodeInfo &opcodeInfo() const { return detail::OpcodeRows[JOp]; }
  const InstructionInfo &info() const { return getInstructionInfo(Op); }
  bool isTerminator() const { return jopt::isTerminator(Op); }

  /// Offset of the original instruction, or -1 for one that a pass inserted.
  int32_t bci() const { return BCI; }
  void setBCI(int32_t B) { BCI = B; }

  /// Slot, constant-pool index, array type code, advice number, anchored opcode
  /// (see Instructions.td, Imm).
  uint32_t index() const { return Index; }
  void setIndex(uint32_t I) { Index = I; }
  /// Value of an int constant, increment of local.inc, dimensions. For
  /// local.get and local.set with longForm(): 1 if the original had `wide`.
  /// Advice: NarrowTypes.
  int32_t imm() const { return Imm; }
  void setImm(int32_t I) { Imm = I; }

  llvm::MutableArrayRef<Value *> operands() { return {Ops, NumOps}; }
  llvm::ArrayRef<Value *> operands() const { return {Ops, NumOps}; }
  Value *operand(unsigned I) const { return operands()[I]; }

  /// Terminators only. If: taken, not taken. Switches: default, then cases.
  llvm::MutableArrayRef<Block *> successors() { return {Succs, NumSuccs}; }
  llvm::ArrayRef<Block *> successors() const { return {Succs, NumSuccs}; }
  /// Keys of a switch, one per successor after the first.
  llvm::ArrayRef<int32_t> keys() const {
    return {Keys, NumSuccs ? NumSuccs - 1 : 0};
  }

  /// Raw only.
  const RawCode &raw() const { return *RawBytes; }

  Block *block() const { return Parent; }

  /// The original used a longer form than needed (wide, ldc_w, goto_w, iload 1
  /// for iload_1): write that form again.
  bool longForm() const { return LongForm; }
  void setLongForm(bool B) { LongForm = B; }
  /// A pure value that need not be computed where it stands: loaded at each
  /// use. Set by passes that create, move or merge pure values.
  bool floating() const { return Floating; }
  void setFloating(bool B) { Floating = B; }
  /// No effect but the result: LocalGet, and Const except of pool entries
  /// whose resolution may throw.
  bool isPure() const;
  /// A call of an <init> method, whose result is operand(0) initialised.
  bool isInit() const { return InitCall; }

  /// The number of the advice this instruction was made for, OfProgram, or
  /// OfPass. Only code of the program is original to instrumentation passes.
  int32_t advice() const { return AdviceNo; }
  enum : int32_t {
    OfProgram = -1, ///< original, or rewritten as such
    OfPass = -2,    ///< inserted by a pass, for no advice: coverage
  };
  void setAdvice(int32_t A) { AdviceNo = A; }

  static bool classof(const Value *V) { return V->kind() == Kind::Result; }

private:
  friend class Body;
  Instruction(IROp Op, Opcode J, Type Ty, unsigned Id)
      : Value(Kind::Result, Ty, Id), Op(Op), JOp(J) {}

  IROp Op;
  Opcode JOp;
  bool LongForm = false;
  bool Floating = false;
  bool InitCall = false;
  uint16_t NumOps = 0;
  int32_t BCI = -1;
  uint32_t Index = 0;
  int32_t Imm = 0;
  int32_t AdviceNo = OfProgram;
  uint32_t NumSuccs = 0;
  Value **Ops = nullptr;
  Block **Succs = nullptr;
  const int32_t *Keys = nullptr;
  const RawCode *RawBytes = nullptr;
  Block *Parent = nullptr;
};

/// A handler with the type it catches: one entry of the exception table,
/// without its range. The blocks that it covers name it in their throw lists.
/// Priority is its place in Body::tries().
struct TryEntry {
  Block *Handler = nullptr;
  uint16_t CatchType = 0; ///< pool index of a Class, 0 catches everything
  unsigned Priority = 0;  ///< kept by the Body
  /// Its number, never given twice; in lifted code the row of the original
  /// table. Text names it so.
  unsigned Id = 0;
};

/// A set of entries that cover a block, ordered by priority; null is the empty
/// set. It is a search tree that never changes: a set that differs from another
/// by one entry shares all of it but one path, so that ranges that overlap in
/// any way cost n log n. The shape depends on nothing but the contents.
struct ThrowEdge {
  TryEntry *Entry;
  const ThrowEdge *Left;  ///< those of higher priority, which come first
  const ThrowEdge *Right; ///< those of lower priority
};

/// Calls \p Each with the entries of \p Set, in order of priority.
template <typename Fn> void forEachTry(const ThrowEdge *Set, Fn &&Each) {
  for (; Set; Set = Set->Right) {
    forEachTry(Set->Left, Each);
    Each(Set->Entry);
  }
}

/// Calls \p Each with the entries that only one of \p From and \p To has, in
/// order of priority; true for those of \p To. Both are sets of one body. What
/// they share is passed over.
void forEachChange(const ThrowEdge *From, const ThrowEdge *To,
                   llvm::function_ref<void(TryEntry *, bool Added)> Each);

/// A basic block: straight-line code with one throw list.
class Block : public llvm::ilist_node<Block> {
public:
  using InstList = llvm::simple_ilist<Instruction>;

  Body &body() const { return *Parent; }
  /// Dense, stable, for printing and side tables.
  unsigned id() const { return Id; }
  /// Where the block starts in the original code, or -1.
  int32_t bci() const { return BCI; }
  void setBCI(int32_t B) { BCI = B; }

  /// The operand stack on entry, bottom to top.
  llvm::ArrayRef<Parameter *> parameters() const { return Params; }
  bool isHandler() const { return Handler; }

  /// True if the block declares its slots (it has a frame, or is a handler or
  /// the merge of several predecessors); otherwise it is entered only by
  /// falling through from the block before it, and inherits them.
  bool hasFrame() const { return Frame; }
  /// The slots on entry, one Type per slot, trailing Tops dropped; only if
  /// hasFrame(). The array is shared and immutable.
  llvm::ArrayRef<Type> locals() const { return Locals; }

  /// The exception handlers; null if none.
  const ThrowEdge *throwEdges() const { return Throws; }
  void setThrowEdges(const ThrowEdge *E) { Throws = E; }

  InstList &instructions() { return Insts; }
  const InstList &instructions() const { return Insts; }
  InstList::iterator begin() { return Insts.begin(); }
  InstList::iterator end() { return Insts.end(); }
  bool empty() const { return Insts.empty(); }
  /// The last instruction; every complete block has one.
  Instruction *terminator() {
    return Insts.empty() || !Insts.back().isTerminator() ? nullptr
                                                         : &Insts.back();
  }
  const Instruction *terminator() const {
    return const_cast<Block *>(this)->terminator();
  }

  /// The values that stay on the stack for the successors, bottom to top; the
  /// terminator's own operands are above them. Empty for return and throw.
  llvm::MutableArrayRef<Value *> exitValues() { return Exit; }
  llvm::ArrayRef<Value *> exitValues() const { return Exit; }

  /// Replaces every use of \p Old in this block, exit list included.
  void replaceUses(Value *Old, Value *New);
  /// Uses of \p V in this block, exit list included.
  unsigned countUses(const Value *V) const;
  /// The type of \p V where the block ends: V->type(), unless a constructor
  /// call in the block initialised the object through another value.
  Type typeAtEnd(const Value *V) const;

private:
  friend class Body;
  explicit Block(Body *B, unsigned Id) : Parent(B), Id(Id) {}

  Body *Parent;
  unsigned Id;
  int32_t BCI = -1;
  bool Handler = false;
  bool Frame = false;
  llvm::MutableArrayRef<Parameter *> Params;
  llvm::ArrayRef<Type> Locals;
  const ThrowEdge *Throws = nullptr;
  InstList Insts;
  llvm::MutableArrayRef<Value *> Exit;
};

/// The code of one method as IR. Blocks are in the order of emission.
class Body {
public:
  using BlockList = llvm::simple_ilist<Block>;

  Body(ClassFile &Class, Method &M)
      : Class(Class), Owner(M), Alloc(Class.addBody()) {}
  ~Body() {
    OwnPatch.reset();
    Class.dropBody();
  }
  Body(const Body &) = delete;
  Body &operator=(const Body &) = delete;
  /// Bodies come one after another: a new one gets the memory of the last.
  static void *operator new(size_t Size);
  static void operator delete(void *P);

  ClassFile &classFile() const { return Class; }
  Method &method() const { return Owner; }
  ConstantPool &pool() const { return Class.Pool; }
  TypeTable &types() const { return Class.Types; }

  BlockList &blocks() { return Blocks; }
  const BlockList &blocks() const { return Blocks; }
  Block &entry() { return Blocks.front(); }
  unsigned numBlocks() const { return NextBlock; } ///< bound of Block::id()
  unsigned numValues() const { return NextValue; } ///< bound of Value::id()

  /// Slots on entry to the method: receiver and parameters, High after each
  /// long and double.
  llvm::ArrayRef<Type> initialLocals() const { return InitialLocals; }
  void setInitialLocals(llvm::ArrayRef<Type> L) { InitialLocals = copy(L); }

  /// \name Slots
  /// @{
  unsigned numSlots() const { return Slots; }
  void setNumSlots(unsigned N) { Slots = N; }
  /// A fresh slot (pair, for category 2) above all others.
  unsigned addSlot(unsigned Width) {
    Slots += Width;
    return Slots - Width;
  }
  /// A slot that is written once in code that precedes every frame and is
  /// readable everywhere after: the writer declares it in every frame.
  struct PinnedLocal {
    unsigned Slot;
    Type Ty;
    /// A word by which passes find the slot again; empty: one pass keeps
    /// something there for itself. Lives as long as the body.
    llvm::StringRef Purpose;
    std::optional<unsigned> Number; ///< of several with one purpose
  };
  /// Makes one, and returns the slot.
  unsigned addPinnedLocal(Type Ty, llvm::StringRef Purpose = {},
                          std::optional<unsigned> Number = {});
  /// Null if there is none.
  const PinnedLocal *findPinnedLocal(llvm::StringRef Purpose,
                                     std::optional<unsigned> Number = {}) const;
  llvm::SmallVector<PinnedLocal, 2> PinnedLocals;
  /// @}

  /// \name Exception table, in order of priority
  /// @{
  llvm::ArrayRef<TryEntry *> tries() const { return Tries; }
  /// A new entry before \p Before (null: after all others, lowest priority).
  TryEntry *addTry(Block *Handler, uint16_t CatchType,
                   TryEntry *Before = nullptr);
  /// Has \p Handler catch what \p Covered throws and no other handler takes.
  TryEntry *addFinalHandler(Block *Handler, llvm::ArrayRef<Block *> Covered);
  /// Takes \p E out of the table and away from all blocks. Its handler stays.
  void eraseTry(TryEntry *E);
  /// \p Set and \p E; \p Set itself if it has it.
  const ThrowEdge *withTry(const ThrowEdge *Set, TryEntry *E);
  /// \p Set without \p E; \p Set itself if it does not have it.
  const ThrowEdge *withoutTry(const ThrowEdge *Set, TryEntry *E);
  /// @}

  /// \name Sites of uninitialised values
  /// A Type of kind Uninit names one; Site[i] is its `new`.
  /// @{
  llvm::SmallVector<Instruction *, 4> NewSites;
  Type addNewSite(Instruction *New);
  /// @}

  /// \name Creation
  /// @{
  /// A block before \p Before in the layout (null: at the end).
  Block *createBlock(Block *Before = nullptr);
  void setParameters(Block *B, llvm::ArrayRef<Type> Types);
  void setFrame(Block *B, llvm::ArrayRef<Type> Locals);
  /// As setFrame, but \p Locals already lives in the arena: shared, not copied.
  void setSharedFrame(Block *B, llvm::ArrayRef<Type> Locals);
  void clearFrame(Block *B);
  void setHandler(Block *B, Type Caught);
  /// Marks \p B, whose one parameter exists, as a handler.
  void markHandler(Block *B) { B->Handler = true; }
  void setExitValues(Block *B, llvm::ArrayRef<Value *> Values);
  /// Takes parameters, instructions and exit list away again.
  void clear(Block *B);
  /// Puts the blocks in this order; \p Order must name each exactly once.
  void setLayout(llvm::ArrayRef<Block *> Order);

  /// An instruction that is in no block yet. Sets popped for values that no
  /// original code has (bci < 0).
  Instruction *create(IROp Op, Opcode J, Type Ty, llvm::ArrayRef<Value *> Ops,
                      int32_t BCI = -1);
  void setSuccessors(Instruction *I, llvm::ArrayRef<Block *> Succs,
                     llvm::ArrayRef<int32_t> Keys = {});
  void setInit(Instruction *I) { I->InitCall = true; }
  /// A Raw for \p Code with the whole stack, \p Stack, as operands.
  Instruction *createRaw(const RawCode &Code, llvm::ArrayRef<Value *> Stack);
  /// Puts \p I before \p Before in \p B (end(): at the end).
  void insert(Instruction *I, Block *B, Block::InstList::iterator Before);
  void append(Instruction *I, Block *B) { insert(I, B, B->end()); }
  void erase(Instruction *I);

  /// Splits \p B before \p At: the new block follows B in the layout, takes the
  /// rest with the terminator, exit list and throw edges; B falls through into
  /// it, by an instruction with the bytecode index of \p At, so that what is
  /// inserted in front of that has the line of \p At. Values that cross become
  /// parameters (values() order of the stack: order of definition), and uses
  /// behind the border are rewritten.
  Block *split(Block *B, Block::InstList::iterator At);
  /// The reverse: \p B, which falls through, gets all of the next block, which
  /// nothing else enters and the same handlers cover.
  void join(Block *B);
  /// Takes \p B out of the layout. Nothing may lead to it.
  void erase(Block *B) { Blocks.remove(*B); }
  /// @}

  BodyArena &allocator() { return Alloc; }
  template <typename T> llvm::MutableArrayRef<T> copy(llvm::ArrayRef<T> A) {
    if (A.empty())
      return {};
    T *P = Alloc.Allocate<T>(A.size());
    std::uninitialized_copy(A.begin(), A.end(), P);
    return {P, A.size()};
  }

  /// The attributes of the Code attribute in their order. Offsets in them
  /// (lines, local variables, type annotations) are original bytecode indices;
  /// the writer maps them. StackMapTable stands in its place with no payload.
  llvm::SmallVector<Attribute, 4> Attributes;

  /// The body is patched: this is all of it, it has no blocks. Null: it is
  /// lifted.
  CodePatch *Patch = nullptr;
  /// The same if it comes from text; else a pass context owns it.
  struct DeletePatch {
    void operator()(CodePatch *Of) const;
  };
  std::unique_ptr<CodePatch, DeletePatch> OwnPatch;

  /// How much of the code may be raw; liftRaw lifts it.
  KeepRaw Raw = KeepRaw::No;
  /// Whether zero-size anchors were made (the pipeline asked for them).
  bool HasAnchors = false;
  /// The method was lifted by inference (version below 50, or 50 with a broken
  /// table) or contained jsr: there are no declared frames, and none are
  /// written.
  bool Inferred = false;
  /// A subroutine was copied: several blocks share bytecode indices.
  bool Inlined = false;
  /// maxima and code length of the original; 0 if there is none.
  unsigned OriginalMaxStack = 0, OriginalMaxLocals = 0, OriginalCodeLength = 0;

private:
  const ThrowEdge *makeEdge(TryEntry *E, const ThrowEdge *Left,
                            const ThrowEdge *Right);
  std::pair<const ThrowEdge *, const ThrowEdge *>
  splitEdges(const ThrowEdge *Set, unsigned Priority);
  const ThrowEdge *joinEdges(const ThrowEdge *Before, const ThrowEdge *Behind);

  ClassFile &Class;
  Method &Owner;
  BodyArena &Alloc;
  BlockList Blocks;
  llvm::ArrayRef<Type> InitialLocals;
  llvm::SmallVector<TryEntry *, 4> Tries;
  unsigned Slots = 0;
  unsigned NextBlock = 0, NextValue = 0, NextTry = 0;
};

} // namespace jopt

#endif
