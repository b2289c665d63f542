//===- MethodCode.h - Decoded methods ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A method as symbolic execution needs it: instructions by number, with what
/// they name in the constant pool as keys that mean the same in both versions
/// of the class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VALIDATE_METHODCODE_H
#define JOPT_LIB_VALIDATE_METHODCODE_H

#include "Terms.h"
#include "jopt/Reader/ShortMethods.h"
#include "llvm/ADT/BitVector.h"

namespace jopt::validate {

/// What an instruction names.
struct Named {
  uint32_t Key = 0;       ///< of the entry with all that it refers to
  uint32_t ClassKey = 0;  ///< of the class that it names, or of the owner
  uint32_t ResultKey = 0; ///< of the class of the field, or of the result
  llvm::StringRef Descriptor;
  llvm::StringRef Name;
  CPTag Tag = CPTag::None;
  uint64_t Bits = 0;       ///< of a number
  bool IsOwnField = false; ///< of the class itself, and declared in it
  bool IsVolatile = false, IsFinal = false;
};

struct Inst {
  uint32_t BCI;
  Opcode Op; ///< the canonical one
  uint32_t Index;
  int32_t Value;
  uint32_t NamedAt = 0; ///< in MethodCode::Names
  uint32_t Line = 0;    ///< 0: unknown
  /// Numbers of instructions: the default first. And the keys of the others.
  llvm::SmallVector<uint32_t, 1> Targets;
  llvm::SmallVector<int32_t, 0> Keys;
};

struct Catch {
  uint32_t Start, End, Target; ///< numbers of instructions
  uint32_t ClassKey;           ///< 0: all
};

/// A version of a class, with the facts that are needed often.
class ClassCode {
public:
  /// All must outlive it.
  ClassCode(ClassFile &F, Terms &T, const ShortMethods &Short);
  /// Entry \p Index in words that do not depend on the pool.
  std::string text(unsigned Index, unsigned Depth = 0) const;
  /// By pool index, found out once.
  const Named &named(unsigned Index);

  ClassFile &F;
  Terms &T;
  /// Calls of these are decoded as what they do.
  const ShortMethods &Short;

private:
  std::vector<Named> Names; ///< by pool index
  std::vector<std::string> Bootstraps;
};

struct MethodCode {
  ClassCode *Class = nullptr;
  const Method *M = nullptr;
  std::vector<Inst> Insts;
  std::vector<Catch> Catches;
  llvm::BitVector IsJoin; ///< by instruction: control gets there in two ways
  uint16_t MaxLocals = 0;
  bool HasLines = false, Locks = false, HasSubroutines = false;
  bool IsStatic = false;
  /// This thread has initialised the class, or is doing so.
  bool IsInitialized = false;
  bool IsConstructor = false, IsClassInitializer = false;

  const Named &named(const Inst &I) const { return Class->named(I.NamedAt); }
  bool isCovered(uint32_t At) const {
    for (const Catch &C : Catches)
      if (C.Start <= At && At < C.End)
        return true;
    return false;
  }
};

/// Decodes the code of \p M. Fails, with the reason, where that is malformed.
llvm::Expected<MethodCode> decode(ClassCode &Class, const Method &M);

/// Both have the same instructions, handlers and lines.
bool areEqual(const MethodCode &A, const MethodCode &B);

} // namespace jopt::validate

#endif
