//===- StripCode.h - Code without what TF put into it -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the code of both stages out of methods. All code that either stage
/// adds is behind a test `if (mm != null)`, or reads or writes slots that
/// nothing else does; so it is found by its shape, whoever wrote it. What fails
/// here has another shape, and the body is half changed: it must be thrown
/// away.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_TF_STRIPCODE_H
#define JOPT_LIB_PASSES_TF_STRIPCODE_H

#include "jopt/IR/Model/Body.h"
#include "jopt/TF/Packages.h"
#include "llvm/ADT/StringMap.h"

namespace jopt {

/// \p I reads a holder of the class of \p F, or asks a call site for a monitor.
bool asksForMonitor(const Instruction &I, Body &F, const tf::Packages &P);

/// Stage 2 of a monitored method is undone. \p Info: the info methods of the
/// class, by name and descriptor, as stage 1 left them.
llvm::Error stripMonitored(Body &F, const tf::Packages &P,
                           const llvm::StringMap<unsigned> &Info);

/// Stage 1 of an info method is undone, its descriptor apart.
llvm::Error stripInfoMethod(Body &F, const tf::Packages &P);

/// Of the arguments of \p Call, of an info method, the last two are taken away,
/// which must be those that stage 1 gave it. The callee is to be
/// \p Descriptor's.
llvm::Error stripInfoCall(Body &F, Instruction &Call,
                          llvm::StringRef Descriptor);

/// The registration at the head of a static initialiser is undone.
llvm::Error stripRegistration(Body &F, const tf::Packages &P);

} // namespace jopt

#endif
