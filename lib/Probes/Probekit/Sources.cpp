//===- Sources.cpp - Reading what -probes names ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JavaNames.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Probes/BundleArchive.h"
#include "jopt/Probes/Probekit/Probekit.h"
#include "jopt/Probes/Probekit/Reader.h"
#include "jopt/Probes/Probekit/Script.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The content of \p File, read no further than one byte past \p Limit: the
/// path may name a pipe or a device.
static llvm::Expected<std::string> readAtMost(const std::string &File,
                                              size_t Limit) {
  auto Fail = [&](llvm::Error E) {
    return makeError(Location(File), toMessage(std::move(E)));
  };
  llvm::Expected<fs::file_t> FD = fs::openNativeFileForRead(File);
  if (!FD)
    return Fail(FD.takeError());
  std::string Text;
  llvm::Error Problem = llvm::Error::success();
  while (Text.size() <= Limit) {
    size_t Had = Text.size();
    size_t Chunk = std::min<size_t>(Limit + 1 - Had, 1 << 16);
    Text.resize(Had + Chunk);
    llvm::Expected<size_t> N = fs::readNativeFile(
        *FD, llvm::MutableArrayRef<char>(Text.data() + Had, Chunk));
    Text.resize(Had + (N ? *N : 0));
    if (!N)
      Problem = N.takeError();
    if (Text.size() == Had)
      break;
  }
  fs::closeFile(*FD);
  if (Problem)
    return Fail(std::move(Problem));
  return Text;
}

namespace {
/// One file of `-probes`: a document, or probes that came compiled.
struct Part {
  std::optional<Document> Doc;
  AdviceSet Advices;
  CompiledClasses Classes;
};
} // namespace

/// The outer class of a nested one: it is on its own at the same place.
static StringRef outerClass(StringRef Class) {
  size_t Simple = Class.rfind('/') + 1; // 0 if there is none
  return Class.take_front(Class.find('$', Simple));
}

/// Adds to \p P the classes that its advices call, and those nested beside
/// them, from \p Folder. Names of what is not there go to \p Missing.
static llvm::Error findClasses(Part &P, StringRef Folder,
                               std::vector<std::string> &Missing) {
  llvm::StringSet<> Done;
  for (const Advice &A : P.Advices.Advices) {
    StringRef Outer = outerClass(A.Body.Owner);
    if (!Done.insert(Outer).second)
      continue;
    StringRef Package = Outer.take_front(Outer.rfind('/') + 1);
    StringRef Simple = Outer.drop_front(Package.size());
    llvm::SmallString<128> Where(Folder);
    path::append(Where, Package.empty() ? "." : Package);
    size_t Before = P.Classes.size();
    std::error_code EC;
    for (fs::directory_iterator It(Where, EC), End; It != End && !EC;
         It.increment(EC)) {
      StringRef Name = path::filename(It->path());
      StringRef Rest = Name;
      if (!Rest.consume_front(Simple) || !Name.ends_with(".class") ||
          (Rest != ".class" && !Rest.starts_with("$")))
        continue;
      llvm::Expected<std::string> Content = readAtMost(It->path(), MaxFileSize);
      if (!Content)
        return Content.takeError();
      P.Classes.emplace_back(
          (Package + Name).str(),
          llvm::SmallVector<uint8_t, 0>(Content->begin(), Content->end()));
    }
    if (P.Classes.size() == Before)
      Missing.push_back(Outer.str());
  }
  return llvm::Error::success();
}

/// Whether the classes of \p P have what its advices call.
static llvm::Error checkCalls(const Part &P, StringRef File) {
  llvm::StringMap<std::unique_ptr<ClassFile>> Read;
  llvm::Error Errors = llvm::Error::success();
  for (const auto &[Path, Content] : P.Classes) {
    auto C = readClass(Content);
    StringRef Name = StringRef(Path).drop_back(6);
    if (C && isInternalName(Name) && (*C)->name() == Name)
      Read[Name] = std::move(*C);
    else if (C)
      Errors = llvm::joinErrors(
          std::move(Errors), makeError(Location(File.str() + "!/" + Path),
                                       "the path is not that of its class '" +
                                           (*C)->name() + "'"));
    else
      Errors = llvm::joinErrors(
          std::move(Errors), inFile(C.takeError(), File.str() + "!/" + Path));
  }
  for (const Advice &A : P.Advices.Advices) {
    const AdviceBody &B = A.Body;
    auto At = Read.find(B.Owner);
    bool Found = At != Read.end() &&
                 llvm::any_of(At->second->Methods, [&](const Method &M) {
                   return At->second->name(M) == B.Name &&
                          At->second->descriptor(M) == B.Descriptor &&
                          (M.Access & ACC_STATIC) && (M.Access & ACC_PUBLIC);
                 });
    bool Assumed = llvm::none_of(P.Classes, [&](auto &C) {
      return outerClass(StringRef(C.first).drop_back(6)) == outerClass(B.Owner);
    });
    if (!Found && !Assumed)
      Errors = llvm::joinErrors(
          std::move(Errors),
          makeError(P.Advices.Probes[A.Probe].Where,
                    At == Read.end() ? "there is no class '" + B.Owner + "'"
                                     : "class '" + B.Owner +
                                           "' has no public static method '" +
                                           B.Name + B.Descriptor + "'"));
  }
  return Errors;
}

static llvm::Expected<Part> readScriptFile(StringRef Text,
                                           const std::string &File,
                                           DiagnosticEngine &Diags) {
  if (Text.size() > MaxFileSize)
    return makeError(Location(File), "script of more than " +
                                         Twine(MaxFileSize >> 20) + " MiB");
  llvm::Expected<AdviceSet> Set = readScript(Text, File);
  if (!Set)
    return Set.takeError();
  Part P;
  P.Advices = std::move(*Set);
  if (P.Advices.Probes.empty())
    Diags.report(Severity::Warning, Location(File), "the script has no PROBE");
  std::vector<std::string> Missing;
  if (llvm::Error E = findClasses(P, path::parent_path(File), Missing))
    return E;
  for (const std::string &Class : Missing)
    Diags.report(Severity::Note, Location(File),
                 "class '" + Class +
                     "' is not beside the script; the program must have it");
  if (llvm::Error E = checkCalls(P, File))
    return E;
  return P;
}

static llvm::Expected<Part> readBundleFile(const std::string &File) {
  auto Entries = readBundleArchive(File);
  if (!Entries)
    return Entries.takeError();
  Part P;
  std::vector<std::pair<std::string, std::string>> Scripts;
  for (auto &[Name, Content] : *Entries) {
    if (Name == ScriptInBundle || StringRef(Name).ends_with(".probescript"))
      Scripts.emplace_back(Name, std::string(Content.begin(), Content.end()));
    else if (StringRef(Name).ends_with(".class") &&
             !StringRef(Name).starts_with("META-INF/") &&
             Name != "module-info.class")
      P.Classes.emplace_back(Name, std::move(Content));
  }
  auto Script =
      llvm::find_if(Scripts, [](auto &S) { return S.first == ScriptInBundle; });
  if (Script == Scripts.end() && Scripts.size() == 1)
    Script = Scripts.begin();
  if (Script == Scripts.end())
    return makeError(Location(File),
                     Scripts.empty()
                         ? "no bundle of probes: there is no '" +
                               ScriptInBundle + "' in it"
                         : "there are several scripts in it, and none is '" +
                               ScriptInBundle + "'");
  llvm::Expected<AdviceSet> Set =
      readScript(Script->second, File + "!/" + Script->first);
  if (!Set)
    return Set.takeError();
  P.Advices = std::move(*Set);
  if (llvm::Error E = checkCalls(P, File))
    return E;
  return P;
}

static llvm::Expected<Part> readPart(const std::string &File,
                                     DiagnosticEngine &Diags) {
  llvm::Expected<std::string> Text = readAtMost(File, MaxFileSize);
  if (!Text)
    return Text.takeError();
  if (StringRef(*Text).starts_with("PK\3\4"))
    return readBundleFile(File);
  if (path::extension(File).equals_insensitive(".probescript"))
    return readScriptFile(*Text, File, Diags);
  llvm::Expected<Document> Doc = readDocument(*Text, File, Diags);
  if (!Doc)
    return Doc.takeError();
  Part P;
  P.Doc = std::move(*Doc);
  return P;
}

/// Appends probes that came compiled.
static void append(AdviceSet &To, const AdviceSet &From) {
  unsigned First = unsigned(To.Probes.size());
  llvm::append_range(To.Probes, From.Probes);
  for (Advice A : From.Advices) {
    A.Probe += First;
    To.Advices.push_back(std::move(A));
  }
}

llvm::Expected<ProbekitSources>
jopt::readProbekit(llvm::ArrayRef<std::string> Files,
                   const ProbekitOptions &Options, DiagnosticEngine &Diags) {
  llvm::Error Errors = llvm::Error::success();
  std::vector<Part> Parts;
  for (const std::string &File : Files) {
    llvm::Expected<Part> P = readPart(File, Diags);
    if (!P) {
      Errors = llvm::joinErrors(std::move(Errors), P.takeError());
      continue;
    }
    Parts.push_back(std::move(*P));
  }
  if (Options.Package)
    Errors =
        llvm::joinErrors(std::move(Errors), checkPackageName(*Options.Package));
  if (Errors)
    return Errors;
  if ((Options.Isolate || Options.GuardRecursion) &&
      llvm::any_of(Parts, [](const Part &P) { return !P.Doc; }))
    Diags.report(Severity::Warning, Location(),
                 "-isolate-probes and -guard-recursion do not concern probes "
                 "that came compiled");

  ProbekitSources S;
  for (Part &P : Parts) {
    if (P.Doc)
      S.Documents.push_back(std::move(*P.Doc));
    llvm::append_range(S.Classes, std::move(P.Classes));
  }
  S.Java.Isolate = Options.Isolate;
  S.Java.GuardRecursion = Options.GuardRecursion;
  S.Java.Package =
      Options.Package ? *Options.Package : makePackageName(S.Documents, S.Java);
  std::vector<std::string> Classes = getProbeClasses(S.Documents, S.Java);
  llvm::ArrayRef<std::string> Rest = Classes;
  llvm::ArrayRef<Document> Docs = S.Documents;
  for (const Part &P : Parts) {
    if (!P.Doc) {
      append(S.Advices, P.Advices);
      S.ProbeClasses.resize(S.Advices.Probes.size());
      continue;
    }
    size_t Count = Docs.front().Probes.size();
    appendAdvices(S.Advices, Docs.front(), Rest.take_front(Count), S.Java);
    llvm::append_range(S.ProbeClasses, Rest.take_front(Count));
    Rest = Rest.drop_front(Count);
    Docs = Docs.drop_front();
  }
  if (llvm::Error E = checkAdviceSet(S.Advices))
    return E;
  return S;
}
