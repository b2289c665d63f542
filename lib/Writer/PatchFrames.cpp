//===- PatchFrames.cpp - Frames of patched code with more slots -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Slots that passes add stand above all of the method's own, and hold what
/// they do everywhere behind the code in front of all. So a frame whose locals
/// are those of the frame before still is one, and any other declares all of
/// them.
///
//===----------------------------------------------------------------------===//

#include "Frames.h"
#include "PatchWriter.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Support/Diagnostics.h"
#include <map>

using namespace jopt;

/// Makes room for \p More bytes than bound() said.
void PatchWriter::grow(size_t More) {
  const size_t At = size_t(P - Buffer.data()),
               Code = size_t(Begin - Buffer.data());
  Buffer.resize_for_overwrite(Buffer.size() + More);
  P = Buffer.data() + At;
  Begin = Buffer.data() + Code;
}

/// Leads branches with code on their edges to that code, and back from it.
void PatchWriter::detours() {
  for (size_t I = 0; I < S->Detours.size(); ++I) {
    const Detour &D = S->Detours[I];
    const uint32_t At = Behind.Detours[I] + uint32_t(D.Code->Code.size());
    auto Short = [&](uint8_t *Where, int64_t Distance) {
      if (Distance != int16_t(Distance))
        Problem = "a branch of the original code would reach too far";
      writeU2(Where, uint16_t(Distance));
    };
    Short(Begin + At + 1, int64_t(Moved.place(D.Target)) - At);
    const uint32_t From = Moved.own(D.From);
    const Opcode Op = S->Code.Code[D.From];
    if (Op == op::TABLESWITCH || Op == op::LOOKUPSWITCH)
      detour(D.From, D.Target, Behind.Detours[I]);
    else
      Short(Begin + From + 1, int64_t(Behind.Detours[I]) - From);
  }
}

/// Has the switch at \p From lead to \p To where it led to \p Target.
void PatchWriter::detour(uint32_t From, uint32_t Target, uint32_t To) {
  DecodedInst D;
  if (!decodeInst(S->Code.Code, From, D))
    return;
  const uint32_t At = Moved.own(From);
  uint8_t *Table = Begin + ((At + 4) & ~3u);
  if (uint32_t(D.Value) == Target)
    writeU4(Table, To - At);
  const bool IsTable = D.Op == op::TABLESWITCH;
  for (uint32_t C = 0; C < D.NumCases; ++C)
    if (uint32_t(D.caseTarget(C)) == Target)
      writeU4(Table + (IsTable ? 12 + 4 * size_t(C) : 12 + 8 * size_t(C)),
              To - At);
}

/// range() where snippets record. A synthetic handler covers original code and
/// the snippets in one block with it.
void PatchWriter::recordingRange(uint32_t From, uint32_t To, uint32_t Target,
                                 uint16_t Type, bool IsOriginal) {
  uint32_t Start = Moved.before(From);
  const uint32_t End =
      To == S->Code.Code.size() ? Behind.Original : Moved.before(To);
  for (const InsertionPoint &Of : IsOriginal ? llvm::ArrayRef<InsertionPoint>()
                                             : llvm::ArrayRef(S->Sites)) {
    if (!Of.BranchesSkip || Of.AttachesToPrevious || Of.BCI < From ||
        Of.BCI >= To)
      continue;
    row(Start, Moved.before(Of.BCI), Target, Type);
    Start = Moved.place(Of.BCI);
  }
  // A detour is in the ranges of handlers that cover both ends of its edge,
  // which may be by several rows: a range is cut where a return leaves it.
  auto CoversToo = [&](uint32_t BCI) {
    return llvm::any_of(S->Code.Handlers, [&](const CodeView::Handler &H) {
      return H.CatchType == Type && H.covers(BCI) &&
             Moved.place(H.Target) == Target;
    });
  };
  uint32_t Last = End;
  for (size_t I = 0; IsOriginal && I < S->Detours.size(); ++I) {
    const Detour &D = S->Detours[I];
    if (D.Target < From || D.Target >= To || !CoversToo(D.From))
      continue;
    const uint32_t At = Behind.Detours[I];
    if (At != Last) {
      row(Start, Last, Target, Type);
      Start = At;
    }
    constexpr uint32_t SizeOfGoto = 3;
    Last = At + uint32_t(D.Code->Code.size()) + SizeOfGoto;
  }
  row(Start, Last, Target, Type);
}

enum : uint8_t {
  TagTop,
  TagInt,
  TagFloat,
  TagDouble,
  TagLong,
  TagNull,
  TagUninitThis,
  TagObject,
  TagUninit
};

static uint8_t tagOf(Type T) {
  switch (T.kind()) {
  case Type::Int:
    return TagInt;
  case Type::Float:
    return TagFloat;
  case Type::Long:
    return TagLong;
  case Type::Double:
    return TagDouble;
  case Type::Top:
    return TagTop;
  case Type::Null:
    return TagNull;
  case Type::UninitThis:
    return TagUninitThis;
  case Type::Uninit:
    return TagUninit;
  default:
    return TagObject;
  }
}

/// Reads the verification type at the beginning of \p From, which loses it (JVM
/// specification, 4.7.4).
PatchWriter::FrameType PatchWriter::readType(Bytes &From) {
  FrameType T;
  T.Tag = From[0];
  // FrameScan takes no entry that the writer would not name.
  if (T.Tag >= TagObject)
    T.Index = readU2(From.data() + 1);
  From = From.drop_front(T.Tag >= TagObject ? 3 : 1);
  return T;
}

/// Has \p T its entry.
void PatchWriter::writeType(FrameType &T) {
  Slots.Out.u1(T.Tag);
  if (T.Tag == TagUninit)
    Slots.Out.u2(uint16_t(Moved.own(T.Index)));
  if (T.Tag != TagObject)
    return;
  if (!T.Index)
    T.Index = F->classFile().classIndex(T.Class);
  if (!T.Index)
    Problem = "the constant pool is full";
  Slots.Out.u2(T.Index);
}

bool PatchWriter::isSame(const FrameType &A, const FrameType &B) const {
  if (A.Tag != B.Tag || A.Tag < TagObject)
    return A.Tag == B.Tag;
  if (A.Tag == TagUninit || (A.Index && B.Index))
    return A.Index == B.Index;
  return classOf(A) == classOf(B);
}

/// The locals that the method has on entry.
void PatchWriter::enterFrames() {
  ClassFile &Class = F->classFile();
  auto &Now = Slots.Locals;
  Now.clear();
  if (!isStatic(F->classFile(), F->method()))
    Now.push_back({uint8_t(S->SuperEnd ? TagUninitThis : TagObject), 0,
                   S->SuperEnd ? Type() : Class.classType(Class.ThisIndex)});
  MethodDescriptor D(Class.descriptor(F->method()));
  for (llvm::StringRef P = D.nextParameter(); !P.empty();
       P = D.nextParameter()) {
    const Type Ty = Class.Types.fromDescriptor(P);
    Now.push_back(frameTypeOf(Ty));
  }
}

/// Follows the locals to what \p Frame declares, and reads its stack. True: the
/// locals are as they were.
bool PatchWriter::follow(const OriginalFrame &Frame) {
  auto &Now = Slots.Locals;
  const uint8_t Tag = Frame.Tag;
  Bytes Rest = Frame.Rest;
  unsigned NumStack = (Tag >= 64 && Tag < 128) || Tag == 247;
  const bool Same = Tag < 248 || Tag == 251;
  if (Same) {
  } else if (Tag < 251) {
    Now.truncate(Now.size() - (251u - Tag));
  } else if (Tag < 255) {
    for (unsigned N = Tag - 251u; N; --N)
      Now.push_back(readType(Rest));
  } else {
    Now.clear();
    unsigned Count = readU2(Rest.data());
    for (Rest = Rest.drop_front(2); Count; --Count)
      Now.push_back(readType(Rest));
    NumStack = readU2(Rest.data());
    Rest = Rest.drop_front(2);
  }
  Slots.Stack.clear();
  for (; NumStack; --NumStack)
    Slots.Stack.push_back(readType(Rest));
  return Same;
}

/// \p Locals, and the slots above, of which the last are \p Temps.
void PatchWriter::extend(llvm::ArrayRef<FrameType> Locals,
                         llvm::ArrayRef<Type> Temps) {
  Slots.Now.assign(Locals.begin(), Locals.end());
  if (S->Slots.empty() && Temps.empty())
    return;
  unsigned Width = 0;
  for (const FrameType &T : Locals)
    Width += T.Tag == TagDouble || T.Tag == TagLong ? 2 : 1;
  for (; Width < S->Code.MaxLocals; ++Width)
    Slots.Now.push_back({});
  Slots.Now.append(Slots.Added.begin(), Slots.Added.end());
  for (const Type T : Temps)
    Slots.Now.push_back(frameTypeOf(T));
}

/// The first \p Count types of the frame at hand and of the one before are the
/// same.
bool PatchWriter::isPrefix(size_t Count) const {
  for (size_t I = 0; I < Count; ++I)
    if (!isSame(Slots.Before[I], Slots.Now[I]))
      return false;
  return true;
}

PatchWriter::FrameType PatchWriter::frameTypeOf(Type T) const {
  const uint8_t Tag = tagOf(T);
  return {Tag, uint16_t(Tag == TagUninit ? T.payload() : 0),
          Tag == TagObject ? T : Type()};
}

/// Writes a frame at \p Offset in the shortest form that says so; the first
/// locals are \p Of.
void PatchWriter::slotFrame(uint32_t Offset, llvm::ArrayRef<FrameType> Of,
                            llvm::MutableArrayRef<FrameType> Stack, Locals Are,
                            llvm::ArrayRef<Type> Temps) {
  const auto Delta = uint16_t(int64_t(Offset) - Slots.Last - 1);
  auto &Now = Slots.Now;
  auto &Old = Slots.Before;
  ByteWriter &Out = Slots.Out;
  if (Out.size() > FrameWriter::MaxBytes) {
    Problem = FrameWriter::TooLarge;
    return;
  }
  ++NumFrames;
  Slots.Last = Offset;
  if (Are != Locals::Same || Stack.size() > 1)
    extend(Of, Temps);
  if (Are == Locals::Unknown && Stack.size() <= 1 && Now.size() == Old.size() &&
      isPrefix(Now.size()))
    Are = Locals::Same;
  if (Are == Locals::Same && Stack.size() <= 1) {
    if (Delta < 64) {
      Out.u1(uint8_t(Delta + 64 * Stack.size()));
    } else {
      Out.u1(Stack.empty() ? 251 : 247);
      Out.u2(Delta);
    }
    if (!Stack.empty())
      writeType(Stack[0]);
    return;
  }
  const bool Short = Are == Locals::Unknown && Stack.empty() &&
                     Now.size() <= Old.size() + 3 &&
                     Old.size() <= Now.size() + 3 &&
                     isPrefix(std::min(Old.size(), Now.size()));
  Out.u1(Short ? uint8_t(251 + Now.size() - Old.size()) : 255);
  Out.u2(Delta);
  if (!Short)
    Out.u2(uint16_t(Now.size()));
  for (size_t N = Short ? Old.size() : 0; N < Now.size(); ++N)
    writeType(Now[N]);
  if (!Short) {
    Out.u2(uint16_t(Stack.size()));
    for (FrameType &T : Stack)
      writeType(T);
  }
  // Their entries are known from now on.
  const size_t Above = Temps.size() + Slots.Added.size();
  std::copy_n(Now.end() - Above, Slots.Added.size(), Slots.Added.begin());
  Old.swap(Now);
}

/// The type that synthetic handlers catch. The first frame that names it adds
/// the pool entry, which keeps the order of entries; this only looks for it.
PatchWriter::FrameType PatchWriter::throwable() {
  constexpr llvm::StringLiteral Name = "java/lang/Throwable";
  ClassFile &Class = F->classFile();
  const uint16_t Known = F->Patch->Throwable;
  if (Class.Pool.className(Known) == Name)
    return {TagObject, Known, Type()};
  return {TagObject, 0, Class.Types.ref(Name)};
}

/// The locals that \p H declares.
void PatchWriter::declare(const SyntheticHandler &H) {
  auto &Now = Slots.Locals;
  ClassFile &Class = F->classFile();
  Now.clear();
  if (H.Declares == SyntheticHandler::UninitThis)
    Now.push_back({TagUninitThis, 0, Type()});
  else if (H.Declares == SyntheticHandler::This)
    Now.push_back({TagObject, 0, Class.Types.ref(Class.name())});
  for (const Type T : H.Locals)
    Now.push_back(frameTypeOf(T));
}

/// The frames within \p Code, which is at \p At, where slots hold \p Held.
void PatchWriter::codeFrames(const Snippet &Code, uint32_t At,
                             llvm::ArrayRef<FrameType> Held) {
  if (!Code.Branches)
    return;
  for (const SnippetBranches::Frame &Of : Code.Branches->Frames) {
    llvm::SmallVector<FrameType, 4> Stack;
    for (const Type T : Of.Stack)
      Stack.push_back(frameTypeOf(T));
    slotFrame(At + Of.At, Held, Stack, Locals::Unknown, Of.Temps);
  }
}

void PatchWriter::siteFrames(const InsertionPoint &Of) {
  if (Of.Locals < 0) {
    Problem = "it is not known what slots hold at a branch";
    return;
  }
  llvm::SmallVector<FrameType, 16> Locals;
  for (const Type T : S->Locals[unsigned(Of.Locals)])
    Locals.push_back(frameTypeOf(T));
  codeFrames(*Of.Code, begin(Of), Locals);
}

/// \p Of is among the code that is put in.
void PatchWriter::noteBranches(const SnippetBranches &Of) {
  Rare.HasBranches = true;
  Rare.NumTemps = std::max(Rare.NumTemps, Of.NumTemps);
  Needs.NumRows += Of.Rows.size();
}

void PatchWriter::codeRows(const Snippet *Code, uint32_t At) {
  if (Code && Code->Branches)
    for (const SnippetBranches::Row &R : Code->Branches->Rows)
      row(At + R.Start, At + R.End, At + R.Target, 0);
}

/// The handlers within code at sites come first, the last of them before all.
void PatchWriter::branchingRows() {
  if (!Rare.HasBranches)
    return;
  for (size_t I = S->Handlers.size(); I-- > 0;)
    codeRows(S->Handlers[I].Code.Of, Behind.Handlers[I]);
  for (const InsertionPoint &Of : llvm::reverse(S->Sites))
    if (Of.Code->Branches)
      codeRows(Of.Code.Of, begin(Of));
  codeRows(S->Entry.Of, 0);
}

/// All frames, with the slots. What stands on the way of a branch has the frame
/// of where that leads.
void PatchWriter::slotFrames() {
  Slots.Out.clear();
  Slots.Out.u2(0);
  Slots.Last = -1;
  NumFrames = 0;
  if (S->Frames.empty() && S->Handlers.empty() && S->Detours.empty() &&
      !Rare.HasBranches)
    return;
  Slots.Added.clear();
  for (const Type T : S->Slots)
    Slots.Added.push_back(frameTypeOf(T));
  enterFrames();
  Slots.Before.assign(Slots.Locals.begin(), Slots.Locals.end());
  struct Target {
    llvm::SmallVector<FrameType, 8> Locals, Stack;
  };
  std::map<uint32_t, Target> Targets; // of detours
  for (const Detour &D : S->Detours)
    Targets.try_emplace(D.Target);
  // Of two frames at one place the second counts.
  if (S->Entry && (S->Frames.empty() || S->Frames[0].BCI))
    codeFrames(*S->Entry, 0, Slots.Locals);
  else if (S->Entry && S->Entry->Branches)
    Problem = "the code in front ends where a branch leads";
  bool First = true;
  size_t Kept = 0;
  OffsetShifts::Ascending Ascending(Moved);
  const InsertionPoint *Site = S->Sites.data(),
                       *LastSite = Site + S->Sites.size();
  auto SitesTo = [&](uint32_t BCI) {
    for (; Site != LastSite && Site->BCI < BCI; ++Site)
      if (Site->Code->Branches) {
        siteFrames(*Site);
        First = true; // the frame before is another
      }
  };
  for (const OriginalFrame &Frame : S->Frames) {
    if (Kept > FrameWriter::MaxBytes)
      Problem = FrameWriter::TooLarge;
    if (Rare.HasBranches)
      SitesTo(Frame.BCI);
    if (Problem)
      return;
    const bool Same = follow(Frame);
    // Above slots of their own nothing is taken away or added: the scan found
    // the shortest form of all but the first, in front of which there are none.
    const Locals Are = First              ? Locals::Unknown
                       : Same             ? Locals::Same
                       : S->Slots.empty() ? Locals::Unknown
                                          : Locals::Other;
    First = false;
    slotFrame(Ascending.place(Frame.BCI), Slots.Locals, Slots.Stack, Are);
    if (Targets.empty())
      continue;
    if (auto It = Targets.find(Frame.BCI); It != Targets.end()) {
      It->second.Locals.assign(Slots.Locals.begin(), Slots.Locals.end());
      It->second.Stack.assign(Slots.Stack.begin(), Slots.Stack.end());
      Kept += Slots.Locals.size();
    }
  }
  if (Rare.HasBranches)
    SitesTo(~0u);
  for (size_t I = 0; I < S->Detours.size(); ++I) {
    Target &To = Targets.find(S->Detours[I].Target)->second;
    slotFrame(Behind.Detours[I], To.Locals, To.Stack, Locals::Unknown);
  }
  for (size_t I = 0; I < S->Handlers.size(); ++I) {
    declare(S->Handlers[I]);
    FrameType Thrown = throwable();
    slotFrame(Behind.Handlers[I], Slots.Locals, Thrown, Locals::Unknown);
    F->Patch->Throwable = Thrown.Index;
    codeFrames(*S->Handlers[I].Code, Behind.Handlers[I], Slots.Locals);
  }
  if (NumFrames > 65535)
    Problem = "more than 65,535 frames";
  Slots.Out.patchU2(0, uint16_t(NumFrames));
  grow(Slots.Out.size() + S->Sites.size() * 8);
}
