//===- Scanner.h - Words of .jir text ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads one word after the other. What counts as a word depends on the place
/// (a descriptor may contain parentheses, a name may not), so there are no
/// tokens: the parser asks for what it expects. All functions return false
/// after an error; the first error is kept.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_SCANNER_H
#define JOPT_LIB_IR_TEXT_SCANNER_H

#include "jopt/Bytecode/PoolTags.h"
#include "jopt/IR/Text/TextPlaces.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace jopt {

class Scanner {
public:
  /// \p Places may be null.
  Scanner(llvm::StringRef Text, llvm::StringRef File, unsigned Line,
          TextPlaces *Places)
      : Begin(Text.begin()), P(Text.begin()), End(Text.end()), File(File),
        FirstLine(Line), Places(Places) {
    if (Places)
      Places->reset(Text, Line);
  }

  /// Notes that the text of \p Unit begins at \p At.
  void note(const void *Unit, const char *At) {
    if (Places)
      Places->add(Unit, size_t(At - Begin));
  }

  /// Skips white space and comments; the position is then at a word or the end.
  void space();
  /// The next character behind white space, 0 at the end.
  char peek() {
    space();
    return P == End ? 0 : *P;
  }
  /// The next character, white space included.
  char peekHere() const { return P == End ? 0 : *P; }
  bool atEnd() {
    space();
    return P == End;
  }

  /// True if there is more text on this line.
  bool sameLine() const;

  const char *position() const { return P; }
  void setPosition(const char *At) { P = At; }

  /// Takes \p S if it comes next.
  bool eat(char C);
  bool eat(llvm::StringRef S);
  /// Takes the word \p W if it comes next as a whole word.
  bool eatWord(llvm::StringRef W);
  /// Takes \p S or fails.
  bool expect(char C);
  bool expect(llvm::StringRef S);
  bool expectWord(llvm::StringRef W);

  /// The longest run of such characters behind white space; maybe empty.
  llvm::StringRef word();       ///< names
  llvm::StringRef dottedWord(); ///< names, and `.`
  llvm::StringRef descriptor(); ///< names, and parentheses
  llvm::StringRef identifier(); ///< letters, digits, `_` and `.`
  /// The result that word() would have; takes nothing.
  llvm::StringRef peekWord();

  /// A string in quotes, unescaped into \p Out.
  bool string(std::string &Out);
  /// A decimal or 0x number between \p Min and \p Max.
  bool integer(int64_t &V, int64_t Min, int64_t Max);
  bool unsignedInteger(unsigned &V, unsigned Max);
  bool float32(uint32_t &Bits);
  bool float64(uint64_t &Bits);
  /// The bits of a number of kind \p Tag.
  bool number(uint64_t &Bits, CPTag Tag);

  /// Keeps an error at the current position or at \p At, if it is the first.
  bool fail(const llvm::Twine &Message) { return failAt(P, Message); }
  bool failAt(const char *At, const llvm::Twine &Message);
  bool failed() const { return bool(HasError); }
  llvm::Error takeError();

private:
  template <typename Pred> llvm::StringRef run(Pred IsPart);
  template <typename Number, typename Bits> bool floatingNumber(Bits &B);

  const char *Begin, *P, *End;
  llvm::StringRef File;
  unsigned FirstLine;
  TextPlaces *Places;
  bool HasError = false;
  const char *ErrorAt = nullptr;
  std::string ErrorText;
};

} // namespace jopt

#endif
