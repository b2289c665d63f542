//===- JaCoCoClass.h - Classes that JaCoCo covers already -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JaCoCo's agent comes before all agents that can change classes again, so the
/// class that arrives here is another one than was built: probes that are
/// placed in it say nothing about the original. But it asks for the array of
/// JaCoCo's probes, by the id of the original. That array is recorded instead.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_JACOCOCLASS_H
#define JOPT_AGENT_HOOK_JACOCOCLASS_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"

namespace jopt::agent {

/// Whether the class file \p Data may be one; it names something of JaCoCo's.
bool mayHaveJaCoCo(Bytes Data);

/// The class \p Data with a call in place of the request for its array, which
/// has the array recorded as that of the original. Empty if it is no such
/// class, an error if the request is not as JaCoCo makes it.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> adoptJaCoCo(Bytes Data);

} // namespace jopt::agent

#endif
