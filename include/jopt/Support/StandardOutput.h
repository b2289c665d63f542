//===- StandardOutput.h - How tools end their output ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_STANDARDOUTPUT_H
#define JOPT_SUPPORT_STANDARDOUTPUT_H

namespace jopt {

/// Has the process end in order where standard output did not take all that was
/// written to it. Whoever closes a pipe has read enough: that is no error. All
/// else is one, which \p Tool reports, and the status is 1. For the main() of
/// tools, which calls it first.
void checkOutputAtEnd(const char *Tool);

} // namespace jopt

#endif
