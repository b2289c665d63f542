//===- LoaderPaths.h - Where the program's classes are from -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_LOADERPATHS_H
#define JOPT_AGENT_HOSTS_LOADERPATHS_H

#include "jopt/Agent/Lifetime/Environment.h"
#include <string>
#include <vector>

namespace jopt::agent {

/// The file or folder that \p URL leads to or into, outermost archive of
/// several: of "file:", "jar:file:…!/…", "jar:nested:…", "war:file:…*/…",
/// "reference:file:…". Empty if it leads to none on this machine.
std::string fileOfURL(llvm::StringRef URL);

/// The files and folders that the loaders of the program have classes from:
/// where loaded classes say that they are from, what is beside a
/// `WEB-INF/classes`, and the URLs of each `URLClassLoader`, by that class's
/// own method: of others no code runs. Sorted, each once, and all exist. After
/// a second of looking it stops, and the log says so.
std::vector<std::string> findLoaderPaths(Environment &Env, JNIEnv *Jni);

} // namespace jopt::agent

#endif
