//===- TraceExport.cpp - Traces for other tools ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/TracePrint.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// As in "p.Small.twice", for people.
static std::string nameOf(const TracedClass &C, uint32_t Method) {
  std::string Name = toDisplayUTF8(C.Declared.Name);
  std::replace(Name.begin(), Name.end(), '/', '.');
  const trace::MethodDeclaration &M = C.Declared.Methods[Method];
  return Name + "." + toDisplayUTF8(C.Declared.Strings[M.Name]);
}

static std::string nameOf(const TracedThread &T) {
  return T.Name.empty() ? "thread " + std::to_string(T.Id) : T.Name;
}

namespace {
/// Calls by the calls that they are in: a node for each stack.
class CallTree {
public:
  struct Node {
    uint32_t Above;
    std::string Name;
    uint64_t Events = 0;
  };

  /// The node of the activation of \p E.
  Node &at(const TracedEvent &E) {
    std::vector<uint32_t> &Stack = Stacks[E.Thread->Number];
    if (Stack.empty())
      Stack.push_back(child(0, {~0u, E.Thread->Number}, nameOf(*E.Thread)));
    if (E.IsEnter && Stack.size() > E.Level)
      Stack.resize(E.Level);
    // What began before the trace has no name.
    while (Stack.size() < E.Level)
      Stack.push_back(child(Stack.back(), {~0u, 0}, "[unknown]"));
    if (Stack.size() == E.Level)
      Stack.push_back(child(Stack.back(), {E.Of->Class, E.Of->MethodNumber},
                            nameOf(*E.Class, E.Of->MethodNumber)));
    Stack.resize(E.Level + 1);
    return Nodes[Stack.back()];
  }
  const std::vector<Node> &nodes() const { return Nodes; }

private:
  using Method = std::pair<uint32_t, uint32_t>;
  uint32_t child(uint32_t Above, Method M, const std::string &Name) {
    auto [I, IsNew] = Children.try_emplace({Above, M}, Nodes.size());
    if (IsNew)
      Nodes.push_back({Above, Name});
    return I->second;
  }

  std::vector<Node> Nodes{{0, ""}};
  std::map<std::pair<uint32_t, Method>, uint32_t> Children;
  std::map<uint32_t, std::vector<uint32_t>> Stacks;
};
} // namespace

Error data::exportCollapsed(const Traces &T, llvm::raw_ostream &OS,
                            LeftOut Tell) {
  CallTree Tree;
  if (Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
        ++Tree.at(E).Events;
        return true;
      }))
    return E;
  std::vector<std::string> Lines;
  for (const CallTree::Node &N : Tree.nodes()) {
    if (N.Events == 0)
      continue;
    std::string Stack = N.Name;
    for (uint32_t I = N.Above; I != 0; I = Tree.nodes()[I].Above)
      Stack = Tree.nodes()[I].Name + ";" + Stack;
    Lines.push_back(Stack + " " + std::to_string(N.Events));
  }
  llvm::sort(Lines);
  for (const std::string &L : Lines)
    OS << L << '\n';
  return Error::success();
}

Error data::exportPerfetto(const Traces &T, llvm::raw_ostream &OS,
                           LeftOut Tell) {
  // The times of activations that are open, by thread.
  struct Track {
    int64_t Id;
    uint32_t Open = 0;
    int32_t Last = 0;
  };
  std::map<uint32_t, Track> Tracks;
  llvm::json::OStream J(OS);
  auto Slice = [&](const char *Phase, int64_t Thread, int32_t Milliseconds,
                   StringRef Name) {
    J.object([&] {
      J.attribute("ph", Phase);
      J.attribute("pid", 1);
      J.attribute("tid", Thread);
      J.attribute("ts", int64_t(Milliseconds) * 1000);
      if (!Name.empty())
        J.attribute("name", Name);
    });
  };
  auto Close = [&](Track &Of, uint32_t Level, int32_t Time) {
    for (; Of.Open > Level; --Of.Open)
      Slice("E", Of.Id, Time, "");
  };
  J.objectBegin();
  J.attribute("displayTimeUnit", "ms");
  J.attributeBegin("traceEvents");
  J.arrayBegin();
  Error Failed = T.forEachEvent(Tell, [&](const TracedEvent &E) {
    auto [I, IsNew] = Tracks.try_emplace(E.Thread->Number, Track{E.Thread->Id});
    Track &Of = I->second;
    if (IsNew)
      J.object([&] {
        J.attribute("ph", "M");
        J.attribute("pid", 1);
        J.attribute("tid", Of.Id);
        J.attribute("name", "thread_name");
        J.attributeObject("args",
                          [&] { J.attribute("name", nameOf(*E.Thread)); });
      });
    Of.Last = E.Milliseconds;
    // What an exception ended has no event of its own.
    Close(Of, E.IsEnter ? E.Level - 1 : E.Level, E.Milliseconds);
    for (; Of.Open + 1 < E.Level; ++Of.Open)
      Slice("B", Of.Id, E.Milliseconds, "[unknown]");
    if (Of.Open < E.Level) {
      ++Of.Open;
      Slice("B", Of.Id, E.Milliseconds, nameOf(*E.Class, E.Of->MethodNumber));
    }
    if (E.IsReturn)
      Close(Of, E.Level - 1, E.Milliseconds);
    return true;
  });
  for (auto &[Number, Of] : Tracks)
    Close(Of, 0, Of.Last);
  J.arrayEnd();
  J.attributeEnd();
  J.objectEnd();
  OS << '\n';
  return Failed;
}
