//===- HostLink.h - What hosts ask of the boot library ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code that refers to `jopt.boot.Link` (runtime/boot), for what cannot be in
/// the class itself.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_INSTRUMENT_HOSTLINK_H
#define JOPT_PASSES_INSTRUMENT_HOSTLINK_H

#include "jopt/IR/Builder.h"
#include "jopt/Passes/Pass.h"

namespace jopt {

/// Whether code of \p F may have call sites of invokedynamic: of its version,
/// and because the JVM does not need it to link them.
bool canHaveCallSites(const ClassFile &F);

/// The object that probe \p Probe has for the class of \p F, made when it is
/// first asked for.
llvm::Expected<Value *> emitState(Builder &B, Body &F, PassContext &C,
                                  unsigned Probe);

/// Where emitState calls no site: whether it gives that object. It does not
/// while the object is made on this thread, which may lead to the host again.
Value *emitHasState(Builder &B, Body &F, PassContext &C, unsigned Probe);

/// A call of advice \p N with \p Arguments, that does nothing if there was one
/// for the class of \p F before. The class must be able to have call sites.
llvm::Error emitOnce(Builder &B, Body &F, PassContext &C, unsigned N,
                     llvm::ArrayRef<Value *> Arguments);

} // namespace jopt

#endif
