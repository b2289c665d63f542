//===- ProbeInfo.h - Probe files without their code -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `.probeinfo` files, from which the original's user interface knew compiled
/// probes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEKIT_PROBEINFO_H
#define JOPT_PROBES_PROBEKIT_PROBEINFO_H

#include "jopt/Probes/Probekit/Model.h"

namespace jopt::probekit {

/// \p Doc as XML without its fragments, laid out as the original did it:
/// elements in the order of its schema, attributes in that of the alphabet.
std::string writeProbeInfo(const Document &Doc);

} // namespace jopt::probekit

#endif
