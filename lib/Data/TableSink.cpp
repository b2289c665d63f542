//===- TableSink.cpp - Where exported rows go -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableSink.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

Error data::walkTables(const Recording &All, TableSink &Sink, LeftOut Tell) {
  size_t Next = 0; // the table that was not begun
  auto BeginUpTo = [&](size_t Table) -> Error {
    for (; Next <= Table; ++Next) {
      if (Next > 0)
        if (Error E = Sink.end(Next - 1))
          return E;
      if (Error E = Sink.begin(Next))
        return E;
    }
    return Error::success();
  };
  Error Failed = All.forEachRow(Tell, [&](size_t Table, const Row &R) {
    if (Error E = BeginUpTo(Table))
      return E;
    return Sink.row(Table, R);
  });
  if (Failed)
    return Failed;
  const size_t Count = All.tables().size();
  if (Count == 0)
    return Error::success();
  if (Error E = BeginUpTo(Count - 1))
    return E;
  return Sink.end(Count - 1);
}

Error data::makeFolder(StringRef Folder) {
  if (std::error_code EC = llvm::sys::fs::create_directories(Folder))
    return makeError(Location(Folder), EC.message());
  return Error::success();
}
