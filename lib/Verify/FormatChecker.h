//===- FormatChecker.h - Format checking (4.8) ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads a class file into a ClassView and reports what is wrong with its
/// form, as far as HotSpot looks when it parses a class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_FORMATCHECKER_H
#define JOPT_LIB_VERIFY_FORMATCHECKER_H

#include "ClassView.h"
#include "KnownParts.h"
#include "Report.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::verify {

class FormatChecker {
public:
  FormatChecker(ClassView &V, FindingLog &R, const VerifyOptions &Options)
      : V(V), R(R), Options(Options), In(V.Data),
        Known(Options.Original, V.Data) {}

  /// Reads everything. \returns false if \c V is not fit for further checks.
  bool run();

private:
  /// The attributes of one table that may occur only once.
  class SeenSet {
  public:
    bool contains(llvm::StringRef Name) const {
      return llvm::is_contained(Names, Name);
    }
    /// False if it was there.
    bool insert(llvm::StringRef Name) {
      const bool IsNew = !contains(Name);
      if (IsNew)
        Names.push_back(Name);
      return IsNew;
    }

  private:
    llvm::SmallVector<llvm::StringRef, 8> Names; ///< there are few
  };
  enum class Owner { Class, Field, Method, Code, Component };

  // FormatChecker.cpp
  bool checkVersion();
  void checkClassFlags(uint16_t Flags);
  void checkInterfaces();
  bool readMembers(std::vector<MemberView> &Members, bool Methods);
  void checkDuplicates(llvm::ArrayRef<MemberView> Members, bool Methods);
  void checkField(MemberView &F);
  void checkMethod(MemberView &M, bool IsNew);
  bool checkMethodFlags(const MemberView &M, llvm::StringRef Name);

  // PoolChecker.cpp
  bool readPool();
  void checkPoolIndices(unsigned I);
  void checkPoolNames(unsigned I);
  void checkMethodHandle(unsigned I);

  // AttributeChecker.cpp
  /// Reads one attribute table from \p From and gives each attribute's name
  /// and content to \p Each. False if the table itself is broken.
  bool readAttributes(ByteCursor &From,
                      llvm::function_ref<void(llvm::StringRef, Bytes)> Each);
  /// Checks the attributes that all owners have in common.
  void checkCommon(Owner O, llvm::StringRef Name, Bytes Data, SeenSet &Seen);
  void checkFieldAttribute(MemberView &F, llvm::StringRef Name, Bytes Data,
                           SeenSet &Seen);
  void checkMethodAttribute(MemberView &M, llvm::StringRef Name, Bytes Data,
                            SeenSet &Seen);
  void checkCode(MemberView &M, Bytes Data);
  void checkLocalVariables(const CodeAttribute &C, Bytes Data, bool Types);
  void checkLocalVariableDuplicates(llvm::ArrayRef<Bytes> Variables,
                                    llvm::ArrayRef<Bytes> Types);
  void checkClassAttributes();
  void checkClassAttribute(llvm::StringRef Name, Bytes Data, SeenSet &Seen);
  void checkInnerClasses(Bytes Data);
  void checkLoadableDescriptors(Bytes Data);
  void checkBootstrapMethods(Bytes Data);
  void checkRecord(Bytes Data);
  void checkClassList(Bytes Data, llvm::StringRef What, const char *Section);
  /// At most one attribute of the name. \returns true for the first.
  bool once(SeenSet &Seen, llvm::StringRef Name, const char *Section);

  bool isUtf8(unsigned I) const { return V.tag(I) == CPTag::Utf8; }
  bool isClass(unsigned I) const { return V.tag(I) == CPTag::Class; }
  bool format(const llvm::Twine &Message, const char *Section) {
    return R.format(Message, Section);
  }
  bool truncated() { return format("the file ends too early", "4.8"); }
  /// Pool entry \p I is the original's.
  bool isKnown(unsigned I) const { return I < NumKnown; }

  ClassView &V;
  FindingLog &R;
  const VerifyOptions &Options;
  ByteCursor In;
  int MaxBootstrapIndex = -1; ///< highest used by the pool
  bool ModuleConstants = false;
  KnownParts Known;
  unsigned NumKnown = 1; ///< pool entries in front of the first new one
};

} // namespace jopt::verify

#endif
