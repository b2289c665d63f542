//===- TraceCalls.cpp - Who called whom -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/TraceCalls.h"
#include "jopt/Data/TraceFilter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// The last event of \p F is the call of \p Method of \p Callee, or of one that
/// it overrides.
static bool isCallOf(const TracedFrame &F, const TracedClass &Callee,
                     uint32_t Method) {
  const trace::Event &E = F.Class->event(F.Number);
  const trace::ClassDeclarations &D = F.Class->Declared;
  const trace::Kind &K = D.Kinds[E.Kind];
  if (K.Type != "$invoke$" || K.Operands != "sss")
    return false;
  const trace::Operand *O = &D.Methods[F.method()].Operands[E.FirstOperand];
  const trace::MethodDeclaration &M = Callee.Declared.Methods[Method];
  const std::string &Name = Callee.Declared.Strings[M.Name];
  // Nothing overrides a constructor: another is that of a class above.
  return D.Strings[O[1].String] == Name &&
         D.Strings[O[2].String] == Callee.Declared.Strings[M.Descriptor] &&
         (Name != "<init>" || D.Strings[O[0].String] == Callee.Declared.Name);
}

namespace {
using Method = std::pair<uint32_t, uint32_t>; ///< class, place in it

class CallGraph {
public:
  struct Node {
    std::string Name;
    uint64_t Calls = 0, Events = 0;
    uint64_t Roots = 0; ///< calls by nothing that was traced
    size_t Place = 0;   ///< among all, by their names
  };
  struct Edge {
    uint64_t Calls = 0;
    uint64_t Through = 0; ///< of these, not by the caller's own instruction
  };

  static llvm::Expected<CallGraph> make(const Traces &T, LeftOut Tell) {
    CallGraph G;
    std::vector<bool> HasCalls;
    for (const TracedClass &C : T.classes()) {
      G.Nodes.emplace_back(C.Declared.Methods.size());
      HasCalls.push_back(
          llvm::any_of(C.Declared.Kinds, [](const trace::Kind &K) {
            return K.Type == "$invoke$";
          }));
    }
    if (Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
          G.add(E, HasCalls);
          return true;
        }))
      return E;
    G.sort(T);
    return G;
  }

  /// By their names.
  std::vector<Node *> Sorted;
  std::map<std::pair<size_t, size_t>, Edge> Edges; ///< by places in Sorted

private:
  void add(const TracedEvent &E, const std::vector<bool> &HasCalls) {
    if (E.Thread != Thread) {
      Thread = E.Thread;
      Stack = &Stacks[E.Thread->Number];
    }
    Node &N = Nodes[E.Of->Class][E.Of->MethodNumber];
    ++N.Events;
    if (E.IsEnter) {
      ++N.Calls;
      if (Stack->has(E.Level - 1)) {
        const TracedFrame &By = Stack->at(E.Level - 1);
        Edge &To = ByMethod[{{By.ClassIndex, By.method()},
                             {E.Of->Class, E.Of->MethodNumber}}];
        ++To.Calls;
        To.Through += HasCalls[By.ClassIndex] &&
                      !isCallOf(By, *E.Class, E.Of->MethodNumber);
      } else {
        ++N.Roots;
      }
    }
    Stack->add(E);
  }

  void sort(const Traces &T) {
    for (size_t I = 0; I < Nodes.size(); ++I)
      for (uint32_t M = 0; M < Nodes[I].size(); ++M) {
        Node &N = Nodes[I][M];
        if (N.Events == 0)
          continue;
        const trace::ClassDeclarations &D = T.classes()[I].Declared;
        N.Name = displayName(T.classes()[I], M) +
                 toDisplayUTF8(D.Strings[D.Methods[M].Descriptor]);
        Sorted.push_back(&N);
      }
    llvm::stable_sort(
        Sorted, [](const Node *A, const Node *B) { return A->Name < B->Name; });
    for (size_t I = 0; I < Sorted.size(); ++I)
      Sorted[I]->Place = I;
    for (const auto &[Ends, E] : ByMethod)
      Edges[{node(Ends.first).Place, node(Ends.second).Place}] = E;
  }

  Node &node(Method M) { return Nodes[M.first][M.second]; }

  std::vector<std::vector<Node>> Nodes; ///< by class and method
  std::map<std::pair<Method, Method>, Edge> ByMethod;
  std::map<uint32_t, TracedStack> Stacks;
  /// That of the last event.
  const TracedThread *Thread = nullptr;
  TracedStack *Stack = nullptr;
};
} // namespace

Error data::printCallGraphDot(const Traces &T, llvm::raw_ostream &OS,
                              LeftOut Tell) {
  auto G = CallGraph::make(T, Tell);
  if (!G)
    return G.takeError();
  OS << "digraph calls {\n  node [shape=box];\n";
  for (const CallGraph::Node *N : G->Sorted) {
    OS << "  n" << N->Place << " [label=\"";
    for (char C : N->Name) {
      if (C == '"' || C == '\\')
        OS << '\\';
      OS << C;
    }
    OS << "\\n" << N->Calls << (N->Calls == 1 ? " call" : " calls");
    OS << (N->Roots ? "\", peripheries=2];\n" : "\"];\n");
  }
  for (const auto &[Ends, E] : G->Edges)
    OS << "  n" << Ends.first << " -> n" << Ends.second << " [label=\""
       << E.Calls << "\"" << (E.Through == E.Calls ? ", style=dashed" : "")
       << "];\n";
  OS << "}\n";
  return Error::success();
}

Error data::printCallGraphJSON(const Traces &T, llvm::raw_ostream &OS,
                               LeftOut Tell) {
  auto G = CallGraph::make(T, Tell);
  if (!G)
    return G.takeError();
  llvm::json::OStream J(OS, 1);
  J.object([&] {
    J.attributeArray("methods", [&] {
      for (const CallGraph::Node *N : G->Sorted)
        J.object([&] {
          J.attribute("name", N->Name);
          J.attribute("calls", N->Calls);
          J.attribute("roots", N->Roots);
          J.attribute("events", N->Events);
        });
    });
    J.attributeArray("calls", [&] {
      for (const auto &[Ends, E] : G->Edges)
        J.object([&] {
          J.attribute("from", G->Sorted[Ends.first]->Name);
          J.attribute("to", G->Sorted[Ends.second]->Name);
          J.attribute("calls", E.Calls);
          J.attribute("through", E.Through);
        });
    });
  });
  OS << '\n';
  return Error::success();
}
