//===- Reader.h - Reading Probekit XML --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// XML text to a checked Document.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEKIT_READER_H
#define JOPT_PROBES_PROBEKIT_READER_H

#include "jopt/Probes/Probekit/Model.h"
#include "jopt/Support/Diagnostics.h"

namespace jopt::probekit {

/// Reads and checks one Probekit file; one larger than MaxProbeFileSize is
/// refused unread.
///
/// The error holds every finding, each with line and column: first what is
/// wrong with elements and attributes, in the order of the file, then what
/// `validate` finds. Text that is not well-formed XML gives one finding and no
/// others. Oddities that do not stop anything (an attribute that looks
/// misspelled) are reported to \p Diags as warnings.
///
/// External entities are never read, and the expansion of internal ones is
/// limited, so time and memory stay proportional to the size of \p Xml.
/// Thread-safe.
llvm::Expected<Document> readDocument(llvm::StringRef Xml, llvm::StringRef File,
                                      DiagnosticEngine &Diags);

/// The rules of the original compiler, in its order, and those of jopt's
/// extensions. Every violation is an error in the result; what the original's
/// documents forbid and its compiler did not is a warning to \p Diags.
llvm::Error validate(const Document &Doc, DiagnosticEngine &Diags);

} // namespace jopt::probekit

#endif
