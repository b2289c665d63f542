//===- TFClass.h - What TF makes of a class ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts that the passes of the tracing facility need about a class, and
/// the pieces of code that they have in common.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_TF_TFCLASS_H
#define JOPT_LIB_PASSES_TF_TFCLASS_H

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Pass.h"
#include "jopt/TF/ClassData.h"
#include "jopt/TF/Program.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// The program that this run traces; null: none. A service of PassContext.
struct TracedProgram {
  static ServiceKey Key;
  const tf::Program *Program;
};

/// The class as it came, checked; read once for all passes.
struct TFClass {
  static AnalysisKey Key;
  static TFClass run(const ClassFile &F, PassContext &C);

  const tf::Program *Program = nullptr; ///< null: nobody said what is traced
  tf::ClassData Data;
  /// The problems of the class, which then stays as it is.
  std::vector<Diagnostic> Problems;
  /// Info methods with code, by name and descriptor, before and after stage 1:
  /// the methods of \p F as it came. Nothing is plain once stage 1 was done.
  llvm::StringMap<unsigned> Plain, Extended;

  /// Fails with the problems, or where the run knows nothing of annotations.
  llvm::Error check() const;
  /// The descriptor that stage 1 gives an info method of \p Descriptor.
  std::string extend(llvm::StringRef Descriptor) const;
  /// \p I calls a method of \p Info in \p F, however it is compiled: by
  /// invokespecial, or, where private methods are called like others, by
  /// invokevirtual.
  static bool isCall(const Instruction &I, const ClassFile &F,
                     const llvm::StringMap<unsigned> &Info);
};

/// An empty block in front of all others, in no range. The block that was first
/// may be jumped to from then on: it declares the slots \p Locals.
Block *openFront(Body &F, llvm::ArrayRef<Type> Locals);

/// A block in front of \p Next that goes on there, and whose exceptions the
/// handlers of \p Edges catch; \p B is put in front of what it ends with.
Block *openCall(Builder &B, Block *Next, const ThrowEdge *Edges);

/// A call of a monitor that is in a slot.
struct MonitorCall {
  const tf::Packages &P;
  unsigned Slot;
  Type Monitor;

  MonitorCall(Body &F, const tf::Packages &P, unsigned Slot);
  /// The monitor, loaded where \p B stands: below what is made for the call.
  Value *monitor(Builder &B) const;
  /// Fills \p Call, a block made by openCall: a lean monitor gets \p Lean, if
  /// that is given, any other \p Full. \p Slots is what the slots hold there.
  /// A monitor is asked whether it is lean: a test of its type would not be
  /// cheap, as the type is an interface.
  void fill(Block *Call, llvm::ArrayRef<Type> Slots,
            llvm::function_ref<void(Builder &)> Lean,
            llvm::function_ref<void(Builder &)> Full) const;
};

} // namespace jopt

#endif
