//===- Walks.cpp - The walks of a run over its inputs ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walks.h"
#include "ClassFileMagic.h"
#include "jopt/Advice/Advice.h"
#include "jopt/Archive/Signatures.h"
#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/FolderCache.h"
#include "jopt/Weave/Original.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static bool isModuleInfo(StringRef Name) {
  return Name == "module-info.class" || Name.ends_with("/module-info.class");
}

/// Whether any probe can match the class file at \p Path. The folders in front
/// of the package are not known (WEB-INF/classes/, target/classes/), so every
/// ending of the path is asked about.
static bool canMatchPath(const Matcher &M, StringRef Path) {
  Path.consume_back(".class");
  for (;;) {
    if (M.canMatchClass(Path))
      return true;
    size_t Slash = Path.find('/');
    if (Slash == StringRef::npos)
      return false;
    Path = Path.drop_front(Slash + 1);
  }
}

EntryPlan SelectingWalk::plan(const EntryInfo &E) {
  EntryPlan P = planByName(E);
  if (P == EntryPlan::Transform && Filter &&
      E.Container->TheKind != ContainerInfo::Kind::File &&
      !canMatchPath(*Filter, E.Name))
    return EntryPlan::Copy;
  return P;
}

namespace {
/// Looks for the oldest class file.
class LowestVersion : public SelectingWalk {
public:
  using SelectingWalk::SelectingWalk;
  uint64_t wantedBytes() const override { return 8; }
  Expected<EntryResult> transform(const EntryInfo &, Bytes Data) override;
  Error unreadable(const EntryInfo &, Error Why) override;

  std::atomic<unsigned> Lowest{~0u}; ///< major version; ~0 if there is none
};
} // namespace

Expected<EntryResult> LowestVersion::transform(const EntryInfo &, Bytes Data) {
  if (isClassFile(Data) && Data.size() >= 8) {
    unsigned Major = readU2(Data.data() + 6);
    unsigned Old = Lowest.load();
    while (Major < Old && !Lowest.compare_exchange_weak(Old, Major))
      ;
  }
  return EntryResult::unchanged();
}

Error LowestVersion::unreadable(const EntryInfo &, Error Why) {
  llvm::consumeError(std::move(Why)); // the walk that weaves reports it
  return Error::success();
}

/// Begins every entry and every key.
static constexpr llvm::StringLiteral LowestMagic = "jopt-lowest-1\n";

/// The cache key of the inputs and of the rules that select classes of them.
/// Empty if an input has no key.
static std::string lowestKey(const InputSet &In, const AdviceSet &Probes) {
  KeyHash K;
  K.add(LowestMagic);
  std::string Rules;
  llvm::raw_string_ostream OS(Rules);
  printAdviceSet(Probes, OS);
  K.add(OS.str());
  for (const Input &I : In.inputs())
    if (!I.addTo(K))
      return "";
  return K.text();
}

Expected<unsigned> jopt::findLowestRelease(const InputSet &In,
                                           const Matcher &Filter,
                                           const AdviceSet &Probes,
                                           llvm::StringRef CacheFolder,
                                           const ProcessOptions &Options) {
  const std::string Key = lowestKey(In, Probes);
  std::optional<FolderCache> Cache;
  if (!Key.empty()) {
    auto Of = FolderCache::ofUser(CacheFolder, LowestMagic);
    if (Of)
      Cache = std::move(*Of);
    else
      llvm::consumeError(Of.takeError()); // Whoever compiles says it.
  }
  if (Cache)
    if (auto Kept = Cache->find(Key); Kept && Kept->size() == 2)
      return readU2(Kept->data());
  LowestVersion Client(&Filter);
  if (Error E = processInputs(In, Client, nullptr, Options))
    return E;
  const unsigned Lowest = Client.Lowest;
  const unsigned Release =
      Lowest != ~0u && Lowest >= OldestMajorVersion ? javaOfMajor(Lowest) : 0;
  if (Cache) {
    uint8_t Entry[2];
    writeU2(Entry, uint16_t(Release));
    Cache->put(Key, Entry);
  }
  return Release;
}

//===----------------------------------------------------------------------===//
// WritingWalk
//===----------------------------------------------------------------------===//

void WritingWalk::leave(const EntryInfo &E, std::vector<Diagnostic> Why) {
  Rep.leaveClass(E.Ordinal, E.display(), std::move(Why));
  std::lock_guard<std::mutex> Guard(Lock);
  NotOriginal.insert(E.Container->Id);
}

bool WritingWalk::leaveAdded(const EntryInfo &E, Bytes Data) {
  if (!KeepsAdded || !isAdded(Data))
    return false;
  std::lock_guard<std::mutex> Guard(Lock);
  NotOriginal.insert(E.Container->Id);
  return true;
}

void WritingWalk::found(const EntryInfo &E, std::vector<Diagnostic> What) {
  std::lock_guard<std::mutex> Guard(Lock);
  llvm::append_range(Findings[E.Ordinal], std::move(What));
}

void WritingWalk::reportFindings() {
  for (const auto &[Ordinal, Of] : Findings)
    for (const Diagnostic &D : Of)
      Diags.report(D);
}

Error WritingWalk::unreadable(const EntryInfo &E, Error Why) {
  if (E.Container->TheKind == ContainerInfo::Kind::File)
    return Why;
  if (Options.Emit == EmitKind::None) {
    found(E, toDiagnostics(std::move(Why)));
    return Error::success();
  }
  leave(E, toDiagnostics(std::move(Why)));
  return Error::success();
}

Error WritingWalk::settleSignatures(ContainerEditor &C) {
  bool IsOriginal = !C.entriesChanged();
  {
    std::lock_guard<std::mutex> Guard(Lock);
    IsOriginal &= !NotOriginal.count(C.info().Id);
    // Entries are deflated anew: as an entry, this archive is another.
    if (C.info().Parent)
      NotOriginal.insert(C.info().Parent->Id);
  }
  if (!C.entriesChanged())
    return IsOriginal ? restoreSignatures(C) : Error::success();
  auto Dropped = dropSignatures(C, Options.keepsOriginal());
  if (!Dropped)
    return Dropped.takeError();
  if (Dropped->empty())
    return Error::success();
  std::string What =
      llvm::formatv("{0} signature file{1} dropped, since classes changed: {2}",
                    Dropped->size(), Dropped->size() == 1 ? "" : "s",
                    llvm::join(*Dropped, ", "));
  Rep.note(C.info().Display + ": " + What);
  Diags.report(Severity::Warning, Location(C.info().Display), What);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// WeaveWalk
//===----------------------------------------------------------------------===//

/// \p Classes go into the folder that \p E is in.
Error WeaveWalk::addBeside(const EntryInfo &E,
                           std::vector<CompanionClass> Classes) {
  const bool Single = E.Container->TheKind == ContainerInfo::Kind::File;
  const StringRef Folder = E.Name.take_front(E.Name.rfind('/') + 1);
  for (CompanionClass &C : Classes) {
    const StringRef Simple = StringRef(C.Name).substr(C.Name.rfind('/') + 1);
    auto Marked = markAdded(C.Data);
    if (!Marked)
      return Marked.takeError();
    std::lock_guard<std::mutex> Guard(Lock);
    Files &To =
        Single ? LooseBeside[E.Container->Input] : Beside[E.Container->Id];
    To[(Folder + Simple + ".class").str()] = std::move(*Marked);
  }
  return Error::success();
}

void WeaveWalk::report(const EntryInfo &E, llvm::ArrayRef<Finding> Findings) {
  if (Findings.empty())
    return;
  std::vector<Diagnostic> All(Findings.size());
  for (auto [D, F] : llvm::zip_equal(All, Findings)) {
    D.Where = Location(E.display());
    D.Message = F.str();
  }
  found(E, std::move(All));
}

/// Notes that \p E is of the version \p Major.
void WeaveWalk::noteNewer(const EntryInfo &E, unsigned Major) {
  std::lock_guard<std::mutex> Guard(Lock);
  ++Newer.Count;
  if (E.Ordinal < Newer.Ordinal) {
    Newer.Ordinal = E.Ordinal;
    Newer.Major = Major;
    Newer.Display = E.display();
  }
}

void WeaveWalk::reportNewer() {
  if (!Newer.Count)
    return;
  const std::string Rules =
      "the rules of " + std::to_string(NewestMajorVersion);
  std::string All;
  if (Newer.Count > 1)
    All = llvm::formatv(" ({0:N} in all)", Newer.Count);
  Diags.report(Severity::Warning, Location(Newer.Display),
               describeNewer(Newer.Major) + ", so jopt " +
                   (TheWork.Newer == NewerPolicy::Copy
                        ? "left it as it was; -newer=weave applies " + Rules
                        : "applied " + Rules +
                              "; -newer=copy leaves such class files as they "
                              "are") +
                   All);
}

/// Loaders look for \p Class, to stand beside \p E in an archive, in its root,
/// and where versions, web applications and modules have theirs. What is
/// elsewhere a program loads by itself, as Jython does its library: nobody
/// finds what that needs beside it. Quarkus knows each class of one jar by
/// name.
static bool isFoundBeside(const EntryInfo &E, StringRef Class) {
  StringRef Root = E.Name.take_front(E.Name.rfind('/') + 1);
  if (StringRef(E.Container->Name)
          .ends_with("quarkus/transformed-bytecode.jar"))
    return false;
  return E.Container->TheKind != ContainerInfo::Kind::Archive ||
         (Root.consume_back(Class.take_front(Class.rfind('/') + 1)) &&
          (Root.empty() || Root.ends_with("classes/") ||
           Root.starts_with("META-INF/versions/")));
}

Expected<EntryResult> WeaveWalk::transform(const EntryInfo &E, Bytes Data) {
  if (leaveAdded(E, Data))
    return EntryResult::unchanged();
  bool IsClass = isClassFile(Data);
  bool Single = E.Container->TheKind == ContainerInfo::Kind::File;
  Expected<ClassOutcome> Outcome =
      IsClass || !Single || !E.Name.ends_with(".jir")
          ? workOnClass(TheWork, Data)
          : workOnText(TheWork, jopt::toStringRef(Data), E.display());
  if (!Outcome) {
    Error Why = inFile(Outcome.takeError(), E.display());
    if (Single)
      return Why;
    if (Error Fatal = unreadable(E, std::move(Why)))
      return Fatal;
    return EntryResult::unchanged();
  }
  if (!Outcome->Beside.empty() &&
      !isFoundBeside(E, Outcome->Beside.front().Name)) {
    Outcome = ClassOutcome();
    Outcome->Left = toDiagnostics(
        makeError("is of a version without call sites: coverage needs a class "
                  "beside it, which would not be found where it stands"));
  }
  if (Outcome->NewerMajor)
    noteNewer(E, Outcome->NewerMajor);
  report(E, Outcome->InputFindings);
  report(E, Outcome->OutputFindings);
  Rep.add(E.Ordinal, E.display(), Outcome->Rows.all());
  Rep.applied(Outcome->Applied);
  if (!Outcome->Left.empty())
    leave(E, std::move(Outcome->Left));
  if (!Outcome->Changed)
    return EntryResult::unchanged();
  ChangedFile = ChangedFile || Single;
  if (!Outcome->Beside.empty())
    if (Error Why = addBeside(E, std::move(Outcome->Beside)))
      return Why;
  EntryResult R = EntryResult::replaced(std::move(Outcome->Data));
  StringRef Stem = E.Name;
  if (Options.Emit == EmitKind::JIR && Stem.consume_back(".class"))
    R.NewName = (Stem + ".jir").str();
  else if (Options.Emit == EmitKind::Trace && Stem.consume_back(".class"))
    R.NewName = (Stem + ".trace").str();
  else if (Options.Emit == EmitKind::Class && Stem.consume_back(".jir"))
    R.NewName = (Stem + ".class").str();
  return R;
}

/// jlink and `jar --hash-modules` put hashes of the modules that depend on one
/// into its descriptor; a JVM does not start with a module of another hash.
Error WeaveWalk::dropHashes(ContainerEditor &C) {
  if (!HasOthers || C.info().TheKind != ContainerInfo::Kind::Archive)
    return Error::success();
  for (size_t I = 0; I < C.size(); ++I) {
    if (!isModuleInfo(C.name(I)))
      continue;
    auto Old = C.read(I);
    if (!Old)
      return Old.takeError();
    auto New = withoutModuleHashes(*Old);
    if (!New)
      return inFile(New.takeError(), C.info().Display);
    if (New->empty())
      continue;
    if (Options.keepsOriginal()) {
      auto Kept = withOriginal(*New, *Old);
      if (!Kept)
        return Kept.takeError();
      New = std::move(*Kept);
    }
    if (Error E = C.replace(I, *New))
      return E;
    const std::string What = C.name(I).str() +
                             ": ModuleHashes dropped, since classes of other "
                             "modules change; jar --hash-modules makes it anew";
    Rep.note(C.info().Display + ": " + What);
    Diags.report(Severity::Warning, Location(C.info().Display), What);
  }
  return Error::success();
}

Error WeaveWalk::finish(ContainerEditor &C) {
  if (Options.Emit != EmitKind::Class)
    return Error::success();
  if (Error E = dropHashes(C))
    return E;
  if (Placement)
    if (Error E = Placement->addToLauncher(C))
      return E;
  if (!C.changed())
    return Error::success();
  if (Error E = settleSignatures(C))
    return E;
  // No module path leads into an archive.
  if (C.entriesChanged() && C.info().Depth == 0)
    for (size_t I = 0; I < C.size(); ++I)
      if (isModuleInfo(C.name(I))) {
        auto Data = C.read(I);
        if (!Data)
          return Data.takeError();
        std::string Name = moduleName(*Data);
        if (!Name.empty())
          Modules[C.info().Id] = Name;
      }
  Files Needed;
  {
    // Entries of others are at work.
    std::lock_guard<std::mutex> Guard(Lock);
    Needed = std::move(Beside[C.info().Id]);
  }
  for (const auto &[Path, Data] : Needed)
    if (Error E = C.add(Path, Data))
      return E;
  return Placement ? Placement->finish(C) : Error::success();
}

//===----------------------------------------------------------------------===//
// StripWalk
//===----------------------------------------------------------------------===//

Expected<EntryResult> StripWalk::transform(const EntryInfo &E, Bytes Data) {
  if (leaveAdded(E, Data))
    return EntryResult::unchanged();
  auto Class = readClass(Data);
  if (!Class) {
    // An unreadable class was not woven.
    llvm::consumeError(Class.takeError());
    return EntryResult::unchanged();
  }
  if (isWoven(**Class))
    leave(E, toDiagnostics(wovenWithoutOriginal()));
  return EntryResult::unchanged();
}

Error StripWalk::finish(ContainerEditor &C) {
  return C.changed() ? settleSignatures(C) : Error::success();
}
