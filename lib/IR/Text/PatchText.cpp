//===- PatchText.cpp - Patched bodies as text and from text ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A patched body is written as its original code, an instruction a line, and
/// the snippets in it:
///
///   code slots 1 patched {
///     original stack 1 slots 1 {
///       @0 aload_0
///       @1 areturn
///     }
///     front continues {
///       advice #0 by #0
///     }
///     site exit @0..@1 {
///       ...
///     }
///   }
///
/// A snippet is instructions of the IR, or `raw`: bytes, once it was written.
/// Fixups are not text: each snippet is printed with the constants of its
/// insertion point, and is parsed as a snippet of that point alone.
///
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "BodyPrinter.h"
#include "jopt/IR/Model/FixupConstants.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/OpcodeSemantics.h"

using namespace jopt;
using llvm::StringRef;

static constexpr StringRef Purposes[] = {"behind", "handler", "unit", "call",
                                         "exit"};

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static llvm::raw_ostream &range(llvm::raw_ostream &OS, uint32_t From,
                                uint32_t To) {
  return OS << '@' << From << "..@" << To;
}

void BodyPrinter::original(const CodePatch &S, unsigned Indent) {
  OS.indent(Indent) << "original stack " << S.Code.MaxStack << " slots "
                    << S.Code.MaxLocals << " {\n";
  rawInstructions(S.Code.Code, Indent + 2, /*Numbered=*/true);
  for (const CodeView::Handler &H : S.Code.Handlers) {
    range(OS.indent(Indent + 2) << "try ", H.Start, H.End)
        << " -> @" << H.Target << " catch ";
    if (H.CatchType)
      W.entry(H.CatchType, tagBit(CPTag::Class));
    else
      OS << "any";
    OS << '\n';
  }
  for (const Attribute &A : S.Code.Attributes)
    W.attribute(A, InCode, Indent + 2);
  OS.indent(Indent) << "}\n";
}

/// Whether the code of \p IR is printed without the head of its only block.
static bool isHeadless(const Body &IR) {
  const Block &First = IR.blocks().front();
  return &First == &IR.blocks().back() && First.parameters().empty();
}

uint32_t BodyPrinter::fixedUp(uint32_t Constant, bool IsInt) const {
  if (!Fixups)
    return Constant;
  const SnippetFixups &Of = *(*Fixups)->Fixups;
  const auto Own = llvm::ArrayRef(Of.Own).take_front(Of.NumConstants);
  const auto *Found = llvm::find(Own, Constant);
  return Of.IsInt == IsInt && Found != Own.end()
             ? Fixups->Constants[size_t(Found - Own.begin())]
             : Constant;
}

void BodyPrinter::snippetIR(const SnippetInstance &Code, const Body &IR,
                            unsigned Indent) {
  // Lowering adds slots above all of the method's.
  if (&IR == Code->IR.get() && IR.numSlots() != Code->NumSlots)
    OS << " temps " << IR.numSlots() - Code->NumSlots;
  OS << " {\n";
  BodyPrinter Own(IR, W);
  Own.Fixups = Code->Fixups ? &Code : nullptr;
  const bool Headless = isHeadless(IR);
  for (const TryEntry *T : IR.tries())
    Own.tryEntry(*T, Indent + 2);
  for (const Block &Blk : IR.blocks()) {
    if (!Headless)
      Own.header(Blk, Indent);
    for (const Instruction &I : Blk.instructions()) {
      // It stands for the code that follows.
      if (Headless && Code->Continues && &I == Blk.terminator())
        break;
      OS.indent(Indent + 2);
      Own.instruction(I);
      OS << '\n';
    }
  }
  OS.indent(Indent) << "}\n";
}

void BodyPrinter::types(llvm::ArrayRef<Type> Ts) {
  OS << '[';
  llvm::interleaveComma(Ts, OS, [&](Type T) { type(T); });
  OS << ']';
}

void BodyPrinter::snippetBytes(const SnippetInstance &Code, unsigned Indent) {
  OS << " raw stack " << Code->MaxStack << " given " << Code->NumGiven;
  const SnippetBranches *Of = Code->Branches.get();
  if (Of)
    OS << " temps " << Of->NumTemps << " rest @" << Of->Rest;
  OS << " {\n";
  if (Of) {
    for (const SnippetBranches::Row &R : Of->Rows)
      range(OS.indent(Indent + 2) << "try ", R.Start, R.End)
          << " -> @" << R.Target << " behind @" << R.Behind << '\n';
    for (const SnippetBranches::Frame &F : Of->Frames) {
      OS.indent(Indent + 2) << "frame @" << F.At << ' ';
      types(F.Temps);
      OS << ' ';
      types(F.Stack);
      OS << '\n';
    }
  }
  llvm::SmallVector<uint8_t, 64> Own(sizeOf(Code));
  write(Code, Own.data());
  rawInstructions(Own, Indent + 2, /*Numbered=*/false);
  OS.indent(Indent) << "}\n";
}

void BodyPrinter::snippet(const SnippetInstance &Code, bool Lowered,
                          unsigned Indent) {
  if (Code->Continues)
    OS << " continues";
  // As it was placed, until it is lowered in this method too.
  if (!Lowered && Code->Placed) {
    OS << (Code->MakesArray ? " array" : "");
    return snippetIR(Code, *Code->Placed, Indent);
  }
  if (!Code->Lowered && Code->MakesArray)
    OS << " array";
  if (Code->IR)
    return snippetIR(Code, *Code->IR, Indent);
  snippetBytes(Code, Indent);
}

void BodyPrinter::patch(const CodePatch &S, unsigned Indent) {
  auto Code = [&](const SnippetInstance &Of) {
    snippet(Of, S.Lowered, Indent);
  };
  if (S.Entry) {
    OS.indent(Indent) << "front";
    Code(S.Entry);
  }
  for (const InsertionPoint &Of : S.Sites) {
    OS.indent(Indent) << "site " << Purposes[Of.For] << " @" << Of.BCI;
    if (Of.End != Of.BCI)
      OS << "..@" << Of.End;
    OS << (Of.Replaces ? " instead" : "") << (Of.BranchesSkip ? " skipped" : "")
       << (Of.AttachesToPrevious ? " attached" : "")
       << (Of.ReplacesCaught ? " caught" : "");
    if (Of.Depth != InsertionPoint::Unknown)
      OS << " depth " << Of.Depth;
    if (Of.Locals >= 0) {
      OS << " locals ";
      types(S.Locals[size_t(Of.Locals)]);
    }
    Code(Of.Code);
  }
  for (const Detour &D : S.Detours) {
    OS.indent(Indent) << "detour @" << D.From << " -> @" << D.Target;
    Code(D.Code);
  }
  for (const SyntheticHandler &H : S.Handlers) {
    range(OS.indent(Indent) << "handler ", H.From, H.To)
        << (H.OfCall ? " call" : "");
    if (H.Declares == SyntheticHandler::This)
      OS << " this";
    else if (H.Declares == SyntheticHandler::UninitThis)
      OS << " uninitThis";
    if (H.Declares == SyntheticHandler::Listed) {
      OS << " locals ";
      types(H.Locals);
    }
    Code(H.Code);
  }
}

/// The words of the head, behind `slots N`.
void BodyPrinter::patchHead(const CodePatch &S) {
  OS << "patched ";
  if (S.Records)
    OS << "records ";
  if (!S.Slots.empty()) {
    OS << "declares ";
    types(S.Slots);
    OS << ' ';
  }
  if (S.Scratch)
    OS << "scratch " << S.Scratch << ' ';
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool BodyParser::place(uint32_t &BCI) {
  return S.expect('@') && S.unsignedInteger(BCI, 65535);
}

bool BodyParser::range(uint32_t &From, uint32_t &To) {
  return place(From) && S.expect("..") && place(To);
}

template <typename List> bool BodyParser::types(List &Types) {
  if (!S.expect('['))
    return false;
  while (!S.eat(']')) {
    Type T;
    if ((!Types.empty() && !S.expect(',')) || !type(T))
      return false;
    if (Types.size() == 65535)
      return S.fail("more than 65535 types");
    Types.push_back(T);
  }
  return true;
}

/// The words of the head, behind `patched`.
bool BodyParser::patchHead() {
  B.OwnPatch.reset(new CodePatch());
  CodePatch &P = *(B.Patch = B.OwnPatch.get());
  P.Records = S.eatWord("records");
  if (S.eatWord("declares") && !types(P.Slots))
    return false;
  return !S.eatWord("scratch") || S.unsignedInteger(P.Scratch, 65535);
}

/// A line of code with its index, if that is given.
bool BodyParser::numbered(llvm::SmallVectorImpl<uint8_t> &Code) {
  if (S.peek() == '@') {
    const char *At = S.position();
    unsigned BCI;
    if (!place(BCI))
      return false;
    if (BCI != Code.size())
      return S.failAt(At, "the instruction is at @" + llvm::Twine(Code.size()));
  }
  return rawInstruction(Code, /*MayBranch=*/true) &&
         (Code.size() <= 65535 || S.fail("more than 65535 bytes of code"));
}

/// The payload of a Code attribute (JVM specification, 4.7.3).
static void writePayload(const CodeView &Of, ByteWriter &W) {
  W.u2(Of.MaxStack);
  W.u2(Of.MaxLocals);
  W.u4(uint32_t(Of.Code.size()));
  W.bytes(Of.Code);
  W.u2(uint16_t(Of.Handlers.size()));
  for (const CodeView::Handler &H : Of.Handlers) {
    W.u2(H.Start);
    W.u2(H.End);
    W.u2(H.Target);
    W.u2(H.CatchType);
  }
  W.u2(uint16_t(Of.Attributes.size()));
  for (const Attribute &A : Of.Attributes) {
    W.u2(A.NameIndex);
    W.u4(uint32_t(A.Data.size()));
    W.bytes(A.Data);
  }
}

bool BodyParser::original() {
  const char *At = S.position();
  CodeView &To = B.Patch->Code;
  if (!To.Code.empty())
    return S.failAt(At, "second original code");
  llvm::SmallVector<uint8_t, 256> Code;
  unsigned MaxStack, MaxLocals;
  if (!S.expectWord("stack") || !S.unsignedInteger(MaxStack, 65535) ||
      !S.expectWord("slots") || !S.unsignedInteger(MaxLocals, 65535) ||
      !S.expect('{'))
    return false;
  while (!S.eat('}')) {
    if (S.eatWord("try")) {
      unsigned From, End, Target;
      uint16_t Caught = 0;
      if (!range(From, End) || !S.expect("->") || !place(Target) ||
          !S.expectWord("catch") ||
          (!S.eatWord("any") && !R.entry(Caught, tagBit(CPTag::Class))))
        return false;
      To.Handlers.push_back(
          {uint16_t(From), uint16_t(End), uint16_t(Target), Caught});
      if (To.Handlers.size() > 65535)
        return S.fail("more than 65535 rows");
    } else if (S.eatWord("attribute")) {
      Attribute A;
      if (!R.attribute(A, InCode))
        return false;
      To.Attributes.push_back(A);
      if (To.Attributes.size() > 65535)
        return S.fail("more than 65535 attributes");
    } else if (!numbered(Code)) {
      return false;
    }
  }
  if (Code.empty())
    return S.failAt(At, "code without an instruction");
  To.MaxStack = uint16_t(B.OriginalMaxStack = MaxStack);
  To.MaxLocals = uint16_t(B.OriginalMaxLocals = MaxLocals);
  To.Code = R.Class.save(Code);
  B.OriginalCodeLength = unsigned(Code.size());
  ByteWriter W;
  writePayload(To, W);
  Method &M = B.method();
  M.Attributes[unsigned(M.codeAttribute(B.pool()))].Data =
      R.Class.save(W.data());
  return true;
}

bool BodyParser::snippetBytes(Snippet &Of) {
  Of.Lowered = true;
  if (!S.expectWord("stack") || !S.unsignedInteger(Of.MaxStack, 65535) ||
      !S.expectWord("given") || !S.unsignedInteger(Of.NumGiven, 65535))
    return false;
  if (S.eatWord("temps")) {
    Of.Branches = std::make_unique<SnippetBranches>();
    if (!S.unsignedInteger(Of.Branches->NumTemps, 65535) ||
        !S.expectWord("rest") || !place(Of.Branches->Rest))
      return false;
  }
  if (!S.expect('{'))
    return false;
  llvm::SmallVector<uint8_t, 64> Code;
  while (!S.eat('}')) {
    if (Of.Branches && S.eatWord("try")) {
      SnippetBranches::Row &New = Of.Branches->Rows.emplace_back();
      if (!range(New.Start, New.End) || !S.expect("->") || !place(New.Target) ||
          !S.expectWord("behind") || !place(New.Behind))
        return false;
    } else if (Of.Branches && S.eatWord("frame")) {
      SnippetBranches::Frame &New = Of.Branches->Frames.emplace_back();
      if (!place(New.At) || !types(New.Temps) || !types(New.Stack))
        return false;
    } else if (!numbered(Code)) {
      return false;
    }
  }
  Of.Code = R.Class.save(Code);
  return true;
}

bool BodyParser::snippetIR(Snippet &Of) {
  Of.MakesArray = S.eatWord("array");
  Of.NumSlots = B.numSlots();
  Of.IR = std::make_unique<Body>(R.Class, B.method());
  Body &IR = *Of.IR;
  unsigned NumTemps = 0;
  if (S.eatWord("temps") && !S.unsignedInteger(NumTemps, 65535))
    return false;
  IR.setNumSlots(Of.NumSlots + NumTemps);
  IR.PinnedLocals = B.PinnedLocals;
  if (!isStatic(R.Class, B.method()))
    IR.setInitialLocals(IR.types().ref(R.Class.name()));
  const char *At = S.position();
  BodyParser Own(R, IR);
  Own.IsSnippet = true;
  if (!S.expect('{') || !Own.bodyItems() || !Own.resolve())
    return false;
  if (IR.blocks().empty())
    IR.createBlock();
  Block &Last = IR.blocks().back();
  if (Of.Continues && !Last.terminator())
    IR.append(IR.create(irop::Return, op::RETURN, Type::Void, {}), &Last);
  for (const Block &Blk : IR.blocks())
    for (const Instruction &I : Blk.instructions())
      Of.NumAdvices += I.op() == irop::Advice;
  return Last.terminator() || S.failAt(At, "the code does not end");
}

Snippet *BodyParser::snippet() {
  CodePatch &P = *B.Patch;
  Snippet &New = P.OwnSnippets.emplace_back();
  ++P.NumOwnSnippets;
  New.Continues = S.eatWord("continues");
  const bool Ok = S.eatWord("raw") ? snippetBytes(New) : snippetIR(New);
  return Ok ? &New : nullptr;
}

bool BodyParser::site() {
  InsertionPoint New = {};
  S.space();
  const char *At = S.position();
  const StringRef Word = S.identifier();
  const auto *Purpose = llvm::find(Purposes, Word);
  if (Purpose == std::end(Purposes))
    return S.failAt(At, "expected 'behind', 'handler', 'unit', 'call' or "
                        "'exit'");
  New.For = InsertionPoint::Purpose(Purpose - std::begin(Purposes));
  if (!place(New.BCI))
    return false;
  New.End = New.BCI;
  if (S.eat("..") && !place(New.End))
    return false;
  New.Replaces = S.eatWord("instead");
  New.BranchesSkip = S.eatWord("skipped");
  New.AttachesToPrevious = S.eatWord("attached");
  New.ReplacesCaught = S.eatWord("caught");
  unsigned Depth = InsertionPoint::Unknown;
  if (S.eatWord("depth") &&
      !S.unsignedInteger(Depth, InsertionPoint::Unknown - 1))
    return false;
  New.Depth = uint16_t(Depth);
  CodePatch &P = *B.Patch;
  if (S.eatWord("locals")) {
    New.Locals = int32_t(P.Locals.size());
    if (!types(P.Locals.emplace_back()))
      return false;
  }
  New.Code = snippet();
  P.Sites.push_back(New);
  return bool(New.Code);
}

bool BodyParser::syntheticHandler() {
  SyntheticHandler New = {};
  if (!range(New.From, New.To))
    return false;
  New.OfCall = S.eatWord("call");
  if (S.eatWord("this"))
    New.Declares = SyntheticHandler::This;
  else if (S.eatWord("uninitThis"))
    New.Declares = SyntheticHandler::UninitThis;
  llvm::SmallVector<Type, 8> Locals;
  if (S.eatWord("locals")) {
    New.Declares = SyntheticHandler::Listed;
    if (!types(Locals))
      return false;
    New.Locals = B.copy(llvm::ArrayRef<Type>(Locals));
  }
  New.Code = snippet();
  B.Patch->Handlers.push_back(New);
  return bool(New.Code);
}

bool BodyParser::detour() {
  Detour New = {};
  if (!place(New.From) || !S.expect("->") || !place(New.Target))
    return false;
  New.Code = snippet();
  B.Patch->Detours.push_back(New);
  return New.Code;
}

/// What begins with \p Word, which stands at \p At.
bool BodyParser::patchItem(StringRef Word, const char *At) {
  if (Word == "original")
    return original();
  if (Word == "front") {
    B.Patch->Entry = snippet();
    return bool(B.Patch->Entry);
  }
  if (Word == "site")
    return site();
  if (Word == "detour")
    return detour();
  if (Word == "handler")
    return syntheticHandler();
  return S.failAt(At, "expected 'original', 'everywhere', 'front', 'site', "
                      "'detour', 'handler' or '}'");
}
