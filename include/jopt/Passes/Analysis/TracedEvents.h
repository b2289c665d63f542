//===- TracedEvents.h - The events of a traced class ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The declarations of a class for the trace of a run (Probe::Trace), found in
/// its original code by the table TraceEvents.td.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_TRACEDEVENTS_H
#define JOPT_PASSES_ANALYSIS_TRACEDEVENTS_H

#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Passes/Pass.h"
#include "jopt/Trace/Declarations.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <optional>

namespace jopt {

struct AdviceSet;

namespace trace {
#define GET_OperandsEnum_DECL
#define GET_ValuesEnum_DECL
#include "jopt/Passes/TraceEvents.inc"

/// A row of TraceEvents.td, whose comments define the fields.
struct EventInfo {
  uint16_t Site;
  const char *Type, *Executed, *Emit, *Log;
  OperandsEnum Ops;
  ValuesEnum Gives;
  bool Behind;
  uint16_t PrintedBits;

  int printed() const { return int16_t(PrintedBits); }
};

/// EventInfo::Site of events that are of no opcode.
enum : uint16_t {
  LineSite = 256,
  EnterInstance,
  EnterStatic,
  EnterConstructor,
  CatchSite,
  AbortSite
};
} // namespace trace

/// Letters of -trace=, a bit for each.
class LetterSet {
public:
  LetterSet(llvm::StringRef Letters) {
    for (char Letter : Letters)
      Bits |= bit(Letter);
  }
  bool contains(char Letter) const { return Bits & bit(Letter); }

private:
  static uint64_t bit(char Letter) { return uint64_t(1) << (Letter & 63); }
  uint64_t Bits = 0;
};

/// The probe that is the trace; none if the run has none.
std::optional<unsigned> findTrace(const AdviceSet &Set);

/// The events of all methods of a class, and their declarations.
struct TracedEvents {
  static AnalysisKey Key;
  static TracedEvents run(const ClassFile &F, PassContext &C);

  struct Site {
    uint32_t BCI;
    uint32_t Number; ///< of the event in the class
    const trace::EventInfo *Info;

    /// The activation ends by it.
    bool endsActivation() const {
      return Info->Site >= op::IRETURN && Info->Site <= op::RETURN;
    }
    /// It is recorded: it ends the activation, or executions are asked for by
    /// one of \p Letters.
    bool isRecorded(LetterSet Letters) const;
  };
  /// Where in the code a segment of events begins.
  struct SegmentPlace {
    enum Part : uint8_t {
      Front,       ///< what stands in front of the instruction is of it
      Instruction, ///< the instruction itself is the first
      Behind,      ///< what comes when the instruction has completed
      Nowhere,
    };
    uint32_t BCI;
    Part At;
    bool IsLeader; ///< control may come here other than from above
  };
  struct MethodEvents {
    uint32_t Enter = 0; ///< the number of its `$enter$`
    /// That of the event that an exception leaves it, if there is one.
    std::optional<uint32_t> Abort;
    std::vector<Site> Sites; ///< all others, in the order of the code
    /// Where handlers begin that no event tells of before another activation
    /// may begin, ascending.
    std::vector<uint32_t> Handlers;
    /// Not empty: why there are none, and the method is left as it was.
    std::string LeftOut;
    bool IsTraced = false;
    /// If set, the method records paths of segments instead of events.
    std::optional<trace::Paths> Paths;
    std::vector<SegmentPlace> Segments; ///< of Paths
    /// The segment of a return that throws since a monitor is held; 0: none.
    uint32_t Returned = 0;
  };

  /// The trace is of this class.
  bool Any = false;
  trace::ClassDeclarations Declared;
  std::string Letters; ///< of Declared
  std::string Text;    ///< Declared, as the class carries it
  llvm::DenseMap<const Method *, MethodEvents> Methods;

  /// The events of \p M; null if it is not traced.
  const MethodEvents *find(const Method &M) const {
    auto It = Methods.find(&M);
    return It == Methods.end() || !It->second.IsTraced ? nullptr : &It->second;
  }
};

inline bool TracedEvents::Site::isRecorded(LetterSet Letters) const {
  if (endsActivation() || !*Info->Log)
    return true;
  for (const char *Log = Info->Log; *Log; ++Log)
    if (Letters.contains(*Log))
      return true;
  return false;
}

/// Is handed what classes declare by the pass `trace-declare`; a service.
struct DeclarationSink {
  static ServiceKey Key;
  /// \p Text is what the class will carry.
  std::function<void(const trace::ClassDeclarations &, llvm::StringRef Text)>
      Take;
};

} // namespace jopt

#endif
