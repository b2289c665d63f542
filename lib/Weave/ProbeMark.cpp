//===- ProbeMark.cpp - Which probes a class has already -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/ProbeMark.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using llvm::StringRef;

static constexpr StringRef OwnName = "jopt.Probes";
static constexpr StringRef InstrumentedName = "Instrumented";

/// The classes that \p A calls are in the package \p Made, if that is not
/// empty.
static void usePackage(Advice &A, StringRef Made) {
  if (Made.empty())
    return;
  const std::string Package = A.Body.Owner.substr(0, A.Body.Owner.rfind('/'));
  for (std::string *Name : {&A.Body.Owner, &A.Switch})
    if (StringRef Rest = *Name; Rest.consume_front(Package))
      *Name = (Made + Rest).str();
}

std::vector<uint64_t> jopt::probeIdentities(const AdviceSet &Set,
                                            llvm::ArrayRef<std::string> Made) {
  std::vector<uint64_t> Ids;
  for (unsigned P = 0; P < Set.Probes.size(); ++P) {
    AdviceSet One;
    One.Probes.emplace_back().StaticField = Set.Probes[P].StaticField;
    for (const Advice &A : Set.Advices)
      if (A.Probe == P) {
        One.Advices.push_back(A);
        One.Advices.back().Probe = 0;
        usePackage(One.Advices.back(), P < Made.size() ? Made[P] : "");
      }
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    printAdviceSet(One, OS);
    std::array<uint8_t, 20> Digest = llvm::SHA1::hash(toBytes(OS.str()));
    Ids.push_back(ByteCursor(Bytes(Digest)).u8());
  }
  return Ids;
}

std::optional<std::vector<uint64_t>> jopt::readProbeMark(const ClassFile &F) {
  const Attribute *A = ClassFile::findAttribute(F.Pool, F.Attributes, OwnName);
  if (!A)
    return std::nullopt;
  ByteCursor R(A->Data);
  std::vector<uint64_t> Ids(R.u2());
  for (uint64_t &Id : Ids)
    Id = R.u8();
  if (R.failed() || !R.atEnd())
    return std::nullopt;
  return Ids;
}

bool jopt::isMarkedInstrumented(const ClassFile &F) {
  return ClassFile::findAttribute(F.Pool, F.Attributes, InstrumentedName);
}

llvm::Error jopt::addProbeMark(ClassFile &F, llvm::ArrayRef<uint64_t> Probes) {
  std::vector<uint64_t> Ids =
      readProbeMark(F).value_or(std::vector<uint64_t>());
  for (uint64_t Id : Probes)
    if (!llvm::is_contained(Ids, Id) && Ids.size() < 65535)
      Ids.push_back(Id);
  ByteWriter W;
  W.u2(uint16_t(Ids.size()));
  for (uint64_t Id : Ids)
    W.u8(Id);
  uint8_t Original[2];
  writeU2(Original, F.Pool.addUtf8("BCIEngProbe"));
  if (!isMarkedInstrumented(F))
    F.setAttribute(InstrumentedName, Original);
  F.setAttribute(OwnName, W.data());
  if (F.Pool.overflowed())
    return makeError("the constant pool would have more than 65,535 entries");
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>> jopt::markWoven(Bytes Data,
                                                              bool BySites) {
  auto Class = readClass(Data);
  if (!Class)
    return Class.takeError();
  (*Class)->setAttribute(BySites ? "jopt.Woven:indy" : "jopt.Woven:direct", {});
  return writeClass(**Class);
}
