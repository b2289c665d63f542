//===- Dump.cpp - What came and what went ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/Dump.h"
#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/SharedPlaces.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

Error Dump::open(StringRef NewFolder) {
  std::lock_guard<std::mutex> Guard(Lock);
  Folder.clear();
  Groups.clear();
  if (std::error_code EC =
          fs::create_directories(NewFolder, true, fs::owner_all))
    return makeError(Location(NewFolder), EC.message());
  if (Error E = checkOutputFolder(NewFolder))
    return E;
  if (std::error_code EC = fs::access(NewFolder, fs::AccessMode::Write))
    return makeError(Location(NewFolder), EC.message());
  Folder = NewFolder.str();
  return Error::success();
}

void Dump::close() {
  std::lock_guard<std::mutex> Guard(Lock);
  Folder.clear();
  Groups.clear();
}

llvm::Expected<Dump::Group &> Dump::openGroup(StringRef Options,
                                              bool Ancestry) {
  for (unsigned N = unsigned(Groups.size()) + 1;; ++N) {
    std::string Path = Folder + "/" + std::to_string(N);
    // A folder that is there is of another run, or of another JVM.
    std::error_code EC =
        fs::create_directory(Path, /*IgnoreExisting=*/false, fs::owner_all);
    if (EC == std::errc::file_exists)
      continue;
    if (EC)
      return makeError(Location(Path), EC.message());
    std::string Text = Options.str();
    if (Ancestry)
      Text += "\"-classpath=" + Path + "/ancestors\"\n";
    if (Error E = writeFile(Path + "/options", Text, PrivateFile))
      return E;
    Groups.push_back(std::make_unique<Group>());
    Groups.back()->Folder = Path;
    Groups.back()->Options = Options.str();
    return *Groups.back();
  }
}

/// A class file with the names in \p Info and no members.
static llvm::Expected<llvm::SmallVector<uint8_t, 0>>
makeAncestor(const ClassInfo &Info) {
  ClassFile C;
  C.Major = 52;
  C.Access = Info.isInterface() ? ACC_INTERFACE | ACC_ABSTRACT : ACC_SUPER;
  C.ThisIndex = C.Pool.addClass(Info.Name);
  C.SuperIndex = Info.Super.empty() ? 0 : C.Pool.addClass(Info.Super);
  for (StringRef I : Info.Interfaces)
    C.Interfaces.push_back(C.Pool.addClass(I));
  C.Changed = true;
  return writeClass(C);
}

Error Dump::write(StringRef Name, Bytes Before, Bytes After, StringRef Options,
                  const MemoryHierarchy *Ancestry) {
  std::lock_guard<std::mutex> Guard(Lock);
  // A name that leads elsewhere: no class that the JVM accepts has one.
  if (Folder.empty() || !staysBelow(Name))
    return Error::success();
  uint64_t Hash = llvm::xxh3_64bits(Before);
  Group *Into = nullptr;
  for (const std::unique_ptr<Group> &G : Groups) {
    if (G->Options != Options)
      continue;
    auto At = G->Classes.find(Name);
    if (At == G->Classes.end()) {
      Into = G.get();
      break;
    }
    if (At->second == Hash)
      return Error::success();
  }
  if (!Into) {
    auto New = openGroup(Options, Ancestry);
    if (!New)
      return New.takeError();
    Into = &*New;
  }
  Into->Classes[Name] = Hash;
  auto Put = [&](StringRef Kind, StringRef Class, Bytes Data) {
    std::string Path =
        (Into->Folder + "/" + Kind + "/" + Class + ".class").str();
    if (std::error_code EC = fs::create_directories(
            llvm::sys::path::parent_path(Path), true, fs::owner_all))
      return makeError(Location(Path), EC.message());
    return writeFile(Path, toStringRef(Data), PrivateFile);
  };
  if (Ancestry)
    for (const ClassInfo *Info : Ancestry->classes()) {
      if (!Into->Ancestors.insert(Info->Name).second)
        continue;
      auto File = makeAncestor(*Info);
      if (!File)
        return File.takeError();
      if (Error E = Put("ancestors", Info->Name, *File))
        return E;
    }
  Error E = Put("before", Name, Before);
  return E ? std::move(E) : Put("after", Name, After);
}
