//===- Jdk.cpp - The classes of the JDK -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jdk.h"
#include "jopt/Archive/JImage.h"
#include "jopt/Archive/ZipReader.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The file with the classes of the JDK in \p Home, or of the JRE in it; empty
/// if that is no JDK.
static std::string findClasses(StringRef Home) {
  for (const char *Place : {"lib/modules", "jre/lib/rt.jar", "lib/rt.jar"}) {
    llvm::SmallString<128> File(Home);
    path::append(File, Place);
    if (fs::exists(File))
      return std::string(File);
  }
  return "";
}

/// The home of the JDK that the program \p Name belongs to.
static std::string homeOf(StringRef Name) {
  auto Program = llvm::sys::findProgramByName(Name);
  llvm::SmallString<128> Real;
  if (!Program || fs::real_path(*Program, Real))
    return "";
  return path::parent_path(path::parent_path(Real)).str();
}

Expected<std::string> jopt::findJdk(StringRef Named, StringRef Javac) {
  if (!Named.empty()) {
    if (findClasses(Named).empty())
      return makeError(Location(Named),
                       "no JDK: there is no lib/modules and no rt.jar in it");
    return Named.str();
  }
  auto JavaHome = llvm::sys::Process::GetEnv("JAVA_HOME");
  for (const std::string &Home :
       {JavaHome.value_or(""), homeOf(Javac.empty() ? "javac" : Javac)})
    if (!Home.empty() && !findClasses(Home).empty())
      return Home;
  return "";
}

namespace {

/// Reads classes one by one, and remembers them.
class LazyHierarchy : public TypeHierarchy {
public:
  const ClassInfo *lookup(StringRef Name) const override {
    std::lock_guard<std::mutex> Guard(Lock);
    if (const ClassInfo *Info = Known.lookup(Name))
      return Info;
    if (!Asked.insert(Name).second)
      return nullptr;
    llvm::SmallVector<uint8_t, 0> Data;
    Error E = read(Name, Data);
    if (!E && !Data.empty())
      E = Known.addClass(Data);
    // What cannot be read is as if it were not there.
    llvm::consumeError(std::move(E));
    return Known.lookup(Name);
  }

protected:
  /// Leaves \p To empty if there is no such class.
  virtual Error read(StringRef Name,
                     llvm::SmallVector<uint8_t, 0> &To) const = 0;

private:
  mutable std::mutex Lock;
  mutable MemoryHierarchy Known;
  mutable llvm::StringSet<> Asked;
};

class ImageHierarchy final : public LazyHierarchy {
public:
  explicit ImageHierarchy(JImage Image) : Image(std::move(Image)) {}

private:
  Error read(StringRef Name, llvm::SmallVector<uint8_t, 0> &To) const override {
    auto R = Image.findClass(Name);
    if (!R)
      return Error::success();
    auto Data = Image.read(*R);
    if (!Data)
      return Data.takeError();
    To = std::move(*Data);
    return Error::success();
  }

  JImage Image;
};

class JarHierarchy final : public LazyHierarchy {
public:
  explicit JarHierarchy(std::unique_ptr<ZipArchive> Archive)
      : Jar(std::move(Archive)) {
    for (const ZipEntry &E : Jar->entries())
      if (StringRef Name = E.Name; Name.consume_back(".class"))
        Entries.try_emplace(Name, &E);
  }

private:
  Error read(StringRef Name, llvm::SmallVector<uint8_t, 0> &To) const override {
    const ZipEntry *E = Entries.lookup(Name);
    return E ? Jar->read(*E, ArchiveLimits().MaxEntry, To) : Error::success();
  }

  std::unique_ptr<ZipArchive> Jar;
  llvm::StringMap<const ZipEntry *> Entries;
};

} // namespace

Expected<std::unique_ptr<TypeHierarchy>> jopt::openJdk(StringRef Home) {
  std::string Name = findClasses(Home);
  auto File = ByteRange::openFile(Name, Name);
  if (!File)
    return File.takeError();
  Expected<bool> IsImage = JImage::isImage(*File);
  if (!IsImage)
    return IsImage.takeError();
  if (*IsImage) {
    auto Image = JImage::open(*File, Name);
    if (!Image)
      return Image.takeError();
    return std::make_unique<ImageHierarchy>(std::move(*Image));
  }
  auto Jar = ZipArchive::open(*File, Name, ArchiveLimits());
  if (!Jar)
    return Jar.takeError();
  return std::make_unique<JarHierarchy>(std::move(*Jar));
}
