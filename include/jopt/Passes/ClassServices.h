//===- ClassServices.h - What passes have besides the class -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface by which the runner of pipelines knows what a run has for the
/// passes of a class. It decides nothing about advices itself.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_CLASSSERVICES_H
#define JOPT_PASSES_CLASSSERVICES_H

#include "jopt/Passes/PassManager.h"

namespace jopt {

class ActivePasses;

/// The services of a PassContext that a run makes for one class, as far as the
/// runner has to do with them. Used by one thread.
class ClassServices {
public:
  virtual ~ClassServices() = default;

  /// The kinds of what passes are to place in \p M (PassInfo::Kinds), a bit for
  /// each.
  virtual uint64_t kindsFor(const Method &M) { return 0; }

  /// All that the elements of \p Passes from \p First to \p End want of \p M,
  /// which has no body, may be put into its original code (Body::Patch).
  virtual bool mayPatch(const Method &M, ActivePasses &Passes, size_t First,
                        size_t End) {
    return false;
  }
  /// Gives \p M, of which mayPatch() was asked last, such a body. False, and
  /// nothing has changed, if it has to be lifted after all.
  virtual bool patch(Method &M) { return false; }
  /// The same for \p M, whose patched body comes from text.
  virtual bool adopt(Method &M, ActivePasses &Passes, size_t First,
                     size_t End) {
    return true;
  }

  /// \p M is put back as it was, and the pool to what it was before this
  /// attempt.
  virtual void undo(const Method &M) {}

  /// Adds what was placed in the class to \p R, and reports what was not.
  virtual void takeResult(ClassResult &R) {}
};

} // namespace jopt

#endif
