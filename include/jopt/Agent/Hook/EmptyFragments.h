//===- EmptyFragments.h - Probe classes that do nothing ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_EMPTYFRAGMENTS_H
#define JOPT_AGENT_HOOK_EMPTYFRAGMENTS_H

#include "jopt/Advice/Advice.h"
#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"

namespace jopt::agent {

/// The class file \p Data in which the methods that the advices \p A call
/// return at once: the value that they may replace, else zero or null. With the
/// constant pool of \p Data, so that the JVM, which merges both, gets nothing
/// new however often it is given them by turns. Empty if there is no such
/// method. Left as they are:
///  - those of static initialisers: a class is initialised once, and what they
///    make must be there when the probes come again;
///  - those that replace a value and are not given it;
///  - switches.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
emptyFragments(Bytes Data, const AdviceSet &A);

} // namespace jopt::agent

#endif
