//===- ClassView.h - A class file taken apart -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the format checks leave behind for the checks after them. All of it
/// refers to the bytes of the class file.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_CLASSVIEW_H
#define JOPT_LIB_VERIFY_CLASSVIEW_H

#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Bytecode/PoolTags.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace jopt::verify {

struct PoolEntry {
  CPTag Tag = CPTag::None;
  uint16_t A = 0;      ///< first index, or the length of a Utf8
  uint16_t B = 0;      ///< second index
  uint32_t Offset = 0; ///< of the characters of a Utf8
};

struct CodeAttribute {
  uint16_t MaxStack = 0;
  uint16_t MaxLocals = 0;
  Bytes Code;
  Bytes Handlers; ///< eight bytes per entry
  std::optional<Bytes> StackMap;
  llvm::SmallVector<Bytes, 1> LocalVariables; ///< ten bytes per entry

  size_t numHandlers() const { return Handlers.size() / 8; }
  uint16_t handlerField(size_t Entry, unsigned Field) const {
    return readU2(Handlers.data() + 8 * Entry + 2 * Field);
  }
};

struct MemberView {
  uint16_t Flags = 0;
  uint16_t Name = 0;
  uint16_t Descriptor = 0;
  bool HasCode = false; ///< that is to be checked
  CodeAttribute Code;

  bool isStatic() const { return Flags & ACC_STATIC; }
};

struct ClassView {
  Bytes Data;
  uint16_t Minor = 0, Major = 0;
  uint16_t Flags = 0;
  uint16_t This = 0, Super = 0;
  std::vector<PoolEntry> Pool;
  llvm::SmallVector<uint16_t, 8> Interfaces;
  std::vector<MemberView> Fields, Methods;

  bool isInterface() const { return Flags & ACC_INTERFACE; }
  bool hasValueClasses() const { return jopt::hasValueClasses(Major, Minor); }
  bool isValueClass() const {
    return !(Flags & (ACC_IDENTITY | ACC_INTERFACE)) && hasValueClasses();
  }
  /// A constructor sets \p F before it calls super().
  bool isStrict(const MemberView &F) const {
    return (F.Flags & ACC_STRICT_INIT) && !F.isStatic() && hasValueClasses();
  }
  CPTag tag(unsigned I) const {
    return I < Pool.size() ? Pool[I].Tag : CPTag::None;
  }
  /// The bytes of Utf8 \p I; empty if it is none.
  llvm::StringRef utf8(unsigned I) const {
    if (tag(I) != CPTag::Utf8)
      return {};
    return toStringRef(Data.slice(Pool[I].Offset, Pool[I].A));
  }
  /// The name in Class entry \p I; empty if it is none.
  llvm::StringRef className(unsigned I) const {
    return tag(I) == CPTag::Class ? utf8(Pool[I].A) : llvm::StringRef();
  }
  /// Name and descriptor of a field, method or dynamic entry.
  llvm::StringRef refName(unsigned I) const { return utf8(Pool[Pool[I].B].A); }
  llvm::StringRef refDescriptor(unsigned I) const {
    return utf8(Pool[Pool[I].B].B);
  }
  llvm::StringRef thisName() const { return className(This); }
  llvm::StringRef superName() const { return className(Super); }
};

} // namespace jopt::verify

#endif
