//===- Heap.cpp - Objects as a trace tells them apart ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"

using namespace jopt::slice;

ObjectId Heap::create(NodeId Birth, bool Exact, llvm::StringRef Class) {
  Object O;
  O.Birth = Birth;
  O.Exact = Exact;
  O.Class = Class;
  Objects.push_back(O);
  return ObjectId(Objects.size() - 1);
}

ObjectId Heap::identify(ObjectId Given, int32_t Hash,
                        llvm::function_ref<void(Doubt::KindTy, NodeId)> Tell) {
  if (Hash == 0)
    return Given;
  ObjectId O = Given ? find(Given) : create(0, false, {});
  if (Objects[O].Hash && Objects[O].Hash != Hash)
    O = create(0, false, {}); // it was taken for another one
  llvm::SmallVector<ObjectId, 1> &Known = ByHash[Hash];
  if (Objects[O].Hash == Hash) {
    if (auto C = Candidates.find(O); C != Candidates.end())
      for (ObjectId Other : C->second)
        Tell(Doubt::SameHash, Objects[Other].Birth);
    return O;
  }
  if (Objects[O].Exact || Known.empty()) {
    Objects[O].Hash = Hash;
    Known.push_back(O);
    return O;
  }
  if (Known.size() > 1) {
    Objects[O].Hash = Hash;
    Candidates[O] = {Known.begin(), Known.end()};
    for (ObjectId Other : Known)
      Tell(Doubt::SameHash, Objects[Other].Birth);
    return O;
  }
  const ObjectId Other = Known.front();
  Tell(Doubt::TakenByHash, Objects[Other].Birth);
  if (Objects[O].Opaque)
    setOpaque(Other, Objects[O].Opaque);
  Objects[O].Same = Other;
  return Other;
}

llvm::ArrayRef<ObjectId> Heap::mayBe(const ObjectId &O) const {
  auto C = Candidates.find(O);
  return C == Candidates.end() ? llvm::ArrayRef(O) : llvm::ArrayRef(C->second);
}

void Heap::put(Contents &To, ObjectId O, uint32_t Key, Definition Def) {
  if (O == 0)
    return;
  O = find(O);
  const llvm::ArrayRef<ObjectId> All = mayBe(O);
  for (ObjectId Each : All) {
    Definition &Old = To[{Each, Key}];
    Definition New = Def;
    // The old definition may still hold: which object was written is unknown.
    if (All.size() > 1)
      New.Value.Node = D.add(0, {Def.Value.Node, Old.Value.Node});
    Old = New;
  }
}

void Heap::putElement(ObjectId O, uint32_t Index, Definition Def) {
  put(Elements, O, Index, Def);
  if (O == 0)
    return;
  O = find(O);
  for (ObjectId Each : mayBe(O))
    Objects[Each].Elements = D.add(0, {Objects[Each].Elements, Def.Value.Node});
}

llvm::SmallVector<Definition, 1> Heap::get(const Contents &From, ObjectId O,
                                           uint32_t Key) const {
  llvm::SmallVector<Definition, 1> Found;
  if (O == 0)
    return Found;
  O = find(O);
  for (ObjectId Each : mayBe(O))
    if (auto It = From.find({Each, Key}); It != From.end())
      Found.push_back(It->second);
  return Found;
}

std::optional<Definition> Heap::getStatic(uint32_t Field) const {
  auto It = Fields.find({0, Field});
  if (It == Fields.end())
    return std::nullopt;
  return It->second;
}

void Heap::setOpaque(ObjectId O, NodeId N) {
  if (O == 0)
    return;
  O = find(O);
  for (ObjectId Each : mayBe(O)) {
    NodeId &Old = Objects[Each].Opaque;
    Old = D.add(0, {Old, N});
  }
}
