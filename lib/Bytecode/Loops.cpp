//===- Loops.cpp - Code that comes back to where it is --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Loops.h"
#include "jopt/Bytecode/Decoder.h"
#include <algorithm>
#include <vector>

using namespace jopt;

namespace {
/// Where control may go in a method's code.
class Flow {
public:
  explicit Flow(Bytes Code) : Code(Code), Seen(Code.size()) {}

  /// Control that leaves the instruction at \p From may come there again.
  bool comesBack(uint32_t From) {
    findHandlers();
    std::fill(Seen.begin(), Seen.end(), false);
    LowestGuarded = uint32_t(Code.size());
    leave(From);
    walk();
    return Seen[From];
  }

private:
  void enter(uint32_t BCI) {
    if (BCI >= Code.size() || Seen[BCI])
      return;
    Seen[BCI] = true;
    Left.push_back(BCI);
  }

  /// Control goes on from the instruction at \p BCI.
  void leave(uint32_t BCI) {
    DecodedInst I;
    if (!decodeInst(Code, BCI, I))
      return;
    const OpcodeInfo &Info = I.info();
    if (Info.Branches) {
      enter(uint32_t(I.Value));
      for (uint32_t C = 0; C < I.NumCases; ++C)
        enter(uint32_t(I.caseTarget(C)));
    }
    if (I.Op == op::RET)
      for (uint32_t To : Returns)
        enter(To);
    if (!Info.EndsBlock)
      enter(I.end());
    if (BCI >= LowestGuarded)
      return;
    for (uint32_t H : Handlers)
      if (H > BCI && H <= LowestGuarded)
        enter(H);
    LowestGuarded = BCI;
  }

  void walk() {
    while (!Left.empty()) {
      uint32_t BCI = Left.back();
      Left.pop_back();
      leave(BCI);
    }
  }

  /// Instructions that no jump reaches from the first one on.
  void findHandlers() {
    DecodedInst I;
    for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end())
      if (I.info().Branches && !I.info().results().empty()) // jsr
        Returns.push_back(I.end());
    enter(0);
    walk();
    for (uint32_t At = 0; decodeInst(Code, At, I); At = I.end()) {
      if (Seen[At])
        continue;
      Handlers.push_back(At);
      enter(At);
      walk();
    }
  }

  Bytes Code;
  std::vector<bool> Seen;
  std::vector<uint32_t> Left; ///< entered, and not left yet
  std::vector<uint32_t> Handlers, Returns;
  /// Handlers between here and the end were entered.
  uint32_t LowestGuarded = 0;
};
} // namespace

bool jopt::isInLoop(Bytes Code, uint32_t BCI) {
  return BCI < Code.size() && Flow(Code).comesBack(BCI);
}
