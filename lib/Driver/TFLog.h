//===- TFLog.h - The messages of a run of jopt-tf ---------------*- C++ -*-===//
//-*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lines of the levels of -verbose, laid out as the original's, and the errors
/// and warnings of classes, in the order of the inputs.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_TFLOG_H
#define JOPT_LIB_DRIVER_TFLOG_H

#include "jopt/Archive/Containers.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/TF/ClassData.h"
#include <map>
#include <mutex>

namespace jopt {

class TFLog {
public:
  /// Lines up to level \p Verbose go to \p OS. A dry run prints the changes
  /// that it would make at every level.
  TFLog(unsigned Verbose, bool DryRun, DiagnosticEngine &Diags,
        llvm::raw_ostream &OS)
      : Verbose(Verbose), DryRun(DryRun), Diags(Diags), OS(OS) {}

  /// \name At once, on the main thread
  /// @{
  void note(unsigned Level, const llvm::Twine &Text);
  void wrote(llvm::StringRef Path);
  /// @}

  /// \name Of an entry, on any thread
  /// @{
  void line(const EntryInfo &E, unsigned Level, const llvm::Twine &Text);
  void warning(const EntryInfo &E, const llvm::Twine &Text);
  void error(const EntryInfo &E, Diagnostic Why);
  void error(const EntryInfo &E, llvm::Error Why);
  void changed(const EntryInfo &E, llvm::StringRef What);
  /// Describes a traced class: its level, its holders and its methods.
  void describe(const EntryInfo &E, const ClassFile &Class,
                const tf::ClassData &Data, unsigned Level);
  /// @}

  /// Prints the messages of all entries; true if there was an error.
  bool flush();

private:
  struct Message {
    unsigned Level; ///< of a line
    std::optional<Diagnostic> Problem;
    std::string Text;
  };
  void add(const EntryInfo &E, Message M);
  void print(unsigned Level, llvm::StringRef Text);

  const unsigned Verbose;
  const bool DryRun;
  DiagnosticEngine &Diags;
  llvm::raw_ostream &OS;
  std::mutex Lock;
  std::map<uint64_t, std::vector<Message>> Entries;
};

} // namespace jopt

#endif
