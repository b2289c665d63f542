//===- CodePatch.h - Original code with snippets in it ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A patched body: the original code in one piece, the facts about it, and the
/// insertion points in it. None of it is an instruction of the IR. A snippet is
/// made once for all insertion points in a class that are alike.
/// docs/PatchedBodies.md explains it. Offsets are bytecode indices.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_CODEPATCH_H
#define JOPT_IR_MODEL_CODEPATCH_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Model/Type.h"
#include "jopt/Support/Bytes.h"
#include <array>
#include <deque>
#include <vector>

namespace jopt {

struct Snippet;
struct SnippetTemplate;

/// The constants of a snippet that differ between its insertion points: an int
/// up to INT16_MAX, or pool entries of Strings, in the order in which the
/// snippet first pushes them.
using FixupConstants = std::array<uint16_t, 3>;

/// Where a snippet pushes these constants.
struct SnippetFixups {
  bool IsInt = false;
  uint8_t NumConstants = 0;
  unsigned NumUses = 0; ///< how many fixups there are
  /// The snippet was made with these constants. An int takes two bytes there.
  FixupConstants Own = {};
  /// The constants that are names of the method around the insertion point,
  /// which are known when advices are lowered. Empty: the pass that placed the
  /// snippet gives the constants.
  enum Name : uint8_t { MethodName, MethodDescriptor };
  llvm::SmallVector<Name, 2> Names;
  struct Fixup {
    uint32_t At, End;
    unsigned Which; ///< of the constants
  };
  llvm::SmallVector<Fixup, 2> List; ///< once the code was written
};

/// What a snippet of several blocks has besides bytes. Offsets are within the
/// snippet.
struct SnippetBranches {
  struct Frame {
    uint32_t At;
    /// The types of the slots above all of the method's, and of the stack.
    llvm::SmallVector<Type, 2> Temps, Stack;
  };
  /// A handler of its own, for all exceptions, whose code ends at Behind; both
  /// are in no other range.
  struct Row {
    uint32_t Start, End, Target, Behind;
  };
  llvm::SmallVector<Frame, 4> Frames; ///< ascending
  llvm::SmallVector<Row, 2> Rows;     ///< in order of priority
  unsigned NumTemps = 0;              ///< slots above all of the method's
  /// Where the code behind the snippet begins. The load of a value that waited
  /// for that code is part of it.
  uint32_t Rest = 0;
};

/// The code for insertion points that are alike: the same bytes at each of them
/// in the class, but for the fixups.
struct Snippet {
  Snippet();
  ~Snippet();

  /// One block; its parameters are the values that it finds on the stack. Null
  /// once the snippet was written.
  std::unique_ptr<Body> IR;
  /// The same as it was placed, if somebody prints what passes did: the snippet
  /// may be written before other methods get it.
  std::unique_ptr<Body> Placed;
  /// Its terminator stands for the code that follows in the method, and is not
  /// written.
  bool Continues = false;
  unsigned NumAdvices = 0;
  bool Lowered = false; ///< it has code instead of advices
  /// Once it was lowered: it has fixups for the names of each method.
  bool NamesMethod = false;
  /// lower-advice puts the code that makes the array of arguments in front.
  bool MakesArray = false;
  /// It is made of this template, and has no IR (lib/Passes/Snippets).
  const SnippetTemplate *Template = nullptr;
  /// How many slots its methods have, including those of passes.
  unsigned NumSlots = 0;
  /// Null: it is the same bytes at every insertion point.
  std::unique_ptr<SnippetFixups> Fixups;
  /// \name The written snippet
  /// @{
  Bytes Code; ///< lives as long as the class
  /// Slots of the operand stack that it is given, and how deep that gets.
  unsigned NumGiven = 0, MaxStack = 0;
  std::unique_ptr<SnippetBranches> Branches; ///< null: it is one block
  /// @}
};

/// A snippet at one insertion point, if there is any.
struct SnippetInstance {
  SnippetInstance(Snippet *Of = nullptr, FixupConstants Constants = {})
      : Of(Of), Constants(Constants) {}
  Snippet *Of;
  FixupConstants Constants; ///< for its fixups
  Snippet *operator->() const { return Of; }
  Snippet &operator*() const { return *Of; }
  explicit operator bool() const { return Of; }
};

/// An instruction with one branch target, and no switch.
struct OriginalJump {
  uint32_t BCI, Target;
};

/// An instruction of original code that was followed.
struct OriginalStep {
  uint32_t BCI;
  uint16_t Depth; ///< slots of the operand stack in front of it
  uint8_t Op;
};

/// A frame of the StackMapTable (JVM specification, 4.7.4).
struct OriginalFrame {
  uint32_t BCI;
  uint8_t Tag;    ///< frame_type
  bool HasUninit; ///< one of its types is uninitialized(offset)
  bool FallsIn;   ///< control comes from what is in front of it too
  Bytes Rest;     ///< the bytes behind frame_type and offset_delta
};

/// A return of the original code, and the load of a value that is only loaded
/// to be returned: right in front of the return, or else the return itself.
struct OriginalReturn {
  uint32_t Load, BCI;
};

/// A snippet in original code, in front of the instruction at BCI: branches to
/// BCI lead to the snippet.
struct InsertionPoint {
  uint32_t BCI;
  /// Original code from BCI up to here is taken out of its exception ranges. If
  /// this is BCI, all code stays in its ranges.
  uint32_t End;
  /// The snippet replaces the code up to End.
  bool Replaces;
  SnippetInstance Code;
  /// Branches to BCI lead behind the snippet, and a line that begins at BCI
  /// begins there too.
  bool BranchesSkip = false;
  /// The snippet belongs to the code in front of it: ranges that begin or end
  /// at BCI do so behind the snippet.
  bool AttachesToPrevious = false;
  /// The purpose of the snippet. Several at one place are in this order.
  enum Purpose : uint8_t { Behind, Handler, Unit, Call, Exit } For = Exit;
  /// BCI is the beginning of a self-covering handler. If the snippet throws,
  /// the new exception replaces the caught one, and the code behind the snippet
  /// goes on with it. All insertion points at such a place are of this kind.
  bool ReplacesCaught = false;
  /// The types of the slots there, as an index into CodePatch::Locals; negative
  /// if they are not known.
  int32_t Locals = -1;
  /// How many slots of the operand stack are in use there, if a step said so.
  static constexpr uint16_t Unknown = 0xffff;
  uint16_t Depth = Unknown;

  /// The order of insertion points. Equal ones keep the order in which one pass
  /// put them.
  bool operator<(const InsertionPoint &O) const { return order() < O.order(); }
  uint64_t order() const {
    return uint64_t(BCI) << 32 | uint32_t(!BranchesSkip) << 8 | For;
  }
};

/// Code on the edge from the branch or switch at From to Target, behind all
/// original code, in the exception ranges that cover both.
struct Detour {
  uint32_t From, Target;
  Snippet *Code;
};

/// A handler behind all original code, for every exception in a range of it.
struct SyntheticHandler {
  uint32_t From, To;
  /// The slots that its frame declares. None: none. This, UninitThis: slot 0
  /// alone, which holds `this`. Listed: those in Locals.
  enum : uint8_t { None, This, UninitThis, Listed } Declares;
  SnippetInstance Code;
  /// It is for one call: it comes before all others, and its own code is in the
  /// ranges of the call.
  bool OfCall = false;
  llvm::ArrayRef<Type> Locals = {}; ///< as a frame lists them
};

/// All of a patched body. Its memory is reused for the next method.
struct CodePatch {
  CodeView Code;
  /// \name Pool entries of the class, once they were asked for
  /// @{
  uint16_t LinesName = 0, FramesName = 0; ///< of attributes
  uint16_t TableName = 0; ///< of the StackMapTable that there was last
  uint16_t Throwable = 0; ///< a Class
  /// @}
  /// \name Of the code, in its order
  /// @{
  std::vector<OriginalFrame> Frames;
  std::vector<OriginalJump> Jumps;
  std::vector<uint32_t> Switches;
  std::vector<OriginalReturn> Returns;
  /// @}
  /// By bytecode index. Frame: a frame is there. Border: an exception range or
  /// handler begins or ends there. End: no instruction is there; some such
  /// elements follow the code. Unit: a unit begins there, whatever is in front
  /// (markUnits).
  enum : uint8_t { Frame = 1, Border = 2, End = 4, Unit = 8 };
  llvm::SmallVector<uint8_t, 0> Marks;
  /// Where the call of super() or this() of a constructor is, and its end; both
  /// 0: there is none. The members below are about the code behind it, if there
  /// is one.
  uint32_t SuperCall = 0, SuperEnd = 0;
  /// The blocks in front of the call that may throw, one behind the other; both
  /// 0: none does.
  struct {
    uint32_t From = 0, To = 0;
  } ThrowsBeforeSuper;
  bool MayThrow = false;
  bool HasMonitors = false;
  bool Loops = false;         ///< it branches back, but for
  bool LoopsToBegin = false;  ///< to the first instruction
  bool LoopsToReturn = false; ///< to the load of a return
  /// A return and the load right in front of it, of a value that is only loaded
  /// to be returned, are in different exception ranges; or they are in the same
  /// and the load is longer than a byte.
  bool LoadsBeforeBorder = false;
  /// All instructions, and one step behind them, once noteSteps() followed
  /// them.
  llvm::SmallVector<OriginalStep, 0> Steps;
  /// Slot 0 holds `this` wherever the code is, and in every frame.
  bool KeepsThis = true;
  /// The types that frames of handlers declare, as a frame lists them, and
  /// those of the last frame; once a pass asked for them (noteLocals).
  std::vector<std::pair<uint32_t, std::vector<Type>>> HandlerLocals;
  std::vector<Type> LastLocals;
  /// \name The slots that the last frame, or the entry, declares
  /// @{
  unsigned NumLastLocals = 0; ///< types; a long or double is one
  /// The first of them as a frame has it; empty if it is as on entry.
  Bytes FirstLocal;
  /// @}
  /// \name The code that passes inserted
  /// @{
  SnippetInstance Entry;   ///< in front of all; no branch leads to it
  bool AllWritten = false; ///< the bytes of every snippet are there
  bool Lowered = false;    ///< lower-advice was here
  /// Ascending, in their order where several are at one place.
  std::vector<InsertionPoint> Sites;
  std::vector<InsertionPoint> NewSites; ///< not merged into Sites yet
  /// The types of slots at insertion points, as frames list them.
  std::vector<std::vector<Type>> Locals;
  std::vector<Detour> Detours;
  llvm::SmallVector<SyntheticHandler, 2> Handlers;
  /// Slots above all of the method's. They hold these types from behind Entry
  /// on.
  llvm::SmallVector<Type, 2> Slots;
  unsigned Scratch = 0; ///< slots above these, which nothing declares
  /// Snippets record which code runs. A snippet is in the exception ranges of
  /// the instruction behind it, and no synthetic handler covers a snippet that
  /// branches skip.
  bool Records = false;
  /// Snippets of this method alone, which have bytes and nothing else. The
  /// first NumOwnSnippets are in use; the others are kept from methods before.
  /// Made holds the bytes, which do not move any more.
  std::deque<Snippet> OwnSnippets;
  size_t NumOwnSnippets = 0;
  llvm::SmallVector<uint8_t, 0> Made;
  /// Of a body from text: keeps the other snippets, which are of its class.
  std::shared_ptr<const void> Keeps;
  /// @}

  bool branchesBeforeSuper() const {
    return !Jumps.empty() && Jumps.front().BCI < SuperEnd;
  }
};

/// Calls \p Use with each snippet of \p S, as often as it is there.
template <typename Fn> void forEachSnippet(const CodePatch &S, Fn Use) {
  if (S.Entry)
    Use(*S.Entry);
  for (const InsertionPoint &Of : S.Sites)
    if (Of.Code)
      Use(*Of.Code);
  for (const Detour &D : S.Detours)
    if (D.Code)
      Use(*D.Code);
  for (const SyntheticHandler &H : S.Handlers)
    if (H.Code)
      Use(*H.Code);
}

/// A line, or the range of a variable, begins or ends at a place in \p Code
/// that \p Is one.
bool hasBorderAt(const CodeView &Code, const ConstantPool &Pool,
                 llvm::function_ref<bool(uint32_t BCI)> Is);

} // namespace jopt

#endif
