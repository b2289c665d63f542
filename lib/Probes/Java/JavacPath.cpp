//===- JavacPath.cpp - What javac can read --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JavacPath.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Archive/JImage.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::java;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Jars of some programs are larger than what a class file may be.
static constexpr uint64_t MaxNested = uint64_t(512) << 20;

/// The versions of classes in a jar, which javac knows itself, and the like.
static bool isMeta(StringRef Name) {
  return Name.starts_with("META-INF/") || Name.contains("/META-INF/");
}

/// A path that leads nowhere but below where it begins.
static bool isBelow(StringRef Name) {
  return llvm::none_of(llvm::make_range(path::begin(Name), path::end(Name)),
                       [](StringRef Part) { return Part == ".."; }) &&
         !path::is_absolute(Name);
}

/// javac opens no archive that has an entry of that name.
static bool isRefused(StringRef Name) {
  llvm::SmallVector<StringRef, 8> Parts;
  Name.split(Parts, '/');
  return llvm::is_contained(Parts, ".") || llvm::is_contained(Parts, "..");
}

namespace {

/// Makes names in the folder for what is unpacked, when there is anything.
class TempNames {
public:
  explicit TempNames(const std::string &Folder) : Folder(Folder) {}
  Expected<std::string> next(StringRef Extension) {
    if (std::error_code EC = fs::create_directories(Folder))
      return makeError(Location(Folder), EC.message());
    return (Folder + "/" + llvm::Twine(Number++) + Extension).str();
  }

private:
  const std::string &Folder;
  unsigned Number = 0;
};

/// One level of a folder or an archive: where its classes are, by the first of
/// each folder, and which archives are in it; those in an archive are unpacked.
class Survey : public ContainerClient {
public:
  explicit Survey(TempNames &Names) : Names(Names) {}
  EntryPlan plan(const EntryInfo &E) override {
    EntryPlan P = planByName(E);
    IsRefused |= isRefused(E.Name);
    if (P == EntryPlan::Transform &&
        (isMeta(E.Name) || !Seen.insert(path::parent_path(E.Name)).second))
      return EntryPlan::Copy;
    if (P != EntryPlan::Descend)
      return P;
    if (E.Container->TheKind != ContainerInfo::Kind::Folder)
      return EntryPlan::Transform;
    Archives.push_back(E.Container->Name + "/" + E.Name.str());
    return EntryPlan::Copy;
  }
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (planByName(E) == EntryPlan::Descend)
      return unpack(Data);
    auto Class = readClass(Data);
    if (!Class) {
      llvm::consumeError(Class.takeError());
      return EntryResult::unchanged();
    }
    StringRef Prefix = E.Name;
    if (Prefix.consume_back(((*Class)->name() + ".class").str()) &&
        (Prefix.empty() || Prefix.ends_with("/")) &&
        !llvm::is_contained(Prefixes, Prefix))
      Prefixes.push_back(Prefix.str());
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

  std::vector<std::string> Prefixes; ///< of packages: "", "WEB-INF/classes/"
  std::vector<std::string> Archives; ///< their files
  bool IsRefused = false;            ///< isRefused() of an entry
  bool CannotWrite = false;

private:
  Expected<EntryResult> unpack(Bytes Data) {
    CannotWrite = true;
    auto File = Names.next(".jar");
    if (!File)
      return File.takeError();
    if (Error E = writeFile(*File, jopt::toStringRef(Data)))
      return E;
    CannotWrite = false;
    Archives.push_back(std::move(*File));
    return EntryResult::unchanged();
  }

  TempNames &Names;
  llvm::StringSet<> Seen;
};

/// Puts the classes behind one prefix into a folder.
class Unpacker : public ContainerClient {
public:
  Unpacker(StringRef Prefix, StringRef Folder)
      : Prefix(Prefix), Folder(Folder) {}
  EntryPlan plan(const EntryInfo &E) override {
    return E.Name.starts_with(Prefix) && E.Name.ends_with(".class") &&
                   isBelow(E.Name)
               ? EntryPlan::Transform
               : EntryPlan::Copy;
  }
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    std::string File = (Folder + "/" + E.Name.drop_front(Prefix.size())).str();
    if (std::error_code EC = fs::create_directories(path::parent_path(File)))
      return makeError(Location(File), EC.message());
    if (Error Failed = writeFile(File, jopt::toStringRef(Data)))
      return Failed;
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

private:
  StringRef Prefix, Folder;
};

class PathMaker {
public:
  explicit PathMaker(const std::string &Temp) : Names(Temp) {}
  Error add(const std::string &Entry, unsigned Depth);

  std::vector<std::string> Path;

private:
  Error addInside(const std::string &Entry, const InputSet &In, bool IsOnPath,
                  unsigned Depth);

  TempNames Names;
};

} // namespace

/// Whether it is of the JDK: its image, or a file of its jmods.
static bool isJdk(const std::string &Entry) {
  StringRef Name = path::filename(Entry);
  if (Name.ends_with(".jmod"))
    return Name.starts_with("java.") || Name.starts_with("jdk.");
  auto File = ByteRange::openFile(Entry, Entry);
  Expected<bool> Is = File ? JImage::isImage(*File) : File.takeError();
  if (Is)
    return *Is;
  llvm::consumeError(Is.takeError());
  return false;
}

Error PathMaker::add(const std::string &Entry, unsigned Depth) {
  bool IsFolder = fs::is_directory(Entry);
  if (!IsFolder && isJdk(Entry))
    return Error::success();
  // The only files that javac takes for archives.
  StringRef Extension = path::extension(Entry);
  bool IsOnPath = IsFolder || Extension.equals_insensitive(".jar") ||
                  Extension.equals_insensitive(".zip");
  auto In = InputSet::open({Entry});
  if (In)
    return addInside(Entry, *In, IsOnPath, Depth);
  llvm::consumeError(In.takeError());
  return Error::success();
}

Error PathMaker::addInside(const std::string &Entry, const InputSet &In,
                           bool IsOnPath, unsigned Depth) {
  Survey Found(Names);
  ProcessOptions PO;
  PO.Limits.MaxEntry = MaxNested;
  if (Error E = processInputs(In, Found, nullptr, PO)) {
    if (Found.CannotWrite)
      return E;
    llvm::consumeError(std::move(E));
    return Error::success();
  }
  IsOnPath &= In.inputs()[0].IsFolder || !Found.IsRefused;
  if (IsOnPath)
    Path.push_back(Entry);
  for (const std::string &Prefix : Found.Prefixes) {
    if (Prefix.empty() && IsOnPath)
      continue;
    if (In.inputs()[0].IsFolder) {
      Path.push_back(Entry + "/" + Prefix);
      continue;
    }
    Expected<std::string> Folder = Names.next("");
    if (!Folder)
      return Folder.takeError();
    Unpacker Client(Prefix, *Folder);
    if (Error E = processInputs(In, Client, nullptr, PO))
      return E;
    Path.push_back(std::move(*Folder));
  }
  if (Depth == PO.Limits.MaxDepth)
    return Error::success();
  for (const std::string &Archive : Found.Archives)
    if (Error E = add(Archive, Depth + 1))
      return E;
  return Error::success();
}

Expected<std::vector<std::string>>
java::makeJavacPath(const std::vector<std::string> &Entries,
                    const std::string &Temp) {
  PathMaker Maker(Temp);
  for (const std::string &Entry : Entries)
    if (Error E = Maker.add(Entry, 0))
      return E;
  return std::move(Maker.Path);
}
