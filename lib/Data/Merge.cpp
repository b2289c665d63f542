//===- Merge.cpp - Many folders in one ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Merge.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

// The user's alone, as the recorder makes them.
static constexpr fs::perms FolderMode = fs::owner_all;
static constexpr fs::perms FileMode =
    fs::perms(fs::owner_read + fs::owner_write);

/// Each run has an id that may be a folder's name.
static Error checkIds(llvm::ArrayRef<Run> Runs) {
  for (const Run &R : Runs)
    if (R.id().empty() || !llvm::all_of(R.id(), llvm::isAlnum))
      return makeError(Location(R.folder()), "the run has no id");
  return Error::success();
}

static Error copyFile(StringRef From, StringRef Folder) {
  llvm::SmallString<128> To(Folder);
  llvm::sys::path::append(To, llvm::sys::path::filename(From));
  if (std::error_code EC = fs::copy_file(From, To))
    return makeError(Location(From),
                     "cannot be copied to " + To + ": " + EC.message());
  if (std::error_code EC = fs::setPermissions(To, FileMode))
    return makeError(Location(To), EC.message());
  return Error::success();
}

static Error copyRun(const Run &R, StringRef Into) {
  llvm::SmallString<128> Folder(Into), Text(R.folder());
  llvm::sys::path::append(Folder, R.id());
  llvm::sys::path::append(Text, Run::TextFile);
  if (std::error_code EC =
          fs::create_directory(Folder, /*IgnoreExisting=*/false, FolderMode))
    return makeError(Location(Folder), EC.message());
  // A chunk that is being written goes to a file of full ones when it is full:
  // so, of a run that goes on, it may be in both, and is not in neither.
  for (const std::string &File : llvm::reverse(R.files()))
    if (Error E = copyFile(File, Folder))
      return E;
  return copyFile(Text, Folder);
}

/// Makes a folder beside \p Out that is to get its name.
static llvm::Expected<Temporary> makeBeside(StringRef Out) {
  StringRef Parent = llvm::sys::path::parent_path(Out);
  std::error_code EC;
  if (!Parent.empty())
    EC = fs::create_directories(Parent);
  removeLeftovers(Parent, llvm::sys::path::filename(Out));
  Temporary Made((Out + temporarySuffix()).str());
  if (!EC)
    EC =
        fs::create_directory(Made.path(), /*IgnoreExisting=*/false, FolderMode);
  if (EC)
    return makeError(Location(Out), EC.message());
  return Made;
}

Error data::mergeRuns(std::vector<Run> Runs, StringRef Out) {
  if (Error E = checkIds(Runs))
    return E;
  dropCopies(Runs);
  while (Out.size() > 1 && llvm::sys::path::is_separator(Out.back()))
    Out = Out.drop_back();
  std::error_code EC;
  if (fs::exists(Out) &&
      fs::directory_iterator(Out, EC) != fs::directory_iterator())
    return makeError(Location(Out), "there is something already");
  if (EC)
    return makeError(Location(Out), EC.message());
  auto Folder = makeBeside(Out);
  if (!Folder)
    return Folder.takeError();
  Error Failed = Error::success();
  for (const Run &R : Runs)
    if (!Failed)
      Failed = copyRun(R, Folder->path());
  if (!Failed)
    if (std::error_code EC = fs::rename(Folder->path(), Out))
      Failed = makeError(Location(Out), EC.message());
  if (!Failed)
    Folder->keep();
  return Failed;
}
