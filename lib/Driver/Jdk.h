//===- Jdk.h - The classes of the JDK ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The JDK that inputs run on: where it is, and what its classes are. Verifying
/// and rules about hierarchies ask about them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_JDK_H
#define JOPT_LIB_DRIVER_JDK_H

#include "jopt/Verify/TypeHierarchy.h"
#include <memory>
#include <string>

namespace jopt {

/// The home of the JDK: \p Named if it is not empty, else JAVA_HOME, else that
/// of \p Javac, which is empty or a program's name, or of the javac on PATH.
/// Empty if there is none; an error if what was named is none.
llvm::Expected<std::string> findJdk(llvm::StringRef Named,
                                    llvm::StringRef Javac);

/// The classes of the JDK in \p Home, from lib/modules or, before Java 9, from
/// rt.jar; each is read when it is first asked for. Thread-safe.
llvm::Expected<std::unique_ptr<TypeHierarchy>> openJdk(llvm::StringRef Home);

/// Asks \p First and then \p Second, which may be null. Both must outlive it.
class HierarchyChain final : public TypeHierarchy {
public:
  HierarchyChain(const TypeHierarchy *First, const TypeHierarchy *Second)
      : First(First), Second(Second) {}
  const ClassInfo *lookup(llvm::StringRef InternalName) const override {
    const ClassInfo *Info = First ? First->lookup(InternalName) : nullptr;
    return Info || !Second ? Info : Second->lookup(InternalName);
  }

private:
  const TypeHierarchy *First, *Second;
};

} // namespace jopt

#endif
