//===- ReportStore.h - The report's rows by class ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_REPORTSTORE_H
#define JOPT_AGENT_TELEMETRY_REPORTSTORE_H

#include "jopt/Passes/EncodedReport.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace jopt::agent {

/// Where the probes at work are, class by class, and what was left as it was
/// and why, for whoever asks for the report. A class's rows are packed, some 5
/// bytes a place besides the names of methods, and no more are kept than
/// MaxBytes. Of classes of one name (of loaders) those of the last are there.
///
/// Thread-safe: hooks add at once. The lock is held for looking up and adding.
class ReportStore {
public:
  static constexpr size_t MaxBytes = 16 << 20;

  /// Other probes are at work from now on, or none.
  void startOver();
  /// Rows of one class as they are kept.
  static std::string pack(const ClassRows &Rows);
  /// Stores the rows of the class \p Name (internal) in place of earlier ones.
  void set(llvm::StringRef Name, const ClassRows &Rows) {
    setPacked(Name, pack(Rows));
  }
  /// The same, of what pack() made.
  void setPacked(llvm::StringRef Name, std::string Rows);
  /// It stays as it was as a whole.
  void leave(llvm::StringRef Name, std::string Why);

  /// The rows of \p Name; none where there are none.
  std::vector<ReportRow> find(llvm::StringRef Name) const;
  /// All, by name.
  void
  forEach(llvm::function_ref<void(llvm::StringRef Name, std::vector<ReportRow>)>
              Use) const;
  /// How many classes have rows that were not kept.
  uint64_t omitted() const;

private:
  void erase(llvm::StringRef Name);

  mutable std::mutex Lock; ///< of what follows
  llvm::StringMap<std::string> Packed;
  size_t Size = 0; ///< of all in Packed, names included
  uint64_t Omitted = 0;
};

} // namespace jopt::agent

#endif
