//===- TextPlaces.h - Where in a text something stands ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_TEXT_TEXTPLACES_H
#define JOPT_IR_TEXT_TEXTPLACES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace jopt {

/// The places of classes, fields, methods, blocks and instructions in the text
/// that they were parsed from, for messages. A table beside the IR, which
/// itself knows no text: it holds until a pass changes what it names.
class TextPlaces {
public:
  /// Both count from 1; 0 if not known.
  struct Place {
    unsigned Line = 0, Column = 0;
  };
  /// The place of the object at the address \p Unit.
  Place find(const void *Unit) const;

  /// Begins with \p Text, whose first line has number \p FirstLine.
  void reset(llvm::StringRef Text, unsigned FirstLine);
  /// The object at \p Unit begins \p Offset bytes into the text.
  void add(const void *Unit, size_t Offset) { Offsets[Unit] = Offset; }

private:
  llvm::DenseMap<const void *, size_t> Offsets;
  std::vector<size_t> LineStarts;
  unsigned FirstLine = 1;
};

} // namespace jopt

#endif
