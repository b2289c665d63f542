//===- Loops.cpp - Code that comes back to where it is --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Loops.h"
#include "jopt/Bytecode/ControlFlow.h"

using namespace jopt;

namespace {
/// Walks through the blocks of a method whose exception table is not known.
class LoopWalk {
public:
  explicit LoopWalk(CodeGraph &G) : G(G), Seen(unsigned(G.blocks().size())) {}

  /// Control that leaves the instruction at \p BCI may come there again.
  bool comesBack(uint32_t BCI);

private:
  void enter(const CodeBlock &B) {
    if (Seen[B.number()])
      return;
    Seen.set(B.number());
    Work.push_back(&B);
  }
  void leave(const CodeBlock &B, uint32_t From);
  void walk() {
    while (!Work.empty()) {
      const CodeBlock &B = *Work.pop_back_val();
      leave(B, B.start());
    }
  }

  CodeGraph &G;
  llvm::BitVector Seen;                          ///< by block: it was entered
  llvm::SmallVector<const CodeBlock *, 16> Work; ///< and not left yet
  /// What no jump reaches from the first block on. Those behind LowestGuarded
  /// were entered.
  llvm::SmallVector<const CodeBlock *, 16> Handlers;
  uint32_t LowestGuarded = 0;
};
} // namespace

/// Control goes on from the instruction at \p From of \p B, or throws there.
void LoopWalk::leave(const CodeBlock &B, uint32_t From) {
  for (const CodeBlock *To : B.successors())
    enter(*To);
  if (From >= LowestGuarded)
    return;
  for (const CodeBlock *H : Handlers)
    if (H->start() > From && H->start() <= LowestGuarded)
      enter(*H);
  LowestGuarded = From;
}

bool LoopWalk::comesBack(uint32_t BCI) {
  for (const CodeBlock &B : G.blocks()) {
    if (Seen[B.number()])
      continue;
    if (&B != &G.front())
      Handlers.push_back(&B);
    enter(B);
    walk();
  }
  Seen.reset();
  LowestGuarded = UINT32_MAX;
  const CodeBlock &From = G.at(BCI);
  leave(From, BCI);
  walk();
  return Seen[From.number()];
}

bool jopt::isInLoop(Bytes Code, uint32_t BCI) {
  CodeLeaders Leaders;
  Leaders.scan(Code, {});
  CodeGraph G;
  if (!Leaders.isInstruction(BCI))
    return false;
  // Code with that many edges may have any loop.
  if (llvm::errorToBool(G.build(Leaders, HandlerEdges::None)))
    return true;
  return LoopWalk(G).comesBack(BCI);
}
