//===- Retransformer.h - Classes that are there already ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loaded classes are changed, and changed back, by asking the JVM to hand them
/// to the hook again, in batches: each is one stop of all threads. A stop costs
/// some time for each class that is loaded, changed or not. So batches grow:
/// the first probes are soon at work, and the stops are few.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_RETRANSFORMER_H
#define JOPT_AGENT_RETRANSFORM_RETRANSFORMER_H

#include "jopt/Agent/Retransform/ActivationsInFlight.h"
#include "jopt/Agent/Retransform/MemberMemory.h"
#include <atomic>

namespace jopt::agent {

/// Holds no lock while the JVM changes classes, as that runs the hook. Any
/// thread may change a batch; walk() is for one thread at a time.
///
/// A class of which a method has an activation in a loop is left for later: it
/// is changed at a later look that finds none of the activations that kept it
/// from that. There is one at each walk, whenever somebody asks, and from time
/// to time on the agent's thread as long as any class is left.
class Retransformer {
public:
  Retransformer(Environment &Env, MemberMemory &Memory)
      : Env(Env), Memory(Memory) {}

  /// The classes that are changed at once: apart from walks; in the first batch
  /// of a walk; and at most. Each batch of a walk has twice as many as the one
  /// before. A stop takes long for each loaded class, so few are better.
  static constexpr size_t SmallBatch = 64, FirstBatch = 256, MostInBatch = 2048;

  /// Limits of the stops that put probes in; zero: none.
  struct StopLimits {
    std::chrono::nanoseconds Each{0}, All{0};
  };
  /// The stops of a walk, as far as the thread that walks can tell: from the
  /// last class that the hook saw on.
  struct Stops {
    unsigned Count = 0;
    std::chrono::nanoseconds Longest{0}, Sum{0};
    bool PassedAll = false; ///< the walk ended for that
  };
  void setLimits(StopLimits L) { Limits = L; }
  const StopLimits &limits() const { return Limits; }
  /// Of the last walk.
  const Stops &stops() const { return Made; }

  /// Asked before each batch, with how many classes are still to be changed;
  /// false ends the walk. On the thread that walks; asked by the hook too,
  /// which leaves the rest of a batch alone then.
  using Continues = llvm::function_ref<bool(size_t Left)>;
  /// What a walk did not change; those that are left for later are none of
  /// them.
  struct Unchanged {
    unsigned Refused = 0; ///< by the JVM
    size_t Left = 0;      ///< as the walk was ended
  };

  /// Sets how activations in loops are treated from now on.
  void setPolicy(InFlightPolicy P) { Policy = P; }
  InFlightPolicy policy() const { return Policy; }

  /// Some probes come or leave, and all others stay.
  struct Change {
    const Session *Before;    ///< what was at work; null: nothing
    const Matcher &Concerned; ///< of those that come and those that leave
  };
  /// Takes all loaded classes from the probes of before to \p New, or to none
  /// if it is null; with \p Only those classes in which its probes select
  /// something, while the others stay left for later if they were.
  Unchanged walk(JNIEnv *Jni, const Session *New, Continues GoesOn,
                 const Change *Only = nullptr);
  /// This thread walks, and the walk is to end.
  static bool isStoppingHere();

  /// Changes \p Batch, but for what is left for later. Those that the JVM
  /// refuses stay as they are, and are named in the log; how many.
  unsigned change(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch);

  /// Changes those loaded classes in which \p S may trace methods.
  void changeTraced(JNIEnv *Jni, const Session &S);

  /// Looks at the stacks, changes the classes that were left if they can be
  /// changed now, and counts those that cannot and the old activations.
  void lookAgain(JNIEnv *Jni);

  /// The names of classes that the last walk left for later.
  std::vector<std::string> left() const;
  /// So few are named one by one in messages.
  static bool areNamed(size_t Left) { return Left <= 3; }
  /// The same, each with where threads are, as a clause.
  std::vector<std::pair<std::string, std::string>> describeLeft() const;

  /// Whether \p Class itself, and not another of its name, is left for later.
  bool isLeft(JNIEnv *Jni, jclass Class) const;

private:
  /// A class that is left for later.
  struct Left {
    jweak Class;
    std::string Name;
    std::vector<LoopingActivation> For; ///< that were not seen to be gone
    jlong Walk = 0;                     ///< the last that was to change it
  };
  using Threads = ActivationsInFlight::Threads;
  /// A walk under way.
  struct Walk {
    Continues GoesOn;
    bool PutsIn = false; ///< the limits of stops hold
    size_t Meant = 0;    ///< classes so far
    bool IsFirst = true; ///< no pass was made yet
    Unchanged Not = {};
    size_t Batch = FirstBatch; ///< the size of the next one
    /// When the stacks of platform threads were looked at.
    std::chrono::steady_clock::time_point Looked = {};
  };
  void pass(JNIEnv *Jni, const Session *New, const Change *Only, Walk &W);
  unsigned changeNow(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch);
  std::vector<jclass> leaveLoops(JNIEnv *Jni, llvm::ArrayRef<jclass> Classes,
                                 Threads Which);
  StackView takeFreed(JNIEnv *Jni, std::vector<jclass> &Freed);
  unsigned changeFreed(JNIEnv *Jni, StackView &View);
  unsigned settle(JNIEnv *Jni);
  void tellLeft() const;
  void forgetLeft(JNIEnv *Jni);
  void keepLooking(JNIEnv *Jni);
  void lookLater(std::chrono::milliseconds Delay);
  std::vector<jclass> collect(JNIEnv *Jni,
                              llvm::function_ref<bool(jclass)> Is) const;
  void changeAll(JNIEnv *Jni, llvm::ArrayRef<jclass> Meant, Walk &W);
  std::chrono::nanoseconds changeBatch(JNIEnv *Jni,
                                       llvm::ArrayRef<jclass> Meant, Walk &W);
  size_t sizeOfNext(size_t Size, size_t Most,
                    std::chrono::nanoseconds Stop) const;
  bool isMeant(JNIEnv *Jni, const Session *New, const Change *Only,
               jclass Class) const;
  bool hasCome(JNIEnv *Jni, jclass Class) const;
  bool isAnyLeft() const;
  bool isModifiable(jclass Class) const;

  Environment &Env;
  MemberMemory &Memory;
  std::atomic<jlong> Walks{
      0}; ///< so far: the tag of the classes that the last one saw
  std::atomic<InFlightPolicy> Policy{InFlightPolicy::Skip};
  ActivationsInFlight InFlight;
  StopLimits Limits;
  Stops Made;
  mutable std::mutex Lock; ///< of Postponed; held for a look at the stacks
  std::vector<Left> Postponed;
};

} // namespace jopt::agent

#endif
