//===- PatchTables.cpp - Attributes of patched code -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Frames are copied, for other offsets: nothing that they declare has changed.
/// Lines move as they do in other bodies (LineNumbers.cpp); the same is done
/// here without a table of offsets.
///
//===----------------------------------------------------------------------===//

#include "PatchWriter.h"
#include "jopt/IR/Model/FixupConstants.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

enum : uint8_t { ItemUninitThis = 6, ItemObject = 7, ItemUninit = 8 };

/// Copies \p Count verification types from the beginning of \p From, which
/// loses them (JVM specification, 4.7.4).
void PatchWriter::moveTypes(Bytes &From, unsigned Count) {
  for (; Count; --Count) {
    const uint8_t Tag = From[0];
    u1(Tag);
    if (Tag == ItemObject)
      bytes(From.slice(1, 2));
    else if (Tag == ItemUninit)
      u2(Moved.own(readU2(From.data() + 1)));
    From = From.drop_front(Tag >= ItemObject ? 3 : 1);
  }
}

/// Writes \p Frame, \p Delta behind the one before.
void PatchWriter::move(const OriginalFrame &Frame, uint32_t Delta) {
  const uint8_t Tag = Frame.Tag;
  const bool Same = Tag < 64 || Tag == 251;
  const bool SameWithItem = (Tag >= 64 && Tag < 128) || Tag == 247;
  uint8_t *To = P;
  if (Delta < 64 && (Same || SameWithItem)) {
    *To++ = uint8_t(Delta + (Same ? 0 : 64));
  } else {
    *To = Same ? 251 : SameWithItem ? 247 : Tag;
    writeU2(To + 1, uint16_t(Delta));
    To += 3;
  }
  P = To;
  if (!Frame.HasUninit) {
    P = copyFew(Frame.Rest.begin(), Frame.Rest.end(), To);
    return;
  }
  Bytes Rest = Frame.Rest;
  if (Tag < 255)
    return moveTypes(Rest, SameWithItem ? 1 : Tag - 251u);
  for (int List = 0; List < 2; ++List) {
    const unsigned Count = readU2(Rest.data());
    u2(Count);
    Rest = Rest.drop_front(2);
    moveTypes(Rest, Count);
  }
}

/// \p H declares the same as the last original frame.
inline bool PatchWriter::lastLocalsAre(const SyntheticHandler &H) const {
  if (H.Declares == SyntheticHandler::Listed)
    return S->NumLastLocals == H.Locals.size() &&
           llvm::ArrayRef(S->LastLocals) == H.Locals;
  if (S->NumLastLocals != unsigned(H.Declares != SyntheticHandler::None))
    return false;
  if (H.Declares == SyntheticHandler::None)
    return true;
  const Bytes First = S->FirstLocal;
  if (First.empty()) // as on entry
    return !isStatic(F->classFile(), F->method()) &&
           (H.Declares == SyntheticHandler::UninitThis) == (S->SuperEnd != 0);
  if (H.Declares == SyntheticHandler::UninitThis)
    return First[0] == ItemUninitThis;
  ClassFile &Class = F->classFile();
  return First[0] == ItemObject &&
         Class.Pool.className(readU2(First.data() + 1)) == Class.name();
}

void PatchWriter::object(uint16_t ClassIndex) {
  if (!ClassIndex)
    Problem = "the constant pool is full";
  u1(ItemObject);
  u2(ClassIndex);
}

/// Both declare the same.
static bool haveSameLocals(const SyntheticHandler &A,
                           const SyntheticHandler &B) {
  return A.Declares == B.Declares && A.Locals == B.Locals;
}

void PatchWriter::frameType(Type Ty) {
  // By Type::Kind.
  static constexpr uint8_t Tags[] = {0, 1, 2, 4, 3, 5, ItemUninitThis};
  if (Ty.is(Type::Ref))
    object(F->classFile().classIndex(Ty));
  else
    u1(Tags[Ty.kind()]);
}

inline void PatchWriter::frame(const SyntheticHandler &H, uint32_t Delta,
                               bool SameLocals) {
  ClassFile &Class = F->classFile();
  uint8_t *To = P;
  if (SameLocals && Delta < 64) {
    *To++ = uint8_t(64 + Delta);
  } else {
    *To = SameLocals ? 247 : 255;
    writeU2(To + 1, uint16_t(Delta));
    To += 3;
  }
  P = To;
  if (!SameLocals) {
    const bool Lists = H.Declares == SyntheticHandler::Listed;
    u2(Lists ? uint32_t(H.Locals.size())
             : H.Declares != SyntheticHandler::None);
    if (H.Declares == SyntheticHandler::UninitThis)
      u1(ItemUninitThis);
    else if (H.Declares == SyntheticHandler::This)
      object(Class.classIndex(Class.Types.ref(Class.name())));
    for (Type Ty : H.Locals)
      frameType(Ty);
    u2(1);
  }
  thrown();
}

/// Writes the type of a caught exception.
void PatchWriter::thrown() {
  ClassFile &Class = F->classFile();
  constexpr llvm::StringLiteral Throwable = "java/lang/Throwable";
  uint16_t &Known = F->Patch->Throwable;
  if (!Known)
    Known = Class.Pool.addClass(Throwable);
  object(Known);
}

void PatchWriter::frames(uint16_t NameIndex) {
  u2(NameIndex);
  uint8_t *LengthAt = P;
  P += 4;
  if (Rare.WritesFrames) {
    bytes(Slots.Out.data());
    return writeU4(LengthAt, uint32_t(P - LengthAt - 4));
  }
  NumFrames =
      unsigned(S->Frames.size() + S->Handlers.size() + 2 * Behind.NumOwn);
  if (NumFrames > 65535)
    Problem = "more than 65,535 frames";
  u2(NumFrames);
  int64_t Last = -1;
  OffsetShifts::Ascending Ascending(Moved);
  for (const OriginalFrame &Frame : S->Frames) {
    if (Behind.NumOwn && ownAt(Frame.BCI)) {
      ownFrames(Frame, Last);
      continue;
    }
    const uint32_t At = Ascending.place(Frame.BCI);
    const uint32_t Delta = uint32_t(At - Last - 1);
    if (Frame.Tag < 64 && Delta < 64)
      u1(Delta); // as most are: it says no more
    else
      move(Frame, Delta);
    Last = At;
  }
  const SyntheticHandler *Before = nullptr;
  for (size_t I = 0; I < S->Handlers.size(); ++I) {
    const SyntheticHandler &H = S->Handlers[I];
    frame(H, uint32_t(Behind.Handlers[I] - Last - 1),
          Before ? haveSameLocals(*Before, H) : lastLocalsAre(H));
    Last = Behind.Handlers[I];
    Before = &H;
  }
  writeU4(LengthAt, uint32_t(P - LengthAt - 4));
}

/// Moves the LineNumberTable \p Data. False, and nothing is written, if it is
/// not in order.
inline bool PatchWriter::lines(Bytes Data) {
  const uint32_t Length = uint32_t(S->Code.Code.size());
  OffsetShifts::Ascending Ascending(Moved);
  const bool HasBranches = Rare.HasBranches;
  uint8_t *To = P + 2;
  uint32_t LastBCI = 0, LastOffset = ~0u;
  const uint8_t *From = Data.data() + 2, *const End = Data.end();
  while (From != End) {
    const uint32_t BCI = readU2(From);
    if (BCI >= Length || BCI < LastBCI)
      return false;
    const uint32_t Offset =
        HasBranches ? Ascending.line(BCI) : Ascending.place(BCI);
    // An entry without any code left gives way to the next.
    if (Offset == LastOffset && BCI != LastBCI)
      To -= 4;
    // Code in front of all belongs to the first line.
    writeU2(To, BCI ? uint16_t(Offset) : 0);
    std::memcpy(To + 2, From + 2, 2);
    From += 4;
    To += 4;
    LastBCI = BCI;
    // Most are behind another between the same two edits.
    const uint32_t Until =
        HasBranches ? 0 : std::min(Ascending.moveTogether(BCI), Length);
    const uint32_t Moves = (Offset - BCI) << 16;
    for (; From != End; From += 4, To += 4) {
      const uint32_t Entry = readU4(From), Next = Entry >> 16;
      if (Next <= LastBCI || Next >= Until)
        break;
      writeU4(To, Entry + Moves);
      LastBCI = Next;
    }
    LastOffset = LastBCI + (Offset - BCI);
  }
  writeU2(P, uint16_t((To - P - 2) / 4));
  P = To;
  return true;
}

/// The table of offsets as it would be of the lifted code.
OffsetMap &PatchWriter::map() {
  if (std::exchange(Rare.HasMap, true))
    return Rare.Map;
  OffsetMap &Map = Rare.Map;
  Map.begin(CodeLength);
  uint32_t From = 0;
  auto Add = [&](uint32_t To) {
    if (From < To)
      Map.add(From, Moved.own(From), To - From);
  };
  auto Switch = S->Switches.begin();
  auto AddTo = [&](uint32_t To) {
    for (; Switch != S->Switches.end() && *Switch < To; ++Switch) {
      Add(*Switch + 1);
      From = Moved.next(*Switch);
    }
    Add(To);
  };
  for (const InsertionPoint &Of : S->Sites) {
    AddTo(Of.BCI);
    From = std::max(From, Of.BCI);
    // Snippets that branches skip have no index; of several snippets the first
    // counts.
    if (Of.BranchesSkip)
      continue;
    if (From == Of.BCI) {
      Map.add(Of.BCI, Moved.line(Of.BCI), 1);
      ++From;
    }
    if (Of.End > From) {
      Map.add(Of.End - 1, Moved.line(Of.End - 1), 1);
      From = Of.End;
    }
  }
  AddTo(uint32_t(S->Code.Code.size()));
  Map.end(Behind.Original);
  return Rare.Map;
}

/// Any other table.
void PatchWriter::table(const AttributeInfo &Info, Bytes Data) {
  Rare.Moving.clear();
  if (!relocate(Info, Data, map(), Rare.NoRows, Rare.Moving))
    return bytes(Data);
  // The rewritten table is never longer.
  bytes(Rare.Moving.data());
}

void PatchWriter::attributes() {
  uint8_t *CountAt = P;
  P += 2;
  unsigned Count = 0;
  if (!Rare.WritesFrames)
    NumFrames = 0;
  ConstantPool &Pool = F->pool();
  bool WithFrames = Rare.WritesFrames
                        ? NumFrames != 0
                        : !S->Frames.empty() || !S->Handlers.empty();
  for (const Attribute &A : S->Code.Attributes) {
    if (A.NameIndex == S->TableName) {
      if (std::exchange(WithFrames, false)) {
        ++Count;
        frames(A.NameIndex);
      }
      continue;
    }
    const bool IsLines = A.NameIndex == S->LinesName;
    const llvm::StringRef Name =
        IsLines ? "LineNumberTable" : Pool.utf8(A.NameIndex);
    ++Count;
    u2(A.NameIndex);
    uint8_t *LengthAt = P;
    P += 4;
    const bool Fits = A.Data.size() >= 2 &&
                      A.Data.size() == 2 + 4 * size_t(readU2(A.Data.data()));
    if (!(IsLines || Name == "LineNumberTable") || !Fits || !lines(A.Data))
      table(*findAttributeInfo(Name, InCode), A.Data);
    writeU4(LengthAt, uint32_t(P - LengthAt - 4));
  }
  if (WithFrames) {
    ++Count;
    // The pool entries that frames name come first.
    uint8_t *NameAt = P;
    frames(0);
    uint16_t &FramesName = F->Patch->FramesName;
    if (!FramesName)
      FramesName = Pool.addUtf8("StackMapTable");
    writeU2(NameAt, FramesName);
  }
  writeU2(CountAt, uint16_t(Count));
}
