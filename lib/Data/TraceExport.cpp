//===- TraceExport.cpp - Traces for other tools ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "jopt/Data/TraceCalls.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// \p Name as a frame of a stack in a line.
static std::string frame(std::string Name) {
  for (char &C : Name)
    if (C == ';' || uint8_t(C) < 0x20)
      C = C == ';' ? ',' : ' ';
  return Name;
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
    Thread &Of = Threads[E.Thread->Number];
    if (Of.Node == 0)
      Of.Node =
          child(0, {~0u, E.Thread->Number}, frame(displayName(*E.Thread)));
    Of.Stack.cut(E.Level);
    if (E.IsEnter && Of.Stack.has(E.Level))
      Of.Stack.pop();
    if (!Of.Stack.has(E.Level)) {
      uint32_t Above = Of.Node;
      if (Of.Stack.has(E.Level - 1))
        Above = Of.Stack.at(E.Level - 1);
      else if (Of.Stack.hasUnknown())
        Above = child(Above, {~0u, 0}, CallSpans::Unknown.str());
      Of.Stack.push(child(Above, {E.Of->Class, E.Of->MethodNumber},
                          displayName(*E.Class, E.Of->MethodNumber)));
    }
    return Nodes[Of.Stack.at(E.Level)];
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
  struct Thread {
    uint32_t Node = 0;
    LevelStack<uint32_t> Stack; ///< nodes
  };
  std::map<uint32_t, Thread> Threads;
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
  llvm::json::OStream J(OS);
  auto Slice = [&](const char *Phase, const TracedThread &Thread,
                   int32_t Milliseconds, StringRef Name) {
    J.object([&] {
      J.attribute("ph", Phase);
      J.attribute("pid", 1);
      J.attribute("tid", Thread.Id);
      J.attribute("ts", int64_t(Milliseconds) * 1000);
      if (!Name.empty()) {
        J.attribute("name", Name);
        J.attribute("cat", "call");
      }
    });
  };
  struct Slices : CallSpans {
    decltype(Slice) &Write;
    llvm::json::OStream &J;
    Slices(decltype(Slice) &Write, llvm::json::OStream &J)
        : Write(Write), J(J) {}
    void thread(const TracedThread &Of) override {
      J.object([&] {
        J.attribute("ph", "M");
        J.attribute("pid", 1);
        J.attribute("tid", Of.Id);
        J.attribute("name", "thread_name");
        J.attributeObject("args",
                          [&] { J.attribute("name", displayName(Of)); });
      });
    }
    void begin(const TracedThread &Of, int32_t Time, StringRef Name) override {
      Write("B", Of, Time, Name);
    }
    void end(const TracedThread &Of, int32_t Time) override {
      Write("E", Of, Time, "");
    }
  } Out(Slice, J);
  J.objectBegin();
  J.attribute("displayTimeUnit", "ms");
  J.attributeBegin("traceEvents");
  J.arrayBegin();
  Error Failed = Out.run(T, Tell);
  J.arrayEnd();
  J.attributeEnd();
  J.objectEnd();
  OS << '\n';
  return Failed;
}
