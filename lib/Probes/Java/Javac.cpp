//===- Javac.cpp - Running javac ------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/Javac.h"
#include "JavacPath.h"
#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

extern char **environ;

/// The environment of the child: ours without what would change its options,
/// and with UTF-8 for the names of files.
static std::vector<StringRef> makeEnvironment() {
  std::vector<StringRef> Env;
  for (char **E = environ; *E; ++E) {
    StringRef Name = StringRef(*E).split('=').first;
    if (Name != "JDK_JAVAC_OPTIONS" && Name != "JAVA_TOOL_OPTIONS" &&
        Name != "_JAVA_OPTIONS" && Name != "CLASSPATH" && Name != "LC_ALL")
      Env.push_back(*E);
  }
  Env.push_back("LC_ALL=C.UTF-8");
  return Env;
}

/// Runs \p Program with its output in \p OutputFile; its exit status. It does
/// not outlive a signal or its time.
static llvm::Expected<int> execute(StringRef Program,
                                   llvm::ArrayRef<StringRef> Args,
                                   StringRef OutputFile,
                                   unsigned TimeoutSeconds) {
  // The output of a run before stays in the file otherwise.
  (void)fs::remove(OutputFile);
  std::string Message;
  bool Failed = false;
  std::vector<StringRef> Env = makeEnvironment();
  std::optional<StringRef> Redirects[] = {StringRef(), OutputFile, OutputFile};
  auto CannotRun = [&] {
    return makeError(Location(Program),
                     "cannot run javac" +
                         (Message.empty() ? Twine("") : ": " + Message));
  };
  llvm::sys::ProcessInfo Child =
      llvm::sys::ExecuteNoWait(Program, Args, llvm::ArrayRef(Env), Redirects,
                               /*MemoryLimit=*/0, &Message, &Failed);
  if (Failed)
    return CannotRun();
  // A signal may come before a wait as well as during it, so nothing waits.
  auto Begin = std::chrono::steady_clock::now();
  for (;;) {
    llvm::sys::ProcessInfo Ended =
        llvm::sys::Wait(Child, /*SecondsToWait=*/0, &Message);
    if (Ended.Pid == Child.Pid && Ended.ReturnCode >= 0)
      return Ended.ReturnCode;
    if (Ended.Pid && !interrupted())
      return CannotRun();
    bool Late = std::chrono::steady_clock::now() - Begin >
                std::chrono::seconds(TimeoutSeconds);
    if (interrupted() || Late) {
      if (!Ended.Pid) {
        ::kill(Child.Pid, SIGKILL);
        llvm::sys::Wait(Child, std::nullopt);
      }
      return interrupted() ? makeError("interrupted")
                           : makeError(Location(Program),
                                       "javac did not end within " +
                                           Twine(TimeoutSeconds) + " seconds");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

static std::string readText(StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

/// The 17 of "17.0.15", the 8 of "1.8.0_402"; 0 if there is none.
static unsigned parseFeature(StringRef Version) {
  Version.consume_front("1.");
  unsigned Feature = 0;
  return Version.consumeInteger(10, Feature) ? 0 : Feature;
}

namespace {
/// A new folder for a while, by its path without links: javac names its sources
/// by that.
class TempFolder {
public:
  static llvm::Expected<TempFolder> create() {
    auto Made = makeTemporaryFolder("jopt-probes");
    if (!Made)
      return Made.takeError();
    llvm::SmallString<128> Real;
    if (fs::real_path(Made->path(), Real))
      Real = Made->path();
    return TempFolder(std::move(*Made), Real);
  }
  const std::string &path() const { return Path; }
  /// The path of a file or folder in it.
  std::string file(StringRef Name) const { return Path + "/" + Name.str(); }

private:
  TempFolder(Temporary Made, StringRef Path)
      : Made(std::move(Made)), Path(Path) {}

  Temporary Made;
  std::string Path;
};
} // namespace

/// The version that the file `release` of a JDK states.
static std::string readReleaseFile(StringRef File) {
  std::string Text = readText(File);
  llvm::SmallVector<StringRef> Lines;
  StringRef(Text).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("JAVA_VERSION="))
      return Line.trim("\"\r ").str();
  return "";
}

static llvm::Expected<std::string> askVersion(StringRef Program,
                                              unsigned TimeoutSeconds) {
  llvm::Expected<TempFolder> Temp = TempFolder::create();
  if (!Temp)
    return Temp.takeError();
  std::string Log = Temp->file("log");
  llvm::Expected<int> Status =
      execute(Program, {Program, "-version"}, Log, TimeoutSeconds);
  if (!Status)
    return Status.takeError();
  std::string Output = readText(Log);
  llvm::SmallVector<StringRef> Lines;
  StringRef(Output).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("javac "))
      return Line.trim().str();
  return "";
}

static std::string describeFile(const Twine &File) {
  fs::file_status S;
  if (fs::status(File, S))
    return "";
  return (File + "\n" + Twine(S.getSize()) + "\n" +
          Twine(S.getLastModificationTime().time_since_epoch().count()) + "\n")
      .str();
}

llvm::Expected<Javac> java::findJavac(StringRef Override,
                                      unsigned TimeoutSeconds) {
  Javac J;
  if (!Override.empty()) {
    auto Found = llvm::sys::findProgramByName(Override);
    if (!Found || !fs::can_execute(*Found))
      return makeError(Location(Override), "there is no javac that can run");
    J.Path = *Found;
  } else {
    std::optional<std::string> Home = llvm::sys::Process::GetEnv("JAVA_HOME");
    if (Home && !Home->empty()) {
      llvm::SmallString<128> Candidate(*Home);
      path::append(Candidate, "bin", "javac");
      if (fs::can_execute(Candidate))
        J.Path = Candidate.str().str();
    }
    if (J.Path.empty()) {
      auto Found = llvm::sys::findProgramByName("javac");
      if (!Found)
        return makeError(
            (Home && !Home->empty()
                 ? "no javac in JAVA_HOME (" + *Home + ")"
                 : std::string("no javac: JAVA_HOME is not set")) +
            " and none on PATH; probes need a JDK, not only a JRE");
      J.Path = *Found;
    }
  }

  // A link is followed to the JDK, but not executed that way: some version
  // managers put one program under many names.
  llvm::SmallString<128> Real;
  if (fs::real_path(J.Path, Real))
    Real = J.Path;
  StringRef Home = path::parent_path(path::parent_path(Real));
  J.Version = readReleaseFile((Home + "/release").str());
  if (J.Version.empty()) {
    llvm::Expected<std::string> Said = askVersion(J.Path, TimeoutSeconds);
    if (!Said)
      return Said.takeError();
    J.Version = *Said;
  }
  J.Feature = parseFeature(J.Version);
  if (!J.Feature)
    return makeError(Location(J.Path),
                     "this is no javac: its version is '" + J.Version + "'");
  if (J.Feature < 8)
    return makeError(Location(J.Path), "javac " + J.Version +
                                           " is too old; probes need 8 or "
                                           "newer");
  J.Identity = J.Version + "\n" + describeFile(Real) +
               describeFile(Home + "/release") +
               describeFile(Home + "/lib/modules") +
               describeFile(Home + "/lib/tools.jar");
  return J;
}

/// An argument in a file of arguments: quoted, with its specials escaped.
static void writeArgument(llvm::raw_ostream &OS, StringRef Argument) {
  OS << '"';
  for (char C : Argument)
    if (C == '\n')
      OS << "\\n";
    else if (C == '\r')
      OS << "\\r";
    else if (C == '"' || C == '\\')
      OS << '\\' << C;
    else
      OS << C;
  OS << "\"\n";
}

/// All class files below \p Folder.
static llvm::Expected<CompiledClasses> readClasses(StringRef Folder) {
  CompiledClasses Classes;
  std::error_code EC;
  for (fs::recursive_directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC)) {
    StringRef File = It->path();
    if (path::extension(File) != ".class")
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(File, false, false);
    if (!Buffer)
      return makeError(Location(File), Buffer.getError().message());
    StringRef Content = (*Buffer)->getBuffer();
    Classes.emplace_back(File.drop_front(Folder.size() + 1).str(),
                         llvm::SmallVector<uint8_t, 0>(Content.bytes()));
  }
  if (EC)
    return makeError(Location(Folder), EC.message());
  llvm::sort(Classes, llvm::less_first());
  return Classes;
}

static std::string makeArguments(const Javac &Compiler, const JavacJob &Job,
                                 llvm::ArrayRef<std::string> ClassPath,
                                 StringRef SourceFolder, StringRef OutFolder,
                                 bool Preview) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::string Release = std::to_string(Job.Release);
  std::vector<StringRef> Options = {
      "-proc:none", "-g", "-implicit:none", "-encoding", "UTF-8",
      "-Xlint:-options", "-Xmaxerrs", "2147483647",
      // Errors of types do not hide those of
      // paths: JDK 8, and later ones.
      "-XDshouldStopPolicyIfError=FLOW", "-XDshould-stop.ifError=FLOW",
      "-Xmaxwarns", "2147483647", "-d", OutFolder,
      // Sources on the class path stay unread.
      "-sourcepath", SourceFolder};
  // Fragments are called anywhere in the JDK, also where it cannot bootstrap
  // call sites; the JDK itself is compiled in this way.
  if (Compiler.Feature > 8)
    Options.push_back("-XDstringConcat=inline");
  if (Compiler.Feature == 8)
    llvm::append_range(Options, llvm::ArrayRef<StringRef>{"-source", Release,
                                                          "-target", Release});
  else
    llvm::append_range(Options,
                       llvm::ArrayRef<StringRef>{"--release", Release});
  if (Preview)
    Options.push_back("--enable-preview");
  for (StringRef O : Options)
    writeArgument(OS, O);
  // The default would be the current folder.
  writeArgument(OS, "-classpath");
  writeArgument(OS, ClassPath.empty() ? OutFolder.str()
                                      : llvm::join(ClassPath, ":"));
  for (const auto &Source : Job.Sources)
    writeArgument(OS, (SourceFolder + "/" + Source.first).str());
  return Text;
}

/// Takes the entries off \p ClassPath that javac says it cannot read, which no
/// fragment may need; false if there is none.
static bool dropUnreadable(std::vector<std::string> &ClassPath,
                           StringRef Output) {
  const size_t Before = ClassPath.size();
  llvm::erase_if(ClassPath, [&](const std::string &Entry) {
    return Output.contains("error: error reading " + Entry + ";") ||
           Output.contains("ZipException opening \"" +
                           path::filename(Entry).str() + "\"");
  });
  return ClassPath.size() != Before;
}

/// A fragment names a class that uses preview features, as value classes do.
static bool wantsPreview(StringRef Output) {
  return Output.contains("(use --enable-preview to allow loading");
}

llvm::Expected<JavacResult> java::runJavac(const Javac &Compiler,
                                           const JavacJob &Job) {
  llvm::Expected<TempFolder> Temp = TempFolder::create();
  if (!Temp)
    return Temp.takeError();
  std::string SourceFolder = Temp->file("src"), OutFolder = Temp->file("out");
  std::string Arguments = Temp->file("args"), Log = Temp->file("log");

  if (std::error_code EC = fs::create_directory(OutFolder))
    return makeError(Location(OutFolder), EC.message());
  for (const auto &Source : Job.Sources) {
    std::string File = SourceFolder + "/" + Source.first;
    if (std::error_code EC = fs::create_directories(path::parent_path(File)))
      return makeError(Location(File), EC.message());
    if (llvm::Error E = writeFile(File, Source.second))
      return E;
  }
  auto ClassPath = makeJavacPath(Job.ClassPath, Temp->file("classes"));
  if (!ClassPath)
    return ClassPath.takeError();
  llvm::append_range(*ClassPath, Job.Roots);
  for (std::string &Entry : *ClassPath) {
    llvm::SmallString<128> Path(Entry);
    (void)fs::make_absolute(Path);
    Entry = std::string(Path);
  }

  // Where javac leaves its arguments when it dies.
  const std::string Here = "-J-Duser.dir=" + Temp->path();
  std::string At = "@" + Arguments;
  // A short run: no time for the optimising compiler, no shared statistics.
  std::vector<StringRef> Args = {Compiler.Path,
                                 "-J-Dfile.encoding=UTF-8",
                                 "-J-Dstdout.encoding=UTF-8",
                                 "-J-Dstderr.encoding=UTF-8",
                                 "-J-Duser.language=en",
                                 "-J-Duser.country=US",
                                 "-J-XX:TieredStopAtLevel=1",
                                 "-J-XX:-UsePerfData",
                                 Here,
                                 At};
  JavacResult Result;
  std::string Output;
  bool Preview = false;
  // Once more with preview features, which only the newest release has.
  auto TurnsOnPreview = [&] {
    return Job.Release == Compiler.Feature && wantsPreview(Output) &&
           !std::exchange(Preview, true);
  };
  do {
    if (llvm::Error E = writeFile(
            Arguments, makeArguments(Compiler, Job, *ClassPath, SourceFolder,
                                     OutFolder, Preview)))
      return E;
    llvm::Expected<int> Status =
        execute(Compiler.Path, Args, Log, Job.TimeoutSeconds);
    if (!Status)
      return Status.takeError();
    Result.Status = *Status;
    Output = readText(Log);
  } while (Result.Status != 0 &&
           (dropUnreadable(*ClassPath, Output) || TurnsOnPreview()));
  // Name the sources as the caller does.
  std::string Prefix = SourceFolder + "/";
  StringRef Rest = Output;
  for (size_t At; (At = Rest.find(Prefix)) != StringRef::npos;) {
    Result.Output += Rest.take_front(At);
    Rest = Rest.drop_front(At + Prefix.size());
  }
  Result.Output += Rest;
  if (Result.Status == 0) {
    llvm::Expected<CompiledClasses> Classes = readClasses(OutFolder);
    if (!Classes)
      return Classes.takeError();
    Result.Classes = std::move(*Classes);
  }
  return Result;
}

unsigned java::Javac::newestRelease() const {
  return std::min(Feature, NewestRelease);
}

llvm::Expected<unsigned> java::chooseRelease(const ProbeOptions &Options,
                                             const Javac &Compiler) {
  if (!Options.Release)
    return std::min(std::max(8u, Options.LowestRelease),
                    Compiler.newestRelease());
  if (*Options.Release > Compiler.Feature)
    return makeError(Location(Compiler.Path), "javac " + Compiler.Version +
                                                  " does not know release " +
                                                  Twine(*Options.Release));
  return *Options.Release;
}
