//===- SafeText.h - Text of programs in outputs for people -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names of classes, methods and threads, and what a program prints, are
/// somebody else's text. These functions put such text where it must not act as
/// a command, a tag, a record or a formula. All take UTF-8 and accept any
/// bytes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_SAFETEXT_H
#define JOPT_SUPPORT_SAFETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace jopt {

/// \p Text on one line of a terminal, a log or a line-based format such as
/// LCOV. Control characters, characters that change the direction of writing,
/// separators of lines, and bytes that are no UTF-8 become `\n`, `\t`, `\x1b`,
/// `\u202e`. A backslash stays, so the mapping is for people. JSON stays JSON:
/// it has no other characters of the kind than those which become `\u…`.
std::string toSafeLine(llvm::StringRef Text);

/// The same, with `\u000a` for each: as the formats of traces have it.
std::string toUnicodeLine(llvm::StringRef Text);

/// The same for a text of several lines: line ends and tabs stay.
std::string toSafeLines(llvm::StringRef Text);

/// \p Text for XML or HTML, as content or between double quotes. What XML
/// cannot have is a question mark.
std::string toXMLText(llvm::StringRef Text);

/// \p Text as a cell of CSV, in quotes where it needs them. Spreadsheets
/// run a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return:
/// such a text begins with an apostrophe, unless it is a number.
std::string toCSVCell(llvm::StringRef Text);

/// Standard output and standard error, for texts: what is written there may end
/// on a terminal. Not for several threads.
llvm::raw_ostream &safeOuts();
llvm::raw_ostream &safeErrs();

/// Passes on to another stream what is written to it, as toSafeLines() has it.
/// Not for several threads.
class SafeStream : public llvm::raw_ostream {
public:
  explicit SafeStream(llvm::raw_ostream &To)
      : raw_ostream(/*unbuffered=*/true), To(To) {}
  ~SafeStream() override;

private:
  void write_impl(const char *Text, size_t Size) override;
  uint64_t current_pos() const override { return To.tell(); }

  llvm::raw_ostream &To;
  std::string Begun; ///< of a character whose rest is still to come
};

} // namespace jopt

#endif
