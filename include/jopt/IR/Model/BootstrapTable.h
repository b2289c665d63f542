//===- BootstrapTable.h - The bootstrap methods of a class ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_BOOTSTRAPTABLE_H
#define JOPT_IR_MODEL_BOOTSTRAPTABLE_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace jopt {

/// The payload of a BootstrapMethods attribute (JVM specification, section
/// 4.7.23), to which many entries can be added: each costs as much as it is
/// long, however many there are. Used by one thread.
class BootstrapTable {
public:
  /// Takes over the entries of \p Payload, unless that is payload(). False if
  /// it is malformed.
  bool read(Bytes Payload);
  /// Valid until the table changes.
  Bytes payload() const { return Data; }
  size_t size() const { return Ends.size() - 1; }

  /// The number of the first entry with these pool entries, or of one that is
  /// added behind all others; none if the table is full.
  std::optional<uint16_t> add(uint16_t Handle,
                              llvm::ArrayRef<uint16_t> Arguments);
  /// Takes all but the first \p Count away.
  void keep(size_t Count);

private:
  llvm::StringRef entry(size_t N) const {
    return toStringRef(payload().slice(Ends[N], Ends[N + 1] - Ends[N]));
  }

  llvm::SmallVector<uint8_t, 0> Data;
  /// Where entries end; the first: where they begin, behind their number.
  std::vector<size_t> Ends;
  llvm::StringMap<uint16_t> Numbers; ///< of entries; of equal ones the first
};

} // namespace jopt

#endif
