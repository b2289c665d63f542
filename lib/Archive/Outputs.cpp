//===- Outputs.cpp - Outputs, whole or not at all -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Outputs.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MemoryBuffer;
using llvm::SmallString;
using llvm::StringLiteral;
using llvm::StringMap;
using llvm::StringRef;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

OutputSpec OutputSpec::to(StringRef Out) {
  if (Out == "-")
    return standard();
  return {Kind::Path, Out.str(), {}};
}

static std::pair<uint64_t, uint64_t> keyOf(const fs::UniqueID &Id) {
  return {Id.getDevice(), Id.getFile()};
}

/// The real path of \p Path, of which the last parts may not exist yet.
static std::string realPath(StringRef Path) {
  SmallString<128> Real, Absolute(Path);
  (void)fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/false);
  StringRef Known = Absolute;
  while (fs::real_path(Known, Real)) {
    StringRef Parent = path::parent_path(Known);
    if (Parent.empty() || Parent == Known)
      return std::string(Absolute);
    Known = Parent;
  }
  StringRef Rest = StringRef(Absolute).drop_front(Known.size());
  path::append(Real, Rest);
  path::remove_dots(Real, /*remove_dot_dot=*/true);
  return std::string(Real);
}

/// The name under which \p I lies in an output folder with others.
static std::string lastPart(const Input &I) {
  StringRef Last = path::filename(I.Name);
  if (Last.empty() || Last == "." || Last == ".." || Last == "/")
    return path::filename(realPath(I.Name)).str();
  return Last.str();
}

/// What outputs that are no inputs come from, for messages.
static constexpr StringLiteral AddedFile = "an added file";

static bool isPiped(const Input &I) {
  return !I.IsFolder && I.Files.front().Path.empty();
}

OutputSet::OutputSet(const InputSet &In, OutputSpec Spec)
    : In(&In), Spec(std::move(Spec)), Lock(std::make_unique<std::mutex>()) {
  SmallString<128> Current;
  if (!fs::current_path(Current))
    CurrentFolder = std::string(Current);
}

Expected<OutputSet> OutputSet::create(const InputSet &In, OutputSpec Spec) {
  OutputSet Set(In, std::move(Spec));
  ArrayRef<Input> Inputs = In.inputs();
  bool Many = Inputs.size() > 1 || (!Inputs.empty() && Inputs[0].IsFolder);

  switch (Set.Spec.TheKind) {
  case OutputSpec::Kind::Standard:
    if (Many)
      return makeError("a folder or several inputs cannot go to standard "
                       "output: give an output folder, or work in place");
    return Set;
  case OutputSpec::Kind::InPlace:
    for (const Input &I : Inputs)
      if (I.IsImage)
        return makeError(Location(I.Name), "a run-time image is not written: "
                                           "give an output folder for its "
                                           "classes");
      else if (isPiped(I))
        return makeError(Location(I.Name),
                         "only files can be changed in place");
    return Set;
  case OutputSpec::Kind::Path:
    break;
  }

  StringRef Path = Set.Spec.Path;
  if (Path.empty())
    return makeError("the name of the output is empty");
  fs::file_status Status;
  bool Exists = !fs::status(Path, Status);
  bool IsFolder = Exists && Status.type() == fs::file_type::directory_file;
  Set.PathIsFolder = Many || IsFolder || path::is_separator(Path.back());
  if (Set.PathIsFolder)
    Set.Pending.addFolder(Path);
  if (Many && Exists && !IsFolder)
    return makeError(Location(Path), "a folder or several inputs need a folder "
                                     "for output, this is a file");
  std::string RealOut = realPath(Path);
  StringMap<StringRef> Places;
  for (const Input &I : Inputs) {
    if (I.IsFolder) {
      std::string RealIn = realPath(I.Name);
      StringRef Rest = RealOut;
      if (Rest.consume_front(RealIn) &&
          (Rest.empty() || path::is_separator(Rest.front()) ||
           path::is_separator(RealIn.back())))
        return makeError(Location(Path),
                         "the output folder is inside the input "
                         "folder '" +
                             I.Name + "'");
    }
    if (Set.PathIsFolder && isPiped(I))
      return makeError(Location(Path),
                       "what is read from a pipe needs a file for output");
    auto [It, New] = Places.try_emplace(Set.destination(I), I.Name);
    if (!New)
      return makeError(Location(It->first()), "both '" + It->second +
                                                  "' and '" + I.Name +
                                                  "' would be written here");
    if (!I.IsFolder)
      if (Error E = Set.checkPlace(It->first(), /*MayReplaceInput=*/false))
        return E;
  }
  return Set;
}

std::string OutputSet::destination(const Input &Owner) const {
  switch (Spec.TheKind) {
  case OutputSpec::Kind::Standard:
    return "-";
  case OutputSpec::Kind::InPlace:
    return Owner.Name;
  case OutputSpec::Kind::Path:
    break;
  }
  bool OneFolder = In->inputs().size() == 1 && Owner.IsFolder;
  if (!PathIsFolder || OneFolder)
    return Spec.Path;
  SmallString<128> Path(Spec.Path);
  path::append(Path, lastPart(Owner));
  return std::string(Path);
}

/// normal() for the path of a file. Many files are in one folder, so it keeps
/// the last folder. The caller has the lock.
std::string OutputSet::normalFile(StringRef Path) {
  const size_t Slash = Path.rfind('/');
  const StringRef Name = Path.substr(Slash + 1);
  if (Slash == StringRef::npos || Slash == 0 || Name.empty() || Name == "." ||
      Name == "..")
    return normal(Path);
  if (StringRef Folder = Path.take_front(Slash); LastFolder.first != Folder)
    LastFolder = {Folder.str(), normal(Folder)};
  SmallString<128> P(LastFolder.second);
  path::append(P, Name);
  return std::string(P);
}

/// Output paths are compared as text after this.
std::string OutputSet::normal(StringRef Path) const {
  SmallString<128> P(Path);
  fs::make_absolute(CurrentFolder, P);
  path::remove_dots(P, /*remove_dot_dot=*/false);
  return std::string(P);
}

/// There is a file at \p Path, and it is an input.
bool OutputSet::isInput(StringRef Path) const {
  fs::UniqueID Id;
  if (fs::getUniqueID(Path, Id))
    return false;
  std::lock_guard<std::mutex> Guard(*Lock);
  if (InputIds.empty())
    for (const Input &I : In->inputs())
      for (const InputFile &F : I.Files)
        if (!F.Path.empty())
          InputIds.insert(keyOf(F.Id));
  return InputIds.contains(keyOf(Id));
}

Error OutputSet::checkPlace(StringRef Path, bool MayReplaceInput) const {
  if (!MayReplaceInput && !Pending.isInNewFolder(Path) && isInput(Path))
    return makeError(Location(Path),
                     "this output is an input; only -in-place changes inputs");
  return Error::success();
}

Error OutputSet::stage(StringRef Path, const Rope &Content, unsigned Mode,
                       StringRef From, bool MayReplaceInput,
                       const InputFile *Of) {
  {
    std::lock_guard<std::mutex> Guard(*Lock);
    auto [It, New] = Sources.try_emplace(normalFile(Path), From);
    if (!New && (It->second != From || From == AddedFile))
      return makeError(Location(Path), "both '" + It->second + "' and '" +
                                           From + "' would be written here");
  }
  if (Error E = checkPlace(Path, MayReplaceInput))
    return E;
  return Pending.stage(Path, Content, Mode, Of);
}

/// Where the file \p Relative of \p Owner goes.
std::string OutputSet::placeOf(const Input &Owner, StringRef Relative,
                               bool IsNew) const {
  SmallString<128> Path(destination(Owner));
  if (Owner.IsFolder) {
    path::append(Path, Relative);
  } else if (IsNew &&
             (PathIsFolder || Spec.TheKind == OutputSpec::Kind::InPlace)) {
    path::remove_filename(Path);
    path::append(Path, Relative);
  }
  return std::string(Path);
}

/// Whether the file at \p Path has just that content.
static bool isContentOf(const Rope &Content, StringRef Path) {
  uint64_t Size;
  if (fs::file_size(Path, Size) || Size != Content.size())
    return false;
  auto Old = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                   /*RequiresNullTerminator=*/false);
  if (!Old)
    return false;
  StringRef Rest = (*Old)->getBuffer();
  bool Same = Rest.size() == Content.size();
  Error E = Content.forEachChunk([&](Bytes Chunk) -> Error {
    Same = Same && Rest.consume_front(toStringRef(Chunk));
    return Error::success();
  });
  // What cannot be read differs; writing it will say so.
  bool Read = !E;
  llvm::consumeError(std::move(E));
  return Same && Read;
}

Error OutputSet::put(const Input &Owner, const InputFile &File,
                     const Rope &Content, StringRef NewRelative) {
  if (Spec.TheKind == OutputSpec::Kind::Standard) {
    Pending.stageStandardOutput(Content);
    return Error::success();
  }
  bool InPlace = Spec.TheKind == OutputSpec::Kind::InPlace;
  if (!Spec.Suffix.empty()) {
    std::string Path =
        placeOf(Owner, File.Relative, /*IsNew=*/false) + Spec.Suffix;
    return isContentOf(Content, Path) && !Pending.isStaged(Path)
               ? Error::success()
               : stage(Path, Content, File.Mode, File.Display,
                       /*MayReplaceInput=*/true);
  }
  if (InPlace && Owner.IsFolder && File.IsLink)
    return makeError(Location(File.Display),
                     "is reached by a link, which is not changed in place");
  bool IsNew = !NewRelative.empty();
  const std::string Place =
      placeOf(Owner, IsNew ? NewRelative : File.Relative, IsNew);
  // An unchanged file stays, and so does its time: nothing need be built again.
  // If another content is staged for its place, this one replaces it.
  if (InPlace && !IsNew && isContentOf(Content, File.Path) &&
      !Pending.isStaged(Place))
    return Error::success();
  const bool Replaces = InPlace && !IsNew;
  return stage(Place, Content, File.Mode, File.Display, Replaces,
               Replaces ? &File : nullptr);
}

Error OutputSet::keep(const Input &Owner, const InputFile &File,
                      std::optional<Bytes> Content) {
  if (Spec.TheKind == OutputSpec::Kind::InPlace)
    return Error::success();
  if (Content)
    return put(Owner, File, Rope(ByteRange::ofMemory(*Content)));
  Expected<ByteRange> Read = File.open();
  if (!Read)
    return Read.takeError();
  return put(Owner, File, Rope(*Read));
}

Expected<ByteRange> OutputSet::get(const Input &Owner,
                                   const InputFile &File) const {
  const std::string Place =
      placeOf(Owner, File.Relative, /*IsNew=*/false) + Spec.Suffix;
  const bool Staged =
      Spec.TheKind != OutputSpec::Kind::InPlace || Pending.isStaged(Place);
  return Staged ? Pending.staged(Place)
                : ByteRange::openFile(Place, File.Display);
}

std::vector<std::string> OutputSet::otherFiles(StringRef End) const {
  std::vector<std::string> Found;
  if (Spec.TheKind != OutputSpec::Kind::Path || !PathIsFolder)
    return Found;
  std::error_code EC; // a folder that is not there, or not readable, has none
  for (fs::recursive_directory_iterator It(Spec.Path, EC,
                                           /*follow_symlinks=*/false),
       Last;
       It != Last && !EC; It.increment(EC))
    if (It->type() == fs::file_type::regular_file &&
        StringRef(It->path()).ends_with(End) &&
        !Sources.contains(normal(It->path())))
      Found.push_back(It->path());
  llvm::sort(Found);
  return Found;
}

void OutputSet::remove(const Input &Owner, const InputFile &File) {
  if (Spec.TheKind == OutputSpec::Kind::InPlace && !File.IsLink)
    Pending.remove(File.Path, Owner.Name, &File);
}

Error OutputSet::addToFolder(const Input &Owner, StringRef Relative,
                             const Rope &Content) {
  return stage(placeOf(Owner, Relative, /*IsNew=*/true), Content, 0, AddedFile,
               /*MayReplaceInput=*/false);
}

Error OutputSet::addFile(StringRef Path, const Rope &Content) {
  // However it is written, it may lie in the output folder.
  SmallString<128> Place(Path);
  if (PathIsFolder) {
    std::string Real = realPath(Path);
    StringRef Rest = Real;
    if (Rest.consume_front(realPath(Spec.Path)) && Rest.consume_front("/")) {
      Place = Spec.Path;
      path::append(Place, Rest);
    }
  }
  return stage(Place, Content, 0, AddedFile, /*MayReplaceInput=*/false);
}

Error OutputSet::commit(std::vector<const InputFile *> *Left) {
  if (!Left)
    if (auto Changed = changed(); !Changed.empty())
      return makeError(Location(Changed.front()->Display),
                       "the file changed during the run");
  return Pending.commit(Left);
}
