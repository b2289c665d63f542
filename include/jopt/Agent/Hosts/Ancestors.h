//===- Ancestors.h - The ancestors of a class in a JVM ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Superclasses and superinterfaces of a class that is loaded, or about to be,
/// for probes that select by them (`targetHierarchy`).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_ANCESTORS_H
#define JOPT_AGENT_HOSTS_ANCESTORS_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Verify/TypeHierarchy.h"

namespace jopt::agent {

/// All ancestors of the loaded class \p Class: name, super, interfaces, flags.
std::unique_ptr<MemoryHierarchy> ancestorsOf(jvmtiEnv *Jvmti, JNIEnv *Jni,
                                             jclass Class);

/// The same of a class that \p Loader (null: the boot loader) is about to
/// define by the class file \p Data. Superclass and interfaces are asked of the
/// loader, on this thread, as the JVM does when the hook has returned, so they
/// are loaded a moment earlier and in the same order. What cannot be loaded is
/// not in the result; nor is anything if the thread is about to define the same
/// class already, which is then an ancestor of itself. Runs Java code.
std::unique_ptr<MemoryHierarchy> ancestorsOf(jvmtiEnv *Jvmti, JNIEnv *Jni,
                                             jobject Loader, Bytes Data);

/// The internal name of the superclass of \p Class, empty if it has none.
std::string superName(jvmtiEnv *Jvmti, JNIEnv *Jni, jclass Class);

/// The internal names of the interfaces that \p Class itself names.
std::vector<std::string> directInterfaces(jvmtiEnv *Jvmti, JNIEnv *Jni,
                                          jclass Class);

} // namespace jopt::agent

#endif
