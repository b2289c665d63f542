//===- ClassWork.h - One class through the pipeline -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All work on one class file (or one .jir file): verify, read, run the
/// pipeline, mark, write, verify. No other code does this: the tools call it on
/// worker threads, the agent with the bytes that the JVM hands over, and so
/// equal bytes, probes and options give equal results in both.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WEAVE_CLASSWORK_H
#define JOPT_WEAVE_CLASSWORK_H

#include "jopt/Passes/AdviceRun.h"
#include "jopt/Passes/CompanionClass.h"
#include "jopt/Trace/Lines.h"
#include "jopt/Verify/ClassVerifier.h"

namespace jopt {

enum class EmitKind {
  Class,
  JIR,
  Trace, ///< what the trace of the run declares of the class, as lines
  None
};

/// How to treat a class that was woven before.
enum class ProbedPolicy : uint8_t {
  OK,      ///< what it has already is as good as put in; the rest goes in
  Replace, ///< who shows the class takes that back (OriginalView); where it is
           ///< there nevertheless, the class stays as it is
  Error,   ///< as OK, and it is a thing left undone
};

/// How to treat a class file of a version above NewestMajorVersion.
enum class NewerPolicy : uint8_t {
  Weave, ///< by the rules of the newest
  Copy,  ///< it stays as it is
  Error, ///< workOnClass fails
};

/// Whether methods are woven as patched bodies (AdviceRunOptions::Patch).
enum class PatchPolicy : uint8_t {
  Auto,
  Never,
  Check, ///< and lifted, too: a row Undone says where the bytes differ
};

/// Immutable while classes are worked on.
struct ClassWork {
  const Pipeline *Passes = nullptr;
  AdviceRunOptions Run;
  EmitKind Emit = EmitKind::Class;
  trace::Flavour Flavour = trace::Flavour::Seed; ///< of EmitKind::Trace
  bool VerifyInput = false;
  /// How much of a changed class is verified. Changes: what differs from the
  /// class as it was, of patched methods one of each kind, without knowledge of
  /// other classes; findings in methods that had some before do not count.
  enum class OutputCheck : uint8_t { Nothing, Changes, Everything };
  OutputCheck Output = OutputCheck::Changes;
  const TypeHierarchy *Hierarchy = nullptr;
  /// probeIdentities of Run.Advices, for inputs that are class files.
  std::vector<uint64_t> Probes;
  PatchPolicy Patch = PatchPolicy::Never;
  /// Probes that a class has already go in again.
  bool Reinstrument = false;
  /// How to treat classes that were woven before.
  ProbedPolicy IfProbed = ProbedPolicy::Error;
  NewerPolicy Newer = NewerPolicy::Weave;
  /// Changed classes carry what they were (Original.h).
  bool KeepOriginal = false;
  /// Is shown each class, as it was written or printed, when its bytes are
  /// made: nothing that it does to the class is seen again. Any thread.
  std::function<void(ClassFile &)> Inspect;
};

struct ClassOutcome {
  bool Changed = false;
  /// The class file's major version, if that is newer than those that are
  /// known, and this made a difference: it was changed, verified, or not looked
  /// at (NewerPolicy).
  unsigned NewerMajor = 0;
  llvm::SmallVector<uint8_t, 0> Data; ///< class bytes or text, if Changed
  ClassRows Rows;
  llvm::BitVector Applied; ///< probes that were placed somewhere
  /// The declarations of a traced class, as it carries them.
  std::string Declared;
  /// The classes that it needs beside it, if Changed.
  std::vector<CompanionClass> Beside;
  /// Not empty: why the class as a whole was left as it was.
  std::vector<Diagnostic> Left;
  std::vector<Finding> InputFindings, OutputFindings;
};

/// The advices of \p A that no pass of \p P places, as a sentence for each kind
/// of advice of each probe, with the probe. Advices in \p Placed do not count.
std::vector<std::pair<unsigned, std::string>>
findUnplaced(const Pipeline &P, const AdviceSet &A,
             const llvm::BitVector &Placed = {});

/// The major version of the class file \p Data, if it is above
/// NewestMajorVersion; else 0.
unsigned newerMajor(Bytes Data);
/// "class file version 75 is newer than 72 (Java 28)", for \p Major 75.
std::string describeNewer(unsigned Major);

/// Works on the class file \p Data. Fails if it is not one.
llvm::Expected<ClassOutcome> workOnClass(const ClassWork &W, Bytes Data);

/// Works on the text of a .jir file, which may hold one class and its own
/// advice set. \p Name is for messages.
llvm::Expected<ClassOutcome>
workOnText(const ClassWork &W, llvm::StringRef Text, llvm::StringRef Name);

} // namespace jopt

#endif
