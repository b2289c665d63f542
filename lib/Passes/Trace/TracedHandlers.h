//===- TracedHandlers.h - Handlers that no event tells of -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An activation that ends by an exception records nothing; the next event of
/// an activation below it shows that. Where another activation may begin before
/// such an event, the handler has to record one.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_TRACE_TRACEDHANDLERS_H
#define JOPT_LIB_PASSES_TRACE_TRACEDHANDLERS_H

#include "jopt/Passes/Analysis/TracedEvents.h"
#include "llvm/ADT/BitVector.h"

namespace jopt {

/// Where the handlers of \p Code, a method of \p F, begin that have to,
/// ascending. \p Before: as of findSegments. \p Sites: the events of the
/// method, in the order of the code; those by \p Letters are recorded. Nothing
/// fails; on any thread.
std::vector<uint32_t> findHandlers(const ClassFile &F, const CodeView &Code,
                                   const llvm::BitVector &Before,
                                   llvm::ArrayRef<TracedEvents::Site> Sites,
                                   LetterSet Letters);

} // namespace jopt

#endif
