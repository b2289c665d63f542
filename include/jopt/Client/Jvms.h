//===- Jvms.h - The JVMs of a machine ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_JVMS_H
#define JOPT_CLIENT_JVMS_H

#include <string>

namespace jopt::client {

/// A line for each JVM that this user sees, of every pid and mount
/// namespace: number, user, version, program, and which probes are at work; for
/// people, or \p AsJson an object on each. No JVM is touched for that.
std::string listJvms(bool AsJson = false);

/// The value of \p Name in lines "NAME: VALUE"; empty if there is none.
std::string valueIn(const std::string &Lines, const std::string &Name);

} // namespace jopt::client

#endif
