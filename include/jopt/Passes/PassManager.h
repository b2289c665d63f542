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
#include "llvm/ADT/StringMap.h"

namespace jopt {

class Matcher;
class PlaceNumbers;
struct ClassSink;
struct DeclarationSink;
struct KnownElements;
namespace coverage {
class EdgeProfile;
}
class TypeHierarchy;
namespace tf {
struct Program;
}

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

private:
  std::vector<Element> Elements;
};

/// Where monitored methods of the tracing facility get their monitor from.
enum class TracingIdle : uint8_t {
  Holder, ///< a field
  Indy,   ///< a call site
  None,   ///< nowhere: stage 2 comes later, if somebody registers a monitor
};

/// The passes of the tracing facility, from stage \p From on.
llvm::StringRef tracingPasses(TracingIdle Idle, unsigned From = 1);

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

/// What becomes of a method that grew over HotSpot's limit of 8,000 bytes. One
/// that outgrew the format is left as it was, if it is not outlined.
enum class HugePolicy : uint8_t {
  Report, ///< a row of the report
  Skip,   ///< left as it was, named as not done
  /// The code of its advices goes into methods of its own, as does that of
  /// methods that outgrew the format; a row of the report.
  Outline,
};

/// How code in a class gets to the methods of advices.
enum class Dispatch : uint8_t {
  Direct, ///< by static calls: the class sees theirs
  /// By call sites that `jopt.boot.Link` (runtime/boot) binds: it need not.
  /// Nothing else of the class refers to classes of advices either. Classes of
  /// versions without call sites ask Link at each call.
  Indy,
  /// As Direct, but advices that have one (AdviceBody::Stub) by their stubs,
  /// which the boot loader has.
  Stub,
};

/// Packages of the JDK, as internal names begin, with what the JVM runs to link
/// a call site.
inline constexpr llvm::StringLiteral CorePackages[] = {"java/", "jdk/", "sun/"};

/// The number of what probed classes, jopt.boot and the agent say to each
/// other: Link.FORMAT.
inline constexpr unsigned LinkFormat = 3;

/// Whether a class \p Name can reach advices by `jopt.boot.Link`: not those
/// that the JVM needs for what Link does.
bool canAskLink(llvm::StringRef Name);

/// Whether a class \p Name of version \p Major may have call sites that
/// `jopt.boot.Link` binds: not those that the JVM needs to link one.
bool canHaveCallSites(llvm::StringRef Name, unsigned Major);

/// Class files by internal name. Immutable while passes run.
using ClassBytes = llvm::StringMap<Bytes>;

/// How to run a pipeline. Everything it points to must outlive the run and is
/// not changed.
struct RunOptions {
  const AdviceSet *Advices = nullptr;
  const Matcher *Match = nullptr;
  /// The ancestors of classes, if Match->needsHierarchy().
  const TypeHierarchy *Ancestry = nullptr;
  const PassInstrumentation *Instrumentation = nullptr;
  /// The classes that advices call, for passes that look into them.
  const ClassBytes *Classes = nullptr;
  /// What the passes of the tracing facility need.
  const tf::Program *Tracing = nullptr;
  /// Is handed what traced classes declare.
  DeclarationSink *Declared = nullptr;
  /// Takes classes that the class needs beside it; null where there can be
  /// none.
  ClassSink *Beside = nullptr;
  /// What its coverage need not record any more; null: it records all.
  KnownElements *Known = nullptr;
  /// How often edges were taken before; null: it is to be guessed.
  const coverage::EdgeProfile *Profile = nullptr;
  HugePolicy Huge = HugePolicy::Report;
  SchemaPolicy Schema = SchemaPolicy::Change;
  Dispatch How = Dispatch::Direct;
  /// Methods of the JDK in which a probe can end the JVM get none
  /// (isSensitiveMethod); a row Undone names them.
  bool SkipSensitive = false;
  /// Probes that are in the class already, and do not go in again; may be
  /// shorter than the list of probes.
  llvm::BitVector Present;
  /// Probes that are left out of the class; may be shorter, too.
  llvm::BitVector Without;
  /// What matches counts for the report: false where it did already.
  bool CountMatches = true;
  /// Rows of what went well, too; see isProblem. For a large input they take
  /// more memory than all else.
  bool ReportDetails = true;
  /// Each place of an advice counts by one of them, which its row has, if
  /// ReportDetails and not Sparse; null: none does.
  PlaceNumbers *Numbers = nullptr;
  /// Splice methods (Body::Spliced) where all passes that work on them allow
  /// it. Makes no difference to what is written.
  bool Sparse = false;
  /// Keep lifted methods as IR (for `-S`): nothing is lowered.
  bool KeepIR = false;
};

/// What a run did to a class.
struct ClassResult {
  ClassRows Rows;
  llvm::BitVector Applied; ///< probes that were placed somewhere
  /// WriteOptions::EncodeAll for this class.
  bool EncodeAll = false;
  /// Something that was asked for was left undone: a row LeftAlone says what.
  bool LeftUndone = false;
  unsigned MethodsLifted = 0, MethodsChanged = 0;
};

/// Runs \p P over \p F. Afterwards, without KeepIR, no method has a Body, and
/// \p F can be written. Fails only if the class cannot be put back as it was
/// (a failing method that was parsed from text, a class pass that failed on a
/// class it changed): the caller then uses the original bytes, or reports.
llvm::Expected<ClassResult> runPipeline(const Pipeline &P, ClassFile &F,
                                        const RunOptions &O);

} // namespace jopt

#endif
