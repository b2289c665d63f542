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

#ifndef JOPT_LIB_PASSES_ADVICECODE_HOSTLINK_H
#define JOPT_LIB_PASSES_ADVICECODE_HOSTLINK_H

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/Dispatch.h"

namespace jopt {

inline bool canHaveCallSites(const ClassFile &F) {
  return canHaveCallSites(F.name(), F.Major);
}

/// The object that probe \p Probe has for the class of \p F, made when it is
/// first asked for.
llvm::Expected<Value *> emitState(Builder &B, Body &F, AdviceCalls &Calls,
                                  unsigned Probe);

/// Where emitState calls no site: whether it gives that object. It does not
/// while the object is made on this thread, which may lead to the host again.
Value *emitHasState(Builder &B, Body &F, AdviceCalls &Calls, unsigned Probe);

/// \name Dispatch::Indy. They fail where the class can have no call site.
/// @{
/// A call of advice \p N with \p Arguments, as its callDescriptor has them;
/// zero or null if the advice is not there.
llvm::Expected<Value *> emitCall(Builder &B, Body &F, AdviceCalls &Calls,
                                 unsigned N, llvm::ArrayRef<Value *> Arguments);
/// Whether advice \p N is there.
llvm::Expected<Value *> emitIsThere(Builder &B, Body &F, AdviceCalls &Calls,
                                    unsigned N);
/// The result of the method of a switch; zero if the method is not there.
llvm::Expected<Value *> emitSwitch(Builder &B, Body &F,
                                   const AdviceCalls &Calls,
                                   llvm::StringRef Owner, llvm::StringRef Name);
/// @}

/// A call of advice \p N with \p Arguments, that does nothing if there was one
/// for the class of \p F before. The class must be able to have call sites.
llvm::Error emitOnce(Builder &B, Body &F, AdviceCalls &Calls, unsigned N,
                     llvm::ArrayRef<Value *> Arguments);

/// A call of the method of an interface that \p Body names, on the first of
/// \p Arguments.
Value *emitInterfaceCall(Builder &B, const AdviceBody &Body,
                         llvm::ArrayRef<Value *> Arguments);

/// The activation of \p Host that begins here, of the trace: \p Arguments are
/// its `this` (ignored where it is static) and the number of the event.
llvm::Expected<Value *> emitTraceEnter(Builder &B, Body &F, PassContext &C,
                                       const Method &Host,
                                       llvm::ArrayRef<Value *> Arguments);

} // namespace jopt

#endif
