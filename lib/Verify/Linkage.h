//===- Linkage.h - Superclass and interfaces (5.3.5) ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_LINKAGE_H
#define JOPT_LIB_VERIFY_LINKAGE_H

#include "ClassView.h"
#include "Report.h"
#include "jopt/Verify/TypeHierarchy.h"

namespace jopt::verify {

/// The facts about the class under verification, and the tables they need.
struct SelfInfo {
  ClassInfo Info;
  llvm::SmallVector<llvm::StringRef, 4> Interfaces, Permitted;
  std::vector<MemberInfo> Fields, Methods;

  /// Refers to \p V's bytes and to this object's own tables.
  void fill(const ClassView &V);
};

/// A named superinterface must be one, and must permit this class.
void checkSuperinterface(const ClassView &V, llvm::StringRef Name,
                         const TypeHierarchy *H, FindingLog &R);
/// The superclass must be a class that is open to this one, and no method of
/// its ancestors that is final may be overridden.
void checkSuperclass(const ClassView &V, const TypeHierarchy *H, FindingLog &R);

/// The package part of a class name, without the last slash.
inline llvm::StringRef packageOf(llvm::StringRef Class) {
  size_t Slash = Class.rfind('/');
  return Slash == llvm::StringRef::npos ? llvm::StringRef()
                                        : Class.take_front(Slash);
}

} // namespace jopt::verify

#endif
