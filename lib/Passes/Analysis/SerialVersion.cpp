//===- SerialVersion.cpp - The serialVersionUID of a class ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The digest of a class's name, modifiers, interfaces, fields, constructors
/// and methods. What reflection says counts, not what stands in the file: a
/// nested class has the modifiers of its InnerClasses entry.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/ClassState.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SHA1.h"

using namespace jopt;
using llvm::StringRef;

/// The order of String.compareTo: by UTF-16 units. In modified UTF-8 that is
/// the order of bytes, but for the unit 0, which has two of them.
static bool isBefore(StringRef A, StringRef B) {
  size_t I = 0, End = std::min(A.size(), B.size());
  while (I < End && A[I] == B[I])
    ++I;
  if (I == End)
    return A.size() < B.size();
  auto IsZero = [](StringRef S, size_t At) {
    return At + 1 < S.size() && uint8_t(S[At]) == 0xc0 &&
           uint8_t(S[At + 1]) == 0x80;
  };
  if (IsZero(A, I) != IsZero(B, I))
    return IsZero(A, I);
  return uint8_t(A[I]) < uint8_t(B[I]);
}

namespace {

/// Java's DataOutputStream over a digest.
class DigestWriter {
public:
  void u4(uint32_t V) { Data.u4(V); }
  void utf(StringRef S) {
    Data.u2(uint16_t(S.size()));
    Data.bytes(S);
  }
  /// With dots for slashes.
  void dotted(StringRef S) {
    llvm::SmallString<128> D = S;
    std::replace(D.begin(), D.end(), '/', '.');
    utf(D);
  }
  int64_t result() {
    std::array<uint8_t, 20> D = llvm::SHA1::hash(Data.data());
    uint64_t V = 0;
    for (int I = 7; I >= 0; --I)
      V = V << 8 | D[size_t(I)];
    return int64_t(V);
  }

private:
  ByteWriter Data;
};

} // namespace

/// The result of Class.getModifiers().
static uint16_t modifiers(const ClassFile &F) {
  if (const Attribute *A =
          ClassFile::findAttribute(F.Pool, F.Attributes, "InnerClasses")) {
    ByteCursor R(A->Data);
    for (unsigned N = R.u2(); N && !R.failed(); --N) {
      StringRef Inner = F.Pool.className(R.u2());
      R.skip(4);
      uint16_t Flags = R.u2();
      if (Inner == F.name() && !R.failed())
        return Flags;
    }
  }
  return F.Access;
}

int64_t jopt::computeSerialVersionUID(const ClassFile &F) {
  DigestWriter W;
  W.dotted(F.name());
  W.u4(modifiers(F) & (ACC_PUBLIC | ACC_FINAL | ACC_INTERFACE | ACC_ABSTRACT));

  llvm::SmallVector<StringRef, 4> Interfaces;
  for (uint16_t I : F.Interfaces)
    Interfaces.push_back(F.Pool.className(I));
  llvm::stable_sort(Interfaces, isBefore);
  for (StringRef I : Interfaces)
    W.dotted(I);

  llvm::SmallVector<const Field *, 8> Fields;
  for (const Field &Fd : F.Fields)
    if (!Fd.is(ACC_PRIVATE) || !(Fd.Access & (ACC_STATIC | ACC_TRANSIENT)))
      Fields.push_back(&Fd);
  llvm::stable_sort(Fields, [&](const Field *A, const Field *B) {
    return isBefore(F.name(*A), F.name(*B));
  });
  for (const Field *Fd : Fields) {
    W.utf(F.name(*Fd));
    W.u4(Fd->Access & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC |
                       ACC_FINAL | ACC_VOLATILE | ACC_TRANSIENT));
    W.utf(F.descriptor(*Fd));
  }

  // Constructors by descriptor, then methods by name and descriptor.
  llvm::SmallVector<const Method *, 16> Constructors, Methods;
  for (const Method &M : F.Methods)
    if (!M.is(ACC_PRIVATE) && F.name(M) != "<clinit>")
      (F.name(M) == "<init>" ? Constructors : Methods).push_back(&M);
  auto Add = [&](llvm::SmallVectorImpl<const Method *> &List) {
    llvm::stable_sort(List, [&](const Method *A, const Method *B) {
      return F.name(*A) == F.name(*B)
                 ? isBefore(F.descriptor(*A), F.descriptor(*B))
                 : isBefore(F.name(*A), F.name(*B));
    });
    for (const Method *M : List) {
      W.utf(F.name(*M));
      W.u4(M->Access &
           (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL |
            ACC_SYNCHRONIZED | ACC_NATIVE | ACC_ABSTRACT | ACC_STRICT));
      W.dotted(F.descriptor(*M));
    }
  };
  Add(Constructors);
  Add(Methods);
  return W.result();
}
