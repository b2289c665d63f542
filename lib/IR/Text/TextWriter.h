//===- TextWriter.h - Names and constants in .jir ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes the words that the text form is made of. The parser's Scanner reads
/// each of them back; docs/LangRef.md defines them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_TEXTWRITER_H
#define JOPT_LIB_IR_TEXT_TEXTWRITER_H

#include "../Model/Layout.h"
#include "PoolSymbols.h"
#include "jopt/IR/Model/AttributeLayout.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt {

namespace text {
/// Characters of a bare word: letters, digits and _$/[;<>-
bool isWordChar(char C);
/// Those of a bare descriptor: also ( and ).
bool isDescriptorChar(char C);
/// True if \p S has a meaning of its own somewhere in the text form, so that
/// as a name it is quoted.
bool isReserved(llvm::StringRef S);
/// "getfield" ... "invokeinterface" for 1 to 9, empty otherwise.
llvm::StringRef handleKindName(unsigned Kind);
} // namespace text

class TextWriter {
public:
  /// Writes parts of \p Class.
  TextWriter(llvm::raw_ostream &OS, const ClassFile &Class)
      : OS(OS), Pool(Class.Pool), ValueClasses(Class.hasValueClasses()),
        Symbols(Class.Pool) {}

  /// A string in quotes.
  void quoted(llvm::StringRef S);
  /// A bare word, or a string in quotes where a word would not do.
  void name(llvm::StringRef S);
  void dottedName(llvm::StringRef S);
  void descriptor(llvm::StringRef S);
  void hex(Bytes B);

  void integer(int64_t V) { OS << V; }
  void floating(uint32_t Bits);
  void doubling(uint64_t Bits);

  /// Entry \p I, of one of the kinds \p Tags, by its contents, with #I where
  /// the contents stand for another entry; #I alone if it is none of these
  /// kinds or malformed; `none` for zero.
  void entry(unsigned I, uint32_t Tags);
  /// A Utf8 as a bare word where possible.
  void nameEntry(unsigned I);
  void descriptorEntry(unsigned I);
  /// The contents of entry \p I, without #I. It must not be malformed.
  void contents(unsigned I, bool Keyword);
  bool malformed(unsigned I) const { return !Symbols.canonical(I); }
  unsigned canonical(unsigned I) const { return Symbols.canonical(I); }

  /// Flags of set \p Set, separated by spaces; unknown bits as a number. With
  /// a trailing space each if \p Spaces.
  void flags(llvm::StringRef Set, unsigned Flags, bool Trailing);

  /// `attribute ...` with a newline at the end, indented by \p Indent.
  void attribute(const Attribute &A, AttributePlace Place, unsigned Indent);

  llvm::raw_ostream &OS;
  const ConstantPool &Pool;

private:
  const bool ValueClasses; ///< ClassFile::hasValueClasses

  void suffix(unsigned I) {
    if (Symbols.canonical(I) != I)
      OS << '#' << I;
  }
  void memberContents(unsigned I);
  void nameAndType(unsigned I);
  void fields(const layout::Sequence &S, ByteCursor &C, unsigned Indent,
              bool TopLevel);
  void item(const layout::Item &I, ByteCursor &C, unsigned Indent,
            bool TopLevel);
  void attributes(AttributePlace Place, ByteCursor &C, unsigned Indent);
  void list(const layout::Item &I, ByteCursor &C, unsigned Indent,
            bool TopLevel);

  PoolSymbols Symbols;
};

} // namespace jopt

#endif
