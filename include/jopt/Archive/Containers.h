//===- Containers.h - Over all entries of the inputs ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The walk over all entries of all inputs: class files, folders, archives and
/// archives in archives. A client says by name which entries it wants, gets
/// their bytes on worker threads, and answers what becomes of them; whatever it
/// does not touch is copied as it is, still compressed. The result does not
/// depend on the number of threads.
///
/// \code
///   auto In = InputSet::open({"app.jar"});                  // Expected
///   auto Out = OutputSet::create(*In, OutputSpec::to("out.jar"));
///   Collector Facts;                                        // read only
///   Error E = processInputs(*In, Facts, nullptr, Options);
///   Instrumenter Work(Facts);
///   if (!E) E = processInputs(*In, Work, &*Out, Options);
///   if (!E) E = Out->commit();                              // now it appears
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_CONTAINERS_H
#define JOPT_ARCHIVE_CONTAINERS_H

#include "jopt/Archive/Inputs.h"
#include "jopt/Archive/Outputs.h"
#include "jopt/Archive/ZipReader.h"
#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>

namespace jopt {

/// Something that holds entries. Lives as long as the walk is inside it, and
/// until its finish() hook returned; equal Ids name the same container in every
/// walk over the same InputSet with the same answers of plan().
struct ContainerInfo {
  enum class Kind {
    File,   ///< a single file that is no archive: one entry, itself
    Folder, ///< a folder that the user named; its entries are files
    Archive ///< an archive: a file, a file in a folder, or an entry
  };
  Kind TheKind = Kind::File;
  /// Counts up in the order of the walk, outer before inner, from 0.
  unsigned Id = 0;
  /// Which of the user's inputs this is, or is in.
  unsigned Input = 0;
  /// The container around this one; null for what the user named.
  const ContainerInfo *Parent = nullptr;
  /// The name in Parent; as the user wrote it if there is none.
  std::string Name;
  /// For messages: "outer.jar!/WEB-INF/lib/inner.jar", "classes/lib/x.jar".
  std::string Display;
  /// How many archives are around this one.
  unsigned Depth = 0;
};

/// One entry. Valid during the call it is passed to.
struct EntryInfo {
  const ContainerInfo *Container = nullptr;
  /// The path in its container, '/' between parts, without the '/' behind it of
  /// a class named like a folder; any bytes may occur, and in
  /// archives also "../" and absolute names, which mean nothing to jopt. For a
  /// single file the last part of its path.
  llvm::StringRef Name;
  /// Bytes when inflated, as the directory says.
  uint64_t Size = 0;
  /// Counts up over all entries with plan() != Copy in the order of the walk,
  /// the same in every walk with the same plans. To reduce in a fixed order.
  uint64_t Ordinal = 0;

  /// For messages and reports: "outer.jar!/a/B.class", "classes/a/B.class".
  std::string display() const;
};

/// The plan of a client for an entry, judged by its name.
enum class EntryPlan {
  Copy,      ///< cannot be touched: never inflated
  Transform, ///< transform() wants its bytes
  Descend    ///< an archive: walk its entries (if its content is an archive)
};

/// A view that clients have of entries instead of their content: the changes of
/// an earlier run are undone. For walks that want whole entries; single files
/// are never gone.
class EntryView {
public:
  struct Seen {
    /// The entry is as if it were not there, and not in the output.
    bool Gone = false;
    /// Its content for the client, and, if that changes nothing, for the
    /// output. None: what is there.
    std::optional<llvm::SmallVector<uint8_t, 0>> Content;
  };
  virtual ~EntryView();
  /// Any thread. An error makes the entry unreadable.
  virtual llvm::Expected<Seen> look(const EntryInfo &E, Bytes Data) const = 0;
};

/// The result of transform().
struct EntryResult {
  bool Changed = false;
  llvm::SmallVector<uint8_t, 0> Data; ///< the new content, if Changed
  /// If not empty and Changed, the entry's new name (B.jir for B.class).
  std::string NewName;

  static EntryResult unchanged() { return {}; }
  static EntryResult replaced(llvm::SmallVector<uint8_t, 0> Data) {
    return {true, std::move(Data), {}};
  }
};

/// The last look at a container whose entries are all processed. Main thread.
class ContainerEditor {
public:
  virtual ~ContainerEditor();

  virtual const ContainerInfo &info() const = 0;
  /// True if an entry was changed, dropped or added, here or in an archive in
  /// here.
  virtual bool changed() const = 0;
  /// True if transform() changed an entry of this very container, from what
  /// it saw of it.
  virtual bool entriesChanged() const = 0;

  /// The entries in the order of the directory; indices stay valid.
  virtual size_t size() const = 0;
  virtual llvm::StringRef name(size_t I) const = 0;
  /// The first entry of that name.
  virtual std::optional<size_t> find(llvm::StringRef Name) const = 0;
  /// Its content as it is now.
  virtual llvm::Expected<llvm::SmallVector<uint8_t, 0>>
  read(size_t I) const = 0;
  /// Whether the entry of an archive has another content than in the input.
  virtual bool isReplaced(size_t I) const = 0;

  virtual llvm::Error replace(size_t I, Bytes Data) = 0;
  /// Gives an entry of an archive another name, at its place.
  virtual llvm::Error rename(size_t I, std::string Name) = 0;
  /// Takes the entry out. Not for single files, and not for archives in
  /// folders.
  virtual llvm::Error drop(size_t I) = 0;
  /// Adds an entry behind the others (replaces it if there is one of that
  /// name). \p Path is relative, '/' between parts, without "..". The time is
  /// SOURCE_DATE_EPOCH, or 1980-01-01. Not for single files.
  virtual llvm::Error add(llvm::StringRef Path, Bytes Data,
                          bool Deflate = true) = 0;
};

/// The user of a walk.
class ContainerClient {
public:
  virtual ~ContainerClient();

  /// By name only (E.Ordinal is not set yet). Main thread, in order. Not asked
  /// for directories. The default is planByName().
  virtual EntryPlan plan(const EntryInfo &E);
  /// How many bytes of an entry transform() wants, from its beginning: reading
  /// less is cheaper, but then content that is broken behind is not noticed.
  virtual uint64_t wantedBytes() const { return UINT64_MAX; }
  /// \p Data is valid during the call. Any thread, no order. An error ends the
  /// run; the first one in the order of the walk is reported.
  virtual llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                                Bytes Data) = 0;
  /// Inner containers before outer ones, otherwise in order. Main thread; all
  /// entries of this container have been transformed. In a walk without output
  /// every change is refused by an error.
  virtual llvm::Error finish(ContainerEditor &C);
  /// A wanted entry (or inner archive) that cannot be read: encrypted, unknown
  /// method, wrong checksum, beyond the limits, broken. Return \p Why to end
  /// the run (the default), or report it and return success: then the entry
  /// stays as it is. Any thread.
  virtual llvm::Error unreadable(const EntryInfo &E, llvm::Error Why);
};

/// By the ending, in any case of letters: .class is transformed; .jar .war .ear
/// .rar .zip .jmod are descended into; everything else is copied. The one entry
/// of a single file is always transformed.
EntryPlan planByName(const EntryInfo &E);

struct ProcessOptions {
  /// With the calling one; 0: as many as the machine has.
  unsigned Threads = 1;
  ArchiveLimits Limits;
  /// Called on the main thread now and then, for a progress line: how many
  /// wanted entries are done, and how many are known so far.
  std::function<void(uint64_t Done, uint64_t Known)> Progress;
};

/// Walks \p In. With \p Out, changed content is put there (nothing appears
/// before its commit()); without, results are discarded. Errors name the file,
/// and the entry behind "!/".
llvm::Error processInputs(const InputSet &In, ContainerClient &Client,
                          OutputSet *Out, const ProcessOptions &Options);

} // namespace jopt

#endif
