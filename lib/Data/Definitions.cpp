//===- Definitions.cpp - What a run refers to by number -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Definitions.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

namespace {
enum DefinitionEvent : uint8_t {
  StringEvent = 1,
  FrameEvent,
  StackEvent,
  TableEvent,
  ColumnEvent,
  NoteEvent,
  FirstOfOthers = 16 ///< from there on, of traces and coverage
};
} // namespace

/// The text that \p C ends with.
static std::string rest(ByteCursor &C) {
  return toDisplayUTF8(toStringRef(C.bytes(C.remaining())));
}

bool Definitions::add(const EventView &E) {
  ByteCursor C(E.Payload);
  switch (E.Kind) {
  case StringEvent: {
    const uint32_t Id = C.u4();
    Strings[Id] = rest(C);
    break;
  }
  case FrameEvent: {
    const uint32_t Id = C.u4();
    Frame &F = Frames[Id];
    F.Class = C.u4();
    F.Method = C.u4();
    F.File = C.u4();
    F.Line = int32_t(C.u4());
    break;
  }
  case StackEvent: {
    std::vector<uint32_t> &Stack = Stacks[C.u4()];
    Stack.clear();
    while (C.remaining() >= 4)
      Stack.push_back(C.u4());
    break;
  }
  case TableEvent:
    return addTable(C);
  case ColumnEvent:
    return addColumn(E.Argument, C);
  case NoteEvent:
    Notes.push_back(rest(C));
    break;
  default:
    return E.Kind >= FirstOfOthers;
  }
  return !C.failed();
}

bool Definitions::addTable(ByteCursor &C) {
  const uint32_t Id = C.u4();
  TableDefinition T;
  T.Mask = C.u8();
  T.Parent = C.u4();
  T.MinimumMs = C.u4();
  T.Holder = toDisplayUTF8(toStringRef(C.bytes(C.u4())));
  T.Title = rest(C);
  if (C.failed())
    return false;
  // Said again, it has its columns.
  T.Columns = std::move(Tables[Id].Columns);
  Tables[Id] = std::move(T);
  return true;
}

bool Definitions::addColumn(uint8_t Type, ByteCursor &C) {
  const uint32_t Table = C.u4(), Index = C.u4(), Other = C.u4();
  if (C.failed() || Index >= 250 || !StringRef("IJSCR").contains(char(Type)))
    return false;
  std::vector<ColumnDefinition> &Columns = Tables[Table].Columns;
  if (Columns.size() <= Index)
    Columns.resize(Index + 1);
  Columns[Index] = {rest(C), ColumnType(Type), Other};
  return true;
}

bool Definitions::add(Bytes Events) {
  bool Fine = true;
  if (!forEachEvent(Events, [&](const EventView &E) { Fine &= add(E); }))
    return false;
  return Fine;
}

Error Definitions::read(const Run &R, LeftOut Tell) {
  return R.forEachChunk(
      ChunkKind::Definitions, Tell, [&](const ChunkView &V) -> Error {
        if (!add(V.Events))
          Tell(R.folder() + ": definitions in chunk " +
               llvm::Twine(V.Sequence) + " are damaged, or of another release");
        return Error::success();
      });
}

StringRef Definitions::string(uint32_t Id) const {
  auto I = Strings.find(Id);
  return I == Strings.end() ? StringRef() : StringRef(I->second);
}

std::string Definitions::stack(uint32_t Id) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  auto I = Stacks.find(Id);
  if (I == Stacks.end())
    return Text;
  for (uint32_t Number : I->second) {
    auto F = Frames.find(Number);
    if (F == Frames.end())
      continue;
    OS << (Text.empty() ? "" : "\n") << string(F->second.Class) << '.'
       << string(F->second.Method) << '(';
    StringRef File = string(F->second.File);
    if (F->second.Line == -2)
      OS << "Native Method";
    else if (File.empty())
      OS << "Unknown Source";
    else
      OS << File;
    if (F->second.Line >= 0)
      OS << ':' << F->second.Line;
    OS << ')';
  }
  return Text;
}
