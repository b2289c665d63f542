//===- ClientVerbs.cpp - jopt ps, attach, off, status, report, set --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClientVerbs.h"
#include "DoctorVerb.h"
#include "LineVerb.h"
#include "SampleVerbs.h"
#include "StatusMetrics.h"
#include "jopt/Agent/Attach/GivenOption.h"
#include "jopt/Agent/Attach/Options.h"
#include "jopt/Archive/KeptRights.h"
#include "jopt/Client/EventClient.h"
#include "jopt/Client/EventsPage.h"
#include "jopt/Client/Jvms.h"
#include "jopt/Client/Loading.h"
#include "jopt/Probes/OneLiner.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Nearest.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Weave/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace jopt;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// How a one-liner tells what it finds: for people on a terminal, else as JSON,
/// or on a page.
struct Telling {
  bool AsJson;
  std::string Page; ///< its file; empty if none is asked for
  /// `--format=json` was given: nothing else goes to standard output.
  bool OnlyJson = false;
};
} // namespace

namespace {
/// A request of the user to a JVM.
struct Request {
  StringRef Verb;
  pid_t Pid = 0;
  std::vector<agent::GivenOption> Options;
  bool Follows = false;
  uint64_t Limit = 0; ///< it follows until so many events came; 0: any number
  ReportFormat Report = ReportFormat::Text;
  std::string ReportFile; ///< empty: standard output, as text
  std::string Ask;        ///< of tt: which calls
  std::string PageTitle;  ///< of a one-liner: its events make a page
  bool AsJson = false;    ///< of a one-liner: for programs
  bool OnlyJson = false;  ///< as Telling has it
  std::string OwnFolder;  ///< of a file that messages name without its path
  bool AsMetrics = false; ///< of status: for Prometheus
  std::chrono::seconds Timeout{60};

  void setPage(const Telling &How, const Twine &Title) {
    if (How.Page.empty())
      return;
    ReportFile = How.Page;
    PageTitle = Title.str();
  }
};
} // namespace

static constexpr llvm::StringLiteral ClientVerbs[] = {
    "ps",  "attach", "off",     "status", "report",
    "set", "doctor", "classes", "methods"};

bool jopt::isClientVerb(StringRef Word) {
  return llvm::is_contained(ClientVerbs, Word);
}

std::vector<StringRef> jopt::allVerbs() {
  std::vector<StringRef> All(std::begin(ClientVerbs), std::end(ClientVerbs));
  for (const OneLinerVerb &V : OneLinerVerbs)
    All.push_back(V.Name);
  llvm::append_range(
      All, std::initializer_list<StringRef>{"mcp", "dap", "lib", "help"});
  return All;
}

StringRef jopt::nearestVerb(StringRef Word) {
  return nearestName(Word, allVerbs());
}

/// Takes the options for the output from \p Words.
static llvm::Expected<Telling> takeTelling(std::vector<std::string> &Words) {
  std::optional<bool> AsJson;
  std::string Page;
  for (auto At = Words.begin(); At != Words.end();) {
    auto [Name, Value] = StringRef(*At).split('=');
    if (!Name.consume_front("-") ||
        (Name.consume_front("-"), Name != "format" && Name != "html")) {
      ++At;
      continue;
    }
    std::string Of = Value.str();
    const bool IsPage = Name == "html";
    At = Words.erase(At);
    if (IsPage && Of.empty() && At != Words.end()) {
      Of = *At;
      At = Words.erase(At);
    }
    if (IsPage ? Of.empty() : Of != "text" && Of != "json")
      return makeError(IsPage
                           ? "--html needs a file"
                           : "--format: '" + Of + "': there are text and json");
    if (IsPage)
      Page = Of;
    else
      AsJson = Of == "json";
  }
  if (!Page.empty() && AsJson == false)
    return makeError("--html and --format=text: only one of them");
  return Telling{!Page.empty() || AsJson.value_or(!llvm::outs().is_displayed()),
                 Page, AsJson.value_or(false)};
}

/// `--html FILE`, `--json FILE`
static bool isReportFormat(StringRef Name) {
  return Name == "html" || Name == "json";
}

/// Reads `NAME=VALUE` of \p Argument as \p Verb takes it.
static Error readArgument(StringRef Argument, Request &R) {
  StringRef Text = Argument;
  if (!Text.consume_front("--"))
    Text.consume_front("-");
  auto [Name, Value] = Text.split('=');
  if (Name == "follow" && R.Verb == "attach" && !Text.contains('=')) {
    R.Follows = true;
    return Error::success();
  }
  if (Name == "timeout") {
    auto Time = agent::parseTime(Value);
    if (!Time || Time->count() < 1000)
      return makeError("-timeout: '" + Value +
                       "' is no time of a second or more; write it like 60s");
    R.Timeout = std::chrono::duration_cast<std::chrono::seconds>(*Time);
    return Error::success();
  }
  if (R.Verb == "report" && isReportFormat(Name)) {
    if (Value.empty() || !R.ReportFile.empty())
      return makeError("jopt report: one of --html FILE and --json FILE");
    R.Report = Name == "html" ? ReportFormat::HTML : ReportFormat::JSON;
    R.ReportFile = Value.str();
    return Error::success();
  }
  if (Name == "format" && R.Verb != "attach") {
    const bool MayBeMetrics = R.Verb == "status";
    R.AsMetrics = MayBeMetrics && Value == "prometheus";
    R.AsJson = Value == "json";
    if (!R.AsMetrics && !R.AsJson && Value != "text")
      return makeError("--format: '" + Value + "': there are text" +
                       (MayBeMetrics ? ", json and prometheus" : " and json"));
    if (R.Verb == "report")
      R.Report = R.AsJson ? ReportFormat::JSON : ReportFormat::Text;
    return Error::success();
  }
  std::string Option = Text.str();
  // These options may stand without a dash, too: they name no probe.
  const bool IsOfAnswer =
      llvm::is_contained({"in-flight", "log", "level"}, Name);
  const bool IsProbe =
      R.Verb == "off" && !Argument.starts_with("-") && !IsOfAnswer;
  if (IsProbe)
    Option = ("probe=" + Argument).str();
  if (R.Verb == "set" && !Text.starts_with("param."))
    Option = "param." + Option;
  if (R.Verb == "set" && !Text.contains('='))
    return makeError("'" + Argument + "' is not of the form NAME=VALUE");
  if (R.Verb != "attach" && R.Verb != "set" && !IsProbe && !IsOfAnswer)
    return makeError("'" + Argument + "': jopt " + R.Verb +
                     " takes no such option");
  if (llvm::is_contained(
          {"off", "set", "status", "help", "answer", "client", "print-report"},
          Name) ||
      Text.starts_with("@"))
    return makeError("'" + Argument + "' is not for jopt " + R.Verb);
  if (StringRef(Option).contains('\n'))
    return makeError("'" + Name + "': a value has one line");
  auto Read = agent::readOption(Option);
  if (!Read)
    return Read.takeError();
  if (Read->Name == "for")
    R.Follows = true;
  R.Options.push_back(std::move(*Read));
  return Error::success();
}

static llvm::Expected<Request>
readRequest(llvm::ArrayRef<const char *> Arguments) {
  Request R;
  R.Verb = Arguments[0];
  if (Arguments.size() < 2)
    return makeError("jopt " + R.Verb +
                     " needs the number of a process, which 'jopt ps' lists");
  if (!llvm::to_integer(Arguments[1], R.Pid, 10) || R.Pid <= 0)
    return makeError("jopt " + R.Verb +
                     " needs the number of a process, which 'jopt ps' lists, "
                     "not '" +
                     Arguments[1] + "'");
  for (size_t N = 2; N < Arguments.size(); ++N) {
    std::string Argument = Arguments[N];
    const StringRef Name = StringRef(Argument).ltrim('-');
    // The value may stand behind it.
    if (!Name.contains('=') && N + 1 < Arguments.size() &&
        (Name == "timeout" || (R.Verb == "report" && isReportFormat(Name)) ||
         (R.Verb != "attach" && Name == "format") ||
         (Name != "follow" && agent::needsValue(Name))))
      Argument += std::string("=") + Arguments[++N];
    if (Error E = readArgument(Argument, R))
      return E;
  }
  if (R.Verb == "set" && R.Options.empty())
    return makeError("jopt set needs NAME=VALUE");
  return R;
}

/// Of the page that \p L makes.
static std::string titleOf(const OneLinerRequest &L) {
  auto [Verb, Words] = StringRef(L.Place).split(':');
  return ("jopt " + Verb + " " + Words).str();
}

/// An attach that asks what \p L asks for, of the process that \p Words name,
/// and follows what comes.
static llvm::Expected<Request> readOneLinerRequest(const OneLinerRequest &L,
                                                   StringRef Title) {
  std::vector<std::string> Words = L.Rest;
  auto How = takeTelling(Words);
  if (!How)
    return How.takeError();
  // What it keeps is asked for later.
  const bool Stays = StringRef(L.Place).starts_with("tt:");
  if (Stays && !How->Page.empty())
    return makeError("--html is for the list: jopt tt PID --html FILE");
  Words.insert(Words.begin(), "attach");
  Words.push_back("--follow");
  // Beside what was put in at the start, coverage for instance.
  Words.push_back("-add");
  // Commas of a value are just commas here.
  Words.push_back("-probes=" + L.Place);
  auto Trace = oneLinerTrace(L.Place);
  if (!Trace)
    return Trace.takeError();
  if (!Trace->empty())
    Words.push_back("-probes=trace:" + *Trace);
  Words.push_back("-param.followed=true");
  // For the summary at the end.
  Words.push_back("-count-events");
  // Those that print each event have a bound, if the user sets none.
  if (llvm::is_contained({"watch", "stack", "throws", "tree"},
                         StringRef(L.Place).split(':').first) &&
      llvm::none_of(L.Rest, [](StringRef W) {
        return W.ltrim('-').starts_with("max-overhead");
      }))
    Words.push_back("-max-overhead=50%");
  // Threads of pools are always in loops of the JDK's classes.
  if (StringRef(L.Place).contains(" --async") &&
      llvm::none_of(L.Rest,
                    [](StringRef W) { return W.contains("in-flight"); }))
    Words.push_back("-in-flight=include");
  Words.push_back(std::string("-param.json=") +
                  (How->AsJson ? "true" : "false"));
  std::vector<const char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(Word.c_str());
  auto R = readRequest(Arguments);
  if (R) {
    R->Verb = "attach";
    R->AsJson = How->AsJson;
    R->OnlyJson = How->OnlyJson;
    R->Limit = L.Limit;
    R->Follows &= !Stays;
    R->setPage(*How, Title);
    if (StringRef(L.Place).starts_with("/"))
      R->OwnFolder = L.Place.substr(0, L.Place.rfind('/') + 1);
  }
  return R;
}

/// `jopt tt PID [NUMBER]`: the calls that are kept, or one of them.
static llvm::Expected<Request> readAsked(const OneLinerRequest &L) {
  std::vector<std::string> Words = L.Rest;
  auto How = takeTelling(Words);
  if (!How)
    return How.takeError();
  std::string Which = "list";
  uint64_t Number = 0;
  if (Words.size() > 1 && llvm::to_integer(Words[1], Number, 10)) {
    Which = std::to_string(Number);
    Words.erase(Words.begin() + 1);
  }
  Words.insert(Words.begin(), "tt");
  std::vector<const char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(Word.c_str());
  auto R = readRequest(Arguments);
  if (R) {
    R->Verb = "tt";
    R->AsJson = How->AsJson;
    R->Ask = (How->AsJson ? "json " : "") + Which;
    R->setPage(*How, "jopt tt " + Twine(R->Pid));
  }
  return R;
}

static void say(StringRef Lines) {
  while (!Lines.empty()) {
    auto [Line, Rest] = Lines.split('\n');
    safeErrs() << (Line.starts_with("jopt: ") ? "" : "jopt: ") << Line << '\n';
    Lines = Rest;
  }
}

/// The exit status for the \p Status in the agent's answer.
static int exitStatus(int Status) {
  constexpr int LeftUndone = 106, NothingMatches = 107;
  return Status == 0                                        ? 0
         : Status == LeftUndone || Status == NothingMatches ? 2
                                                            : 1;
}

/// Answers for a JVM without an agent; no value if the agent must answer.
static std::optional<int> answerWithoutAgent(const Request &R,
                                             const client::ProcessFindings &F) {
  if (R.Verb == "attach" || !F.MapsKnown || !F.Agent.empty())
    return std::nullopt;
  const std::string Where =
      "no probes were ever put into process " + std::to_string(R.Pid);
  if (R.Verb == "status")
    llvm::outs() << (R.AsMetrics ? statusMetrics(R.Pid, "")
                     : R.AsJson  ? answerAsJson("state: off")
                                 : "state: off\n");
  say(Where);
  return R.Verb == "set" || R.Verb == "tt" ? 1 : 0;
}

/// The options of \p R as lines of a file that the agent reads.
static llvm::Expected<std::vector<std::string>>
optionLines(const Request &R, const client::CarriedFiles &Carried,
            const client::Target &T, const client::StagingDirectory &Folder) {
  std::vector<std::string> Lines;
  if (R.Verb == "report")
    Lines.push_back(R.Report == ReportFormat::Text ? "print-report=text"
                                                   : "print-report=json");
  else if (R.Verb == "tt")
    Lines.push_back("ask=" + R.Ask);
  else if (R.Verb != "attach")
    Lines.push_back(R.Verb.str());
  for (const agent::GivenOption &O : R.Options) {
    if (O.Values.empty())
      Lines.push_back(O.Name);
    for (const std::string &Value : O.Values) {
      auto Path = O.AreFiles && !isNoProbeFile(Value)
                      ? Carried.place(Value, T, Folder)
                      : Value;
      if (!Path)
        return Path.takeError();
      Lines.push_back(O.Name + "=" + *Path);
    }
  }
  if (R.Follows)
    Lines.push_back("follow=" + Folder.path() + "/" +
                    client::StagingDirectory::EventSocket);
  return Lines;
}

/// Prints events and answers, or writes them to the requested file with the
/// rights of the user.
class Told {
public:
  static llvm::Expected<Told> make(const Request &R) {
    Told T;
    if (!R.PageTitle.empty())
      T.Events.emplace(R.PageTitle);
    T.IsForPeople = !R.AsJson && R.Report == ReportFormat::Text;
    if (R.ReportFile.empty() || R.ReportFile == "-")
      return T;
    auto File = KeptRights::forFile(R.ReportFile);
    if (!File)
      return File.takeError();
    T.File.emplace(std::move(*File));
    return T;
  }

  void line(StringRef Line) {
    if (Events)
      return Events->add(Line);
    out() << Line << '\n';
    llvm::outs().flush();
  }
  /// The answer of the agent to \p R.
  Error answer(const Request &R, StringRef Printed) {
    if (R.Verb == "attach" && (Events || R.OnlyJson)) {
      safeErrs() << Printed; // Of the attach, and nothing of the program.
      return Error::success();
    }
    if (Events) {
      for (StringRef Line : llvm::split(Printed.trim('\n'), '\n'))
        if (!Line.empty())
          Events->add(Line);
      return end();
    }
    if (R.AsMetrics)
      return write(statusMetrics(R.Pid, Printed));
    if (R.AsJson && llvm::is_contained({"status", "set", "off"}, R.Verb))
      return write(answerAsJson(Printed));
    std::string Page;
    llvm::raw_string_ostream OS(Page);
    if (R.Report == ReportFormat::HTML)
      printReportPage(Printed.trim(), OS);
    return write(R.Report == ReportFormat::HTML ? OS.str() : Printed);
  }
  /// Nobody reads what it prints any more, or there is no room for it.
  bool isClosed() const {
    if (File || Events)
      return false;
    pollfd Out = {STDOUT_FILENO, 0, 0};
    return llvm::outs().has_error() || (::poll(&Out, 1, /*timeout=*/0) > 0 &&
                                        (Out.revents & (POLLERR | POLLHUP)));
  }
  /// Nothing more comes.
  Error end() { return Events ? write(Events->make()) : Error::success(); }

private:
  Error write(StringRef Text) {
    if (File)
      return File->write(Text);
    out() << Text;
    llvm::outs().flush();
    return Error::success();
  }
  /// Programs that read JSON, or a page, are to get it as it is.
  llvm::raw_ostream &out() const {
    return IsForPeople || llvm::outs().is_displayed() ? safeOuts()
                                                      : llvm::outs();
  }

  std::optional<KeptRights> File;
  std::optional<client::EventsPage> Events;
  bool IsForPeople = true;
};

/// All classes that match are left for later, as far as \p A tells.
static bool hasNoClass(const client::AgentReply &A) {
  constexpr int LeftUndone = 106;
  return A.Status == LeftUndone &&
         StringRef(A.Printed).contains("they changed 0 classes");
}

/// Prints events until the probes are gone or \p R has as many events as it
/// asks for. Further lines of an event begin with a blank. If no class has
/// probes so far (\p IsIdle) and nothing else ends the wait, it ends after some
/// seconds.
static int follow(client::EventClient &F, const client::Target &T,
                  const Request &R, bool IsIdle, Told &To) {
  // An interrupt still waits for the last events: that takes some seconds at
  // most.
  catchFurtherInterrupts();
  constexpr std::chrono::seconds Patience(5);
  const auto End = std::chrono::steady_clock::now() + Patience;
  const bool MayEnd =
      IsIdle && R.Limit &&
      llvm::none_of(R.Options, [](auto &O) { return O.Name == "for"; });
  uint64_t Events = 0;
  bool Gave = false;
  auto Print = [&](StringRef Line) {
    To.line(Line);
    Events += !Line.starts_with(" ");
  };
  auto Stop = [&] {
    Gave = MayEnd && Events == 0 && std::chrono::steady_clock::now() > End;
    return Gave || interrupted() || To.isClosed() ||
           (R.Limit && Events >= R.Limit);
  };
  const int Status = F.read(T, {Print, say, Stop});
  if (!Gave)
    return Status;
  say("nothing was seen: what matches is left for later, as threads are in "
      "loops of it; --for TIME waits longer, in-flight=include changes it at "
      "once");
  return 2;
}

static llvm::Error addNeeded(client::CarriedFiles &Carried,
                             const std::string &Library) {
  std::vector<std::string> Needed = client::filesOfAgent(Library);
  Needed.push_back(Library);
  for (const std::string &File : Needed)
    if (Error E = Carried.add(File))
      return E;
  return Error::success();
}

/// AskAgent.
static llvm::Expected<client::AgentReply> askAgent(pid_t Pid,
                                                   StringRef Question) {
  const std::string Library = findInstalled("lib/libjopt-agent.so");
  if (Library.empty())
    return makeError("there is no lib/libjopt-agent.so beside jopt");
  client::CarriedFiles Carried(Pid);
  if (Error E = addNeeded(Carried, Library))
    return E;
  auto T = client::Target::open(Pid);
  if (!T)
    return T.takeError();
  auto Folder = client::makeFolderFor(*T);
  if (!Folder)
    return Folder.takeError();
  auto A = client::load(*T, *Folder, Library, Carried, {Question.str()},
                        Request().Timeout, say);
  if (A && exitStatus(A->Status) == 1)
    return makeError(A->Said.empty()
                         ? "process " + llvm::Twine(Pid) + " refuses to answer"
                         : llvm::Twine(StringRef(A->Said).trim()));
  return A;
}

static llvm::Expected<int> carryOut(const Request &R) {
  const std::string Library = findInstalled("lib/libjopt-agent.so");
  if (Library.empty())
    return makeError("there is no lib/libjopt-agent.so beside jopt");
  // While this process has its own rights.
  auto To = Told::make(R);
  if (!To)
    return To.takeError();
  client::CarriedFiles Carried(R.Pid);
  if (Error E = addNeeded(Carried, Library))
    return E;
  std::vector<std::string> Needed;
  for (const agent::GivenOption &O : R.Options)
    if (O.AreFiles)
      llvm::copy_if(O.Values, std::back_inserter(Needed),
                    [](StringRef V) { return !isNoProbeFile(V); });
  for (const std::string &File : Needed)
    if (Error E = Carried.add(File))
      return E;
  auto T = client::Target::open(R.Pid);
  if (!T)
    return T.takeError();
  if (auto Status = answerWithoutAgent(R, T->findings()))
    return *Status;
  auto Folder = client::makeFolderFor(*T);
  if (!Folder)
    return Folder.takeError();
  std::optional<client::EventClient> Followed;
  if (R.Follows) {
    auto F = client::EventClient::listen(*Folder);
    if (!F)
      return F.takeError();
    Followed = std::move(*F);
  }
  auto Lines = optionLines(R, Carried, *T, *Folder);
  if (!Lines)
    return Lines.takeError();
  auto A = client::load(*T, *Folder, Library, Carried, *Lines, R.Timeout, say);
  if (!A)
    return A.takeError();
  if (!R.OwnFolder.empty()) // The agent has read it; nothing is to be left.
    removeTree(AT_FDCWD, R.OwnFolder.c_str());
  std::string Said = A->Said;
  for (size_t At; !R.OwnFolder.empty() &&
                  (At = Said.find(R.OwnFolder)) != std::string::npos;)
    Said.erase(At, R.OwnFolder.size());
  say(Said);
  const int Status = exitStatus(A->Status);
  if (Status == 1)
    return Status;
  if (Error E = To->answer(R, A->Printed))
    return E;
  if (!Followed)
    return Status;
  if (Error E = Followed->accept(*T))
    return E;
  Folder->remove(); // So that nothing is left, however this process ends.
  const int Ended = follow(*Followed, *T, R, hasNoClass(*A), *To);
  if (Error E = To->end())
    return E;
  return std::max(Status, Ended);
}

static int carryOut(llvm::Expected<Request> R, DiagnosticEngine &Diags) {
  if (!R) {
    Diags.report(R.takeError());
    return 1;
  }
  auto Status = carryOut(*R);
  if (Status)
    return *Status;
  Diags.report(Status.takeError());
  return 1;
}

int jopt::runClientVerb(llvm::ArrayRef<const char *> Arguments,
                        DiagnosticEngine &Diags) {
  const StringRef Format = StringRef(Arguments.back()).ltrim('-');
  const bool HasFormat = Format == "format=json" || Format == "format=text";
  const auto Words = Arguments.drop_front().drop_back(
      HasFormat && Arguments.size() > 1 ? 1 : 0);
  if (StringRef(Arguments[0]) == "ps") {
    if (!Words.empty()) {
      Diags.report(Severity::Error, Location(),
                   "jopt ps takes no options but --format=text and "
                   "--format=json");
      return 1;
    }
    llvm::outs() << client::listJvms(Format == "format=json");
    return 0;
  }
  if (StringRef(Arguments[0]) == "doctor")
    return runDoctor(Words, Format == "format=json", Diags);
  if (isClassVerb(Arguments[0]))
    return runClassVerb(Arguments, askAgent, Diags);
  return carryOut(readRequest(Arguments), Diags);
}

std::optional<int> jopt::runOneLiner(llvm::ArrayRef<const char *> Arguments,
                                     std::vector<std::string> &OffLine,
                                     DiagnosticEngine &Diags) {
  auto Fail = [&](Error E) {
    Diags.report(std::move(E));
    return 1;
  };
  if (asksForSamples(Arguments))
    return runSampleVerb(Arguments, Diags);
  auto L = readOneLiner(Arguments[0], Arguments.drop_front());
  if (!L)
    return Fail(L.takeError());
  pid_t Pid = 0;
  const bool IsOfProcess =
      !L->Rest.empty() && llvm::to_integer(L->Rest.front(), Pid, 10);
  if (L->Place == "tt:" && IsOfProcess)
    return carryOut(readAsked(*L), Diags);
  const bool IsLine = StringRef(L->Place).starts_with("line:");
  const std::string Title = titleOf(*L);
  auto Xml =
      IsLine ? makeLineFile(*L, IsOfProcess ? std::optional(Pid) : std::nullopt,
                            askAgent)
             : makeOneLiner(L->Place);
  if (!Xml)
    return Fail(Xml.takeError());
  if (L->Shows) {
    llvm::outs() << *Xml;
    return 0;
  }
  static Temporary Saved; // Off-line it is read when this has returned.
  if (IsLine) {
    auto Folder = saveLineFile(*Xml, *L);
    if (!Folder)
      return Fail(Folder.takeError());
    Saved = std::move(*Folder);
  }
  if (IsOfProcess)
    return carryOut(readOneLinerRequest(*L, Title), Diags);
  if (StringRef(L->Place).starts_with("record:"))
    return Fail(makeError("jopt record needs the number of a process, which "
                          "'jopt ps' lists"));
  if (L->Rest.empty())
    return Fail(makeError("jopt " + Twine(Arguments[0]) +
                          " needs the number of a process, which 'jopt ps' "
                          "lists, or inputs"));
  OffLine = std::move(L->Rest);
  OffLine.push_back("-probes=" + L->Place);
  return std::nullopt;
}
