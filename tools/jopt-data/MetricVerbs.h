//===- MetricVerbs.h - OpenTelemetry by its definitions ------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_METRICVERBS_H
#define JOPT_TOOLS_JOPTDATA_METRICVERBS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace jopt::data {

/// Whether \p Verb exports metrics, or spans to the address of a collector.
bool isForOpenTelemetry(llvm::StringRef Verb, llvm::StringRef Format,
                        llvm::StringRef Output);

/// Does it, by a program in Python that calls this one for the data. Returns
/// the exit status.
llvm::Expected<int> runOpenTelemetry(llvm::ArrayRef<std::string> Inputs,
                                     llvm::StringRef Output,
                                     llvm::StringRef Format,
                                     llvm::StringRef Run);

} // namespace jopt::data

#endif
