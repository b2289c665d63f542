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
///     bool begin(PassContext &C) const;                      // optional
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
/// `begin` is called once per class, before anything else of the pipeline. It
/// answers whether the pass may have anything to do there; if not, it is not
/// asked again for this class.
///
/// The runner marks the changes that a method pass reports. A class pass sets
/// ClassFile::Changed and Member::Changed itself.
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

#include "jopt/IR/Model/Body.h"
#include "jopt/Passes/EncodedReport.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <type_traits>
#include <vector>

namespace jopt {

struct PassInfo;
class PassInstrumentation;

/// Identifies an analysis by its address: `static AnalysisKey Key;`.
struct AnalysisKey {};
/// Identifies a service of a PassContext in the same way.
struct ServiceKey {};

/// The analyses that a pass left valid. all() also means that nothing changed.
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
    assert(NumKeys < Most && "raise it");
    Keys[NumKeys++] = &T::Key;
    return *this;
  }
  bool changed() const { return Changed; }
  bool preserved(const AnalysisKey *K) const {
    return !Changed || llvm::is_contained(llvm::ArrayRef(Keys, NumKeys), K);
  }

private:
  explicit PreservedAnalyses(bool C) : Changed(C) {}
  static constexpr unsigned Most = 2;
  bool Changed;
  uint8_t NumKeys = 0;
  const AnalysisKey *Keys[Most];
};

/// What passes that optimise keep of the tables for debuggers.
enum class DebugTables : uint8_t {
  /// Every line that has code keeps some, and a variable has its value wherever
  /// it is in scope.
  Keep,
  Lines, ///< lines; variables where they have a value
  None,  ///< nothing
};

/// How the runner has the passes work on a method this time. A method that
/// fails, or outgrows a limit, may have more than one attempt; it is put back
/// as it was before each.
struct Attempt {
  enum Kind : uint8_t {
    First,    ///< everything goes into the method
    Outline,  ///< what it can do without, into methods of their own
    Again,    ///< as First, since Outline failed; it may outgrow HotSpot
    Required, ///< nothing but what its class needs (ClassEditor::require)
  };
  Kind Which = First;
  /// Methods that outgrow a limit have another attempt, in which outlines()
  /// holds.
  bool MayOutline = false;
  /// No pass runs that optimises: another attempt showed that it does not pay,
  /// or is going to.
  bool IsPlain = false;
  /// Code may exceed HotSpot's limits of inlining, as passes that optimise
  /// follow: the runner judges what they leave of it.
  bool JudgesLater = false;
  /// Whose remarks are new: an attempt before may have had the same.
  enum RemarkScope : uint8_t { OfAll, OfOptimizing, OfNone };
  RemarkScope Remarks = OfAll;

  /// The method outgrew a limit with the code of its advices in it, which is to
  /// go into methods of their own.
  bool outlines() const {
    return Which == Outline || (Which == Required && MayOutline);
  }
  bool onlyRequired() const { return Which == Required; }
  /// An earlier attempt counted what depends on the method only.
  bool wasCounted() const { return Which == Outline || Which == Again; }
};

/// Everything that a pass may use while it works on a class: the class, bodies,
/// analyses, and messages to the user. More, such as ClassEditor and
/// ClassAdvices, is in services, which the maker of the context adds to it.
/// Made for each class, used by one thread.
class PassContext {
public:
  /// \p PI may be null. \p Now is the attempt on the method at work; it may
  /// change and must outlive the context.
  explicit PassContext(ClassFile &F, const PassInstrumentation *PI = nullptr,
                       const Attempt *Now = nullptr);
  ~PassContext();

  ClassFile &classFile() const { return Class; }
  /// The attempt on the method at work.
  const Attempt &attempt() const { return Now; }

  /// What the running pass is about to do brings the method over a limit of
  /// HotSpot. True: it may do that (Attempt::JudgesLater). If optimising does
  /// not bring it back, another attempt says no.
  bool mayExceedLimit() {
    Exceeds |= Now.JudgesLater;
    return Now.JudgesLater;
  }

  DebugTables debugTables() const { return Debug; }
  void setDebugTables(DebugTables D) { Debug = D; }

  /// \name Services
  /// Services are types with `static ServiceKey Key;`. The runner adds a
  /// ClassEditor, a ClassAdvices and an AdviceCalls to the context of every
  /// class, whether the run has advices or not.
  /// @{
  template <typename T> void add(T &Service) {
    Services.push_back({&T::Key, &Service});
  }
  /// The service \p T; null if the context has none.
  template <typename T> T *find() const {
    for (const auto &[Key, Service] : Services)
      if (Key == &T::Key)
        return static_cast<T *>(Service);
    return nullptr;
  }
  /// The service \p T, which the context must have.
  template <typename T> T &get() const {
    T *Service = find<T>();
    assert(Service && "nobody added this service");
    return *Service;
  }
  /// @}

  /// \p M's IR, lifted if need be, with no more raw code than \p Raw. Fails
  /// where the code cannot be lifted. For class passes; a method pass is handed
  /// its body.
  llvm::Expected<Body &> lift(Method &M, KeepRaw Raw = KeepRaw::No);

  /// Makes a patched body of \p M, which has none. False, and nothing has
  /// changed, where it must be lifted. There is one at a time. It has no
  /// anchors.
  bool liftPatched(Method &M);

  /// The pass at work; null while a method is lowered.
  const PassInfo *pass() const { return Current; }

  /// The pass at work places no advices, and takes patched bodies of methods
  /// that no other pass wants. Called by `begin`.
  void takePatches() { Patcher = Current; }
  bool isPatcher(const PassInfo &I) const { return Patcher == &I; }

  /// Methods must be lifted with anchors, as a pass must see every original
  /// instruction: dup, swap, pop and removed jumps too. Called by `begin`.
  void makeAnchors() { Anchors = true; }
  /// Methods must be lifted with LiftOptions::PinAccesses. Called by `begin`.
  void pinAccesses() { PinsAccesses = true; }

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
  void invalidate(const Body &B, const PreservedAnalyses &PA) {
    if (PA.changed() && !Results.empty())
      dropStale(B, PA);
  }

  /// Somebody looks at the IR between passes.
  bool isWatched() const;

  /// \name Telling the user
  /// @{
  /// A remark of the running pass about \p M (`-pass-remarks`); after the last
  /// pass, of "lower".
  void remark(const Method &M, const llvm::Twine &Message);
  /// What the running pass would have done to \p M, and why not
  /// (`-Rpass-missed`).
  void missed(const Method &M, const llvm::Twine &Message);
  /// A row of the report about \p M. Rows of a method that fails later are
  /// withdrawn.
  void report(const Method &M, ReportRow Row);
  /// A row about the class.
  void report(ReportRow Row);
  /// @}

  /// \name For whoever runs passes
  /// @{
  /// mayExceedLimit() said yes since the last call of this.
  bool takeExceeds() { return std::exchange(Exceeds, false); }
  /// A row, and the method that it is about; null: the class.
  using Row = std::pair<const Method *, ReportRow>;
  /// \p Info's pass is at work; null: lowering is.
  void setPass(const PassInfo *Info) { Current = Info; }
  /// lift() made the body of \p M.
  bool wasLifted(const Method &M) const {
    return M.Number < Lifted.size() && Lifted.test(M.Number);
  }
  unsigned numLifted() const { return Lifted.count(); }
  /// \p M is put back as it was: its body and what was reported of it go.
  void withdraw(const Method &M);
  /// \p M goes out of the class.
  void forget(const Method &M);
  /// The reported rows, in the order of the reports.
  std::vector<Row> takeRows() { return std::move(Rows); }
  /// @}

private:
  void dropStale(const Body &B, const PreservedAnalyses &PA);
  void phase(llvm::StringRef Name, bool Begins);
  void tell(const Method &M, const llvm::Twine &Message, bool IsMissed);
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

  ClassFile &Class;
  const PassInstrumentation *PI;
  const Attempt &Now;
  static const Attempt FirstAttempt;
  const PassInfo *Current = nullptr;
  bool Anchors = false, PinsAccesses = false, Exceeds = false;
  DebugTables Debug = DebugTables::Keep;
  const PassInfo *Patcher = nullptr;
  llvm::SmallVector<std::pair<const ServiceKey *, void *>, 10> Services;
  std::vector<Row> Rows;
  llvm::SmallPtrSet<const Method *, 4> HasRows; ///< or had
  void setLifted(const Method &M) {
    if (M.Number >= Lifted.size())
      Lifted.resize(unsigned(Class.Methods.size()));
    Lifted.set(M.Number);
  }
  /// By Method::Number: the runner or a class pass asked for its body.
  llvm::BitVector Lifted;
  struct Result {
    const void *Unit; ///< Body or ClassFile
    const AnalysisKey *Key;
    std::unique_ptr<AnyResult> Value;
  };
  /// Few: those of a body go with it.
  llvm::SmallVector<Result, 8> Results;
  std::unique_ptr<PooledObject<CodePatch>> Patch; ///< for patched bodies
};

/// Any pass, by value semantics on shared immutable state.
class AnyPass {
public:
  template <typename PassT>
  AnyPass(PassT P) : Impl(std::make_shared<Model<PassT>>(std::move(P))) {}

  bool isMethodPass() const { return Impl->MethodPass; }
  bool begin(PassContext &C) const { return Impl->begin(C); }
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
    virtual bool begin(PassContext &) const = 0;
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
    bool begin(PassContext &C) const override {
      if constexpr (llvm::is_detected<Begin, P>::value)
        return Pass.begin(C);
      return true;
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
