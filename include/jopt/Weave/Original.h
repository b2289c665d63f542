//===- Original.h - What a class was before it was woven --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Woven classes can be taken back: the class carries the bytes that it was
/// made of, in the attribute `jopt.Original`, the last of the class: u1, the
/// format, 1; u8, XXH3 of the bytes of the class file in front of the payload;
/// u4, how many bytes the original has; then these, deflated (RFC 1951).
/// Classes that were put beside woven ones carry `jopt.Added`, which is empty.
/// JVMs ignore both (JVM specification, 4.7.1).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WEAVE_ORIGINAL_H
#define JOPT_WEAVE_ORIGINAL_H

#include "jopt/Archive/Containers.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace jopt {

/// Puts \p Original, of which \p F was made, into it, when all else is done.
/// Fails where the constant pool is full.
llvm::Error keepOriginal(ClassFile &F, Bytes Original);
/// Completes that in \p Written, which is \p F as it was written.
void sealOriginal(const ClassFile &F, llvm::MutableArrayRef<uint8_t> Written);

/// The bytes in the attribute of the class file \p Data; none if it has none.
/// An error if somebody else changed the class since, whose changes would be
/// lost.
llvm::Expected<std::optional<llvm::SmallVector<uint8_t, 0>>>
readOriginal(Bytes Data);

/// Class \p F has such an attribute, whatever is in it.
bool hasOriginal(const ClassFile &F);

/// The class has probes, or records coverage or traces, or has the tracing
/// facility's fields.
bool isWoven(const ClassFile &F);

/// The error for a woven class that has no such attribute, so that weaving
/// cannot be undone.
llvm::Error wovenWithoutOriginal();

/// The class file \p Data, which was made of \p Original, with that in it.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> withOriginal(Bytes Data,
                                                           Bytes Original);

/// The class file \p Data with the mark that it was put beside woven classes.
llvm::Expected<llvm::SmallVector<uint8_t, 0>> markAdded(Bytes Data);

/// Whether the class file \p Data has that mark.
bool isAdded(Bytes Data);
/// The internal name of the class in \p Data, if it has that mark.
std::optional<std::string> addedName(Bytes Data);

/// False if the class file \p Data is not woven; else isWoven() says whether it
/// is. Cheap.
bool mayBeWoven(Bytes Data);

/// Shows class files as they were before they were woven, where they tell it,
/// and none that were put beside them.
class OriginalView : public EntryView {
public:
  llvm::Expected<Seen> look(const EntryInfo &E, Bytes Data) const override;

  /// The class \p Name, which was put beside woven ones into the container \p
  /// Id, is shown: classes need it that cannot be taken back. So is the module
  /// descriptor there, which names its package. Before any walk.
  void keep(llvm::StringRef Name, unsigned Id) {
    Names.insert(Name);
    Containers.insert(Id);
  }
  bool keepsAny() const { return !Names.empty(); }
  /// Woven classes are shown as they are, and only others as they were.
  void keepWoven() { KeepsWoven = true; }
  bool keepsWoven() const { return KeepsWoven; }

private:
  bool KeepsWoven = false;
  llvm::StringSet<> Names;
  std::set<unsigned> Containers;
};

} // namespace jopt

#endif
