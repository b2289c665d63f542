//===- ClassWriter.cpp - ClassFile into bytes -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Writer/ClassWriter.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Statistics.h"
#include <algorithm>

using namespace jopt;

JOPT_STATISTIC(NumClasses, "writer", "classes", "classes written");
JOPT_STATISTIC(NumUnchanged, "writer", "unchanged",
               "classes that are the input");
JOPT_STATISTIC(NumCopied, "writer", "copied", "bytes copied from the input");
JOPT_STATISTIC(NumEncoded, "writer", "encoded", "bytes encoded");

namespace {
class ClassFileWriter {
public:
  ClassFileWriter(const ClassFile &Class, const WriteOptions &O)
      : Class(Class), O(O) {}
  llvm::Error run();

  ByteWriter W;
  size_t Copied = 0;

private:
  bool count(size_t N, const char *What);
  /// Room for the next \p N bytes.
  uint8_t *grow(size_t N) {
    W.buffer().resize_for_overwrite(W.size() + N);
    return W.buffer().end() - N;
  }
  void copy(Bytes B) {
    W.bytes(B);
    Copied += B.size();
  }
  void pool();
  void member(const Member &M);
  void attributes(llvm::ArrayRef<Attribute> As);

  const ClassFile &Class;
  const WriteOptions &O;
  const char *TooMany = nullptr;
};
} // namespace

/// Writes a count that the format gives two bytes.
bool ClassFileWriter::count(size_t N, const char *What) {
  W.u2(uint16_t(N));
  if (N > 65535)
    TooMany = What;
  return N <= 65535;
}

void ClassFileWriter::pool() {
  const ConstantPool &P = Class.Pool;
  if (!count(P.size(), "constants"))
    return;
  bool Copy = !O.EncodeAll && !P.originalBytes().empty();
  if (Copy)
    copy(P.originalBytes());
  P.encode(W, Copy ? P.numOriginal() : 1);
}

void ClassFileWriter::attributes(llvm::ArrayRef<Attribute> As) {
  if (!count(As.size(), "attributes"))
    return;
  for (const Attribute &A : As) {
    const size_t Size = A.Data.size();
    if (Size > UINT32_MAX)
      TooMany = "bytes in an attribute";
    uint8_t *To = grow(6 + Size);
    writeU2(To, A.NameIndex);
    writeU4(To + 2, uint32_t(Size));
    std::copy(A.Data.begin(), A.Data.end(), To + 6);
  }
}

void ClassFileWriter::member(const Member &M) {
  if (!O.EncodeAll && !M.Changed && !M.Original.empty())
    return copy(M.Original);
  uint8_t *To = grow(6);
  writeU2(To, M.Access);
  writeU2(To + 2, M.NameIndex);
  writeU2(To + 4, M.DescriptorIndex);
  attributes(M.Attributes);
}

llvm::Error ClassFileWriter::run() {
  W.buffer().reserve(Class.Original.size() + Class.Original.size() / 8 + 64);
  W.u4(0xcafebabe);
  W.u2(Class.Minor);
  W.u2(Class.Major);
  pool();
  W.u2(Class.Access);
  W.u2(Class.ThisIndex);
  W.u2(Class.SuperIndex);
  if (count(Class.Interfaces.size(), "interfaces"))
    for (uint16_t I : Class.Interfaces)
      W.u2(I);
  if (count(Class.Fields.size(), "fields"))
    for (const Field &F : Class.Fields)
      member(F);
  if (count(Class.Methods.size(), "methods"))
    for (const Method &M : Class.Methods) {
      if (M.IR)
        return makeError(Class.displayName(M) + " was not lowered");
      member(M);
    }
  attributes(Class.Attributes);
  if (TooMany)
    return makeError(llvm::Twine("too many ") + TooMany +
                     " for the class-file format");
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>>
jopt::writeClass(const ClassFile &Class, const WriteOptions &O) {
  ++NumClasses;
  if (!O.EncodeAll && !Class.isChanged()) {
    ++NumUnchanged;
    NumCopied += Class.Original.size();
    return llvm::SmallVector<uint8_t, 0>(Class.Original.begin(),
                                         Class.Original.end());
  }
  ClassFileWriter Out(Class, O);
  // Else it is copied again and again while it grows.
  size_t Size = Class.Original.size();
  for (const Method &M : Class.Methods)
    if (M.Changed)
      for (const Attribute &A : M.Attributes)
        Size += A.Data.size();
  Out.W.buffer().reserve(Size);
  if (llvm::Error E = Out.run())
    return E;
  NumCopied += Out.Copied;
  NumEncoded += Out.W.size() - Out.Copied;
  return Out.W.take();
}
