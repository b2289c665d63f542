//===- Pass.h - What a pass is ----------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes are value types with a `run`:
/// \code
///   struct MyMethodPass {
///     llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &C) const;
///     void begin(PassContext &C) const;                      // optional
///     bool wants(const Method &M, PassContext &C) const;     // optional
///     void printOptions(llvm::raw_ostream &OS) const;        // optional
///   };
///   struct MyClassPass {
///     llvm::Expected<PreservedAnalyses> run(ClassFile &F, PassContext &C)
///     const;
///   };
/// \endcode
/// A method pass is asked only for methods with code; what `wants` refuses is
/// not lifted for it. `wants` must be cheap and must not depend on the Body.
/// `begin` is called once per class, before anything else of the pipeline.
///
/// What a method pass says it changed, the runner marks as changed. A class
/// pass sets ClassFile::Changed and Member::Changed itself.
///
/// One pass object serves all threads at once: `run` is const, and whatever it
/// remembers about a class belongs into the PassContext (analyses).
///
/// A pass that cannot do its work on a method returns an Error that says why;
/// the runner puts the method back as it was and reports the reason. It need
/// not undo anything itself.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PASS_H
#define JOPT_PASSES_PASS_H

#include "jopt/Advice/Advice.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/IR/Body.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <type_traits>

namespace jopt {

struct PassInfo;
class PassInstrumentation;
class TypeHierarchy;
namespace tf {
struct Program;
}

/// Identifies an analysis by its address: `static AnalysisKey Key;`.
struct AnalysisKey {};

/// What a pass left valid. all() says at the same time that nothing changed.
class PreservedAnalyses {
public:
  /// The pass changed nothing.
  static PreservedAnalyses all() { return PreservedAnalyses(false); }
  /// The pass changed the unit; no analysis holds any more.
  static PreservedAnalyses none() { return PreservedAnalyses(true); }
  /// all() or none().
  static PreservedAnalyses changedIf(bool C) { return PreservedAnalyses(C); }

  /// The unit changed, but \p T still holds.
  template <typename T> PreservedAnalyses &preserve() {
    Keys.push_back(&T::Key);
    return *this;
  }
  bool changed() const { return Changed; }
  bool preserved(const AnalysisKey *K) const {
    return !Changed || llvm::is_contained(Keys, K);
  }

private:
  explicit PreservedAnalyses(bool C) : Changed(C) {}
  bool Changed;
  llvm::SmallVector<const AnalysisKey *, 2> Keys;
};

/// One line of the report (`-probes-report`). The driver sorts nothing: rows of
/// a class come in the order of its methods.
struct ReportRow {
  enum Kind : uint8_t {
    Applied,   ///< \p Probe was placed in the method, at \p Count sites
    LeftAlone, ///< asked for but not done: \p Text says why (exit status 2)
    Undone,    ///< a part was not done: \p Text says what (exit status 2)
    Warned,    ///< \p Text is what the user should know
    /// Outgrew a limit: \p Count methods got the code of its advices
    Outlined,
    NoSuperExit,      ///< exceptions out of super() or this() give no exit
    NoSuperAfterCall, ///< they run no advice behind that call
    CrossedHuge,      ///< grew over 8,000 bytes: HotSpot no longer compiles it
    CrossedInline,    ///< grew over 325 bytes: no longer inlined when hot
  };
  Kind What = Applied;
  std::string Class;  ///< internal name, standard UTF-8
  std::string Method; ///< name and descriptor; empty: the whole class
  int Probe = -1;     ///< Applied: index in AdviceSet::Probes
  unsigned Count = 0; ///< Applied: sites
  unsigned OldSize = 0, NewSize = 0; ///< Crossed*, Outlined: bytes of code
  /// Applied: the name of the probe; LeftAlone: the reason; Undone, Warned: a
  /// sentence; CrossedHuge: why its advices are not outlined, or nothing.
  std::string Text;
};

/// Rows that users see whether they ask for a report or not.
inline bool isProblem(ReportRow::Kind K) {
  return K == ReportRow::LeftAlone || K == ReportRow::Undone ||
         K == ReportRow::Warned;
}

/// Class files by internal name. Immutable while passes run.
using ClassBytes = llvm::StringMap<Bytes>;

/// What a pass may ask while it works on a class. Made by the runner for each
/// class, used by one thread.
class PassContext {
public:
  /// \p Advices and \p Match may be null together, \p PI and \p Classes may be
  /// null.
  PassContext(ClassFile &F, const AdviceSet *Advices, const Matcher *Match,
              const PassInstrumentation *PI,
              const ClassBytes *Classes = nullptr);
  ~PassContext();

  ClassFile &classFile() const { return Class; }

  /// \name Advices
  /// @{
  /// The advices of the run; an empty set if there are none.
  const AdviceSet &advices() const { return *Advices; }
  /// The advices that select \p M, in order; none of call kinds. Empty for
  /// methods without code, and for interfaces unless a probe looks into them.
  /// Matched once per method; counts for the report.
  llvm::ArrayRef<unsigned> advicesFor(const Method &M);
  /// The class file of a class whose methods advices call; empty if it is not
  /// known.
  Bytes findClass(llvm::StringRef InternalName) const {
    return Classes ? Classes->lookup(InternalName) : Bytes();
  }
  /// The original code of \p M makes a call that an advice selects. Cheap where
  /// none of the pool's methods is selected; needs no Body.
  bool hasSelectedCall(const Method &M);
  /// The advices that select a call of pool entry \p Callee in \p M, in order.
  /// To be asked once for each call, as it counts for the report.
  llvm::SmallVector<unsigned, 4> advicesForCall(const Method &M,
                                                unsigned Callee);
  /// The probes with a static field or an advice of the static initialiser that
  /// select any method of the class, abstract and native ones included (of an
  /// interface: any with code).
  llvm::BitVector classProbes();
  /// Advice \p N is not for this class. For `begin`: nobody has asked yet.
  void withdraw(unsigned N);
  /// The pool's entry for the method that advice \p N calls; added if it is
  /// not there.
  uint16_t bodyMethod(unsigned N);
  /// Advices are called by call sites, as the class need not see their classes
  /// (Dispatch::Indy).
  bool callsBySites() const { return CallsBySites; }
  /// The descriptor by which code of the class calls advice \p N: that of its
  /// method, with Object for what the class need not see.
  llvm::StringRef callDescriptor(unsigned N);
  /// @}

  /// What is traced by the tracing facility in this run; null if nothing is.
  const tf::Program *tracing() const { return Tracing; }

  /// \name Members
  /// @{
  /// The schema of the class must stay: no field and no method is added.
  bool keepsSchema() const { return KeepSchema; }
  /// What probes keep for the class is not in it (jopt.boot.Link).
  bool keepsStateAside() const { return KeepSchema || CallsBySites; }
  /// A new field, behind all others.
  Field &addField(uint16_t Access, llvm::StringRef Name,
                  llvm::StringRef Descriptor);
  /// A new method with an empty Body, behind all others. No advice selects it.
  Method &addMethod(uint16_t Access, llvm::StringRef Name,
                    llvm::StringRef Descriptor);
  /// Takes the last methods of the class, from number \p From on, away again.
  void dropMethods(size_t From);
  /// The method of the running pass outgrew a limit with the code of its
  /// advices in it, which is to go into methods of their own.
  bool outlines() const { return Outlining; }
  /// The class cannot do without what happens to \p M. If a pass or lowering
  /// fails on it, it has another turn without its advices; if that fails too,
  /// the class is left alone.
  void require(const Method &M) { Required.insert(&M); }
  /// This is that turn: no advice selects the method or a call in it, and it is
  /// to get nothing but what the class needs.
  bool onlyRequired() const { return OnlyRequired; }
  /// Methods that outgrow a limit are given another turn in which outlines()
  /// holds.
  bool mayOutline() const { return MayOutline; }
  /// @}

  /// \p M's IR, lifted if need be. Fails where the code cannot be lifted. For
  /// class passes; a method pass is handed its body.
  llvm::Expected<Body &> lift(Method &M) { return lift(M, /*Raw=*/false); }

  /// Methods must be lifted with anchors, as a pass must see every original
  /// instruction: dup, swap, pop and removed jumps too. Called by `begin`.
  void makeAnchors() { Anchors = true; }

  /// The result of analysis \p T for \p B, computed at most once until a pass
  /// that does not preserve it changes \p B:
  /// \code
  ///   struct T { static AnalysisKey Key; static T run(const Body &B,
  ///   PassContext &C); };
  /// \endcode
  template <typename T> const T &analysis(const Body &B) {
    return result<T>(B);
  }
  /// The result of analysis \p T for the class, computed at most once and never
  /// forgotten: such analyses are about the class as it came, whatever became
  /// of it since.
  template <typename T> const T &analysis(const ClassFile &F) {
    return result<T>(F);
  }
  /// Forgets what \p PA does not preserve for \p B. A pass that changes a body
  /// and asks again calls it itself; the runner does after each pass.
  void invalidate(const Body &B, const PreservedAnalyses &PA);

  /// \name Telling the user
  /// @{
  /// A remark of the running pass about \p M (`-pass-remarks`); after the last
  /// pass, of "lower".
  void remark(const Method &M, const llvm::Twine &Message);
  /// A row of the report about \p M. Rows of a method that fails later are
  /// withdrawn.
  void report(const Method &M, ReportRow Row);
  /// \p Probe was placed at \p Sites sites of \p M: a row Applied.
  void reportPlaced(const Method &M, unsigned Probe, unsigned Sites);
  /// A row about the class.
  void report(ReportRow Row);
  /// @}

  /// The written class must be encoded from the model, nothing copied.
  void encodeAll() { EncodeAll = true; }
  /// What nothing of the written class uses goes from the ends of its tables
  /// (trimPool).
  void trimPool() { TrimPool = true; }

private:
  friend class ClassRunner;
  struct AnyResult {
    virtual ~AnyResult() = default;
  };
  template <typename T> struct ResultOf : AnyResult {
    explicit ResultOf(T &&V) : Value(std::move(V)) {}
    T Value;
  };
  template <typename T, typename UnitT> const T &result(const UnitT &U) {
    for (const Result &R : Results)
      if (R.Unit == &U && R.Key == &T::Key)
        return static_cast<ResultOf<T> *>(R.Value.get())->Value;
    // One may ask for others.
    auto New = std::make_unique<ResultOf<T>>(T::run(U, *this));
    const T &Value = New->Value;
    Results.push_back({&U, &T::Key, std::move(New)});
    return Value;
  }
  /// \p Raw: code may stay raw.
  llvm::Expected<Body &> lift(Method &M, bool Raw);
  void forget(const Body &B);
  llvm::ArrayRef<unsigned> match(const Method &M);
  ClassMatcher &rules();
  bool refuses(unsigned Probe);
  ReportRow refusal() const;
  const CalleeMatch &callee(unsigned Index);
  const llvm::BitVector &caller(const Method &M);
  llvm::SmallVector<llvm::StringRef, 4>
  annotations(llvm::ArrayRef<Attribute> Attributes) const;

  ClassFile &Class;
  const AdviceSet Empty;
  const AdviceSet *Advices;
  const Matcher *Match;
  const PassInstrumentation *PI;
  const ClassBytes *Classes;
  const tf::Program *Tracing = nullptr;
  const TypeHierarchy *Ancestry = nullptr;
  const PassInfo *Current = nullptr;
  bool Anchors = false;
  bool EncodeAll = false;
  bool TrimPool = false;
  bool KeepSchema = false;
  bool CallsBySites = false;
  /// By advice, with CallsBySites; empty: not asked yet.
  std::vector<std::string> CallDescriptors;
  bool Outlining = false;
  bool OnlyRequired = false;
  bool MayOutline = false;
  /// The method is at work again: its calls were counted.
  bool Again = false;
  llvm::BitVector Withdrawn; ///< by advice
  /// RunOptions::SkipSensitive, and the methods that it kept probes from.
  bool SkipSensitive = false;
  std::vector<std::string> Sensitive;
  bool skips(const Method &M, bool Selected);
  ReportRow skipped() const;
  /// RunOptions::Present, and which of them would have selected something.
  const llvm::BitVector *Present = nullptr;
  llvm::BitVector Refused;
  llvm::SmallPtrSet<const Method *, 2> Required;
  std::vector<std::pair<const Method *, ReportRow>> Rows;
  struct PlacedProbe {
    const Method *Where;
    unsigned Probe, Sites;
  };
  std::vector<PlacedProbe> Placed;
  std::optional<ClassMatcher> Rules;
  /// By pool entry.
  llvm::DenseMap<unsigned, CalleeMatch> Callees;
  llvm::DenseMap<const Method *, llvm::BitVector> Callers;
  /// Pool entries whose calls some probe selects, once they were asked for.
  std::optional<llvm::BitVector> SelectedCallees;
  /// What selects the methods that were asked for.
  llvm::DenseMap<const Method *, llvm::ArrayRef<unsigned>> Matched;
  /// The last of them: passes come to a method one after the other.
  const Method *LastAsked = nullptr;
  llvm::ArrayRef<unsigned> LastMatch;
  /// By advice; cleared when the pool shrinks.
  llvm::SmallVector<uint16_t, 8> BodyMethods;
  /// Methods whose body the runner or a class pass asked for.
  llvm::DenseSet<const Method *> Lifted;
  struct Result {
    const void *Unit; ///< Body or ClassFile
    const AnalysisKey *Key;
    std::unique_ptr<AnyResult> Value;
  };
  /// Few: those of a body go with it.
  llvm::SmallVector<Result, 8> Results;
};

/// Any pass, by value semantics on shared immutable state.
class AnyPass {
public:
  template <typename PassT>
  AnyPass(PassT P) : Impl(std::make_shared<Model<PassT>>(std::move(P))) {}

  bool isMethodPass() const { return Impl->MethodPass; }
  void begin(PassContext &C) const { Impl->begin(C); }
  bool wants(const Method &M, PassContext &C) const {
    return Impl->wants(M, C);
  }
  /// Calls the method pass; must be one.
  llvm::Expected<PreservedAnalyses> run(Body &B, PassContext &C) const {
    return Impl->run(B, C);
  }
  /// Calls the class pass; must be one.
  llvm::Expected<PreservedAnalyses> run(ClassFile &F, PassContext &C) const {
    return Impl->run(F, C);
  }
  /// The options in the text form of pipelines, without the angle brackets;
  /// nothing where all have their defaults.
  void printOptions(llvm::raw_ostream &OS) const { Impl->printOptions(OS); }

private:
  struct Concept {
    explicit Concept(bool MethodPass) : MethodPass(MethodPass) {}
    virtual ~Concept() = default;
    virtual void begin(PassContext &) const = 0;
    virtual bool wants(const Method &, PassContext &) const = 0;
    virtual llvm::Expected<PreservedAnalyses> run(Body &,
                                                  PassContext &) const = 0;
    virtual llvm::Expected<PreservedAnalyses> run(ClassFile &,
                                                  PassContext &) const = 0;
    virtual void printOptions(llvm::raw_ostream &) const = 0;
    const bool MethodPass;
  };

  template <typename P>
  using RunMethod = decltype(std::declval<const P &>().run(
      std::declval<Body &>(), std::declval<PassContext &>()));
  template <typename P>
  using RunClass = decltype(std::declval<const P &>().run(
      std::declval<ClassFile &>(), std::declval<PassContext &>()));
  template <typename P>
  using Begin =
      decltype(std::declval<const P &>().begin(std::declval<PassContext &>()));
  template <typename P>
  using Wants = decltype(std::declval<const P &>().wants(
      std::declval<const Method &>(), std::declval<PassContext &>()));
  template <typename P>
  using PrintOptions = decltype(std::declval<const P &>().printOptions(
      std::declval<llvm::raw_ostream &>()));

  template <typename P> struct Model final : Concept {
    static constexpr bool IsMethod = llvm::is_detected<RunMethod, P>::value;
    static_assert(IsMethod != llvm::is_detected<RunClass, P>::value,
                  "a pass runs on a Body or on a ClassFile");
    explicit Model(P Pass) : Concept(IsMethod), Pass(std::move(Pass)) {}
    void begin(PassContext &C) const override {
      if constexpr (llvm::is_detected<Begin, P>::value)
        Pass.begin(C);
    }
    bool wants(const Method &M, PassContext &C) const override {
      if constexpr (llvm::is_detected<Wants, P>::value)
        return Pass.wants(M, C);
      return true;
    }
    llvm::Expected<PreservedAnalyses> run(Body &B,
                                          PassContext &C) const override {
      if constexpr (IsMethod)
        return Pass.run(B, C);
      llvm_unreachable("not a method pass");
    }
    llvm::Expected<PreservedAnalyses> run(ClassFile &F,
                                          PassContext &C) const override {
      if constexpr (!IsMethod)
        return Pass.run(F, C);
      llvm_unreachable("not a class pass");
    }
    void printOptions(llvm::raw_ostream &OS) const override {
      if constexpr (llvm::is_detected<PrintOptions, P>::value)
        Pass.printOptions(OS);
    }
    P Pass;
  };

  std::shared_ptr<const Concept> Impl;
};

} // namespace jopt

#endif
