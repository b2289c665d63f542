//===- ProbeText.h - Texts of probe files -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts that front-ends for texts have in common: places in them, and the
/// names that authors write.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBETEXT_H
#define JOPT_PROBES_PROBETEXT_H

#include "jopt/Advice/AdviceKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

/// No longer text is taken.
constexpr size_t MaxProbeFileSize = size_t(16) << 20;

/// A place in a file, both from 1; columns count characters, not bytes.
struct Position {
  unsigned Line = 0, Column = 0;

  bool operator==(Position P) const {
    return Line == P.Line && Column == P.Column;
  }
  /// The place behind \p Text (UTF-8, lines end in LF) that begins here.
  Position after(llvm::StringRef Text) const;
};

/// How many characters \p Text has (UTF-8).
unsigned countCharacters(llvm::StringRef Text);

/// A part of a file, with the place of each piece of it.
struct SourceText {
  struct Piece {
    size_t Offset = 0; ///< where it begins in Text
    Position Where;
    /// The piece stands literally in the file, so lines and columns advance
    /// with it; false for the text of an XML entity, say, which is all at its
    /// reference.
    bool Literal = true;
  };

  std::string Text; ///< UTF-8
  std::vector<Piece> Pieces;
  Position Where; ///< of what it belongs to

  /// The place behind it.
  Position getEnd() const;
};

/// \name Names of data items
/// DataItemInfo::FileName; case-sensitive.
/// @{
std::optional<DataItem> findDataType(llvm::StringRef Name);
inline llvm::StringRef getDataTypeName(DataItem D) {
  return getInfo(D).FileName;
}
std::vector<llvm::StringRef> getDataTypeNames();
/// @}

/// The names of all kinds of advice, as findFragmentKind takes them.
std::vector<llvm::StringRef> getAdviceKindNames();

/// Of \p Known the name that someone who wrote \p Written may have meant; empty
/// if none is near.
llvm::StringRef suggest(llvm::StringRef Written,
                        llvm::ArrayRef<llvm::StringRef> Known);

/// "; did you mean 'x'?", or what else there is if that is more than two.
std::string didYouMean(llvm::StringRef Written,
                       llvm::ArrayRef<llvm::StringRef> Known);

/// "; it is in entry, exit": the kinds of advice that can have \p Item.
std::string whereAvailable(DataItem Item);

} // namespace jopt

#endif
