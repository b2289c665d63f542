//===- ParserCode.cpp - Code blocks from text -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyParser.h"
#include "TextWriter.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Types and names
//===----------------------------------------------------------------------===//

bool BodyParser::join(Type &T) {
  const char *At = S.position();
  if (!S.expect('('))
    return false;
  llvm::SmallVector<Type, 8> Parts;
  do {
    std::string Name;
    if (!R.name(Name))
      return false;
    Parts.push_back(B.types().ref(Name));
  } while (S.eat(','));
  if (!S.expect(')'))
    return false;
  T = B.types().join(Parts);
  if (!T.is(Type::Join) || B.types().parts(T).size() != Parts.size())
    return S.failAt(At, "expected two different classes or more, without "
                        "java/lang/Object");
  return true;
}

bool BodyParser::type(Type &T) {
  if (S.peek() == '"') {
    std::string Name;
    if (!S.string(Name))
      return false;
    T = B.types().ref(Name);
    return true;
  }
  const char *At = S.position();
  StringRef W = S.word();
  if (W.empty())
    return S.failAt(At, "expected a type");
  if (W == "join")
    return join(T);
  if (W == "uninit") {
    unsigned N;
    if (!S.expect('(') || !S.unsignedInteger(N, INT32_MAX) || !S.expect(')'))
      return false;
    auto [It, New] = Sites.try_emplace(N, B.NewSites.size());
    if (New)
      B.NewSites.push_back(nullptr);
    T = Type(Type::Uninit, It->second);
    return true;
  }
  std::optional<Type::Kind> K = llvm::StringSwitch<std::optional<Type::Kind>>(W)
                                    .Case("top", Type::Top)
                                    .Case("int", Type::Int)
                                    .Case("float", Type::Float)
                                    .Case("long", Type::Long)
                                    .Case("double", Type::Double)
                                    .Case("null", Type::Null)
                                    .Case("uninitThis", Type::UninitThis)
                                    .Case("void", Type::Void)
                                    .Case("high", Type::High)
                                    .Default(std::nullopt);
  T = K ? Type(*K) : B.types().ref(W);
  return true;
}

bool BodyParser::slots(llvm::SmallVectorImpl<Type> &Slots) {
  if (!S.expect('['))
    return false;
  while (!S.eat(']')) {
    Type T;
    if ((!Slots.empty() && !S.expect(',')) || !type(T))
      return false;
    Slots.push_back(T);
    if (T.isCategory2() && !S.eatWord("nohigh"))
      Slots.push_back(Type::High);
    if (Slots.size() > 65535)
      return S.fail("more than 65535 slots");
  }
  return true;
}

bool BodyParser::valueName(StringRef &Name) {
  if (!S.expect('%'))
    return false;
  const char *At = S.position();
  Name = S.identifier();
  // Directly behind the sign.
  if (Name.empty() || Name.data() != At)
    return S.failAt(At, "expected the name of a value");
  return true;
}

bool BodyParser::valueList(llvm::SmallVectorImpl<StringRef> &Names) {
  if (!S.expect('('))
    return false;
  while (!S.eat(')')) {
    if (!Names.empty() && !S.expect(','))
      return false;
    StringRef Name;
    if (!valueName(Name))
      return false;
    if (Names.size() == 65535)
      return S.fail("more than 65535 values");
    Names.push_back(Name);
  }
  return true;
}

bool BodyParser::blockName(StringRef &Name) {
  Name = S.identifier();
  return !Name.empty() || S.fail("expected the name of a block");
}

bool BodyParser::define(StringRef Name, Value *V, const char *At) {
  if (Values.try_emplace(Name, V).second)
    return true;
  return S.failAt(At, "second definition of %" + Name);
}

//===----------------------------------------------------------------------===//
// The parts of a body
//===----------------------------------------------------------------------===//

bool BodyParser::header() {
  unsigned N;
  if (!S.expectWord("slots") || !S.unsignedInteger(N, 65535))
    return false;
  B.setNumSlots(N);
  bool HasEntry = false;
  while (!S.eat('{')) {
    if (S.eatWord("patched")) {
      if (!patchHead())
        return false;
    } else if (S.eatWord("anchors")) {
      B.HasAnchors = true;
    } else if (S.eatWord("inferred")) {
      B.Inferred = true;
    } else if (S.eatWord("inlined")) {
      B.Inlined = true;
    } else if (S.eatWord("original")) {
      if (!S.expect('(') || !S.unsignedInteger(B.OriginalMaxStack, 65535) ||
          !S.expect(',') || !S.unsignedInteger(B.OriginalMaxLocals, 65535) ||
          !S.expect(',') ||
          !S.unsignedInteger(B.OriginalCodeLength, UINT32_MAX) ||
          !S.expect(')'))
        return false;
    } else if (S.eatWord("entry")) {
      llvm::SmallVector<Type, 16> Slots;
      if (!slots(Slots))
        return false;
      B.setInitialLocals(Slots);
      HasEntry = true;
    } else {
      return S.fail("expected '{'");
    }
  }
  if (!HasEntry) {
    llvm::SmallVector<Type, 16> Slots;
    initialLocals(B, Slots);
    B.setInitialLocals(Slots);
  }
  return true;
}

bool BodyParser::tryEntry() {
  S.space();
  const char *At = S.position();
  StringRef Name, Handler;
  if (!blockName(Name) || !S.expect("->") || !blockName(Handler) ||
      !S.expectWord("catch"))
    return false;
  uint16_t Caught = 0;
  if (!S.eatWord("any") && !R.entry(Caught, tagBit(CPTag::Class)))
    return false;
  TryEntry *E = B.addTry(nullptr, Caught);
  if (!Tries.try_emplace(Name, E).second)
    return S.failAt(At, "second definition of " + Name);
  BlockFixups.push_back({&E->Handler, Handler});
  return true;
}

bool BodyParser::everywhere() {
  Body::PinnedLocal Slot;
  if (!S.unsignedInteger(Slot.Slot, 65535) || !S.expect(':') || !type(Slot.Ty))
    return false;
  if (S.sameLine()) {
    llvm::StringRef Purpose = S.identifier();
    if (Purpose.empty())
      return S.fail("expected what the slot is for");
    auto Saved = B.copy<char>({Purpose.begin(), Purpose.end()});
    Slot.Purpose = {Saved.data(), Saved.size()};
    if (S.sameLine() && (!S.expect('#') ||
                         !S.unsignedInteger(Slot.Number.emplace(), INT32_MAX)))
      return false;
  }
  B.PinnedLocals.push_back(Slot);
  return true;
}

bool BodyParser::attribute() {
  Attribute A;
  if (!R.attribute(A, InCode))
    return false;
  if (B.Attributes.size() == 65535)
    return S.fail("more than 65535 attributes");
  B.Attributes.push_back(A);
  return true;
}

bool BodyParser::parameters(llvm::SmallVectorImpl<ParameterDraft> &Drafts) {
  while (!S.eat(')')) {
    ParameterDraft P;
    if ((!Drafts.empty() && !S.expect(',')) || !valueName(P.Name) ||
        !S.expect(':') || !type(P.Ty))
      return false;
    P.Keep = S.eatWord("keep");
    P.Popped = S.eatWord("popped");
    Drafts.push_back(P);
  }
  return true;
}

bool BodyParser::setParameters(Block *Blk,
                               llvm::ArrayRef<ParameterDraft> Drafts,
                               bool Handler) {
  llvm::SmallVector<Type, 8> Types;
  for (const ParameterDraft &P : Drafts)
    Types.push_back(P.Ty);
  if (Handler)
    B.setHandler(Blk, Types.empty() ? Type() : Types[0]);
  // A handler with another number of parameters is for the verifier to refuse.
  if (!Handler || Types.size() != 1)
    B.setParameters(Blk, Types);
  for (size_t I = 0; I < Drafts.size(); ++I) {
    Parameter *P = Blk->parameters()[I];
    P->setKeep(Drafts[I].Keep);
    P->setPopped(Drafts[I].Popped);
    if (!define(Drafts[I].Name, P, Drafts[I].Name.data()))
      return false;
  }
  return true;
}

bool BodyParser::throwList(Block *Blk) {
  llvm::SmallVector<TryEntry *, 8> List;
  do {
    StringRef Name;
    if (!blockName(Name))
      return false;
    TryEntry *E = Tries.lookup(Name);
    if (!E)
      return S.failAt(Name.data(), "no try is named " + Name);
    if (!List.empty() && List.back()->Priority >= E->Priority)
      return S.failAt(Name.data(), Name + " must stand before the tries of "
                                          "lower priority, and once");
    List.push_back(E);
  } while (S.eat(','));
  // Blocks that have the same tries share the set, as the lifter does it.
  const ThrowEdge *Edge = nullptr;
  for (TryEntry *E : List) {
    const ThrowEdge *&Known = Edges[{E, Edge}];
    if (!Known)
      Known = B.withTry(Edge, E);
    Edge = Known;
  }
  Blk->setThrowEdges(Edge);
  return true;
}

/// True if what follows the first word of a line makes it a block.
static bool looksLikeLabel(Scanner &S) {
  if (S.peekHere() == '(')
    return true;
  char C = S.peek();
  if (C == ':' || C == '@')
    return true;
  StringRef W = S.peekWord();
  return W == "handler" || W == "frame" || W == "throws";
}

bool BodyParser::label(StringRef Name, const char *At) {
  if (!looksLikeLabel(S))
    return S.failAt(At, "'" + Name + "' is no instruction");
  Block *Blk = B.createBlock();
  Current = Blk;
  S.note(Blk, At);
  if (!Blocks.try_emplace(Name, Blk).second)
    return S.failAt(At, "second definition of " + Name);
  llvm::SmallVector<ParameterDraft, 8> Drafts;
  if (S.eat('(') && !parameters(Drafts))
    return false;
  if (S.eat('@')) {
    unsigned N;
    if (!S.unsignedInteger(N, INT32_MAX))
      return false;
    Blk->setBCI(int32_t(N));
  }
  if (!setParameters(Blk, Drafts, S.eatWord("handler")))
    return false;
  if (S.eatWord("frame")) {
    llvm::SmallVector<Type, 16> Slots;
    if (!slots(Slots))
      return false;
    B.setFrame(Blk, Slots);
  }
  if (S.eatWord("throws") && !throwList(Blk))
    return false;
  return S.expect(':');
}

/// There is a block for the instruction at \p At. The head of the first block
/// of a snippet may be missing.
bool BodyParser::begin(const char *At) {
  if (!Current && IsSnippet)
    Current = B.createBlock();
  return Current || S.failAt(At, "instruction before the first block");
}

bool BodyParser::bodyItems() {
  while (!S.eat('}')) {
    if (!B.Patch && S.peek() == '%') {
      D.clear();
      D.Start = S.position();
      if (!result(D))
        return false;
      S.space();
      const char *At = S.position();
      StringRef Word = S.identifier();
      if (!instruction(D, Word))
        return S.failed() ? false : S.failAt(At, "expected an instruction");
      continue;
    }
    S.space();
    const char *At = S.position();
    StringRef Word = S.identifier();
    if (Word.empty())
      return S.fail("expected an instruction, a block or '}'");
    if (B.Patch && Word != "everywhere") {
      if (!patchItem(Word, At))
        return false;
    } else if (Word == "try") {
      if (!tryEntry())
        return false;
    } else if (Word == "everywhere") {
      if (!everywhere())
        return false;
    } else if (Word == "attribute") {
      if (!attribute())
        return false;
    } else {
      D.clear();
      D.Start = At;
      if (instruction(D, Word))
        continue;
      if (S.failed() || !label(Word, At))
        return false;
    }
  }
  return true;
}

bool BodyParser::resolve() {
  for (auto &F : ValueFixups) {
    *F.Where = lookup(F.Name);
    if (!*F.Where)
      return S.failAt(F.Name.data(), "%" + F.Name + " is not defined");
  }
  for (auto &F : BlockFixups) {
    *F.Where = Blocks.lookup(F.Name);
    if (!*F.Where)
      return S.failAt(F.Name.data(), "no block is named " + F.Name);
  }
  return true;
}

bool BodyParser::parse() {
  S.space();
  const char *At = S.position();
  if (!header() || !bodyItems() || !resolve())
    return false;
  if (B.Patch ? B.Patch->Code.Code.empty() : B.blocks().empty())
    return S.failAt(At, B.Patch ? "there is no original code"
                                : "code without a block");
  return true;
}
