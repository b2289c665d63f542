//===- ClassList.h - Which classes a JVM has --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The answers for `jopt classes` and `jopt methods`: loaded classes, and their
/// methods, each an object of JSON on a line. Nothing in the JVM changes, and
/// no code of the program runs.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_CLASSLIST_H
#define JOPT_AGENT_ATTACH_CLASSLIST_H

#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Agent/Retransform/MemberMemory.h"

namespace jopt::agent {

/// A request, as the client writes it: `5 com.shop.*`.
struct ClassQuery {
  size_t Most = 0;     ///< so many lines, then a line `{"more":N}`
  std::string Pattern; ///< dots; `*` is any characters. Without a dot: of any
                       ///< package

  static llvm::Expected<ClassQuery> read(llvm::StringRef Text);
  /// \p Name, with dots, is meant.
  bool matches(llvm::StringRef Name) const;
};

/// The classes that \p Query means, sorted by name; empty if there are none.
std::string listClasses(const Environment &Env, const MemberMemory &Memory,
                        JNIEnv *Jni, const ClassQuery &Query);

/// The methods of those classes, in the order of their lines.
std::string listMethods(Environment &Env, const MemberMemory &Memory,
                        JNIEnv *Jni, const ClassQuery &Query);

/// The class files of the loaded classes that \p Name matches, as their loaders
/// find them, in hexadecimal digits, a line for each; if none is loaded, that
/// of the class \p Name as the system loader finds it. Empty if there is no
/// such class, or no file of it.
std::string readClassFiles(Environment &Env, JNIEnv *Jni, llvm::StringRef Name);

} // namespace jopt::agent

#endif
