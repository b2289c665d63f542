//===- TypeAccess.h - Which types probes may name ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_AGENT_HOSTS_TYPEACCESS_H
#define JOPT_LIB_AGENT_HOSTS_TYPEACCESS_H

#include "jopt/Agent/Lifetime/Environment.h"

namespace jopt::agent {

/// Why classes of the unnamed modules, of another package than its, may not
/// refer to the type \p Name, an internal name, which \p Loader sees (null: the
/// boot loader): "is not public", "is in a package that …". Empty if they may,
/// or that cannot be told. Loads nothing that is not of the boot loader, but
/// runs code of \p Loader.
std::string whyNoAccess(const Environment &Env, JNIEnv *Jni, jobject Loader,
                        const std::string &Name);

} // namespace jopt::agent

#endif
