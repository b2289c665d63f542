//===- SnippetTemplates.cpp - Snippets for all classes of a run -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SnippetTemplates.h"
#include "jopt/Bytecode/Decoder.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::StringRef;

/// More are made anew: there may be a list of advices for every method.
static constexpr size_t MostTemplates = 1024;

bool SnippetTemplates::fits(const AdviceCalls &Calls, ArrayRef<unsigned> List,
                            bool HasFixups) {
  return !Calls.callsBySites() && llvm::all_of(List, [&](unsigned N) {
    const Advice &A = Calls.set().Advices[N];
    return !Calls.callsStub(N) && !A.Body.OfInterface &&
           llvm::all_of(A.Data, [&](const DataUse &Use) {
             const bool IsFixup =
                 isNameOfMethod(Use.Item) ||
                 (getInfo(Use.Item).IsName && isCallKind(A.Kind)) ||
                 (Use.Item == DataItem::UnitNumber &&
                  A.Kind == AdviceKind::Unit);
             return IsFixup ? HasFixups : getInfo(Use.Item).IsShared;
           });
  });
}

void SnippetTemplates::enter(uint64_t Of) {
  if (std::exchange(Run, Of) != Of)
    Known.clear();
}

SnippetTemplates::Key SnippetTemplates::key(std::pair<uint64_t, uint64_t> Shape,
                                            ArrayRef<unsigned> List) {
  auto AsText = [](const void *At, size_t Size) {
    return StringRef(static_cast<const char *>(At), Size);
  };
  Key Of;
  Of += AsText(&Shape.first, sizeof(Shape.first));
  Of += AsText(&Shape.second, sizeof(Shape.second));
  Of += AsText(List.data(), List.size() * sizeof(unsigned));
  return Of;
}

const SnippetTemplate *SnippetTemplates::find(StringRef Key) const {
  const auto It = Known.find(Key);
  return It == Known.end() ? nullptr : &It->second;
}

void SnippetTemplates::add(StringRef Key, const Snippet &Code,
                           ArrayRef<unsigned> List, const AdviceCalls &Calls) {
  // An empty snippet has no code yet, or needs none.
  if (Known.size() >= MostTemplates || Code.Code.empty())
    return;
  SnippetTemplate T;
  T.Code.assign(Code.Code.begin(), Code.Code.end());
  T.NumGiven = Code.NumGiven;
  T.MaxStack = Code.MaxStack;
  if (Code.Fixups)
    T.Fixups = *Code.Fixups;
  auto IsFixup = [&](uint32_t At) {
    return T.Fixups &&
           llvm::any_of(T.Fixups->List, [=](const SnippetFixups::Fixup &H) {
             return H.At == At;
           });
  };
  DecodedInst D;
  uint32_t At = 0;
  for (; decodeInst(Code.Code, At, D); At = D.end()) {
    if (!D.info().PoolTags || IsFixup(At))
      continue;
    const auto *Called = llvm::find_if(
        List, [&](unsigned N) { return Calls.knownBodyMethod(N) == D.Index; });
    if (D.Op != op::INVOKESTATIC || Called == List.end())
      return;
    T.Calls.push_back({At + 1, *Called});
  }
  if (At == Code.Code.size())
    Known.try_emplace(Key, std::move(T));
}

void jopt::fillIn(Snippet &Code, ClassFile &Class, AdviceCalls &Calls,
                  llvm::function_ref<void(SnippetFixups::Name)> AskName) {
  const SnippetTemplate &From = *Code.Template;
  auto *Made = Class.allocator().Allocate<uint8_t>(From.Code.size());
  std::memcpy(Made, From.Code.data(), From.Code.size());
  // In the order in which making the code would ask the pool.
  ArrayRef<SnippetFixups::Fixup> Fixups;
  if (From.Fixups && !From.Fixups->Names.empty())
    Fixups = From.Fixups->List;
  for (const SnippetTemplate::Call &Of : From.Calls) {
    for (; !Fixups.empty() && Fixups.front().At < Of.At;
         Fixups = Fixups.drop_front())
      AskName(From.Fixups->Names[Fixups.front().Which]);
    writeU2(Made + Of.At, Calls.bodyMethod(Of.Advice));
  }
  Code.Code = {Made, From.Code.size()};
  Code.NumGiven = From.NumGiven;
  Code.MaxStack = From.MaxStack;
}
