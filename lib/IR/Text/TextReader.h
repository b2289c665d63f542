//===- TextReader.h - Names and constants from .jir -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The counterpart of TextWriter: what that writes, this reads, for one class.
/// All functions return false after an error, which the Scanner keeps.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_TEXT_TEXTREADER_H
#define JOPT_LIB_IR_TEXT_TEXTREADER_H

#include "../Model/Layout.h"
#include "PoolSymbols.h"
#include "Scanner.h"
#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

class TextReader {
public:
  TextReader(Scanner &S, ClassFile &Class)
      : S(S), Class(Class), Symbols(Class.Pool) {}

  bool name(std::string &Out) { return wordOrString(Out, S.word()); }
  bool dottedName(std::string &Out) {
    return wordOrString(Out, S.dottedWord());
  }
  bool descriptor(std::string &Out) {
    return wordOrString(Out, S.descriptor());
  }

  /// An index as TextWriter::entry writes it.
  bool entry(uint16_t &Index, uint32_t Tags);
  bool nameEntry(uint16_t &Index);
  bool descriptorEntry(uint16_t &Index);
  /// `#N` where an index must follow.
  bool index(uint16_t &Index);
  /// The entry of a number, with what may follow it.
  bool number(uint16_t &Index, CPTag Tag, uint64_t Bits);
  /// The Utf8 entry of a string that the text does not spell out.
  bool utf8(uint16_t &Index, llvm::StringRef Text) {
    Index = Symbols.utf8(Text);
    return Index || S.fail("the constant pool is full");
  }

  /// Bytes as TextWriter::hex writes them.
  bool hex(ByteWriter &W);

  bool flags(llvm::StringRef Set, uint16_t &Flags);

  /// Parses the text behind the word `attribute`.
  bool attribute(Attribute &A, AttributePlace Place);

  Scanner &S;
  ClassFile &Class;

private:
  bool wordOrString(std::string &Out, llvm::StringRef Word);
  bool contents(uint16_t &Index, CPTag Tag);
  bool memberContents(uint16_t &Index, CPTag Tag);
  bool handleContents(uint16_t &Index);
  bool keyword(CPTag &Tag, uint32_t Tags);
  bool suffix(uint16_t &Index, const char *Start);

  bool fields(const layout::Sequence &Seq, ByteWriter &W, unsigned Depth);
  bool stretch(layout::Item::Kind K, ByteWriter &W);
  bool item(const layout::Item &I, ByteWriter &W, unsigned Depth);
  bool list(const layout::Item &I, ByteWriter &W, unsigned Depth);
  bool unionOf(const layout::Item &I, ByteWriter &W, unsigned Depth);
  bool attributes(AttributePlace Place, ByteWriter &W);

  PoolSymbols Symbols;
};

} // namespace jopt

#endif
