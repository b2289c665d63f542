//===- Sampling.cpp - Samples of a running JVM's stacks -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Sampling.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <poll.h>
#include <unistd.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Between two samples of a thread.
static constexpr std::chrono::milliseconds Period(10);
/// For a request to the JVM; for reading a recording.
static constexpr std::chrono::seconds RequestTime(60);
static constexpr unsigned ReadSeconds = 300;
/// What async-profiler has by default between two samples of allocations.
static constexpr uint64_t AllocInterval = 512 << 10;
static constexpr uint64_t MostBytes = uint64_t(1) << 30;

//===----------------------------------------------------------------------===//
// The flight recorder
//===----------------------------------------------------------------------===//

/// The settings of a recording. Events that a JDK does not know are ignored by
/// it.
static std::string settingsOf(SampledKind Kind) {
  std::string Text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<configuration version=\"2.0\">\n";
  const std::string Time = std::to_string(Period.count()) + " ms";
  auto Event = [&](StringRef Name, StringRef Setting, StringRef Value,
                   bool WithStack = false) {
    Text +=
        ("<event name=\"jdk." + Name +
         "\"><setting name=\"enabled\">true</setting>" +
         (WithStack ? "<setting name=\"stackTrace\">true</setting>" : "") +
         "<setting name=\"" + Setting + "\">" + Value + "</setting></event>\n")
            .str();
  };
  if (Kind == SampledKind::Alloc) {
    Event("ObjectAllocationSample", "throttle", "300/s", true);
    Event("ObjectAllocationInNewTLAB", "stackTrace", "true");
    Event("ObjectAllocationOutsideTLAB", "stackTrace", "true");
  } else {
    Event("ExecutionSample", "period", Time);
    if (Kind == SampledKind::Cpu)
      Event("CPUTimeSample", "throttle", Time, true); // from Java 25 on
  }
  if (Kind == SampledKind::Wall) {
    Event("NativeMethodSample", "period", Time);
    for (StringRef Wait :
         {"ThreadSleep", "ThreadPark", "JavaMonitorWait", "JavaMonitorEnter"})
      Event(Wait, "threshold", Time, true);
  }
  return Text + "</configuration>\n";
}

/// Of allocations: those of Java 11 to 15 would come for each buffer, so they
/// are left out where there are samples.
static bool samplesAllocations(StringRef JavaVersion) {
  unsigned Feature = 0;
  JavaVersion.take_while(llvm::isDigit).getAsInteger(10, Feature);
  return Feature >= 16;
}

static std::string without(StringRef Text, StringRef Event) {
  std::string Kept;
  for (StringRef Line : llvm::split(Text, '\n'))
    if (!Line.contains(Event))
      Kept += (Line + "\n").str();
  return Kept;
}

/// Has the JVM carry out \p Command of jcmd, which then says \p Done.
static Error command(Target &T, const std::string &Command, StringRef Done) {
  auto Reply = T.ask("jcmd", {Command}, RequestTime);
  if (!Reply)
    return Reply.takeError();
  const StringRef Said = StringRef(Reply->Text).trim();
  if (Reply->Code == 0 && Said.contains(Done))
    return Error::success();
  if (Said.contains("Unknown diagnostic command") ||
      Said.contains("jdk.jfr not found"))
    return makeError("process " + llvm::Twine(T.process().Pid) +
                     " cannot sample itself: its runtime has no flight "
                     "recorder (module jdk.jfr); async-profiler can, with "
                     "--async-profiler=LIBRARY");
  return makeError("the JVM does not carry out '" +
                   StringRef(Command).split(' ').first +
                   "': " + Said.split('\n').first);
}

/// A java of this process: never one of the JVM's user's, who may be another.
static std::string findJava() {
  if (auto Home = llvm::sys::Process::GetEnv("JAVA_HOME");
      Home && !Home->empty()) {
    const std::string Java = *Home + "/bin/java";
    if (fs::can_execute(Java))
      return Java;
  }
  auto Found = llvm::sys::findProgramByName("java");
  return Found ? *Found : std::string();
}

/// Adds a line `SAMPLES WEIGHT FRAME;FRAME...`.
static void addStack(StringRef Line, SampledStacks &To) {
  SampledStack S;
  auto [Samples, Rest] = Line.split(' ');
  auto [Weight, Frames] = Rest.split(' ');
  if (!llvm::to_integer(Samples, S.Samples, 10) ||
      !llvm::to_integer(Weight, S.Weight, 10))
    return;
  for (StringRef Frame : llvm::split(Frames, ';'))
    if (!Frame.empty())
      S.Frames.push_back(Frame.str());
  if (!S.Frames.empty())
    To.Stacks.push_back(std::move(S));
}

/// Reads the \p Recording, which began at \p Start, with the classes of
/// jopt-runtime.jar in a JVM of its own.
static Error readRecording(StringRef Recording, StringRef Kind, int64_t Start,
                           SampledStacks &To) {
  const std::string Java = findJava(),
                    Jar = findInstalled("lib/jopt-runtime.jar");
  if (Java.empty() || Jar.empty())
    return makeError(Java.empty()
                         ? "no java on PATH or in JAVA_HOME, which reads what "
                           "the flight recorder wrote"
                         : "there is no lib/jopt-runtime.jar beside jopt");
  auto Folder = makeTemporaryFolder("jopt-samples-");
  if (!Folder)
    return Folder.takeError();
  const std::string File = Folder->path() + "/samples.jfr",
                    Out = Folder->path() + "/stacks",
                    Log = Folder->path() + "/log";
  if (Error E = writeFile(File, Recording))
    return E;
  const std::string PeriodText = std::to_string(Period.count() * 1000000),
                    StartText = std::to_string(Start);
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Out),
                                          StringRef(Log)};
  std::string Message;
  const int Status = llvm::sys::ExecuteAndWait(
      Java,
      {Java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", Jar,
       "jopt.flight.Samples", File, Kind, PeriodText, StartText},
      /*Env=*/std::nullopt, Redirects, ReadSeconds, /*MemoryLimit=*/0,
      &Message);
  if (Status != 0) {
    auto Said = readRegular(Log, {1 << 20});
    if (!Said)
      llvm::consumeError(Said.takeError());
    return makeError(Java + " does not read the recording: " +
                     (Said ? StringRef(*Said).split('\n').first : Message));
  }
  auto Text = readRegular(Out, {MostBytes});
  if (!Text)
    return Text.takeError();
  auto [First, Rest] = StringRef(*Text).split('\n');
  llvm::SmallVector<StringRef, 3> Words;
  First.split(Words, ' ');
  if (Words.size() != 3 || !llvm::to_integer(Words[1], To.LostBytes, 10) ||
      !llvm::to_integer(Words[2], To.Truncated, 10))
    return makeError("what " + Java + " read of the recording is broken");
  To.By = Words[0] == "cpu-time" ? "the flight recorder (CPU time)"
                                 : "the flight recorder";
  for (StringRef Line : llvm::split(Rest, '\n'))
    addStack(Line, To);
  return Error::success();
}

static StringRef nameOf(SampledKind Kind) {
  return Kind == SampledKind::Cpu    ? "cpu"
         : Kind == SampledKind::Wall ? "wall"
                                     : "alloc";
}

/// Waits for \p Time, or until \p Stop; how long that was.
static std::chrono::milliseconds waitFor(std::chrono::milliseconds Time,
                                         llvm::function_ref<bool()> Stop,
                                         const Target &T) {
  const auto Begin = Clock::now();
  auto Waited = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() -
                                                                 Begin);
  };
  while (Waited() < Time && !Stop()) {
    if (Error E = T.stillRuns()) {
      llvm::consumeError(std::move(E));
      break;
    }
    ::poll(nullptr, 0, int(std::min<int64_t>(50, (Time - Waited()).count())));
  }
  return Waited();
}

static Expected<SampledStacks> byRecorder(Target &T,
                                          const StagingDirectory &Folder,
                                          const SamplingOptions &O,
                                          llvm::function_ref<bool()> Stop) {
  std::string Settings = settingsOf(O.Kind);
  if (O.Kind == SampledKind::Alloc &&
      samplesAllocations(T.findings().javaVersion()))
    Settings = without(Settings, "TLAB");
  if (Error E = Folder.write("samples.jfc", Settings))
    return E;
  const std::string Name = "jopt-" + std::to_string(::getpid()),
                    File = Folder.path() + "/samples.jfr";
  // It ends by itself where nobody stops it.
  const int64_t Most =
      std::chrono::duration_cast<std::chrono::seconds>(O.For).count() + 30;
  const int64_t Start = std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
  // With a file from the start on: else one of another name would be left, too.
  if (Error E = command(T,
                        "JFR.start name=" + Name + " settings=" +
                            Folder.path() + "/samples.jfc filename=" + File +
                            " duration=" + std::to_string(Most) + "s",
                        "Started recording"))
    return E;
  SampledStacks S;
  S.Took = waitFor(O.For, Stop, T);
  if (Error E = command(T, "JFR.stop name=" + Name, "Stopped recording"))
    return E;
  const std::string Recording = T.files().read(File, {MostBytes});
  if (Recording.empty())
    return makeError("the flight recorder wrote nothing to " + File);
  if (Error E = readRecording(Recording, nameOf(O.Kind), Start, S))
    return E;
  return S;
}

//===----------------------------------------------------------------------===//
// async-profiler
//===----------------------------------------------------------------------===//

/// A line `FRAME;FRAME WEIGHT` of async-profiler.
static void addCollapsed(StringRef Line, uint64_t Interval, SampledStacks &To) {
  auto [Frames, Weight] = Line.rsplit(' ');
  SampledStack S;
  if (!llvm::to_integer(Weight, S.Weight, 10) || Frames.empty())
    return;
  S.Samples = std::max<uint64_t>(1, S.Weight / Interval);
  for (StringRef Frame : llvm::split(Frames, ';')) {
    std::string Name = Frame.str();
    // Of allocations: `byte[]_[i]`, what was made.
    StringRef Type = Name;
    if (Type.consume_back("_[i]") || Type.consume_back("_[k]"))
      Name = "new " + Type.str();
    // `java/lang/Thread.run`; native frames are no names of Java.
    if (Frame.contains('.') && Frame.find('/') < Frame.find('.'))
      std::replace(Name.begin(), Name.end(), '/', '.');
    S.Frames.push_back(std::move(Name));
  }
  To.Stacks.push_back(std::move(S));
}

static Expected<SampledStacks>
byAsyncProfiler(Target &T, const StagingDirectory &Folder,
                const CarriedFiles &Carried, const SamplingOptions &O,
                llvm::function_ref<bool()> Stop) {
  auto Library = Carried.place(O.AsyncProfiler, T, Folder);
  if (!Library)
    return Library.takeError();
  auto Ask = [&](const std::string &What) -> Error {
    auto Reply = T.ask("load", {*Library, "true", What}, RequestTime);
    if (!Reply)
      return Reply.takeError();
    // From Java 9 on the agent's own result stands in the text.
    const StringRef Text = StringRef(Reply->Text).trim();
    StringRef Result = Text;
    Result.consume_front("return code: ");
    if (Reply->Code == 0 && (Result.empty() || Result == "0"))
      return Error::success();
    return makeError("async-profiler refuses '" +
                     What.substr(0, What.find(',')) +
                     "': " + (Text.empty() ? "no reason given" : Text) +
                     "; standard error of the program may say why");
  };
  const StringRef Event = O.Kind == SampledKind::Cpu    ? "cpu"
                          : O.Kind == SampledKind::Wall ? "wall"
                                                        : "alloc";
  const std::string Interval = O.Kind == SampledKind::Alloc
                                   ? std::to_string(AllocInterval)
                                   : std::to_string(Period.count()) + "ms";
  const int64_t Most =
      std::chrono::duration_cast<std::chrono::seconds>(O.For).count() + 30;
  if (Error E = Ask(("start,event=" + Event + ",interval=" + Interval +
                     ",timeout=" + llvm::Twine(Most))
                        .str()))
    return E;
  SampledStacks S;
  S.By = "async-profiler";
  S.Took = waitFor(O.For, Stop, T);
  const std::string File = Folder.path() + "/stacks.collapsed";
  if (Error E = Ask("stop,file=" + File + ",collapsed,total"))
    return E;
  const std::string Text = T.files().read(File, {MostBytes});
  const uint64_t Each = O.Kind == SampledKind::Alloc
                            ? AllocInterval
                            : uint64_t(Period.count()) * 1000000;
  for (StringRef Line : llvm::split(Text, '\n'))
    addCollapsed(Line, Each, S);
  return S;
}

Expected<SampledStacks> client::sample(Target &T,
                                       const StagingDirectory &Folder,
                                       const CarriedFiles &Carried,
                                       const SamplingOptions &Options,
                                       llvm::function_ref<bool()> Stop) {
  return Options.AsyncProfiler.empty()
             ? byRecorder(T, Folder, Options, Stop)
             : byAsyncProfiler(T, Folder, Carried, Options, Stop);
}
