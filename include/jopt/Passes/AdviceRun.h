//===- AdviceRun.h - Pipelines that place advices ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The input of this project's passes besides the class: the advices of the
/// run, how the class reaches them, and the settings of coverage and tracing.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ADVICERUN_H
#define JOPT_PASSES_ADVICERUN_H

#include "jopt/Passes/Dispatch.h"
#include "jopt/Passes/PassManager.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

class Matcher;
class PlaceNumbers;
struct CompanionClassSink;
struct DeclarationSink;
struct KnownElements;
namespace coverage {
class EdgeProfile;
}
class TypeHierarchy;
namespace tf {
struct Program;
}

/// Class files by internal name. Immutable while passes run.
using ClassBytes = llvm::StringMap<Bytes>;

/// How to run a pipeline with advices. Everything it points to must outlive the
/// run and is not changed.
struct AdviceRunOptions : RunOptions {
  const AdviceSet *Advices = nullptr;
  const Matcher *Match = nullptr;
  /// The ancestors of classes, if Match->needsHierarchy().
  const TypeHierarchy *Ancestry = nullptr;
  /// The classes that advices call, for passes that look into them.
  const ClassBytes *Classes = nullptr;
  /// The input of the passes of the tracing facility.
  const tf::Program *Tracing = nullptr;
  /// Receives the declarations of traced classes.
  DeclarationSink *Declared = nullptr;
  /// Takes classes that the class needs beside it; null where there can be
  /// none.
  CompanionClassSink *Beside = nullptr;
  /// The elements that its coverage need not record any more; null: it records
  /// all.
  KnownElements *Known = nullptr;
  /// How often edges were taken before; null: this is estimated.
  const coverage::EdgeProfile *Profile = nullptr;
  Dispatch How = Dispatch::Direct;
  /// Methods of the JDK in which a probe can end the JVM get none
  /// (isSensitiveMethod); a row Undone names them.
  bool SkipSensitive = false;
  /// Probes that are in the class already, and do not go in again; may be
  /// shorter than the list of probes.
  llvm::BitVector Present;
  /// Probes that are left out of the class; may be shorter, too.
  llvm::BitVector Without;
  /// Matches count for the report; false if they were counted before.
  bool CountMatches = true;
  /// Each place of an advice counts by one of them, which its row has, if
  /// ReportDetails and not Patch; null: none does.
  PlaceNumbers *Numbers = nullptr;
  /// CodePatch methods (Body::Patch) where all passes that work on them allow
  /// it. Makes no difference to what is written.
  bool Patch = false;
};

/// Runs \p P over \p F as runPipeline does, with the services ClassAdvices and
/// AdviceCalls, and those that \p O has something for. What passes put into
/// methods goes into patched bodies (Body::Patch) where that can be.
llvm::Expected<ClassResult> runWithAdvices(const Pipeline &P, ClassFile &F,
                                           const AdviceRunOptions &O);

} // namespace jopt

#endif
