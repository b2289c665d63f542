//===- TestArchives.cpp - Archives for tests, good and bad ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestArchives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

namespace fs = llvm::sys::fs;

std::string ArchiveFixture::shortened(std::string Message) const {
  std::string Folder = std::string(Root) + "/";
  for (size_t At; (At = Message.find(Folder)) != std::string::npos;)
    Message.erase(At, Folder.size());
  return Message;
}

std::string ArchiveFixture::list() const {
  std::vector<std::string> Names;
  std::error_code EC;
  for (fs::recursive_directory_iterator I(Root, EC), E; !EC && I != E;
       I.increment(EC))
    if (!fs::is_directory(I->path()))
      Names.push_back(shortened(I->path()));
  llvm::sort(Names);
  return llvm::join(Names, " ");
}

std::string ArchiveFixture::run(std::vector<std::string> Names, OutputSpec Spec,
                                TestClient &Client, unsigned Threads) {
  Options.Threads = Threads;
  auto Run = [&]() -> Error {
    Expected<InputSet> In = InputSet::open(Names);
    if (!In)
      return In.takeError();
    Expected<OutputSet> Out = OutputSet::create(*In, Spec);
    if (!Out)
      return Out.takeError();
    if (Error E = processInputs(*In, Client, &*Out, Options))
      return E;
    return Out->commit();
  };
  return shortened(llvm::toString(Run()));
}

std::unique_ptr<ZipArchive> jopt::openZip(const std::string &Bytes) {
  auto A = ZipArchive::open(ByteRange::ofMemory(toBytes(Bytes)), "t.jar", {});
  if (!A) {
    ADD_FAILURE() << llvm::toString(A.takeError());
    return nullptr;
  }
  return std::move(*A);
}

std::string jopt::contentOf(const std::string &Archive, StringRef Name) {
  std::unique_ptr<ZipArchive> A = openZip(Archive);
  if (!A)
    return "<broken>";
  for (const ZipEntry &E : A->entries()) {
    if (E.Name != Name)
      continue;
    SmallVector<uint8_t, 0> Data;
    if (Error Err = A->read(E, 1u << 30, Data))
      return llvm::toString(std::move(Err));
    return jopt::toStringRef(Data).str();
  }
  return "<missing>";
}

std::string jopt::namesOf(const std::string &Archive) {
  std::vector<std::string> Names;
  if (std::unique_ptr<ZipArchive> A = openZip(Archive))
    for (const ZipEntry &E : A->entries())
      Names.push_back(E.Name.str());
  return llvm::join(Names, " ");
}
