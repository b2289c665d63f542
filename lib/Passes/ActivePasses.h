//===- ActivePasses.h - Passes that have work in a class --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which passes of a pipeline have something to do in a class, and which of its
/// methods they want. In nearly all classes of a run that is none.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ACTIVEPASSES_H
#define JOPT_LIB_PASSES_ACTIVEPASSES_H

#include "jopt/Passes/ClassServices.h"

namespace jopt {

/// The elements of a pipeline that are at work in a class, by number. Asks each
/// about a method once per attempt.
class ActivePasses {
public:
  static inline ServiceKey Key;
  /// All must outlive it; \p PI may be null.
  ActivePasses(PassContext &C, ClassServices &Services,
               const ClassEditor &Editor, const PassInstrumentation *PI)
      : C(C), F(C.classFile()), Services(Services), Editor(Editor), PI(PI) {}

  /// From here on nobody asks those that optimise, or somebody does.
  void skipOptimizing(bool Skips) { SkipsOptimizing = Skips; }
  /// Some that optimise are asked.
  bool optimizes() const { return Optimizes && !SkipsOptimizing; }
  /// Begins those of \p P that have something to do.
  void begin(const Pipeline &P);

  size_t size() const { return Elements.size(); }
  const Pipeline::Element &operator[](size_t I) const {
    return *Elements[I].Of;
  }

  /// Element \p I wants \p M, which has code then. During an attempt an element
  /// that wants the method goes on to do so.
  bool wants(size_t I, const Method &M) {
    if (SkipsOptimizing && Elements[I].Of->Info->Optimizes)
      return false;
    if (isByKinds())
      return Elements[I].WantsLifted ? M.IR != nullptr
                                     : (kindsFor(M) & Elements[I].Kinds) != 0;
    if (std::exchange(Last.Asked, &M) != &M)
      Last.Wanting = 0;
    const uint64_t Bit = Elements[I].Bit;
    if (Last.Wanting & Bit)
      return true;
    if (!asks(I, M))
      return false;
    Last.Wanting |= Bit;
    return true;
  }
  /// Element \p I optimises, and so did an element before it of the same pass,
  /// behind which nothing changed: element \p Changed was the last that did.
  bool isRepeated(size_t I, size_t Changed) const;
  /// Some element from \p First to \p End may have something to do on \p M.
  bool mayWant(const Method &M, size_t First, size_t End) {
    if (M.IR)
      return true;
    return isByKinds() ? (kindsFor(M) & Kinds) != 0 : anyWants(M, First, End);
  }
  /// Which want a method that was not lifted follows from
  /// ClassServices::kindsFor alone.
  bool isByKinds() const { return !PI && AsksNone && !optimizes(); }
  /// A method begins anew.
  void forget() { Last.Asked = OfKinds.Asked = OfOptimizing.Asked = nullptr; }

  /// Passes that do not optimise may change \p M, another method than the one
  /// at work.
  bool isInstrumented(const Method &M);

  /// PassInstrumentation::Sees.
  bool sees(const Method &M) const {
    return !PI || !PI->Sees || PI->Sees(F, M);
  }
  /// PassInstrumentation::MayRun.
  bool mayRun(const PassInfo &I, const Method *M) const {
    return !PI || I.Required ||
           llvm::all_of(PI->MayRun, [&](const auto &Callback) {
             return Callback(I, F, M);
           });
  }

private:
  uint64_t kindsFor(const Method &M) {
    if (std::exchange(OfKinds.Asked, &M) != &M)
      OfKinds.Answer = Services.kindsFor(M);
    return OfKinds.Answer;
  }
  bool mayOptimize(const Method &M);
  bool anyWants(const Method &M, size_t First, size_t End);
  bool asks(size_t I, const Method &M);
  bool isNeeded(const PassInfo &I, const Method &M) const;

  PassContext &C;
  ClassFile &F;
  ClassServices &Services;
  const ClassEditor &Editor;
  const PassInstrumentation *const PI;
  struct Element {
    const Pipeline::Element *Of;
    uint64_t Kinds;   ///< that it places, a bit for each
    uint64_t Bit;     ///< of its number; 0: that is too large
    bool WantsLifted; ///< PassInfo::Lifted
  };
  llvm::SmallVector<Element, 16> Elements;
  uint64_t Kinds = 0;     ///< that some of them place
  bool AsksNone = true;   ///< none is PassInfo::Asked
  bool Optimizes = false; ///< some do
  bool SkipsOptimizing = false;
  struct {
    const Method *Asked = nullptr;
    uint64_t Wanting = 0; ///< a bit for each element that wants it
  } Last;
  struct {
    const Method *Asked = nullptr;
    uint64_t Answer = 0; ///< ClassServices::kindsFor
  } OfKinds;
  struct {
    const Method *Asked = nullptr;
    bool Answer = false; ///< jopt::mayOptimize
  } OfOptimizing;
};

} // namespace jopt

#endif
