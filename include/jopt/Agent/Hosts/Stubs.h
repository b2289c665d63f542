//===- Stubs.h - How core classes reach what programs register --*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Classes in `java.*`, `jdk.*` and `sun.*` can have no call sites, and do not
/// see the classes of a program. They call static methods of a class on the
/// boot loader, the stub, which hands on to an adapter: a class in a loader
/// below that of the probe, which calls the probe:
/// \code
///   static void onEnter(int n, int token) {        // jopt.boot.Stub$…
///     Stub to = target;
///     if (to != null && to.token == token) to.callOnEnter(n);
///   }
/// \endcode
/// Nothing on the way is of the JDK. A call with the token of another
/// registration does nothing, so a stub that is free serves again.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_STUBS_H
#define JOPT_AGENT_HOSTS_STUBS_H

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Lifetime/Jvm.h"
#include "llvm/ADT/StringSet.h"

namespace jopt::agent {

/// Used by one thread at a time.
class Stubs {
public:
  /// Gives \p P, whose class is \p Class, a stub that no other has now. The
  /// names of class and token are in \p P; calls go on from open() on.
  llvm::Error assign(JNIEnv *Jni, RegisteredProbe &P);
  /// Calls of the stub of \p P reach \p Class.
  llvm::Error open(jvmtiEnv *Jvmti, JNIEnv *Jni, const RegisteredProbe &P,
                   jclass Class);
  /// They reach nothing any more; another may have the stub.
  void close(JNIEnv *Jni, const RegisteredProbe &P);

private:
  llvm::StringSet<> Taken;
  int32_t Last = 0; ///< token
};

} // namespace jopt::agent

#endif
