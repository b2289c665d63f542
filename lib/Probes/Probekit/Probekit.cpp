//===- Probekit.cpp - The front-end ---------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/Probekit.h"
#include "Cache.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Probes/Probekit/JavaSource.h"
#include "jopt/Probes/Probekit/Javac.h"
#include "jopt/Probes/Probekit/Reader.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

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

llvm::Expected<ProbekitSources>
jopt::readProbekit(llvm::ArrayRef<std::string> Files,
                   const ProbekitOptions &Options, DiagnosticEngine &Diags) {
  llvm::Error Errors = llvm::Error::success();
  ProbekitSources S;
  for (const std::string &File : Files) {
    llvm::Expected<std::string> Text = readAtMost(File, MaxFileSize);
    if (!Text) {
      Errors = llvm::joinErrors(std::move(Errors), Text.takeError());
      continue;
    }
    llvm::Expected<Document> Doc = readDocument(*Text, File, Diags);
    if (Doc)
      S.Documents.push_back(std::move(*Doc));
    else
      Errors = llvm::joinErrors(std::move(Errors), Doc.takeError());
  }
  if (Options.Package)
    Errors =
        llvm::joinErrors(std::move(Errors), checkPackageName(*Options.Package));
  if (Errors)
    return Errors;

  S.Java.Isolate = Options.Isolate;
  S.Java.GuardRecursion = Options.GuardRecursion;
  S.Java.Package =
      Options.Package ? *Options.Package : makePackageName(S.Documents, S.Java);
  S.Advices = makeAdvices(S.Documents, S.Java);
  if (llvm::Error E = checkAdviceSet(S.Advices))
    return E;
  return S;
}

/// The release to compile for.
static llvm::Expected<unsigned> chooseRelease(const ProbekitOptions &Options,
                                              const Javac &Compiler) {
  if (!Options.Release)
    return std::min(std::max(8u, Options.LowestRelease), Compiler.Feature);
  if (*Options.Release > Compiler.Feature)
    return makeError(Location(Compiler.Path), "javac " + Compiler.Version +
                                                  " does not know release " +
                                                  Twine(*Options.Release));
  return *Options.Release;
}

/// Reports what javac said at its places in the XML; the errors of it.
static llvm::Error report(const JavacResult &Result, const JavacJob &Job,
                          llvm::ArrayRef<JavaSource> Sources,
                          DiagnosticEngine &Diags) {
  llvm::Error Errors = llvm::Error::success();
  // What stands once in the XML may stand in several places of the source.
  llvm::StringSet<> Said;
  for (JavacMessage &M : parseJavacOutput(Result.Output, Job)) {
    Diagnostic D;
    D.Level = M.Level;
    D.Message = M.Source < 0 ? "javac: " + M.Text : std::move(M.Text);
    if (M.Source >= 0) {
      const JavaSource &S = Sources[M.Source];
      D.Where = M.Line ? S.locate(M.Line, M.Column)
                       : Location(S.Marks.front().Doc->File);
    }
    std::string Line;
    llvm::raw_string_ostream LineOS(Line);
    D.print(LineOS);
    if (!Said.insert(LineOS.str()).second)
      continue;
    if (M.Level != Severity::Error || Result.Status == 0) {
      Diags.report(std::move(D));
      continue;
    }
    Errors = llvm::joinErrors(std::move(Errors),
                              llvm::make_error<DiagnosticError>(std::move(D)));
  }
  if (Result.Status != 0 && !Errors)
    return makeError("javac failed with status " + Twine(Result.Status) + ": " +
                     StringRef(Result.Output).trim().substr(0, 2000));
  return Errors;
}

/// Whether a parameter for \p Item may be of another type than was thought
/// before javac ran.
static bool isFreeType(DataItem Item) {
  return Item == DataItem::StaticField || Item == DataItem::Kept ||
         Item == DataItem::Local;
}

/// Whether \p Descriptor may be that of the method which \p A calls.
static bool fits(const Advice &A, StringRef Descriptor) {
  MethodDescriptor Found(Descriptor), Thought(A.Body.Descriptor);
  for (DataItem Item : A.Data) {
    StringRef Type = Found.nextParameter(), Wanted = Thought.nextParameter();
    if (Type.empty() || (Type != Wanted && !isFreeType(Item)))
      return false;
  }
  return Found.nextParameter().empty() &&
         (A.Result == ResultUse::Keep ||
          returnDescriptor(Descriptor) == returnDescriptor(A.Body.Descriptor));
}

namespace {
/// Completes advices by what javac made of the types in them.
class Resolver {
public:
  explicit Resolver(const ProbeBundle &B) : Bundle(B) {
    for (const auto &[Path, Content] : B.Classes)
      ByPath[Path] = Content;
  }
  llvm::Error resolve(Probe &P, StringRef Class);
  llvm::Error resolve(Advice &A, const Probe &P);

private:
  ClassFile *find(StringRef Class);

  const ProbeBundle &Bundle;
  llvm::StringMap<Bytes> ByPath;
  llvm::StringMap<std::unique_ptr<ClassFile>> Read;
};
} // namespace

ClassFile *Resolver::find(StringRef Class) {
  auto [It, New] = Read.try_emplace(Class);
  if (New)
    if (auto At = ByPath.find((Class + ".class").str()); At != ByPath.end()) {
      llvm::Expected<std::unique_ptr<ClassFile>> C = readClass(At->second);
      if (C)
        It->second = std::move(*C);
      else
        llvm::consumeError(C.takeError());
    }
  return It->second.get();
}

llvm::Error Resolver::resolve(Probe &P, StringRef Class) {
  if (P.StaticField.empty())
    return llvm::Error::success();
  if (ClassFile *C = find(Class))
    for (const Method &M : C->Methods)
      if (C->name(M) == StaticFieldMaker) {
        StringRef Type = returnDescriptor(C->descriptor(M));
        if (Type.consume_front("L") && Type.consume_back(";")) {
          P.StaticField = Type.str();
          return llvm::Error::success();
        }
      }
  return makeError(P.Where, "compiling this probe did not tell the class of "
                            "its 'staticField'; are the braces in its texts "
                            "balanced?");
}

/// A fragment with one brace too many may have moved its method elsewhere.
llvm::Error Resolver::resolve(Advice &A, const Probe &P) {
  AdviceBody &Body = A.Body;
  std::string Found;
  unsigned Count = 0;
  if (ClassFile *C = find(Body.Owner))
    for (const Method &M : C->Methods)
      if (C->name(M) == Body.Name && fits(A, C->descriptor(M))) {
        Found = C->descriptor(M).str();
        ++Count;
      }
  if (Count == 1) {
    Body.Descriptor = Found;
    return llvm::Error::success();
  }
  std::string Class = Body.Owner.substr(Body.Owner.rfind('/') + 1);
  if (Count)
    return makeError(P.Where, "class '" + Class + "' has several methods '" +
                                  Body.Name + "'; choose other names");
  return makeError(P.Where, "compiling this probe gave no method '" +
                                Body.Name + Body.Descriptor + "' in class '" +
                                Class +
                                "'; are the braces in its fragments balanced?");
}

/// Completes the advices of \p B, whose probes are compiled to \p Classes.
static llvm::Error resolve(ProbeBundle &B,
                           llvm::ArrayRef<std::string> Classes) {
  Resolver R(B);
  llvm::Error Errors = llvm::Error::success();
  for (auto [P, Class] : llvm::zip_equal(B.Advices.Probes, Classes))
    Errors = llvm::joinErrors(std::move(Errors), R.resolve(P, Class));
  for (Advice &A : B.Advices.Advices)
    Errors = llvm::joinErrors(std::move(Errors),
                              R.resolve(A, B.Advices.Probes[A.Probe]));
  if (Errors)
    return Errors;
  return checkAdviceSet(B.Advices);
}

llvm::Expected<ProbeBundle>
jopt::compileProbekit(const ProbekitSources &Sources,
                      const ProbekitOptions &Options, DiagnosticEngine &Diags) {
  ProbeBundle Bundle;
  Bundle.Package = Sources.Java.Package;
  Bundle.Advices = Sources.Advices;
  if (Sources.Documents.empty())
    return Bundle;

  llvm::Expected<Javac> Compiler =
      findJavac(Options.Javac, Options.TimeoutSeconds);
  if (!Compiler)
    return Compiler.takeError();
  llvm::Expected<unsigned> Release = chooseRelease(Options, *Compiler);
  if (!Release)
    return Release.takeError();

  std::vector<JavaSource> Java = generateJava(Sources.Documents, Sources.Java);
  JavacJob Job;
  Job.ClassPath = Options.ClassPath;
  Job.Release = *Release;
  Job.TimeoutSeconds = Options.TimeoutSeconds;
  for (const JavaSource &S : Java)
    Job.Sources.emplace_back(Sources.Java.folder() + S.ClassName + ".java",
                             S.Text);

  Cache Kept(Options.CacheFolder);
  std::string Key = Cache::makeKey(*Compiler, Job);
  std::optional<JavacResult> Result = Kept.find(Key);
  bool Fresh = !Result;
  if (Fresh) {
    llvm::Expected<JavacResult> Ran = runJavac(*Compiler, Job);
    if (!Ran)
      return Ran.takeError();
    Result = std::move(*Ran);
  }
  if (llvm::Error E = report(*Result, Job, Java, Diags))
    return E;
  Bundle.Classes = Result->Classes;
  if (llvm::Error E =
          resolve(Bundle, getProbeClasses(Sources.Documents, Sources.Java)))
    return E;
  if (Fresh)
    Kept.put(Key, *Result);
  return Bundle;
}

llvm::Expected<ProbeBundle>
jopt::loadProbekit(llvm::ArrayRef<std::string> Files,
                   const ProbekitOptions &Options, DiagnosticEngine &Diags) {
  llvm::Expected<ProbekitSources> S = readProbekit(Files, Options, Diags);
  if (!S)
    return S.takeError();
  return compileProbekit(*S, Options, Diags);
}
