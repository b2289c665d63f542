//===- CodePatch.h - Original code with sites in it ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A patched body: original code that stays in one piece, what there is to know
/// of it, and the sites in it. Nothing of it is an instruction; what stands at
/// a site is made once for all like it in a class. docs/PatchedBodies.md says
/// how it works. Offsets are bytecode indices.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_CODEPATCH_H
#define JOPT_IR_CODEPATCH_H

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Model/Type.h"
#include "jopt/Support/Bytes.h"
#include <array>
#include <deque>
#include <vector>

namespace jopt {

struct Snippet;
struct SnippetTemplate;

/// What code pushes that is another constant at each site that it is put at: an
/// int up to INT16_MAX, or entries of the pool, Strings, in the order in which
/// they are pushed first.
using FixupConstants = std::array<uint16_t, 3>;

/// Where code pushes them.
struct SnippetFixups {
  bool IsInt = false;
  uint8_t NumConstants = 0;
  unsigned NumUses = 0; ///< so many holes there are
  /// With these the code was made. An int takes two bytes there.
  FixupConstants Own = {};
  /// Those that are names of the method that the site is in, which are known
  /// when advices are lowered; empty: whoever placed the code says them.
  enum Name : uint8_t { MethodName, MethodDescriptor };
  llvm::SmallVector<Name, 2> Names;
  struct Fixup {
    uint32_t At, End;
    unsigned Which; ///< of the constants
  };
  llvm::SmallVector<Fixup, 2> List; ///< once the code was written
};

/// What code of several blocks has besides bytes. Offsets are within the code.
struct SnippetBranches {
  struct Frame {
    uint32_t At;
    /// What slots above all of the method's hold, and the stack.
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
  /// Where a value that waited is loaded for what follows, of which that is a
  /// part; else what follows.
  uint32_t Rest = 0;
};

/// What passes put at sites that are alike: the same bytes wherever they stand
/// in the class, but for what the holes are filled with.
struct Snippet {
  Snippet();
  ~Snippet();

  /// One block: what finds values on the stack has them as parameters. Null
  /// once it was written.
  std::unique_ptr<Body> IR;
  /// Its terminator stands for what follows in the method, and is not written.
  bool Continues = false;
  unsigned NumAdvices = 0;
  bool Lowered = false; ///< it has code instead of advices
  /// Once it was lowered: it has holes for the names of each method.
  bool NamesMethod = false;
  /// lower-advice puts what makes the array of arguments in front.
  bool MakesArray = false;
  /// It is made of this, and has no IR (lib/Passes/Instrument).
  const SnippetTemplate *Template = nullptr;
  /// So many slots its methods have, those for passes included.
  unsigned NumSlots = 0;
  /// Null: it is the same bytes wherever it stands.
  std::unique_ptr<SnippetFixups> Fixups;
  /// \name What was written
  /// @{
  Bytes Code; ///< lives as long as the class
  /// Slots of the operand stack that it is given, and how deep that gets.
  unsigned NumGiven = 0, MaxStack = 0;
  std::unique_ptr<SnippetBranches> Branches; ///< null: it is one block
  /// @}
};

/// Code as it stands at one site, if there is any.
struct SnippetInstance {
  SnippetInstance(Snippet *Of = nullptr, FixupConstants Constants = {})
      : Of(Of), Constants(Constants) {}
  Snippet *Of;
  FixupConstants Constants; ///< for its holes
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
  Bytes Rest;     ///< what stands behind frame_type and offset_delta
};

/// A return of the original code, and where what is only loaded to be returned
/// is loaded: right before it, else at the return itself.
struct OriginalReturn {
  uint32_t Load, BCI;
};

/// Where code stands in original code: in front of the instruction at BCI, so
/// that what branches there comes to it.
struct InsertionPoint {
  uint32_t BCI;
  /// Original code up to here is in no exception range that it was in; BCI: all
  /// is.
  uint32_t End;
  /// The code is instead of what lies up to End.
  bool Replaces;
  SnippetInstance Code;
  /// What branches to BCI comes behind the code, and so is a line that begins
  /// there.
  bool BranchesSkip = false;
  /// The code is at the end of what stands in front of it: ranges that begin or
  /// end at BCI do so behind it.
  bool AttachesToPrevious = false;
  /// What it is for. Where several stand at one place, this is their order.
  enum Purpose : uint8_t { Behind, Handler, Unit, Call, Exit } For = Exit;
  /// It is where a handler begins that covers itself: what the code throws
  /// takes the place of what was caught, and what is behind the code goes on
  /// with it. All sites at such a place are of this kind.
  bool ReplacesCaught = false;
  /// Which of CodePatch::Locals slots hold there, if that is known.
  int32_t Locals = -1;
  /// Slots of the operand stack there, if a step said so.
  static constexpr uint16_t Unknown = 0xffff;
  uint16_t Depth = Unknown;

  /// The order of sites; neither before the other: they are where one pass put
  /// them.
  bool operator<(const InsertionPoint &O) const { return order() < O.order(); }
  uint64_t order() const {
    return uint64_t(BCI) << 32 | uint32_t(!BranchesSkip) << 8 | For;
  }
};

/// Code on the way from the branch or switch at From to Target, in no exception
/// range, behind all original code.
struct Detour {
  uint32_t From, Target;
  Snippet *Code;
};

/// A handler behind all original code, for every exception in a range of it.
struct SyntheticHandler {
  uint32_t From, To;
  /// Its frame has no more than slot 0, which holds this; None: nothing;
  /// Locals: what is listed.
  enum : uint8_t { None, This, UninitThis, Listed } Declares;
  SnippetInstance Code;
  /// It is for one call: it comes before all others, and its own code is in the
  /// ranges that the call is in.
  bool OfCall = false;
  llvm::ArrayRef<Type> Locals = {}; ///< as a frame lists them
};

/// All of a patched body. Kept from one method to the next.
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
  /// By bytecode index, and some more, 0: a frame is there, or an exception
  /// range or handler begins or ends there; it, or a place where no instruction
  /// is, begins a unit, whatever is in front (markUnits).
  enum : uint8_t { Frame = 1, Border = 2, End = 4, Unit = 8 };
  llvm::SmallVector<uint8_t, 0> Marks;
  /// Where the call of super() or this() of a constructor is, and its end; both
  /// 0: there is none. What follows is of the code behind it, if it has one.
  uint32_t SuperCall = 0, SuperEnd = 0;
  /// The blocks in front of it that may throw, one behind the other; both 0:
  /// none does.
  struct {
    uint32_t From = 0, To = 0;
  } ThrowsBeforeSuper;
  bool MayThrow = false;
  bool HasMonitors = false;
  bool Loops = false;         ///< it branches back, but for
  bool LoopsToBegin = false;  ///< to the first instruction
  bool LoopsToReturn = false; ///< to the load of a return
  /// What is only loaded to be returned is, somewhere, in another exception
  /// range than the return, or in the same by more than a byte.
  bool LoadsBeforeBorder = false;
  /// All of them, and one behind, once they were followed (noteSteps).
  llvm::SmallVector<OriginalStep, 0> Steps;
  /// Slot 0 holds `this` wherever the code is, and in every frame.
  bool KeepsThis = true;
  /// What frames of handlers declare, as a frame lists it, and the last frame;
  /// once a pass asked for it (noteLocals).
  std::vector<std::pair<uint32_t, std::vector<Type>>> HandlerLocals;
  std::vector<Type> LastLocals;
  /// \name The slots that the last frame, or the entry, declares
  /// @{
  unsigned NumLastLocals = 0; ///< types; a long or double is one
  /// The first of them as a frame has it; empty if it is as on entry.
  Bytes FirstLocal;
  /// @}
  /// \name What passes put in
  /// @{
  SnippetInstance Entry;        ///< in front of all; no branch comes to it
  bool AllWritten = false; ///< no code waits for its bytes
  /// Ascending, in their order where several are at one place.
  std::vector<InsertionPoint> Sites;
  std::vector<InsertionPoint> NewSites; ///< while these are put among the others
  /// What slots hold at sites, as frames list it.
  std::vector<std::vector<Type>> Locals;
  std::vector<Detour> Detours;
  llvm::SmallVector<SyntheticHandler, 2> Handlers;
  /// Above all slots of the method: hold what they do behind Entry.
  llvm::SmallVector<Type, 2> Slots;
  unsigned Scratch = 0; ///< slots above these, which nothing declares
  /// Sites record what is passed: what is in a range, or is not, counts for the
  /// code in front of it; no made handler covers what is passed by.
  bool Records = false;
  /// Codes of this method alone: so many of those that there are from methods
  /// before, which have bytes and nothing else; and the bytes, which do not
  /// move any more.
  std::deque<Snippet> OwnSnippets;
  size_t NumOwnSnippets = 0;
  llvm::SmallVector<uint8_t, 0> Made;
  /// @}

  bool branchesBeforeSuper() const {
    return !Jumps.empty() && Jumps.front().BCI < SuperEnd;
  }
};

/// A line, or the range of a variable, begins or ends at a place in \p Code
/// that \p Is one.
bool hasBorderAt(const CodeView &Code, const ConstantPool &Pool,
                 llvm::function_ref<bool(uint32_t BCI)> Is);

} // namespace jopt

#endif
