//===- Interrupt.h - Signals that ask to stop -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_INTERRUPT_H
#define JOPT_SUPPORT_INTERRUPT_H

namespace jopt {

/// SIGINT, SIGTERM and SIGHUP no longer end the process at once: from then on
/// interrupted() is true, what takes long returns an error, and everything
/// temporary is removed on the way out. A second signal ends the process. For
/// the main() of tools.
void catchInterrupts();

/// From now on a second signal, too, only makes interrupted() true: for who has
/// to say goodbye behind the first, and takes a bounded time for it.
void catchFurtherInterrupts();

/// Whether there was such a signal. Safe in any thread.
bool interrupted();

} // namespace jopt

#endif
