//===- PatchWriter.h - Sites into original code -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes patched bodies: copies the original code from one insertion point to
/// the next, and shifts everything that names places in it by the code inserted
/// before.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_PATCHWRITER_H
#define JOPT_LIB_WRITER_PATCHWRITER_H

#include "Relocation.h"
#include "jopt/IR/Model/CodePatch.h"

namespace jopt {

/// Maps original bytecode indices to offsets, where code was only inserted.
class OffsetShifts {
  struct Edit {
    uint32_t At;
    int32_t Shift;
    uint32_t Through, Inside;
    /// The last branch of the code, if it has any: lines that would begin with
    /// the code begin there.
    uint32_t Line = 0;
    bool IsSwitch = false, BranchesSkip = false, AttachesToPrevious = false;
    /// Branches to At lead behind the edit.
    bool comesFirst() const { return IsSwitch || BranchesSkip; }
    bool isBefore(uint32_t BCI) const { return At < BCI + comesFirst(); }
    uint32_t place(uint32_t BCI) const {
      return BCI <= Through ? Inside : uint32_t(int32_t(BCI) + Shift);
    }
    /// The same for a line; \p Next, up to \p End, are behind it.
    uint32_t line(uint32_t BCI, const Edit *Next, const Edit *End) const {
      uint32_t Offset = BCI <= Through && Line ? Line : place(BCI);
      for (; Next != End && Next->At == BCI && !Next->comesFirst(); ++Next)
        if (Next->Line && Next->Through <= BCI) // else it is of a load
          Offset = Next->Line;
      return Offset;
    }
  };

public:
  void clear(uint32_t InFront) {
    List.clear();
    First = InFront;
  }
  /// Code behind \p At, which is behind all edits before, moves by \p Shift
  /// bytes. Branches to an index behind \p At, up to \p Through, lead to
  /// \p Inside. \p AttachesToPrevious: the edit is at the end of the code in
  /// front of it.
  void add(uint32_t At, int32_t Shift, uint32_t Through = 0,
           uint32_t Inside = 0, uint32_t Line = 0,
           bool AttachesToPrevious = false) {
    List.push_back(
        {At, Shift, Through, Inside, Line, false, false, AttachesToPrevious});
  }
  /// The same for code that branches to \p At skip.
  void addSkipped(uint32_t At, int32_t Shift, bool AttachesToPrevious) {
    List.push_back(
        {At, Shift, 0, uint32_t(Shift), 0, false, true, AttachesToPrevious});
  }
  /// The switch at \p At stays in its place; code behind its table, from
  /// \p Next on, moves by \p Shift. Indices within the table lead to \p Next.
  void addSwitch(uint32_t At, int32_t Shift, uint32_t Next) {
    List.push_back(
        {At + 1, Shift, Next - 1, uint32_t(int32_t(Next) + Shift), 0, true});
  }
  /// Where a branch to \p BCI leads: to the snippet there.
  uint32_t place(uint32_t BCI) const {
    const Edit *E = last([&](const Edit &E) { return E.isBefore(BCI); });
    return E ? E->place(BCI) : BCI + First;
  }
  /// Where a line of \p BCI begins: behind the last branch of that code.
  uint32_t line(uint32_t BCI) const {
    const Edit *E = last([&](const Edit &E) { return E.isBefore(BCI); });
    const Edit None = {0, int32_t(First), 0, First};
    return (E ? *E : None).line(BCI, E ? E + 1 : List.begin(), List.end());
  }
  /// The same for ascending indices.
  class Ascending {
  public:
    explicit Ascending(const OffsetShifts &Of)
        : None{0, int32_t(Of.First), 0, Of.First}, Next(Of.List.begin()),
          End(Of.List.end()) {
      lookAhead();
    }
    Ascending(const Ascending &) = delete;
    Ascending &operator=(const Ascending &) = delete;
    uint32_t place(uint32_t BCI) { return to(BCI).place(BCI); }
    uint32_t line(uint32_t BCI) { return to(BCI).line(BCI, Next, End); }

    /// Up to this index, code behind \p BCI, the last query, is as far behind
    /// it as it was; 0: none is.
    uint32_t moveTogether(uint32_t BCI) const {
      return BCI > Now->Through ? Until : 0;
    }

  private:
    const Edit &to(uint32_t BCI) {
      for (; BCI >= Until; lookAhead())
        Now = Next++;
      return *Now;
    }
    void lookAhead() {
      Until = Next == End ? ~0u : Next->At + !Next->comesFirst();
    }
    const Edit None, *Now = &None;
    const Edit *Next, *End;
    uint32_t Until; ///< the first index of Next
  };
  /// own() for ascending indices.
  class AscendingOwn {
  public:
    explicit AscendingOwn(const OffsetShifts &Of)
        : Next(Of.List.begin()), End(Of.List.end()), Shift(Of.First) {}
    uint32_t own(uint32_t BCI) {
      for (; Next != End && Next->At <= BCI; ++Next)
        Shift = uint32_t(Next->Shift);
      return BCI + Shift;
    }

  private:
    const Edit *Next, *End;
    uint32_t Shift;
  };
  /// Where all begins that was put in front of \p BCI, but for what is at the
  /// end of the code before that.
  uint32_t before(uint32_t BCI) const {
    const Edit *E = last([&](const Edit &E) {
      return E.At < BCI + (E.IsSwitch || E.AttachesToPrevious);
    });
    return E ? uint32_t(int32_t(BCI) + E->Shift) : BCI + First;
  }
  /// Where the instruction at \p BCI is.
  uint32_t own(uint32_t BCI) const {
    const Edit *E = last([&](const Edit &E) { return E.At <= BCI; });
    return E ? uint32_t(int32_t(BCI) + E->Shift) : BCI + First;
  }
  /// Where the switch at \p BCI ends in the original code.
  uint32_t next(uint32_t BCI) const {
    for (const Edit &E : List)
      if (E.IsSwitch && E.At == BCI + 1)
        return E.Through + 1;
    return BCI + 1;
  }
  /// Up to this index all code has moved by the same distance.
  uint32_t first() const {
    if (List.empty())
      return ~0u;
    const Edit &E = List.front();
    return E.At - (E.BranchesSkip && E.At);
  }
  int32_t last() const {
    return List.empty() ? int32_t(First) : List.back().Shift;
  }

private:
  /// The last that is \p Before; null if none is. Nearly all methods have few.
  template <typename Fn> const Edit *last(Fn Before) const {
    const Edit *E = List.end();
    if (List.size() > 8)
      E = llvm::partition_point(List, Before);
    while (E != List.begin())
      if (Before(*--E))
        return E;
    return nullptr;
  }
  llvm::SmallVector<Edit, 16> List;
  uint32_t First = 0;
};

/// Writes patched bodies one after another, reusing its memory.
class PatchWriter {
public:
  /// The payload of the Code attribute of \p F, whose sites have their code.
  llvm::Error run(Body &F);

  /// \name The result, valid until the next run
  /// @{
  Bytes payload() const { return {Buffer.data(), P}; }
  uint32_t codeLength() const { return CodeLength; }
  unsigned NumFrames = 0;
  /// @}

private:
  inline size_t bound() const;
  inline void writeCode();
  inline void writeSites();
  inline void noteEdit(const InsertionPoint &Of, uint32_t At, int32_t Shift);
  /// All code was followed.
  bool follows() const { return !S->Steps.empty(); }
  unsigned depthAt(const InsertionPoint &Of);
  unsigned stackAt(unsigned Depth, const Snippet &Code);
  void copyTo(uint32_t To);
  /// How far what is at \p BCI moves if it comes next.
  int32_t shift(uint32_t BCI) const {
    return int32_t(P - Begin) - int32_t(BCI);
  }
  void branch(uint32_t At, uint32_t Target);
  inline void branches();
  void branchFromSwitch(uint32_t BCI);
  inline void rows();
  void range(uint32_t From, uint32_t To, uint32_t Target, uint16_t Type,
             bool IsOriginal, bool HasFront = false);
  uint32_t begin(const InsertionPoint &Of) const;
  uint32_t beginOf(uint32_t From) const;
  void attributes();
  void frames(uint16_t NameIndex);
  void moveTypes(Bytes &From, unsigned Count);
  void move(const OriginalFrame &Frame, uint32_t Delta);
  inline void frame(const SyntheticHandler &H, uint32_t Delta, bool SameLocals);
  void object(uint16_t ClassIndex);
  void frameType(Type Ty);
  inline bool lastLocalsAre(const SyntheticHandler &H) const;
  inline bool lines(Bytes Data);
  void table(const AttributeInfo &Info, Bytes Data);
  OffsetMap &map();
  inline unsigned maxStack();

  /// \name Sites that record, and slots of their own (PatchFrames.cpp)
  /// @{
  /// A type that a frame declares (JVM specification, 4.7.4).
  struct FrameType {
    uint8_t Tag = 0;
    /// The Class entry of an object, as the writer names it, or 0: it is not
    /// known yet. Of an object that is not initialised its `new`.
    uint16_t Index = 0;
    Type Class; ///< of an object without Index
  };
  Type classOf(const FrameType &T) const {
    return T.Index ? F->classFile().classType(T.Index) : T.Class;
  }
  bool isSame(const FrameType &A, const FrameType &B) const;
  void detours();
  /// \name Where handlers cover themselves (PatchSelfCovering.cpp)
  /// @{
  /// Sites at one place, and what comes in front of their code: as many jumps
  /// to behind it.
  struct SelfCoveringHandler {
    size_t Site; ///< the first, in CodePatch::Sites
    unsigned Count;
    uint32_t Jumps = 0; ///< where the first jump is
  };
  void ownJumps(const InsertionPoint &Of);
  void ownRows();
  void ownRowsOf(InsertionPoint::Purpose For);
  void ownFrames(const OriginalFrame &Frame, int64_t &Last);
  const SelfCoveringHandler *ownAt(uint32_t BCI) const {
    for (const SelfCoveringHandler &O : Behind.Own)
      if (S->Sites[O.Site].BCI == BCI)
        return &O;
    return nullptr;
  }
  /// @}
  void detour(uint32_t From, uint32_t Target, uint32_t To);
  void recordingRange(uint32_t From, uint32_t To, uint32_t Target,
                      uint16_t Type, bool IsOriginal);
  void row(uint32_t Start, uint32_t End, uint32_t Target, uint16_t Type);
  void enterFrames();
  FrameType readType(Bytes &From);
  void writeType(FrameType &T);
  FrameType frameTypeOf(Type T) const;
  bool follow(const OriginalFrame &Frame);
  void extend(llvm::ArrayRef<FrameType> Locals, llvm::ArrayRef<Type> Temps);
  /// The locals of a frame: not known; those of the frame before; or others,
  /// for which no shorter form exists.
  enum class Locals { Unknown, Same, Other };
  void slotFrame(uint32_t Offset, llvm::ArrayRef<FrameType> Of,
                 llvm::MutableArrayRef<FrameType> Stack, Locals Are,
                 llvm::ArrayRef<Type> Temps = {});
  bool isPrefix(size_t Count) const;
  void codeFrames(const Snippet &Code, uint32_t At,
                  llvm::ArrayRef<FrameType> Locals);
  void siteFrames(const InsertionPoint &Of);
  FrameType throwable();
  void thrown();
  void declare(const SyntheticHandler &H);
  void slotFrames();
  void grow(size_t More);
  /// @}

  /// \name Sites whose code has branches (PatchFrames.cpp)
  /// @{
  void noteBranches(const SnippetBranches &Of);
  void codeRows(const Snippet *Code, uint32_t At);
  void branchingRows();
  /// @}

  void u1(uint32_t V) { *P++ = uint8_t(V); }
  void u2(uint32_t V) {
    writeU2(P, uint16_t(V));
    P += 2;
  }
  void u4(uint32_t V) {
    writeU4(P, V);
    P += 4;
  }
  void bytes(Bytes B) {
    std::memcpy(P, B.data(), B.size());
    P += B.size();
  }

  Body *F = nullptr;
  const CodePatch *S = nullptr;
  OffsetShifts Moved;
  llvm::SmallVector<uint8_t, 0> Buffer;
  uint8_t *P = nullptr;     ///< where to write next
  uint8_t *Begin = nullptr; ///< of the code
  uint32_t CodeLength = 0;
  size_t NumRows = 0;
  /// While code is written.
  struct {
    uint32_t Copied = 0; ///< so much of the original code
    size_t Switch = 0;   ///< of it, the first that was not copied
    const OriginalStep *Step = nullptr; ///< if it was followed
    /// Where sites were written last, as OffsetShifts has it.
    struct {
      uint32_t BCI = ~0u, Through = 0, Inside = 0, Line = 0;
    } Here;
  } Now;
  static constexpr ptrdiff_t MaxCode = 65535;
  /// No code that is copied at once, or inserted, is longer than this.
  static constexpr size_t RoomForCode = 4 * (MaxCode + 1);
  /// The room that inserted code needs.
  struct {
    size_t NumRows = 0;     ///< of the snippets themselves
    size_t OfCalls = 0;     ///< handlers of calls, in front of all others
    size_t Types = 0;       ///< that frames of handlers list
    unsigned Stack = 0;     ///< of snippets with nothing below
    unsigned Followed = 0;  ///< at sites, with what lies below
    bool IsOnStack = false; ///< something may lie below what some code pushes
  } Needs;
  /// Where the original code ends, what is behind it, and jumps in it.
  struct {
    llvm::SmallVector<uint32_t, 16> Sites; ///< CodePatch::Sites
    uint32_t Original = 0;
    std::vector<SelfCoveringHandler> Own;
    size_t NumOwn = 0;                       ///< sites at these places
    llvm::SmallVector<uint32_t, 2> Handlers; ///< CodePatch::Handlers
    llvm::SmallVector<uint32_t, 8> Detours;  ///< CodePatch::Detours
  } Behind;
  /// Frames of a method with slots.
  struct {
    ByteWriter Out;
    /// As the original has them, and its stack; with the slots, of the frame at
    /// hand and the one before.
    llvm::SmallVector<FrameType, 16> Locals, Stack, Now, Before;
    llvm::SmallVector<FrameType, 2> Added; ///< CodePatch::Slots
    int64_t Last = -1;                     ///< where the frame before is
  } Slots;
  const char *Problem = nullptr;
  /// For attributes that are rare, and code with branches.
  struct {
    bool HasBranches = false;
    bool WritesFrames = false; ///< all of them anew
    unsigned NumTemps = 0;     ///< slots that such code has for itself
    OffsetMap Map;             ///< made when it is asked for
    bool HasMap = false;
    const ExceptionTable NoRows;
    ByteWriter Moving;
  } Rare;
};

} // namespace jopt

#endif
