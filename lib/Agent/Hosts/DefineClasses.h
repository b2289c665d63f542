//===- DefineClasses.h - Giving classes to a JVM ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the classes of probes and the boot library have in common.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_AGENT_HOSTS_DEFINECLASSES_H
#define JOPT_LIB_AGENT_HOSTS_DEFINECLASSES_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <vector>

namespace jopt::agent {

/// A class that is to be defined with others.
struct Part {
  std::string Name; ///< internal
  Bytes Data;
  std::vector<std::string> Supers;  ///< and interfaces
  llvm::StringSet<> Names;          ///< all classes that its code may need
  uint64_t Hash = 0;                ///< of the class file without line numbers
  std::vector<std::string> Methods; ///< of instances: name and descriptor
};

/// By name.
using Parts = std::map<std::string, Part>;

/// Reads the class \p Data. \p Path is for the error.
llvm::Expected<Part> readPart(llvm::StringRef Path, Bytes Data);

/// What \p All refer to and are not themselves, in the order of names.
std::vector<std::string> outsideNames(const Parts &All);

/// \p All with superclasses first.
std::vector<const Part *> sorted(const Parts &All);

/// \p All in groups, in the order of names: classes of one refer to none of
/// another, and are in no package of another.
std::vector<Parts> divide(const Parts &All);

/// JNI's DefineClass: null, with an exception pending, where the JVM refuses.
jclass defineClass(JNIEnv *Jni, llvm::StringRef Name, jobject Loader,
                   Bytes Data);

/// Class.forName(\p Name, an internal one, \p Initialize, \p Loader), or null.
/// \p Thrown, if given, gets the exception.
jclass forName(JNIEnv *Jni, const std::string &Name, bool Initialize,
               jobject Loader, std::string *Thrown = nullptr);

/// The class \p Name of the boot loader, or null. Asks as the JDK itself does,
/// where there is that method: what comes out of Class.forName is uncaught for
/// a debugger, which stops the program then.
jclass findOnBoot(JNIEnv *Jni, const std::string &Name);
/// Whether the boot loader has a class \p Name.
bool isOnBoot(JNIEnv *Jni, const std::string &Name);

/// Whether \p Loader finds a class \p Name. If it can tell by the class file it
/// loads none.
bool finds(JNIEnv *Jni, jobject Loader, const std::string &Name);

} // namespace jopt::agent

#endif
