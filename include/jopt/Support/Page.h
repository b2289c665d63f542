//===- Page.h - Pages with their data in them -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Self-contained pages for a browser. What all share of head, style and script
/// is in lib/Support/Page.css, Page.js and Page.html; jopt_page() of
/// cmake/JOpt.cmake puts it in.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_PAGE_H
#define JOPT_SUPPORT_PAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt {

/// Writes \p Page with \p JSON in place of `@DATA@`, which stands in a script
/// element. Any thread.
void printPage(llvm::StringRef Page, llvm::StringRef JSON,
               llvm::raw_ostream &OS);

} // namespace jopt

#endif
