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
#include "llvm/ADT/StringMap.h"
#include <map>
#include <mutex>
#include <set>

namespace jopt {

/// A container and what became of its entries. Worker threads record changes
/// under Lock; everything else is the main thread's.
struct ContainerNode {
  ContainerInfo Info;
  /// The input it is, or is in; FileIndex is meaningless for folders.
  const Input *Owner = nullptr;
  size_t FileIndex = 0;

  std::mutex Lock;
  bool EntriesChanged = false; ///< by transform()
  bool Changed = false;        ///< by anyone, also inside inner archives

  // Archives.
  std::unique_ptr<ZipArchive> Zip;
  std::optional<ZipWriter> Edit;
  size_t IndexInParent = 0;
  std::vector<std::unique_ptr<ContainerNode>> Children;
  std::shared_ptr<SpillFile> Spill; ///< shared by an archive and its children

  // Files and folders: new contents by index, and added files.
  struct NewFile {
    Rope Content;
    std::string NewName;
  };
  std::map<size_t, NewFile> Files;
  std::map<std::string, Rope> AddedFiles;
  /// Of a folder: the files that went to the output as soon as they were done.
  std::set<size_t> Written;
  std::set<size_t> Archives; ///< those of them that are archives

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
  bool changed() const override { return Node.Changed; }
  bool entriesChanged() const override { return Node.EntriesChanged; }
  size_t size() const override;
  llvm::StringRef name(size_t I) const override;
  std::optional<size_t> find(llvm::StringRef Name) const override;
  llvm::Expected<llvm::SmallVector<uint8_t, 0>> read(size_t I) const override;
  llvm::Error replace(size_t I, Bytes Data) override;
  llvm::Error drop(size_t I) override;
  llvm::Error add(llvm::StringRef Path, Bytes Data, bool Deflate) override;

private:
  bool isZip() const { return Node.Zip != nullptr; }
  /// Success if \p Doing is possible at all.
  llvm::Error checkEdit(const llvm::Twine &Doing) const;

  ContainerNode &Node;
  const OutputSet *const Out;
  const uint64_t Limit;
  mutable std::optional<llvm::StringMap<size_t>> Index;
};

} // namespace jopt

#endif
