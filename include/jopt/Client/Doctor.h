//===- Doctor.h - Why a JVM cannot be attached to ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Examines a process without touching it: whether jopt's agent can be loaded
/// into it, and what else a user should know before.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_DOCTOR_H
#define JOPT_CLIENT_DOCTOR_H

#include <string>
#include <sys/types.h>
#include <vector>

namespace jopt::client {

/// A finding about a process.
struct AttachFinding {
  enum Kind : uint8_t {
    Fine,
    Note,    ///< it works, in a way that may surprise
    Problem, ///< nothing can be attached
  };
  Kind Is;
  std::string What; ///< a sentence; of a problem with its remedy
};

/// Examines process \p Pid. At least one finding; the process is not touched.
/// Any thread.
std::vector<AttachFinding> examine(pid_t Pid);

} // namespace jopt::client

#endif
