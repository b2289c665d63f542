//===- SQLVerbs.h - Recorded data in DuckDB ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_SQLVERBS_H
#define JOPT_TOOLS_JOPTDATA_SQLVERBS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace jopt::data {

/// Whether DuckDB does the work: for `sql` and for `export -format=parquet`.
bool isForSQL(llvm::StringRef Verb, llvm::StringRef Format);

/// Does it, by a program in Python that calls this one for the data. The last
/// of \p Inputs is the statement of `sql`. Returns the exit status.
llvm::Expected<int> runSQL(llvm::StringRef Verb,
                           llvm::ArrayRef<std::string> Inputs,
                           llvm::StringRef Output, llvm::StringRef Format,
                           llvm::StringRef Run);

} // namespace jopt::data

#endif
