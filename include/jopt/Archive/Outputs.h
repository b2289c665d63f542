//===- Outputs.h - Outputs, whole or not at all -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where results go. Everything is first written beside its final place, and
/// appears by renaming when the run has succeeded.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_OUTPUTS_H
#define JOPT_ARCHIVE_OUTPUTS_H

#include "jopt/Archive/Inputs.h"
#include "jopt/Archive/Transaction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace jopt {

/// The output that the user asked for.
struct OutputSpec {
  enum class Kind { Standard, Path, InPlace };
  Kind TheKind = Kind::Standard;
  std::string Path;
  /// InPlace: what is appended to the names of changed files.
  std::string Suffix;

  /// `-o OUT`; "-" is standard output.
  static OutputSpec to(llvm::StringRef Out);
  /// No `-o`: standard output, as opt does it.
  static OutputSpec standard() { return {}; }
  /// `-in-place`.
  static OutputSpec inPlace() { return {Kind::InPlace, {}, {}}; }
  /// Changed files beside the old ones, which stay. A file that is there with
  /// this content already is not written.
  static OutputSpec beside(llvm::StringRef Suffix) {
    return {Kind::InPlace, {}, Suffix.str()};
  }
};

class OutputSet {
public:
  /// Decides where each file of \p In goes. One input file goes to the path, or
  /// into it if that is a folder; for a folder or several inputs the path is a
  /// folder, which is made if there is none: one folder input is mirrored to
  /// it, several inputs under their last path parts. Errors: an output that is
  /// an input (also by a link), two outputs at one place, an output folder
  /// inside an input folder, standard output for more than one file, in place
  /// of standard input.
  static llvm::Expected<OutputSet> create(const InputSet &In, OutputSpec Spec);

  OutputSet(OutputSet &&) = default;
  OutputSet &operator=(OutputSet &&) = default;

  /// Puts \p Content where \p File of \p Owner belongs, under \p NewRelative
  /// instead of its own name if that is not empty. Again for the same file, it
  /// replaces what was put there. Any thread, but each file by one at a time,
  /// and new names by one thread, so that always the same one of two is refused
  /// that go to one place.
  llvm::Error put(const Input &Owner, const InputFile &File,
                  const Rope &Content, llvm::StringRef NewRelative = {});
  /// Passes on a file that did not change: a copy, or nothing in place.
  /// \p Content, if known, saves reading it. Any thread, as put().
  llvm::Error keep(const Input &Owner, const InputFile &File,
                   std::optional<Bytes> Content = std::nullopt);
  /// \p File of a folder does not pass on: in place it is removed, with the
  /// folders that are empty then.
  void remove(const Input &Owner, const InputFile &File);
  /// The files in the output folder, if it was there, whose names end with \p
  /// End and which are not written; sorted. When all that is written was put.
  std::vector<std::string> otherFiles(llvm::StringRef End) const;
  /// One of these is removed, with the folders that are empty then.
  void removeOther(llvm::StringRef Path) { Pending.remove(Path, Spec.Path); }
  /// The content that was put or kept for \p File under its own name.
  llvm::Expected<ByteRange> get(const Input &Owner,
                                const InputFile &File) const;
  /// Adds a file to the folder \p Owner.
  llvm::Error addToFolder(const Input &Owner, llvm::StringRef Relative,
                          const Rope &Content);
  /// Adds any other file (a probe bundle, a report) to the outputs.
  llvm::Error addFile(llvm::StringRef Path, const Rope &Content);

  /// The folder or file where \p Owner goes; "-" for standard output.
  std::string destination(const Input &Owner) const;

  /// In place: the files that would be replaced or removed and that somebody
  /// changed since they were found.
  std::vector<const InputFile *> changed() const { return Pending.changed(); }
  /// Makes everything appear. Without it, nothing does. Files that somebody
  /// changed stay, and are added to \p Left; if that is null, one is an error.
  llvm::Error commit(std::vector<const InputFile *> *Left = nullptr);

private:
  OutputSet(const InputSet &In, OutputSpec Spec);
  llvm::Error checkPlace(llvm::StringRef Path, bool MayReplaceInput) const;
  std::string placeOf(const Input &Owner, llvm::StringRef Relative,
                      bool IsNew) const;
  std::string normal(llvm::StringRef Path) const;
  std::string normalFile(llvm::StringRef Path);
  bool isInput(llvm::StringRef Path) const;
  llvm::Error stage(llvm::StringRef Path, const Rope &Content, unsigned Mode,
                    llvm::StringRef From, bool MayReplaceInput,
                    const InputFile *Of = nullptr);

  const InputSet *In;
  OutputSpec Spec;
  bool PathIsFolder = false;
  std::string CurrentFolder;
  std::unique_ptr<std::mutex> Lock; ///< for what follows
  /// Output path -> where it came from: an input's, or a literal.
  llvm::StringMap<llvm::StringRef> Sources;
  /// The folder that was asked about last: as it was, and normal.
  std::pair<std::string, std::string> LastFolder;
  /// Empty until they are asked for.
  mutable llvm::DenseSet<std::pair<uint64_t, uint64_t>> InputIds;
  Transaction Pending;
};

} // namespace jopt

#endif
