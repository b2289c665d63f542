//===- TestMethods.h - Methods made to be covered ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Small methods, their probe points, and what activations of them pass: by an
/// interpreter of the bytes that knows nothing of graphs. Branches go as a
/// random number says, so nothing is computed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_COVERAGE_TESTMETHODS_H
#define JOPT_UNITTESTS_COVERAGE_TESTMETHODS_H

#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Coverage/CodePaths.h"
#include "jopt/Coverage/MethodGraph.h"
#include <random>

namespace jopt::coverage {

/// The code of a method being put together.
class TestMethod {
public:
  /// \name Code. Instructions are numbered from 0, and name each other so.
  /// @{
  TestMethod &line() {
    LineStarts.push_back(unsigned(Insts.size()));
    return *this;
  }
  TestMethod &nop();
  TestMethod &call();
  TestMethod &divide(); ///< throws as a call does, but never waits
  TestMethod &jumpIf(unsigned To);
  TestMethod &jump(unsigned To);
  TestMethod &select(std::vector<unsigned> To); ///< the first is the default
  TestMethod &leave();
  TestMethod &raise();
  TestMethod &handler(unsigned Start, unsigned End, unsigned To, bool All);
  /// What a program begins with.
  TestMethod &outermost() {
    Name = "run";
    return *this;
  }
  /// Its calls are divisions.
  TestMethod &quick() {
    Call = op::IDIV;
    return *this;
  }
  /// @}

  /// Lays the code out and finds the points. To be called once.
  void finish(PointSet Which = PointSet::Probes);
  llvm::Expected<ProbeGraph> graph() const;
  std::optional<MethodPoints> straight() const;
  llvm::Expected<std::vector<PathBlock>> blocks() const;
  llvm::Expected<CodeEdges> edges() const;

  ClassFile Class;
  llvm::SmallVector<ProbePoint, 4> Points;
  uint32_t NumProbes = 0; ///< of these; they come first

  /// What happens in an activation that matters: a point is passed, or an
  /// exception arrives somewhere.
  struct Event {
    std::optional<uint32_t> Point;
    Thrown To = Thrown::No;
  };
  /// An instruction that is come to.
  struct Step {
    uint32_t BCI;
    bool Throws = false;
    bool Jumps = false; ///< it does not go on to what follows it in the code
  };
  /// One activation, in which the \p Failing th call or division (from 0)
  /// throws, and where others do by chance if \p MayFail. None if it goes on
  /// for long. \p Steps gets all of it.
  std::optional<std::vector<Event>>
  run(std::mt19937 &Random, unsigned Failing, bool MayFail,
      std::vector<Step> *Steps = nullptr) const;

  static constexpr unsigned Never = ~0u;

private:
  struct Inst {
    uint8_t Op;
    std::vector<unsigned> Targets;
    uint32_t BCI = 0;
  };
  struct Range {
    unsigned Start, End, To;
    bool All;
  };
  TestMethod &add(uint8_t Op, std::vector<unsigned> Targets = {});
  void layOut();
  bool fallsThrough(const Inst &I) const;
  std::optional<uint32_t> pointAt(ProbePoint::Kinds How, unsigned From,
                                  unsigned To) const;

  std::vector<Inst> Insts;
  std::vector<Range> Ranges;
  std::vector<unsigned> LineStarts;
  llvm::StringRef Name = "test";
  uint8_t Call = op::INVOKESTATIC;
  std::vector<uint8_t> Code, LineTable;
  CodeView View;
  Method M;
};

/// A method of at most \p Size instructions; about one in three has loops,
/// handlers in each other and in themselves, dead code.
void makeRandomMethod(TestMethod &Into, std::mt19937 &Random, unsigned Size,
                      PointSet Which = PointSet::Probes);

} // namespace jopt::coverage

#endif
