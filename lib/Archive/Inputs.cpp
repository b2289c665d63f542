//===- Inputs.cpp - What the user named -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Inputs.h"
#include "FolderList.h"
#include "jopt/Archive/JImage.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/FolderCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <unistd.h>

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Limits input from a pipe, whose size is unknown and which may never end.
static constexpr uint64_t MaxPiped = uint64_t(4) << 30;

Expected<ByteRange> InputFile::open() const {
  if (Path.empty())
    return Content;
  fs::file_status Status;
  Expected<ByteRange> R = ByteRange::openFile(Path, Display, &Status);
  if (R && !isAsFound(Status))
    return makeError(Location(Display), "the file changed during the run");
  return R;
}

bool InputFile::isAsFound(const fs::file_status &Status) const {
  return Status.getUniqueID() == Id && Status.getSize() == Size &&
         Status.getLastModificationTime() == Time;
}

bool InputFile::isAsFound() const {
  fs::file_status Status;
  return !fs::status(Path, Status) && isAsFound(Status);
}

bool Input::addTo(KeyHash &K) const {
  SmallString<128> Place(Name);
  fs::make_absolute(Place);
  K.add(Place);
  // Of many files in one piece: what is short is hashed slowly.
  std::string Known;
  for (const InputFile &F : Files) {
    if (F.Path.empty() && !IsImage)
      return false;
    for (uint64_t Number : {uint64_t(F.Relative.size()), F.Size,
                            uint64_t(F.Time.time_since_epoch().count())})
      Known.append(reinterpret_cast<const char *>(&Number), sizeof Number);
    Known += F.Relative;
  }
  K.add(Known);
  return true;
}

const Input *InputSet::find(StringRef Name) const {
  auto At =
      llvm::find_if(Inputs, [&](const Input &I) { return I.Name == Name; });
  return At == Inputs.end() ? nullptr : &*At;
}

static void describe(InputFile &F, const fs::file_status &Status) {
  F.Size = Status.getSize();
  F.Mode = Status.permissions() & 0777;
  F.Id = Status.getUniqueID();
  F.Time = Status.getLastModificationTime();
}

/// Copies all that can be read from \p FD to \p Spill.
static Expected<ByteRange> readPipe(int FD, SpillFile &Spill,
                                    StringRef Display) {
  SmallVector<char, 0> Buffer;
  Buffer.resize_for_overwrite(1u << 20);
  std::optional<ByteRange> All;
  uint64_t Size = 0;
  // Nothing else uses the file yet, so the pieces lie one behind the other.
  while (true) {
    Expected<size_t> N = fs::readNativeFile(FD, Buffer);
    if (!N)
      return makeError(Location(Display),
                       "cannot read: " + llvm::toString(N.takeError()));
    if (!*N)
      break;
    Size += *N;
    if (Size > MaxPiped)
      return makeError(Location(Display), "has more than " + Twine(MaxPiped) +
                                              " bytes, the limit of a pipe");
    Expected<ByteRange> Piece =
        Spill.append(toBytes(StringRef(Buffer.data(), *N)));
    if (!Piece)
      return Piece.takeError();
    All = All ? All->extended(*N) : *Piece;
  }
  return All ? *All : ByteRange();
}

/// Shows the classes and files of an image as those of a folder.
Error InputSet::listImage(Input &To, const ByteRange &File,
                          const fs::file_status &Status, SpillFile &Spill) {
  Expected<JImage> Image = JImage::open(File, To.Name);
  if (!Image)
    return Image.takeError();
  To.IsFolder = To.IsImage = true;
  return Image->forEach([&](const JImage::Resource &R) -> Error {
    InputFile F;
    F.Relative = R.Module + "/" + R.Path;
    F.Display = To.Name + "!/" + F.Relative;
    F.Size = R.Size;
    F.Mode = Status.permissions() & 0777;
    F.Time = Status.getLastModificationTime();
    if (!R.Packed) {
      F.Content = Image->place(R);
    } else {
      auto Data = Image->read(R);
      if (!Data)
        return Data.takeError();
      Expected<ByteRange> Unpacked = Spill.append(*Data);
      if (!Unpacked)
        return Unpacked.takeError();
      F.Content = *Unpacked;
    }
    To.Files.push_back(std::move(F));
    return Error::success();
  });
}

static bool byName(const InputFile &A, const InputFile &B) {
  return A.Relative < B.Relative;
}

Expected<InputSet> InputSet::open(ArrayRef<std::string> Names,
                                  unsigned Threads) {
  InputSet Set;
  Set.Spill = SpillFile::create();
  for (const std::string &Name : Names) {
    Input I;
    I.Name = Name;
    InputFile F;
    F.Display = Name;
    F.Relative = path::filename(Name).str();
    if (Name == "-") {
      F.Display = F.Relative = "<stdin>";
      Expected<ByteRange> R = readPipe(STDIN_FILENO, *Set.Spill, F.Display);
      if (!R)
        return R.takeError();
      F.Content = *R;
      F.Size = R->size();
      I.Files.push_back(std::move(F));
      Set.Inputs.push_back(std::move(I));
      continue;
    }
    fs::file_status Status;
    if (std::error_code EC = fs::status(Name, Status))
      return makeError(Location(Name), "cannot read: " + EC.message());
    switch (Status.type()) {
    case fs::file_type::directory_file: {
      I.IsFolder = true;
      auto Files = listFolder(Name, Threads);
      if (!Files)
        return Files.takeError();
      I.Files = std::move(*Files);
      break;
    }
    case fs::file_type::regular_file: {
      Expected<ByteRange> Content = ByteRange::openFile(Name, Name);
      if (!Content)
        return Content.takeError();
      Expected<bool> Image = JImage::isImage(*Content);
      if (!Image)
        return Image.takeError();
      if (*Image) {
        if (Error E = listImage(I, *Content, Status, *Set.Spill))
          return E;
        llvm::sort(I.Files, byName);
        break;
      }
      F.Path = Name;
      F.IsLink = fs::is_symlink_file(Name);
      describe(F, Status);
      I.Files.push_back(std::move(F));
      break;
    }
    default: {
      int FD;
      if (std::error_code EC = fs::openFileForRead(Name, FD))
        return makeError(Location(Name), "cannot open: " + EC.message());
      Expected<ByteRange> R = readPipe(FD, *Set.Spill, Name);
      ::close(FD);
      if (!R)
        return R.takeError();
      F.Content = *R;
      F.Size = R->size();
      I.Files.push_back(std::move(F));
    }
    }
    Set.Inputs.push_back(std::move(I));
  }
  return Set;
}
