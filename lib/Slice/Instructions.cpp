//===- Instructions.cpp - What instructions depend on ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most of it follows from the column Effect of Opcodes.td. A long or double is
/// two slots with the same value.
///
//===----------------------------------------------------------------------===//

#include "ThreadSlicer.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::slice;
using data::TracedEvent;
using llvm::StringRef;

NodeId ThreadSlicer::add(SliceFrame &F, const DecodedInst &I,
                         llvm::ArrayRef<NodeId> On) {
  llvm::SmallVector<NodeId, 8> All(On.begin(), On.end());
  All.push_back(F.control());
  return F.LastNode = W.Nodes.add(F.Method->site(I.BCI), All);
}

/// What nothing is known of.
SliceValue ThreadSlicer::unknown(SliceFrame &F) {
  const SiteId Site = F.Method->site(F.Last ? F.Last->BCI : 0);
  const NodeId N = W.Nodes.add(0, {});
  W.Nodes.doubt(N, {Doubt::Unknown, Site});
  return {N, 0};
}

SliceValue ThreadSlicer::pop(SliceFrame &F, unsigned Slots) {
  if (F.Stack.size() < Slots) {
    F.Stack.clear();
    return unknown(F);
  }
  const SliceValue V = Slots ? F.Stack.back() : SliceValue();
  F.Stack.resize(F.Stack.size() - Slots);
  return V;
}

/// How many slots \p Letter of an effect takes.
unsigned ThreadSlicer::slots(const SliceFrame &F, const DecodedInst &I,
                             char Letter) const {
  const ConstantPool &Pool = F.Method->Class->File->Pool;
  switch (Letter) {
  case 'J':
  case 'D':
  case 'w':
    return 2;
  case 'v':
    return slotsOf(Pool.member(I.Index).Descriptor);
  case 'n':
    return unsigned(I.Value);
  default:
    return 1;
  }
}

void ThreadSlicer::step(SliceFrame &F, const DecodedInst &I,
                        const TracedEvent *E) {
  F.LastNode = 0;
  switch (I.info().Cat) {
  case op::CatStack:
    move(F, I);
    break;
  case op::CatLocal:
    local(F, I);
    break;
  case op::CatField:
    fieldAccess(F, I, E);
    break;
  case op::CatInvoke:
    call(F, I);
    break;
  case op::CatControl:
    control(F, I);
    break;
  case op::CatArray:
    if (I.Op != op::ARRAYLENGTH) {
      arrayAccess(F, I, E);
      break;
    }
    [[fallthrough]];
  default:
    plain(F, I);
  }
  F.Last = I;
}

/// Loads, stores and iinc.
void ThreadSlicer::local(SliceFrame &F, const DecodedInst &I) {
  const unsigned Last = I.Index + 1; // a store may write the slot behind
  if (F.Locals.size() <= Last)
    F.Locals.resize(Last + 1);
  SliceValue &Slot = F.Locals[I.Index];
  const StringRef In = I.info().operands(), Out = I.info().results();
  if (!Out.empty()) {
    push(F, {add(F, I, Slot.Node), Slot.Object}, slots(F, I, Out[0]));
    return;
  }
  if (In.empty()) { // iinc
    Slot = {add(F, I, Slot.Node), 0};
    return;
  }
  const unsigned Slots = slots(F, I, In[0]);
  const SliceValue V = pop(F, Slots);
  const SliceValue Stored = {add(F, I, V.Node), V.Object};
  for (unsigned S = 0; S < Slots; ++S)
    F.Locals[I.Index + S] = Stored;
}

/// dup, swap and pop: digits of the effect are slots, 1 the top.
void ThreadSlicer::move(SliceFrame &F, const DecodedInst &I) {
  const StringRef In = I.info().operands(), Out = I.info().results();
  llvm::SmallVector<SliceValue, 4> Taken; // the top first
  for (size_t N = 0; N < In.size(); ++N)
    Taken.push_back(pop(F));
  for (char Digit : Out)
    F.Stack.push_back(Taken[size_t(Digit - '1')]);
}

/// The class of what \p I makes: of the array, if it makes one.
static StringRef madeClass(const ConstantPool &Pool, const DecodedInst &I) {
  switch (I.Op) {
  case op::NEW:
  case op::MULTIANEWARRAY:
    return Pool.className(I.Index);
  case op::NEWARRAY:
  case op::ANEWARRAY:
    return "["; // whose elements are no arrays that it makes
  default:
    return {};
  }
}

/// What takes values from the stack and puts one that depends on them.
void ThreadSlicer::plain(SliceFrame &F, const DecodedInst &I) {
  llvm::SmallVector<NodeId, 4> On;
  ObjectId Object = 0;
  for (char Letter : llvm::reverse(I.info().operands())) {
    if (Letter == 'n') {
      for (int32_t N = 0; N < I.Value; ++N)
        On.push_back(pop(F).Node);
      continue;
    }
    const SliceValue V = pop(F, slots(F, I, Letter));
    On.push_back(V.Node);
    Object = V.Object;
  }
  const NodeId N = add(F, I, On);
  const StringRef Made = madeClass(F.Method->Class->File->Pool, I);
  if (!Made.empty())
    Object = W.Objects.create(N, true, Made);
  else if (I.Op != op::CHECKCAST)
    Object = 0;
  F.News += I.Op == op::NEW;
  if (const StringRef Out = I.info().results(); !Out.empty())
    push(F, {N, Object}, slots(F, I, Out[0]));
}

/// Branches, switches, subroutines, athrow and returns.
void ThreadSlicer::control(SliceFrame &F, const DecodedInst &I) {
  const StringRef In = I.info().operands();
  llvm::SmallVector<NodeId, 2> On;
  SliceValue V;
  for (char Letter : llvm::reverse(In)) {
    V = pop(F, slots(F, I, Letter));
    On.push_back(V.Node);
  }
  if (I.Op == op::GOTO || I.Op == op::GOTO_W || I.Op == op::RET)
    return;
  const NodeId N = add(F, I, On);
  if (I.info().Canonical == op::JSR)
    return push(F, {N, 0});
  if (I.Op == op::ATHROW) {
    F.Thrown = {N, V.Object};
    return;
  }
  if (!I.info().Branches) { // a return
    F.Stack.assign(1, {N, V.Object});
    return;
  }
  const uint32_t End = F.Method->skipNops(F.Method->regions().endOf(I.BCI));
  // A loop that goes round does not go deeper.
  if (!F.Control.empty() && F.Control.back().End == End)
    F.Control.pop_back();
  F.Control.push_back({N, End});
}

void ThreadSlicer::identify(SliceValue &V, int32_t Hash, SiteId Site,
                            std::vector<Doubt> &Doubts) {
  V.Object =
      W.Objects.identify(V.Object, Hash, [&](Doubt::KindTy Kind, NodeId Birth) {
        Doubts.push_back({Kind, Site, Birth ? W.Nodes.site(Birth) : 0});
      });
}

/// The execution of \p I, which reads what \p Defs wrote and depends on \p On.
SliceValue ThreadSlicer::read(SliceFrame &F, const DecodedInst &I,
                              llvm::ArrayRef<Definition> Defs,
                              std::vector<NodeId> On,
                              std::vector<Doubt> &Doubts) {
  SliceValue V;
  const SiteId Site = F.Method->site(I.BCI);
  for (const Definition &Def : Defs) {
    On.push_back(Def.Value.Node);
    V.Object = Defs.size() == 1 ? Def.Value.Object : 0;
    if (Def.Thread != Thread)
      Doubts.push_back(
          {Doubt::OtherThread, Site, W.Nodes.site(Def.Value.Node)});
  }
  V.Node = add(F, I, On);
  for (const Doubt &D : Doubts)
    W.Nodes.doubt(V.Node, D);
  return V;
}

void ThreadSlicer::fieldAccess(SliceFrame &F, const DecodedInst &I,
                               const TracedEvent *E) {
  const MemberRef Member = F.Method->Class->File->Pool.member(I.Index);
  const uint32_t Field = W.Classes.field(*F.Method->Class, I.Index);
  const unsigned Slots = slotsOf(Member.Descriptor);
  const bool IsStatic = I.Op == op::GETSTATIC || I.Op == op::PUTSTATIC;
  const SiteId Site = F.Method->site(I.BCI);
  std::vector<Doubt> Doubts;
  SliceValue V, Owner;
  const bool IsPut = I.info().results().empty();
  if (IsPut)
    V = pop(F, Slots);
  if (!IsStatic)
    Owner = pop(F);
  if (E && E->HasObject)
    identify(Owner, E->Object, Site, Doubts);
  if (IsPut) {
    if (E && E->HasValue)
      identify(V, E->Value, Site, Doubts);
    const Definition Def = {{add(F, I, {V.Node, Owner.Node}), V.Object},
                            Thread};
    for (const Doubt &D : Doubts)
      W.Nodes.doubt(Def.Value.Node, D);
    if (IsStatic)
      W.Objects.putStatic(Field, Def);
    else
      W.Objects.putField(Owner.Object, Field, Def);
    return;
  }
  llvm::SmallVector<Definition, 1> Defs;
  if (!IsStatic)
    Defs = W.Objects.field(Owner.Object, Field);
  else if (auto Def = W.Objects.getStatic(Field))
    Defs.push_back(*Def);
  std::vector<NodeId> On = {Owner.Node};
  // A field that was never written, of an object that was made here, is 0 or
  // null.
  if (Defs.empty()) {
    const bool IsKnown = !IsStatic && W.Objects.isExact(Owner.Object) &&
                         W.Classes.isTracedField(Field);
    if (IsKnown)
      On.push_back(W.Objects.birth(Owner.Object));
    else
      Doubts.push_back({Doubt::Unknown, Site});
  }
  if (!IsStatic && !W.Classes.isTracedField(Field))
    On.push_back(W.Objects.opaque(Owner.Object));
  push(F, read(F, I, Defs, std::move(On), Doubts), Slots);
}

void ThreadSlicer::arrayAccess(SliceFrame &F, const DecodedInst &I,
                               const TracedEvent *E) {
  const StringRef In = I.info().operands(), Out = I.info().results();
  const SiteId Site = F.Method->site(I.BCI);
  std::vector<Doubt> Doubts;
  SliceValue V;
  const bool IsStore = Out.empty();
  if (IsStore)
    V = pop(F, slots(F, I, In.back()));
  const SliceValue Index = pop(F);
  SliceValue Array = pop(F);
  if (E && E->HasObject)
    identify(Array, E->Object, Site, Doubts);
  // What throws reads and writes nothing.
  const bool IsInside =
      E && E->Object && E->Index >= 0 && uint32_t(E->Index) < E->Length;
  if (IsStore) {
    if (E && E->HasValue)
      identify(V, E->Value, Site, Doubts);
    const NodeId N = add(F, I, {V.Node, Index.Node, Array.Node});
    for (const Doubt &D : Doubts)
      W.Nodes.doubt(N, D);
    if (IsInside)
      W.Objects.putElement(Array.Object, uint32_t(E->Index),
                           {{N, V.Object}, Thread});
    return;
  }
  llvm::SmallVector<Definition, 1> Defs;
  std::vector<NodeId> On = {Index.Node, Array.Node,
                            W.Objects.opaque(Array.Object)};
  if (IsInside) {
    Defs = W.Objects.element(Array.Object, uint32_t(E->Index));
    const NodeId Birth = W.Objects.isExact(Array.Object)
                             ? W.Objects.birth(Array.Object)
                             : NodeId(0);
    const StringRef Class = W.Objects.className(Array.Object);
    if (Defs.empty() && Birth && Class.starts_with("[[")) {
      // The array was made with it.
      const ObjectId Inner = W.Objects.create(Birth, true, Class.drop_front());
      Defs.push_back({{Birth, Inner}, Thread});
      W.Objects.putElement(Array.Object, uint32_t(E->Index), Defs.front());
    } else if (Defs.empty() && Birth) {
      On.push_back(Birth);
    } else if (Defs.empty() && !W.Objects.opaque(Array.Object)) {
      Doubts.push_back({Doubt::Unknown, Site});
    }
  } else if (!E) {
    On.push_back(W.Objects.elements(Array.Object));
  }
  SliceValue Loaded = read(F, I, Defs, std::move(On), Doubts);
  std::vector<Doubt> OfElement;
  if (E && E->HasValue)
    identify(Loaded, E->Value, Site, OfElement);
  for (const Doubt &D : OfElement)
    W.Nodes.doubt(Loaded.Node, D);
  push(F, Loaded, slots(F, I, Out[0]));
}
