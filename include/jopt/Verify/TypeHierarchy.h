//===- TypeHierarchy.h - What is known of other classes -* ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The class-file verifier asks about other classes through TypeHierarchy. A
/// provider may answer "unknown"; the verifier then assumes that what it asked
/// for holds.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_VERIFY_TYPEHIERARCHY_H
#define JOPT_VERIFY_TYPEHIERARCHY_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"

namespace jopt {

/// A field or method as the verifier sees it from outside.
struct MemberInfo {
  llvm::StringRef Name;
  llvm::StringRef Descriptor;
  uint16_t Flags = 0;
};

/// The facts about one class that linking and verifying others needs. The
/// strings belong to the provider.
struct ClassInfo {
  llvm::StringRef Name;  ///< internal form, java/lang/Object
  llvm::StringRef Super; ///< empty for java/lang/Object
  llvm::ArrayRef<llvm::StringRef> Interfaces; ///< direct ones
  llvm::ArrayRef<llvm::StringRef> PermittedSubclasses;
  llvm::ArrayRef<MemberInfo> Fields;
  llvm::ArrayRef<MemberInfo> Methods;
  uint16_t Flags = 0;
  bool Sealed = false; ///< has a PermittedSubclasses attribute
  /// No value class may extend it. What abstract classes of the JDK are depends
  /// on whether preview features are on.
  bool Identity = false;

  bool isInterface() const;
  bool isFinal() const;
  const MemberInfo *findField(llvm::StringRef Name,
                              llvm::StringRef Descriptor) const;
  const MemberInfo *findMethod(llvm::StringRef Name,
                               llvm::StringRef Descriptor) const;
};

/// Knows other classes. lookup may be called from several threads at once.
class TypeHierarchy {
public:
  virtual ~TypeHierarchy();
  /// The class of that internal name, or null if it is unknown. The result
  /// stays valid as long as the provider.
  virtual const ClassInfo *lookup(llvm::StringRef InternalName) const = 0;
};

/// A hierarchy held in memory, filled from class files. Fill it first; then it
/// may be shared between threads.
class MemoryHierarchy final : public TypeHierarchy {
public:
  /// Adds the class in \p ClassFile, whose bytes are not needed afterwards.
  /// The first class of a name stays. Fails if the bytes are no class file.
  llvm::Error addClass(Bytes ClassFile);
  /// Adds what \p Info says but for its members and permitted subclasses, to
  /// ask for ancestors only. The first class of a name stays.
  void addAncestry(const ClassInfo &Info);
  const ClassInfo *lookup(llvm::StringRef InternalName) const override;
  size_t size() const { return Classes.size(); }
  /// All that is known, in no order.
  auto classes() const { return llvm::make_second_range(Classes); }

private:
  llvm::BumpPtrAllocator Alloc;
  llvm::UniqueStringSaver Strings{Alloc};
  llvm::DenseMap<llvm::StringRef, const ClassInfo *> Classes;
};

} // namespace jopt

#endif
