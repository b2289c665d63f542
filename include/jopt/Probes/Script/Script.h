//===- Script.h - Engine scripts --------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `.probescript` files, which the original's compiler writes and its engine
/// reads: targets, and methods of compiled classes to call.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_SCRIPT_SCRIPT_H
#define JOPT_PROBES_SCRIPT_SCRIPT_H

#include "jopt/Advice/Advice.h"

namespace jopt {

/// Where a script lies in a bundle.
constexpr llvm::StringLiteral ScriptInBundle =
    "META-INF/jopt/probes.probescript";

/// Probe::FieldPrefix of all probes, as in the original.
constexpr llvm::StringLiteral EngineFieldPrefix = "probekit$staticField_";

/// Reads a script by the rules of the original's engine: keywords in any case,
/// unknown ones ignored, data items in canonical order whatever their order in
/// the list. The error holds every finding, each with line and column.
llvm::Expected<AdviceSet> readScript(llvm::StringRef Text,
                                     llvm::StringRef File);

/// Writes \p Set as the original's compiler does, in its order. Features that
/// only jopt has stand in lines that begin with `JOPT`, a keyword which the
/// original's engine ignores.
std::string writeScript(const AdviceSet &Set);

} // namespace jopt

#endif
