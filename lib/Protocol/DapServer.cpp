//===- DapServer.cpp - Logpoints of an editor -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/DapServer.h"
#include "jopt/Protocol/JsonStream.h"
#include "jopt/Protocol/Secrets.h"
#include "jopt/Protocol/VerbProcess.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Json.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <list>
#include <optional>
#include <unistd.h>

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Logpoints at a time.
static constexpr size_t MaxLogpoints = 64;
/// Logpoints that are taken out have so long for it.
static constexpr std::chrono::seconds Patience(10);

static constexpr StringRef NeverStops =
    "jopt never stops the program: give the breakpoint a log message";

namespace {

/// A logpoint. `jopt line --show` writes its probe file; then one process puts
/// the files of all logpoints into the program.
struct Logpoint {
  int64_t Id = 0, Line = 0;
  std::string Path;                    ///< of the source
  std::string Text, Condition, Events; ///< as the editor gives them
  std::unique_ptr<VerbProcess> Maker;  ///< while the file is made
  std::string File;                    ///< its path; empty: there is none
  std::string Xml;
  std::string Class;           ///< that has the line, or one in it
  uint64_t Seen = 0, Most = 0; ///< events; Most 0: any number
  bool IsVerified = false;
  std::string Message; ///< why it is not verified

  bool isSame(const Logpoint &O) const {
    return Path == O.Path && Line == O.Line && Text == O.Text &&
           Condition == O.Condition && Events == O.Events;
  }
  json::Object describe() const {
    json::Object O{{"id", Id}, {"verified", IsVerified}, {"line", Line}};
    if (!Message.empty())
      O["message"] = Message;
    return O;
  }
};

class DapServer {
public:
  explicit DapServer(StringRef Program) : Program(Program) {}
  int run();

private:
  using Members = std::initializer_list<json::Object::KV>;
  void take(const json::Object &Request);
  json::Value setBreakpoints(const json::Object &Arguments);
  void begin(Logpoint &P);
  void finishFile(Logpoint &P);
  void attach();
  void note(VerbProcess::Stream S, StringRef Line);
  void print(const json::Object &Event);
  void lookAtAttached();
  void wait();

  void send(StringRef Type, Members Of) {
    json::Object Message(Of);
    Message["seq"] = ++Sequence;
    Message["type"] = Type;
    IsOpen &= Stream.send(std::move(Message));
  }
  void event(StringRef Name, Members Body) {
    send("event", {{"event", Name}, {"body", json::Object(Body)}});
  }
  void tellChange(const Logpoint &P) {
    event("breakpoint", {{"reason", "changed"}, {"breakpoint", P.describe()}});
  }

  const std::string Program;
  JsonStream Stream{STDIN_FILENO, STDOUT_FILENO, JsonStream::Framing::Headers};
  bool IsOpen = true;
  int64_t Sequence = 0, LastId = 0, Pid = 0;
  std::list<Logpoint> Points;
  bool HasChanged = false;         ///< Points, since Attached was started
  std::optional<Temporary> Folder; ///< of the probe files
  std::unique_ptr<VerbProcess> Attached;
  std::string AttachError; ///< that it wrote
  /// A process whose probes others replaced, or which was asked to end.
  struct Leaving {
    std::unique_ptr<VerbProcess> Verb;
    std::chrono::steady_clock::time_point End;
  };
  std::list<Leaving> Left;
};

} // namespace

/// The name of the type that \p Line declares; empty: it declares none.
static StringRef declaredType(StringRef Line) {
  if (Line.starts_with("/") || Line.starts_with("*"))
    return {}; // a comment
  llvm::SmallVector<StringRef, 8> Words;
  Line.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (size_t N = 0; N + 1 < Words.size(); ++N)
    if (llvm::is_contained({"class", "interface", "enum", "record", "object",
                            "@interface", "trait"},
                           Words[N]))
      return Words[N + 1].take_while(
          [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; });
  return {};
}

std::string protocol::classOfSource(StringRef Path, StringRef Text,
                                    int64_t AtLine) {
  const StringRef Stem = llvm::sys::path::stem(Path);
  std::string Package, Type;
  int64_t Number = 0;
  for (StringRef Line : llvm::split(Text, '\n')) {
    if (++Number > AtLine)
      break;
    StringRef Rest = Line;
    if (Package.empty() && Rest.consume_front("package ")) {
      for (char C :
           Rest.take_until([](char C) { return C == ';' || C == '/'; }))
        if (!llvm::isSpace(C))
          Package += C;
    } else if (StringRef Name = declaredType(Line);
               !Name.empty() && !llvm::isSpace(Line.front())) {
      Type = Name.str();
    }
  }
  if (Type.empty())
    Type = Stem.str() + (Path.ends_with(".kt") ? "Kt" : "");
  return (Package.empty() ? "" : Package + ".") + Type;
}

/// The text of a source file; the error says why there is none.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSource(const std::string &Path) {
  constexpr uint64_t MaxSource = 16 << 20;
  llvm::sys::fs::file_status Status;
  if (std::error_code EC = llvm::sys::fs::status(Path, Status))
    return makeError(EC.message());
  if (Status.type() != llvm::sys::fs::file_type::regular_file ||
      Status.getSize() > MaxSource)
    return makeError("it is no plain file of up to 16 MB");
  auto Source = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Source)
    return makeError(Source.getError().message());
  return std::move(*Source);
}

/// Has the probe file of \p P made, or notes why that cannot be.
void DapServer::begin(Logpoint &P) {
  if (P.Text.empty()) {
    P.Message = NeverStops;
    return;
  }
  if (Points.size() > MaxLogpoints) {
    P.Message = (Twine(MaxLogpoints) + " logpoints are set").str();
    return;
  }
  if (!P.Events.empty() &&
      (!llvm::to_integer(P.Events, P.Most, 10) || P.Most == 0)) {
    P.Message = "'" + P.Events +
                "': the hit count is a number, after which the logpoint ends";
    return;
  }
  auto Source = readSource(P.Path);
  if (!Source) {
    P.Message = "'" + P.Path +
                "' cannot be read, so its package is not known: " +
                toMessage(Source.takeError());
    return;
  }
  P.Class = classOfSource(P.Path, (*Source)->getBuffer(), P.Line);
  std::vector<std::string> Words = {"line", std::to_string(Pid),
                                    P.Class + ":" + std::to_string(P.Line),
                                    "--text=" + P.Text, "--show"};
  if (!P.Condition.empty())
    Words.push_back("--when=" + P.Condition);
  auto Maker = VerbProcess::start(Program, Words);
  if (Maker)
    P.Maker = std::move(*Maker);
  else
    P.Message = toMessage(Maker.takeError());
}

/// The process that makes the file of \p P has ended.
void DapServer::finishFile(Logpoint &P) {
  const int Status = *P.Maker->status();
  P.Maker.reset();
  if (Status == 0 && !Folder) {
    auto Made = makeTemporaryFolder("jopt-dap-");
    if (Made)
      Folder.emplace(std::move(*Made));
    else
      P.Message = toMessage(Made.takeError());
  }
  if (Status == 0 && Folder) {
    std::string File =
        Folder->path() + "/logpoint-" + std::to_string(P.Id) + ".xml";
    std::error_code EC;
    llvm::raw_fd_ostream OS(File, EC);
    OS << P.Xml;
    OS.close();
    if (!EC && !OS.has_error())
      P.File = std::move(File);
    OS.clear_error();
  }
  P.Xml.clear();
  HasChanged |= !P.File.empty();
  if (!P.File.empty())
    return;
  if (P.Message.empty())
    P.Message = "it could not be made";
  tellChange(P);
}

/// Puts in the logpoints that there are now. They take the place of those of
/// before.
void DapServer::attach() {
  HasChanged = false;
  AttachError.clear();
  std::vector<std::string> Words = {
      "attach",   std::to_string(Pid),    "-add",
      "--follow", "-param.followed=true", "-param.json=true"};
  const size_t NumOptions = Words.size();
  for (const Logpoint &P : Points)
    if (!P.File.empty())
      Words.push_back("-probes=" + P.File);
  const bool HasAny = Words.size() > NumOptions;
  if (Attached) {
    // Probes that are replaced leave by themselves.
    if (!HasAny)
      Attached->stop();
    Left.push_back(
        {std::move(Attached), std::chrono::steady_clock::now() + Patience});
  }
  if (!HasAny)
    return;
  auto Verb = VerbProcess::start(Program, Words);
  if (Verb)
    Attached = std::move(*Verb);
  else
    AttachError = toMessage(Verb.takeError());
}

/// The editor sends all breakpoints of a source: those that it had keep
/// running.
json::Value DapServer::setBreakpoints(const json::Object &Arguments) {
  const json::Object *Source = Arguments.getObject("source");
  const std::string Path =
      (Source ? Source->getString("path") : std::nullopt).value_or("").str();
  std::vector<Logpoint *> Given;
  if (const json::Array *All = Arguments.getArray("breakpoints"))
    for (const json::Value &V : *All) {
      const json::Object None, *O = V.getAsObject();
      O = O ? O : &None;
      auto Text = [&](StringRef Name) {
        return O->getString(Name).value_or("").str();
      };
      Logpoint New;
      New.Path = Path;
      New.Line = O->getInteger("line").value_or(0);
      New.Text = Text("logMessage");
      New.Condition = Text("condition");
      New.Events = Text("hitCondition");
      auto Old = llvm::find_if(Points, [&](const Logpoint &P) {
        return P.isSame(New) && !llvm::is_contained(Given, &P);
      });
      if (Old == Points.end()) {
        New.Id = ++LastId;
        Points.push_back(std::move(New));
        Old = std::prev(Points.end());
        begin(*Old);
      }
      Given.push_back(&*Old);
    }
  Points.remove_if([&](const Logpoint &P) {
    const bool Goes = P.Path == Path && !llvm::is_contained(Given, &P);
    HasChanged |= Goes && !P.File.empty();
    return Goes;
  });
  json::Array Described;
  for (const Logpoint *P : Given)
    Described.push_back(P->describe());
  return json::Object{{"breakpoints", std::move(Described)}};
}

/// Prints \p Event for the logpoint at its line.
void DapServer::print(const json::Object &Event) {
  const auto Text = Event.getString("text");
  const auto Line = Event.getInteger("line");
  auto P = llvm::find_if(Points, [&](const Logpoint &P) {
    StringRef In = Event.getString("class").value_or("");
    return Line && P.Line == *Line && !P.File.empty() &&
           In.consume_front(P.Class) && (In.empty() || In.front() == '$');
  });
  if (!Text || P == Points.end())
    return;
  event("output",
        {{"category", "console"},
         {"output", hideSecrets(*Text) + "\n"},
         {"source", json::Object{{"name", llvm::sys::path::filename(P->Path)},
                                 {"path", P->Path}}},
         {"line", P->Line}});
  if (++P->Seen != P->Most)
    return;
  P->File.clear();
  P->IsVerified = false;
  P->Message = "it has seen as much as it was to see";
  HasChanged = true;
  tellChange(*P);
}

/// A line that the process of the logpoints wrote.
void DapServer::note(VerbProcess::Stream S, StringRef Line) {
  Line.consume_front("jopt: ");
  if (Line.consume_front("error: ")) {
    AttachError = Line.str();
  } else if (Line.starts_with("probes at work")) {
    for (Logpoint &P : Points)
      if (!P.File.empty() && !P.IsVerified) {
        P.IsVerified = true;
        P.Message.clear();
        tellChange(P);
      }
  } else if (S == VerbProcess::Output) {
    auto Event = parseJson(Line);
    if (const json::Object *O = Event ? Event->getAsObject() : nullptr)
      print(*O);
    if (!Event)
      llvm::consumeError(Event.takeError());
  }
}

/// Whether the process of the logpoints has ended by itself.
void DapServer::lookAtAttached() {
  const bool Failed = !Attached && !AttachError.empty();
  if (!Failed && (!Attached || !Attached->isSilent() || !Attached->status()))
    return;
  Attached.reset();
  for (Logpoint &P : Points)
    if (!P.File.empty()) {
      P.File.clear();
      P.IsVerified = false;
      P.Message = AttachError.empty()
                      ? "its probes have left: the program has ended, or "
                        "somebody has taken them out"
                      : AttachError;
      tellChange(P);
    }
  AttachError.clear();
}

/// Waits for the editor and the processes, and reads what comes.
void DapServer::wait() {
  std::vector<VerbProcess *> Verbs;
  std::vector<Logpoint *> Of;
  for (Logpoint &P : Points)
    if (P.Maker) {
      Verbs.push_back(P.Maker.get());
      Of.push_back(&P);
    }
  for (Leaving &L : Left)
    Verbs.push_back(L.Verb.get());
  const size_t Main = Attached ? Verbs.size() : ~size_t(0);
  if (Attached)
    Verbs.push_back(Attached.get());
  auto Take = [&](size_t N, VerbProcess::Stream S, StringRef Line) {
    if (N == Main)
      return note(S, Line);
    if (N >= Of.size())
      return;
    if (S == VerbProcess::Output)
      Of[N]->Xml += (Line + "\n").str();
    else if (Line.consume_front("jopt: error: "))
      Of[N]->Message = Line.str();
  };
  IsOpen &= readAny(IsOpen ? &Stream : nullptr, Verbs, Take);
}

void DapServer::take(const json::Object &Request) {
  const StringRef Command = Request.getString("command").value_or("");
  const json::Object None, *Given = Request.getObject("arguments");
  const json::Object &Arguments = Given ? *Given : None;
  json::Value Body = nullptr;
  std::string Why;
  bool Initialized = false, Ends = false;
  if (Command == "initialize") {
    Body = json::Object{{"supportsLogPoints", true},
                        {"supportsConditionalBreakpoints", true},
                        {"supportsHitConditionalBreakpoints", true},
                        {"supportsConfigurationDoneRequest", true}};
  } else if (Command == "attach") {
    for (StringRef Name : {"pid", "processId"})
      if (const json::Value *V = Arguments.get(Name)) {
        Pid = V->getAsInteger().value_or(0);
        if (const auto Text = V->getAsString())
          (void)llvm::to_integer(*Text, Pid, 10);
      }
    Initialized = Pid > 0;
    if (Initialized && ::kill(pid_t(Pid), 0) && errno == ESRCH) {
      Why = "there is no process " + std::to_string(Pid) +
            "; 'jopt ps' lists the JVMs";
      Initialized = false;
      Pid = 0;
    } else if (Pid <= 0)
      Why =
          "attach needs 'pid', the number of a JVM's process, which 'jopt ps' "
          "lists";
  } else if (Command == "setBreakpoints") {
    if (Pid > 0)
      Body = setBreakpoints(Arguments);
    else
      Why = "there is no program yet: attach first";
  } else if (Command == "threads") {
    Body = json::Object{
        {"threads", json::Array{json::Object{
                        {"id", 1}, {"name", "process " + Twine(Pid).str()}}}}};
  } else if (Command == "disconnect" || Command == "terminate") {
    Ends = true;
  } else if (Command == "setExceptionBreakpoints" ||
             Command == "setFunctionBreakpoints") {
    Body = json::Object{{"breakpoints", json::Array{}}};
  } else if (Command == "launch") {
    Why = "jopt attaches to a program that runs: use the request 'attach' with "
          "'pid'";
  } else if (Command != "configurationDone") {
    Why = "jopt never stops the program, so it has no '" + Command.str() + "'";
  }
  const int64_t Of = Request.getInteger("seq").value_or(0);
  if (!Why.empty())
    return send("response", {{"request_seq", Of},
                             {"success", false},
                             {"command", Command},
                             {"message", Why}});
  send("response", {{"request_seq", Of},
                    {"success", true},
                    {"command", Command},
                    {"body", std::move(Body)}});
  if (Initialized)
    event("initialized", {});
  IsOpen &= !Ends;
}

int DapServer::run() {
  while (IsOpen || Attached || !Left.empty()) {
    wait();
    while (IsOpen) {
      auto Message = Stream.next();
      if (!Message)
        break;
      const json::Object *O = *Message ? (*Message)->getAsObject() : nullptr;
      if (O) {
        take(*O);
        continue;
      }
      const std::string Why = *Message ? "a message is no JSON object"
                                       : toMessage(Message->takeError());
      event("output",
            {{"category", "important"}, {"output", "jopt: " + Why + "\n"}});
    }
    IsOpen &= !interrupted();
    if (!IsOpen) {
      HasChanged |= bool(Attached);
      Points.clear();
    }
    for (Logpoint &P : Points)
      if (P.Maker && P.Maker->isSilent() && P.Maker->status())
        finishFile(P);
    lookAtAttached();
    if (HasChanged &&
        llvm::none_of(Points, [](const Logpoint &P) { return bool(P.Maker); }))
      attach();
    Left.remove_if([](Leaving &L) {
      return (L.Verb->isSilent() && L.Verb->status()) ||
             std::chrono::steady_clock::now() > L.End;
    });
  }
  return 0;
}

int protocol::serveDap(StringRef Program) { return DapServer(Program).run(); }
