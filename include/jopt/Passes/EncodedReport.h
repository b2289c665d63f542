//===- EncodedReport.h - Where advices are, in few bytes --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows Applied of a class, encoded. In the agent every woven class has
/// some, and hardly anybody reads them: so they are encoded straight from what
/// passes placed, and decoded on request.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ENCODEDREPORT_H
#define JOPT_PASSES_ENCODEDREPORT_H

#include "jopt/Passes/ReportRow.h"

namespace jopt {

/// The rows ReportRow::Applied of one class: some 5 bytes a site, besides the
/// names of the methods. A value; not thread-safe while rows are added.
class EncodedReport {
public:
  EncodedReport() = default;
  /// From the result of bytes().
  explicit EncodedReport(llvm::StringRef Bytes)
      : Packed(Bytes.begin(), Bytes.end()) {}

  /// The rows that are added next, one at least, are of method number \p Order
  /// of the class. Names are modified UTF-8.
  void beginMethod(unsigned Order, llvm::StringRef Name,
                   llvm::StringRef Descriptor);
  void add(unsigned Probe, llvm::StringRef ProbeName, unsigned Count,
           llvm::ArrayRef<ReportRow::Site> Sites);

  bool empty() const { return Packed.empty(); }
  llvm::StringRef bytes() const { return {Packed.data(), Packed.size()}; }
  /// The rows of the class \p Class (internal name, standard UTF-8), in the
  /// order in which they were added.
  std::vector<ReportRow> rows(llvm::StringRef Class) const;

private:
  void endAt(const char *End) { Packed.truncate(size_t(End - Packed.data())); }

  llvm::SmallVector<char, 0> Packed;
  bool IsFirst = false; ///< the next row, of its method
  int64_t Last = -1;    ///< the probe of the row before
};

/// The rows of a class.
struct ClassRows {
  std::string Class;            ///< internal name, if anything was placed
  EncodedReport Placed;         ///< the rows Applied
  std::vector<ReportRow> Other; ///< all others, in the order of the methods

  bool empty() const { return Placed.empty() && Other.empty(); }
  void clear() { *this = ClassRows(); }
  /// All of them in the order of the methods, those Applied first.
  std::vector<ReportRow> all() const;
};

/// \name Texts and numbers behind one another
/// The functions that read take only what the others wrote.
/// @{
void packNumber(uint64_t N, std::string &To);
void packText(llvm::StringRef S, std::string &To);
uint64_t unpackNumber(llvm::StringRef &From);
llvm::StringRef unpackText(llvm::StringRef &From);
/// @}

} // namespace jopt

#endif
