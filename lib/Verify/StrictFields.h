//===- StrictFields.h - Fields to be set before super() ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which strict fields of its class (JEP 539) a constructor has not set: part
/// of the frame at hand, and of each that a class file declares.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_STRICTFIELDS_H
#define JOPT_LIB_VERIFY_STRICTFIELDS_H

#include "ClassView.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt::verify {

class StrictFields {
public:
  using Set = std::vector<uint16_t>; ///< numbers of fields, ascending

  explicit StrictFields(const ClassView &V) : V(V) {}

  /// Starts on \p M: all strict fields are unset if it is a constructor.
  void begin(const MemberView &M);
  /// The method is a constructor with strict fields to set.
  bool any() const { return Sets.size() > 1; }

  /// The number of the strict field of that name; none if there is none.
  std::optional<uint16_t> find(llvm::StringRef Name,
                               llvm::StringRef Descriptor) const;

  /// \name Sets that frames declare
  /// @{
  /// Keeps \p Unset, whose members may be in any order, and numbers it.
  uint32_t add(Set Unset);
  static constexpr uint32_t None = 0; ///< the empty set
  uint32_t all() const { return any() ? 1 : None; }
  /// @}

  /// \name The frame at hand
  /// @{
  void load(uint32_t Declared);
  void set(uint16_t Field);
  void setAll();
  bool areAllSet() const { return Now.empty(); }
  /// A frame that declares this set may follow: no other field is unset.
  bool fits(uint32_t Declared) const;
  /// Another number whenever fields may have become unset.
  uint32_t version() const { return Version; }
  /// @}

private:
  const ClassView &V;
  bool Known = false;
  /// Of the class, once one of its constructors was seen.
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::StringRef>, uint16_t> Fields;
  std::vector<Set> Sets{1}; ///< None, all, and those of frames
  Set Now;
  uint32_t Version = 0;
};

} // namespace jopt::verify

#endif
