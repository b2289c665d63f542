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
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;
using llvm::Twine;

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

/// What an author of probes should know about a message of javac; or nothing.
static std::string remedy(StringRef Message) {
  static constexpr llvm::StringLiteral NoSymbol =
      "cannot find symbol; symbol: ";
  if (Message.starts_with(NoSymbol)) {
    StringRef Symbol = Message.drop_front(NoSymbol.size());
    Symbol = Symbol.take_until([](char C) { return C == ';'; });
    if (Symbol.consume_front("class ") && Symbol.contains('$')) {
      std::string Dotted = Symbol.str();
      std::replace(Dotted.begin(), Dotted.end(), '$', '.');
      return "; nested classes are written with dots: " + Dotted;
    }
    if (Message.starts_with((NoSymbol + "class ").str()) &&
        Message.contains("location: class "))
      return "; is an <import text=\"...\"/> missing?";
    if (Symbol.consume_front("variable ") && findDataType(Symbol))
      return ("; a fragment is given it by <data type=\"" + Symbol +
              "\" name=\"" + Symbol + "\"/>")
          .str();
    return "";
  }
  if (Message.ends_with("cannot be referenced from a static context"))
    return "; fragments are static methods: what they use is static too, and "
           "the probed object is the data item thisObject";
  if (Message.contains("unexpected return value"))
    return "; a fragment returns a value only for result=\"replace\" or as its "
           "probe's invocationObject";
  if (Message == "missing return statement" ||
      Message == "incompatible types: missing return value")
    return "; fragments with result=\"replace\", and those that make an "
           "invocationObject, return a value on every path";
  if (Message.starts_with("package ") && Message.ends_with(" does not exist"))
    return "; classes of the program are found among the inputs and by "
           "-classpath";
  if (Message.starts_with("reached end of file while parsing") ||
      Message.starts_with("class, interface, "))
    return "; are the braces in the texts balanced?";
  return "";
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
    D.Message = M.Source < 0 ? "javac: " + M.Text : M.Text + remedy(M.Text);
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
  return getInfo(Item).TypeRule != DataTypeRule::Fixed;
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

/// Completes the advices of \p B, whose probes are compiled to \p Classes;
/// those with no class came compiled.
static llvm::Error resolve(ProbeBundle &B,
                           llvm::ArrayRef<std::string> Classes) {
  Resolver R(B);
  llvm::Error Errors = llvm::Error::success();
  for (auto [P, Class] : llvm::zip_equal(B.Advices.Probes, Classes))
    if (!Class.empty())
      Errors = llvm::joinErrors(std::move(Errors), R.resolve(P, Class));
  for (Advice &A : B.Advices.Advices)
    if (!Classes[A.Probe].empty())
      Errors = llvm::joinErrors(std::move(Errors),
                                R.resolve(A, B.Advices.Probes[A.Probe]));
  if (Errors)
    return Errors;
  return checkAdviceSet(B.Advices);
}

/// Adds classes that came compiled.
static llvm::Error addClasses(ProbeBundle &B, const CompiledClasses &Classes) {
  if (Classes.empty())
    return llvm::Error::success();
  llvm::StringMap<size_t> Known;
  for (size_t I = 0; I < B.Classes.size(); ++I)
    Known[B.Classes[I].first] = I;
  for (const auto &[Path, Content] : Classes) {
    auto [It, New] = Known.try_emplace(Path, B.Classes.size());
    if (New)
      B.Classes.emplace_back(Path, Content);
    else if (B.Classes[It->second].second != Content)
      return makeError("there are two different probe classes '" + Path +
                       "'; compile one of them into another package");
  }
  llvm::sort(B.Classes, [](auto &L, auto &R) { return L.first < R.first; });
  return llvm::Error::success();
}

llvm::Expected<ProbeBundle>
jopt::compileProbekit(const ProbekitSources &Sources,
                      const ProbekitOptions &Options, DiagnosticEngine &Diags) {
  ProbeBundle Bundle;
  Bundle.Advices = Sources.Advices;
  if (Sources.Documents.empty()) {
    if (llvm::Error E = addClasses(Bundle, Sources.Classes))
      return E;
    return Bundle;
  }

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
  if (llvm::Error E = resolve(Bundle, Sources.ProbeClasses))
    return E;
  if (llvm::Error E = addClasses(Bundle, Sources.Classes))
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
