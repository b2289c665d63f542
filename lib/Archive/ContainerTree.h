//===- ContainerTree.h - The containers of a walk ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a walk keeps of a container while it is open.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_ARCHIVE_CONTAINERTREE_H
#define JOPT_LIB_ARCHIVE_CONTAINERTREE_H

#include "jopt/Archive/Containers.h"
#include "jopt/Archive/ZipWriter.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <mutex>
#include <set>

namespace jopt {

/// The changes to the entries of a container. While entries are queued, worker
/// threads write to no other part of the container, and they call only the
/// functions that lock. The other functions are for the main thread, once no
/// entry is queued any more.
class EntryChanges {
public:
  struct NewFile {
    Rope Content;
    std::string NewName;
  };

  /// Locks: transform() changed an entry; there is no output.
  void note();
  /// Locks: the new content of the entry \p I, made by transform() or kept as
  /// transform() saw it.
  void replace(size_t I, PackedContent Content, std::string NewName,
               bool ByTransform);
  /// Locks: the entry \p I is not in the output.
  void drop(size_t I);
  /// Locks: the file \p I of a folder went to the output, and whether it was
  /// changed by \p ByTransform, or by \p Inside an archive that it is.
  void noteWritten(size_t I, bool ByTransform, bool IsArchive = false,
                   bool Inside = false);
  /// All entries of an archive are dropped, and there were some.
  bool isEmptied(const ZipArchive &Zip) const;

  bool EntriesChanged = false;   ///< by transform()
  bool Changed = false;          ///< by anyone, also inside inner archives
  std::optional<ZipWriter> Edit; ///< of an archive
  // Files and folders: new contents by index, and added files.
  std::map<size_t, NewFile> Files;
  std::map<std::string, Rope> AddedFiles;
  /// Of a folder: the files that went to the output as soon as they were done.
  bool isWritten(size_t I) const {
    return I < Written.size() && Written.test(unsigned(I));
  }
  std::set<size_t> Archives; ///< those of them that are archives
  std::set<size_t> Dropped;  ///< of a folder: not in the output

private:
  llvm::BitVector Written; ///< isWritten()
  std::mutex Lock;
};

/// A container. Worker threads get it to read from, and its Changes.
struct ContainerNode {
  ContainerInfo Info;
  /// The input it is, or is in; FileIndex is meaningless for folders.
  const Input *Owner = nullptr;
  size_t FileIndex = 0;

  // Archives.
  std::unique_ptr<ZipArchive> Zip;
  size_t IndexInParent = 0;
  std::vector<std::unique_ptr<ContainerNode>> Children;
  std::shared_ptr<SpillFile> Spill; ///< shared by an archive and its children

  EntryChanges Changes;

  const InputFile &file(size_t I) const { return Owner->Files[I]; }
  /// The entry \p I as the client sees it, without its ordinal.
  EntryInfo entry(size_t I) const;
  /// Its content as it was found; no more than \p Wanted bytes of it.
  llvm::Error read(size_t I, uint64_t Limit, llvm::SmallVectorImpl<uint8_t> &To,
                   uint64_t Wanted = UINT64_MAX) const;
};

/// What clients see of a node in finish().
class NodeEditor : public ContainerEditor {
public:
  /// \p Out: null if there is no output.
  NodeEditor(ContainerNode &Node, const OutputSet *Out, uint64_t Limit)
      : Node(Node), Out(Out), Limit(Limit) {}

  const ContainerInfo &info() const override { return Node.Info; }
  bool changed() const override { return Node.Changes.Changed; }
  bool entriesChanged() const override { return Node.Changes.EntriesChanged; }
  size_t size() const override;
  llvm::StringRef name(size_t I) const override;
  std::optional<size_t> find(llvm::StringRef Name) const override;
  llvm::Expected<llvm::SmallVector<uint8_t, 0>> read(size_t I) const override;
  bool isReplaced(size_t I) const override {
    return isZip() && Node.Changes.Edit->isReplaced(I);
  }
  llvm::Error replace(size_t I, Bytes Data) override;
  llvm::Error rename(size_t I, std::string Name) override;
  llvm::Error drop(size_t I) override;
  llvm::Error add(llvm::StringRef Path, Bytes Data, bool Deflate) override;

private:
  bool isZip() const { return Node.Zip != nullptr; }
  /// Success if \p Doing is possible at all.
  llvm::Error checkEdit(const llvm::Twine &Doing) const;

  ContainerNode &Node;
  const OutputSet *const Out;
  const uint64_t Limit;
  /// Entries by the hashes of their names, and with one hash in order.
  mutable std::vector<std::pair<uint32_t, uint32_t>> Index;
};

} // namespace jopt

#endif
