//===- PassManager.h - Pipelines --------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pipelines of passes, their text form, and the runner that applies one to a
/// class.
///
/// The unit of work is one class on one thread. Consecutive method passes all
/// run on one method before the next method, so a body is lifted, changed and
/// lowered while it is in the cache. A method that no pass wants is not lifted;
/// one that was lifted and not changed is dropped and stays its bytes.
///
/// The unit of failure is the method: where a pass, lowering or the size of the
/// constant pool fails, the method is put back as it was, with a remark and a
/// row of the report. Where a class pass fails, it is the class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PASSMANAGER_H
#define JOPT_PASSES_PASSMANAGER_H

#include "jopt/Advice/Advice.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Passes/PassRegistry.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt {

class ClassServices;

/// A parsed pipeline: immutable when it runs, shared by all threads.
class Pipeline {
public:
  struct Element {
    AnyPass Pass;
    const PassInfo *Info;
  };

  Pipeline() = default;

  /// Parses `a,b<opt;opt=v>,c`; the registry must outlive the pipeline. Names
  /// of pipelines are replaced by what they stand for. Errors name the column.
  /// The empty text is the empty pipeline. Also checks what each pass requires.
  static llvm::Expected<Pipeline> parse(llvm::StringRef Text,
                                        const PassRegistry &R);

  /// The text form; parses back to an equal pipeline.
  void print(llvm::raw_ostream &OS) const;

  bool empty() const { return Elements.empty(); }
  llvm::ArrayRef<Element> elements() const { return Elements; }
  /// The pipeline does not end in a state the writer can take, for instance
  /// with advice that was placed and not lowered. For `-emit=class`.
  llvm::Error checkWritable() const;
  /// Some pass puts advices of kind \p K at their sites. Static fields of
  /// probes are made by what places advices of the static initialiser.
  bool places(AdviceKind K) const;
  /// Some pass makes code of advices.
  bool lowers() const;
  /// Some pass is about a whole class. Methods have no second attempt then, as
  /// what it saw of them must stay.
  bool hasClassPass() const;

private:
  std::vector<Element> Elements;
};

/// Callbacks around passes: printing, verifying, timing and bisecting are
/// clients of this and know nothing of the runner. Callbacks may come from
/// several threads at once. \p M is null for class passes and whole-class
/// events.
class PassInstrumentation {
public:
  /// Whether passes see the method. A class without one that they see is left
  /// as it is.
  using Filter = std::function<bool(const ClassFile &, const Method &)>;
  /// Whether the pass, which is not PassInfo::Required, is to run. Asked for
  /// each unit that it would run on.
  using Veto =
      std::function<bool(const PassInfo &, const ClassFile &, const Method *M)>;
  using Before = std::function<void(const PassInfo &, ClassFile &, Method *M)>;
  /// \p Changed: what the pass said.
  using After = std::function<void(const PassInfo &, ClassFile &, Method *M,
                                   bool Changed)>;
  /// After each pass on each unit: an Error is treated as the pass's own.
  using Check =
      std::function<llvm::Error(const PassInfo &, ClassFile &, Method *M)>;
  using Remark = std::function<void(const Diagnostic &)>;
  /// Lifting ("lift") and lowering ("lower") of a method begins or ends.
  using Phase = std::function<void(llvm::StringRef Name, bool Begins)>;

  Filter Sees; ///< null: passes see all
  std::vector<Veto> MayRun;
  std::vector<Before> BeforePass;
  std::vector<After> AfterPass;
  std::vector<Check> CheckPass;
  std::vector<Remark> OnRemark;
  std::vector<Phase> OnPhase;

  /// Nobody listens, or has a say.
  bool empty() const {
    return !Sees && MayRun.empty() && BeforePass.empty() && AfterPass.empty() &&
           CheckPass.empty() && OnRemark.empty() && OnPhase.empty();
  }
};

/// How to treat a method that grew over HotSpot's limit of 8,000 bytes. One
/// that outgrew the format is left as it was, if it is not outlined.
enum class OversizePolicy : uint8_t {
  Report, ///< a row of the report
  Skip,   ///< left as it was, named as not done
  /// The code of its advices goes into methods of its own, as does that of
  /// methods that outgrew the format; a row of the report.
  Outline,
};

/// How to run a pipeline.
struct RunOptions {
  /// Null: nobody listens. Must outlive the run.
  const PassInstrumentation *Instrumentation = nullptr;
  OversizePolicy Oversize = OversizePolicy::Report;
  /// Passes that optimise see no methods but those that the others brought over
  /// a limit of HotSpot.
  bool OptimizesOverLimits = false;
  DebugTables Debug = DebugTables::Keep;
  SchemaPolicy Schema = SchemaPolicy::Change;
  /// Rows of what went well, too; see isProblem. For a large input they take
  /// more memory than all else.
  bool ReportDetails = true;
  /// Keep lifted methods as IR (for `-S`): nothing is lowered.
  bool KeepIR = false;
};

/// Makes what the passes of a run ask for besides the class (ClassServices.h),
/// once for each class.
using MakeServices = llvm::function_ref<std::unique_ptr<ClassServices>(
    PassContext &, ClassEditor &)>;

/// The result of a run for a class.
struct ClassResult {
  ClassRows Rows;
  llvm::BitVector Applied; ///< probes that were placed somewhere
  /// WriteOptions::EncodeAll for this class.
  bool EncodeAll = false;
  /// The written class is to go through jopt::collectPool.
  bool CollectPool = false;
  /// Something that was asked for was left undone: a row LeftAlone says what.
  bool LeftUndone = false;
  unsigned MethodsLifted = 0, MethodsChanged = 0;
  /// By Method::Number: the code is the original's with snippets in it.
  llvm::BitVector Patched;
};

/// Runs \p P over \p F, with no other services than a ClassEditor if \p Make is
/// null. Afterwards, without KeepIR, no method has a Body, and \p F can be
/// written. Fails only if the class cannot be put back as it was (a failing
/// method that was parsed from text, a class pass that failed on a class it
/// changed): the caller then uses the original bytes, or reports.
llvm::Expected<ClassResult> runPipeline(const Pipeline &P, ClassFile &F,
                                        const RunOptions &O,
                                        MakeServices Make = nullptr);

} // namespace jopt

#endif
