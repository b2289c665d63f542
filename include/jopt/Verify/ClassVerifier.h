//===- ClassVerifier.h - The class-file verifier ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks a class file as a JVM does before it runs it: format (JVM
/// specification, 4.8), static constraints (4.9.1), superclass and interfaces
/// (5.3.5), and types, by stack maps (4.10.1) or by inference (4.10.2). It
/// shares no code with reading, lifting or lowering. docs/Verifier.md says what
/// is checked, and where HotSpot differs from the specification.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_VERIFY_CLASSVERIFIER_H
#define JOPT_VERIFY_CLASSVERIFIER_H

#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

class TypeHierarchy;

/// The error a JVM raises for a finding.
enum class FindingKind {
  ClassFormat,             ///< ClassFormatError
  UnsupportedVersion,      ///< UnsupportedClassVersionError
  IncompatibleClassChange, ///< IncompatibleClassChangeError
  Verify,                  ///< VerifyError
};

/// The Java class name of that error, without its package.
llvm::StringRef getErrorName(FindingKind K);

/// Something a JVM would refuse.
struct Finding {
  FindingKind Kind = FindingKind::ClassFormat;
  std::string Class;           ///< internal name; empty if unreadable
  std::string Method;          ///< name and descriptor; empty at class level
  std::optional<uint32_t> BCI; ///< the instruction, where there is one
  std::string Message;         ///< lower case first, no full stop
  llvm::StringRef Section;     ///< of the JVM specification; static storage

  /// `VerifyError: a/B.m()V @7: message [4.10.1.9]`, one line, no newline.
  std::string str() const;
};

struct VerifyOptions {
  /// The other classes that are known; null: none. The class under verification
  /// is always known, and hides one of its name in here.
  const TypeHierarchy *Hierarchy = nullptr;
  /// The class file that this one was made from, or empty. Parts that both have
  /// are taken to be right: members, and pool entries in front of new ones.
  Bytes Original = {};
  /// By the number of the method: its code is the original's with inserted code
  /// in it. Of such methods that inserted code can hardly tell apart only the
  /// first is type-checked. Null: there are none.
  const llvm::BitVector *Patched = nullptr;
  /// Stops after that many findings.
  unsigned MaxFindings = 100;
  /// The newest version that the JVM knows. Above NewestMajorVersion the rules
  /// of that apply.
  unsigned Newest = NewestMajorVersion;
  /// Accepts minor version 65535 with the newest major version, as a JVM does
  /// under --enable-preview.
  bool EnablePreview = false;
};

/// Verifies \p ClassFile and returns what is wrong, in the order in which
/// HotSpot would come upon it: its error is the first finding's. One finding at
/// most per method body; a class whose format is broken is not type-checked.
/// Accepts any bytes. Thread-safe if the hierarchy is.
std::vector<Finding> verifyClass(Bytes ClassFile,
                                 const VerifyOptions &Options = {});

} // namespace jopt

#endif
