//===- Types.h - Verification types (4.10.1.2) ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A verification type is one word, so frames are arrays of words that compare
/// by value. Classes are numbered per class under verification.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_TYPES_H
#define JOPT_LIB_VERIFY_TYPES_H

#include "jopt/Verify/TypeHierarchy.h"
#include "llvm/ADT/CachedHashString.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt::verify {

enum class VKind : uint8_t {
  Top, ///< unusable; must be zero
  Int,
  Float,
  Long,
  Long2, ///< the upper slot of a long
  Double,
  Double2,
  Null,
  UninitThis,
  Uninit,  ///< payload: index of the `new`
  Ref,     ///< payload: number of the class in the VTypeTable
  RetAddr, ///< payload: index of the subroutine's first instruction
};

class VType {
public:
  VType(VKind K = VKind::Top, uint32_t Payload = 0)
      : Raw(uint32_t(K) | Payload << 4) {}
  static VType fromRaw(uint32_t Raw) {
    VType T;
    T.Raw = Raw;
    return T;
  }

  uint32_t raw() const { return Raw; }
  VKind kind() const { return VKind(Raw & 15); }
  uint32_t payload() const { return Raw >> 4; }
  bool isTop() const { return Raw == 0; }
  bool is(VKind K) const { return kind() == K; }
  bool isUninit() const { return is(VKind::Uninit) || is(VKind::UninitThis); }
  /// An initialised reference, or null.
  bool isReference() const { return is(VKind::Ref) || is(VKind::Null); }
  /// The first word of a long or double.
  bool isWide() const { return is(VKind::Long) || is(VKind::Double); }
  /// Its second word.
  bool isUpper() const { return is(VKind::Long2) || is(VKind::Double2); }
  VType upper() const {
    return is(VKind::Long) ? VKind::Long2 : VKind::Double2;
  }
  bool operator==(VType O) const { return Raw == O.Raw; }
  bool operator!=(VType O) const { return Raw != O.Raw; }

private:
  uint32_t Raw;
};

/// The classes that one class mentions, and how they are related. Names passed
/// in must outlive the table.
class VTypeTable {
public:
  VTypeTable(const ClassInfo &Self, const TypeHierarchy *Hierarchy);

  /// The class or array type of an internal name (`a/B`, `[I`).
  VType object(llvm::StringRef Name);
  /// The type of a field descriptor; Int for the small integers.
  VType descriptor(llvm::StringRef Descriptor);
  llvm::StringRef name(VType Ref) const { return Entries[Ref.payload()].Name; }
  bool isArray(VType T) const {
    return T.is(VKind::Ref) && name(T).starts_with("[");
  }
  /// The element type; of an array of small integers Int.
  VType component(VType Array) { return descriptor(name(Array).drop_front()); }
  /// Null if the array would have more than 255 dimensions.
  VType arrayOf(VType Element);
  /// null if nothing is known of the class.
  const ClassInfo *info(VType Ref);
  /// Facts by name, of a class that may not be in the table.
  const ClassInfo *info(llvm::StringRef Name) const;

  /// Whether a value of \p From may stand where \p To is expected
  /// (4.10.1.2), except that every object is taken for any interface.
  bool isAssignable(VType From, VType To) {
    return From == To || To.isTop() || isAssignableSlow(From, To);
  } /// A class that is, or may be, an interface.
  bool mayBeInterface(VType To) {
    if (!To.is(VKind::Ref) || isArray(To))
      return false;
    const ClassInfo *I = info(To);
    return !I || I->isInterface();
  }
  /// The least type above both (4.10.2.2).
  VType merge(VType A, VType B);

  /// Whether \p Ancestor is this class or one of its superclasses, as far as
  /// is known.
  bool isSelfOrSuper(llvm::StringRef Ancestor) const;
  bool isSelfOrSuper(VType Ancestor) {
    Entry &E = Entries[Ancestor.payload()];
    if (!E.AsAncestor)
      E.AsAncestor = isSelfOrSuper(E.Name);
    return *E.AsAncestor;
  }

  /// For messages.
  std::string describe(VType T) const;

  VType Self, Object, String, Class, Throwable, MethodType, MethodHandle;

private:
  struct Entry {
    llvm::StringRef Name;
    const ClassInfo *Info = nullptr;
    bool Known = false;             ///< Info was asked for
    std::optional<bool> AsAncestor; ///< the answer of isSelfOrSuper
  };

  bool isAssignableSlow(VType From, VType To);
  bool isSubclass(VType From, VType To);
  VType mergeClasses(VType A, VType B);

  /// A class of which nothing is known, not even its name: what inference
  /// makes of two unrelated classes. Entry 0.
  static VType unknown() { return VType(VKind::Ref, 0); }

  const ClassInfo &SelfInfo;
  const TypeHierarchy *Hierarchy;
  std::vector<Entry> Entries;
  llvm::DenseMap<llvm::CachedHashStringRef, uint32_t> Numbers;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, bool> Subclasses;
  llvm::BumpPtrAllocator Alloc;
  llvm::StringSaver Saver{Alloc};
};

} // namespace jopt::verify

#endif
