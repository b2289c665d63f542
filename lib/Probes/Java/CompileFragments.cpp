//===- CompileFragments.cpp - Fragments to classes ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/CompileFragments.h"
#include "Cache.h"
#include "DirectCalls.h"
#include "FragmentLines.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Probes/Java/Javac.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;
using llvm::Twine;

std::string java::commonRemedy(StringRef Message) {
  static constexpr llvm::StringLiteral NoClass =
      "cannot find symbol; symbol: class ";
  if (Message.starts_with(NoClass)) {
    StringRef Symbol = Message.drop_front(NoClass.size());
    Symbol = Symbol.take_until([](char C) { return C == ';'; });
    if (!Symbol.contains('$'))
      return "";
    std::string Dotted = Symbol.str();
    std::replace(Dotted.begin(), Dotted.end(), '$', '.');
    return "; nested classes are written with dots: " + Dotted;
  }
  if (Message.ends_with("cannot be referenced from a static context"))
    return "; fragments are static methods: what they use is static too, and "
           "the probed object is the data item thisObject";
  if (Message.starts_with("unreported exception "))
    return "; the code of a fragment may throw it, what is declared in it or "
           "beside it may not";
  if (Message.starts_with("reached end of file while parsing") ||
      Message.starts_with("class, interface, "))
    return "; are the braces in the texts balanced?";
  return "";
}

static bool isNoPackage(StringRef Message) {
  return Message.starts_with("package ") &&
         Message.ends_with(" does not exist");
}

/// The fragment of \p File whose code has \p P.
static const Fragment *findFragment(const SourceFile &File, Position P) {
  auto Before = [](Position A, Position B) {
    return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
  };
  for (const GeneratedClass &Class : File.Probes)
    for (const Fragment &F : Class.Fragments)
      if (!Before(P, F.Code.Where) && !Before(F.Code.getEnd(), P))
        return &F;
  return nullptr;
}

/// Whether a later release may have what javac does not know.
static bool mayBeNewer(StringRef Message) {
  if (Message.contains("not supported in -source"))
    return true;
  if (!Message.consume_front("cannot find symbol; symbol: "))
    return false;
  return !Message.consume_front("variable ") || llvm::isUpper(Message.front());
}

/// A hint on \p Release, if the inputs chose it and this javac knows later
/// ones.
static std::string releaseRemedy(const ProbeOptions &Options,
                                 const Javac &Compiler, unsigned Release) {
  const unsigned Newest = Compiler.newestRelease();
  if (Options.Release || !Options.LowestRelease || Release >= Newest)
    return "";
  return ("; fragments are compiled for Java " + Twine(Release) +
          ", the oldest of the inputs: -release=N (up to " + Twine(Newest) +
          ") is for what is newer")
      .str();
}

/// Reports javac's messages at their places in the files. \returns its errors.
static llvm::Error report(const JavacResult &Result, const JavacJob &Job,
                          llvm::ArrayRef<JavaSource> Sources,
                          StringRef WhereClasses, StringRef NewerRelease,
                          DiagnosticEngine &Diags) {
  llvm::Error Errors = llvm::Error::success();
  // One place in a file may be pasted into several places of the source, so
  // report a message only once.
  llvm::StringSet<> Said;
  for (JavacMessage &M : parseJavacOutput(Result.Output, Job)) {
    Diagnostic D;
    D.Level = M.Level;
    D.Message = M.Source < 0 ? "javac: " + M.Text : M.Text;
    if (M.Source >= 0) {
      const JavaSource &S = Sources[M.Source];
      JavaSource::Place P{S.Marks.front().File, {}};
      if (M.Line)
        P = S.locate(M.Line, M.Column);
      D.Where = P.File->locate(P.Where);
      D.Message += P.File->Kind->Remedy(M.Text, findFragment(*P.File, P.Where));
      if (isNoPackage(M.Text))
        D.Message += ("; " + WhereClasses).str();
      if (M.Level == Severity::Error && mayBeNewer(M.Text))
        D.Message += NewerRelease;
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
         (A.Result == ResultUse::Keep || A.Result == ResultUse::Return ||
          returnDescriptor(Descriptor) == returnDescriptor(A.Body.Descriptor));
}

namespace {
/// Completes advices by what javac made of the types in them.
class Resolver {
public:
  explicit Resolver(const CompiledClasses &Classes) {
    for (const auto &[Path, Content] : Classes)
      ByPath[Path] = Content;
  }
  /// Finds the class of the static field of \p P, for which \p Class has the
  /// method \p Maker.
  llvm::Error resolve(Probe &P, StringRef Class, StringRef Maker);
  llvm::Error resolve(Advice &A, const Probe &P);

private:
  /// Null if there is none of that name. Fails if it cannot be read.
  llvm::Expected<ClassFile *> find(StringRef Class, const Probe &P);

  llvm::StringMap<Bytes> ByPath;
  llvm::StringMap<std::unique_ptr<ClassFile>> Read;
};
} // namespace

llvm::Expected<ClassFile *> Resolver::find(StringRef Class, const Probe &P) {
  auto [It, New] = Read.try_emplace(Class);
  if (New)
    if (auto At = ByPath.find((Class + ".class").str()); At != ByPath.end()) {
      llvm::Expected<std::unique_ptr<ClassFile>> C = readClass(At->second);
      if (!C) {
        Read.erase(It);
        return makeError(P.Where, "javac compiled this probe to class '" +
                                      Class + "', which jopt cannot read: " +
                                      toMessage(C.takeError()));
      }
      It->second = std::move(*C);
    }
  return It->second.get();
}

llvm::Error Resolver::resolve(Probe &P, StringRef Class, StringRef Maker) {
  llvm::Expected<ClassFile *> Found = find(Class, P);
  if (!Found)
    return Found.takeError();
  if (const ClassFile *C = *Found)
    for (const Method &M : C->Methods)
      if (C->name(M) == Maker) {
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
  llvm::Expected<ClassFile *> Class = find(Body.Owner, P);
  if (!Class)
    return Class.takeError();
  if (const ClassFile *C = *Class)
    for (const Method &M : C->Methods)
      if (C->name(M) == Body.Name && fits(A, C->descriptor(M))) {
        Found = C->descriptor(M).str();
        ++Count;
      }
  if (Count == 1) {
    Body.Descriptor = Found;
    return llvm::Error::success();
  }
  std::string Name = Body.Owner.substr(Body.Owner.rfind('/') + 1);
  if (Count)
    return makeError(P.Where, "class '" + Name + "' has several methods '" +
                                  Body.Name + "'; choose other names");
  return makeError(P.Where, "compiling this probe gave no method '" +
                                Body.Name + Body.Descriptor + "' in class '" +
                                Name +
                                "'; are the braces in its fragments balanced?");
}

/// Completes what \p Files have in \p Set, and is compiled to \p Classes.
static llvm::Error resolve(AdviceSet &Set, llvm::ArrayRef<SourceFile> Files,
                           const CompiledClasses &Classes) {
  Resolver R(Classes);
  llvm::Error Errors = llvm::Error::success();
  llvm::BitVector Ours(unsigned(Set.Probes.size()));
  for (const SourceFile &F : Files)
    for (const GeneratedClass &P : F.Probes) {
      Ours.set(P.Index);
      if (P.Static)
        Errors = llvm::joinErrors(
            std::move(Errors),
            R.resolve(Set.Probes[P.Index], P.Name,
                      (F.Kind->Prefix + StaticFieldMaker).str()));
    }
  for (Advice &A : Set.Advices)
    if (Ours.test(A.Probe))
      Errors = llvm::joinErrors(std::move(Errors),
                                R.resolve(A, Set.Probes[A.Probe]));
  if (Errors)
    return Errors;
  return checkAdviceSet(Set);
}

llvm::Expected<CompiledClasses>
java::compileFragments(llvm::ArrayRef<SourceFile> Files, AdviceSet &Set,
                       const JavaOptions &Java, const ProbeOptions &Options,
                       DiagnosticEngine &Diags) {
  llvm::Expected<Javac> Compiler =
      findJavac(Options.Javac, Options.TimeoutSeconds);
  if (!Compiler)
    return Compiler.takeError();
  llvm::Expected<unsigned> Release = chooseRelease(Options, *Compiler);
  if (!Release)
    return Release.takeError();

  std::vector<JavaSource> Sources = generateJava(Files, Java);
  JavacJob Job;
  Job.ClassPath = Options.ClassPath;
  Job.Roots = Options.Roots;
  Job.Listed = Options.Listed;
  // What fragments print with, and measure with, is beside the tool.
  if (llvm::any_of(Sources, [](const JavaSource &S) {
        return StringRef(S.Text).contains("jopt.boot.Client") ||
               StringRef(S.Text).contains("jopt.probe.");
      }))
    if (std::string Jar = findInstalled(RuntimeJar); !Jar.empty())
      Job.ClassPath.push_back(std::move(Jar));
  Job.Release = *Release;
  Job.TimeoutSeconds = Options.TimeoutSeconds;
  for (const JavaSource &S : Sources)
    Job.Sources.emplace_back(Java.folder() + S.ClassName + ".java", S.Text);

  Cache Kept(Options.CacheFolder, Diags);
  std::string Key = Cache::makeKey(*Compiler, Job);
  std::optional<JavacResult> Result = Kept.find(Key);
  bool Fresh = !Result;
  if (Fresh) {
    llvm::Expected<JavacResult> Ran = runJavac(*Compiler, Job);
    if (!Ran)
      return Ran.takeError();
    Result = std::move(*Ran);
  }
  if (llvm::Error E =
          report(*Result, Job, Sources, Options.WhereClasses,
                 releaseRemedy(Options, *Compiler, *Release), Diags))
    return E;
  if (llvm::Error E = resolve(Set, Files, Result->Classes))
    return E;
  callDirectly(Set, Files, Result->Classes, Java);
  if (Fresh)
    Kept.put(Key, *Result);
  // Behind the cache, of which places in probe files are no part.
  if (llvm::Error E = nameProbeFiles(Result->Classes, Sources))
    return E;
  return std::move(Result->Classes);
}
