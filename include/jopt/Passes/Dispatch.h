//===- Dispatch.h - How classes reach their advices -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the code of a class gets to the methods of advices, and which classes
/// can ask the run-time library `jopt.boot.Link` for them (docs/Agent.md).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_DISPATCH_H
#define JOPT_PASSES_DISPATCH_H

#include "llvm/ADT/StringRef.h"

namespace jopt {

/// How code in a class gets to the methods of advices.
enum class Dispatch : uint8_t {
  Direct, ///< by static calls: the class sees theirs
  /// By call sites that `jopt.boot.Link` (runtime/boot) binds: it need not.
  /// Nothing else of the class refers to classes of advices either. Classes of
  /// versions without call sites ask Link at each call.
  Indy,
  /// As Direct, but advices that have one (AdviceBody::Stub) by their stubs,
  /// which the boot loader has.
  Stub,
};

/// Packages of the JDK, as internal names begin, with what the JVM runs to link
/// a call site.
inline constexpr llvm::StringLiteral CorePackages[] = {"java/", "jdk/", "sun/"};

/// The number of what probed classes, jopt.boot and the agent say to each
/// other: Link.FORMAT.
inline constexpr unsigned LinkFormat = 3;

/// Whether a class \p Name can reach advices by `jopt.boot.Link`: not those
/// that the JVM needs for what Link does.
bool canAskLink(llvm::StringRef Name);

/// Whether a class \p Name of version \p Major may have call sites that
/// `jopt.boot.Link` binds: not those that the JVM needs to link one.
bool canHaveCallSites(llvm::StringRef Name, unsigned Major);

} // namespace jopt

#endif
