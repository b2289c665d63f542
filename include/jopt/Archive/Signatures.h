//===- Signatures.h - Signed jars -------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The signature of a jar (JAR File Specification, "Signed JAR File") is void
/// once a class changed; a JVM would refuse the jar. So it is taken out.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_SIGNATURES_H
#define JOPT_ARCHIVE_SIGNATURES_H

#include "jopt/Archive/Containers.h"
#include <string>
#include <vector>

namespace jopt {

/// True for META-INF/ *.SF, *.RSA, *.DSA, *.EC and SIG-*, in any case.
bool isSignatureFile(llvm::StringRef Name);

/// The manifest without its digests: `*-Digest`, `*-Digest-*` and `Magic`
/// attributes go, sections that held nothing else go too, all other bytes stay.
std::string withoutDigests(llvm::StringRef Manifest);

/// If something in \p C changed and \p C is a signed archive: drops the
/// signature files and the digests. Returns the names of the dropped entries,
/// in order; empty if there was nothing to do. For finish() hooks. \p Keep:
/// they stay, as META-INF/jopt/NAME.original, which is no signature.
llvm::Expected<std::vector<std::string>> dropSignatures(ContainerEditor &C,
                                                        bool Keep = false);

/// Gives \p C back what dropSignatures() kept in it, if anything.
llvm::Error restoreSignatures(ContainerEditor &C);

} // namespace jopt

#endif
