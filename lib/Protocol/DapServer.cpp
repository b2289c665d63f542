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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <list>
#include <unistd.h>

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Logpoints at a time.
static constexpr size_t MaxLogpoints = 64;
/// A logpoint that is taken out has so long to say goodbye.
static constexpr std::chrono::seconds Farewell(10);

static constexpr StringRef NeverStops =
    "jopt never stops the program: give the breakpoint a log message";

namespace {

using Clock = std::chrono::steady_clock;

struct Logpoint {
  int64_t Id = 0, Line = 0;
  std::string Path;                    ///< of the source
  std::string Text, Condition, Events; ///< as the editor gives them
  std::unique_ptr<VerbProcess> Verb;   ///< null: it could not be set
  bool IsVerified = false, IsStopped = false;
  Clock::time_point End; ///< where it is stopped
  std::string Message;   ///< why it is not verified

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
  void note(Logpoint &P, VerbProcess::Stream S, StringRef Line);
  void look(Logpoint &P);
  void stop(Logpoint &P);

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
};

} // namespace

/// The name of the type that \p Line declares; empty: it declares none.
static StringRef declaredType(StringRef Line) {
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

/// Has `jopt line` run for \p P, or notes why that cannot be.
void DapServer::begin(Logpoint &P) {
  if (P.Text.empty()) {
    P.Message = NeverStops;
    return;
  }
  if (llvm::count_if(Points, [](const Logpoint &P) { return bool(P.Verb); }) >
      ptrdiff_t(MaxLogpoints)) {
    P.Message = (Twine(MaxLogpoints) + " logpoints are set").str();
    return;
  }
  auto Source = llvm::MemoryBuffer::getFile(P.Path, /*IsText=*/true);
  if (!Source) {
    P.Message = "'" + P.Path +
                "' cannot be read, so its package is not known: " +
                Source.getError().message();
    return;
  }
  std::vector<std::string> Words = {
      "line", std::to_string(Pid),
      classOfSource(P.Path, (*Source)->getBuffer(), P.Line) + ":" +
          std::to_string(P.Line),
      "--format=json", "--text=" + P.Text};
  if (!P.Condition.empty())
    Words.push_back("--when=" + P.Condition);
  if (!P.Events.empty())
    Words.push_back("--limit=" + P.Events);
  auto Verb = VerbProcess::start(Program, Words);
  if (Verb)
    P.Verb = std::move(*Verb);
  else
    P.Message = toMessage(Verb.takeError());
}

void DapServer::stop(Logpoint &P) {
  if (P.IsStopped)
    return;
  P.IsStopped = true;
  P.End = Clock::now() + Farewell;
  if (P.Verb)
    P.Verb->stop();
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
        return !P.IsStopped && P.isSame(New) && !llvm::is_contained(Given, &P);
      });
      if (Old == Points.end()) {
        New.Id = ++LastId;
        Points.push_back(std::move(New));
        Old = std::prev(Points.end());
        begin(*Old);
      }
      Given.push_back(&*Old);
    }
  for (Logpoint &P : Points)
    if (P.Path == Path && !llvm::is_contained(Given, &P))
      stop(P);
  json::Array Described;
  for (const Logpoint *P : Given)
    Described.push_back(P->describe());
  return json::Object{{"breakpoints", std::move(Described)}};
}

/// A line that the process of \p P wrote.
void DapServer::note(Logpoint &P, VerbProcess::Stream S, StringRef Line) {
  if (P.IsStopped)
    return;
  if (S == VerbProcess::Messages) {
    Line.consume_front("jopt: ");
    if (Line.consume_front("error: "))
      P.Message = Line.str();
    else if (!P.IsVerified && Line.starts_with("probes at work")) {
      P.IsVerified = true;
      P.Message.clear();
      tellChange(P);
    }
    return;
  }
  auto Event = parseJson(Line);
  const json::Object *O = Event ? Event->getAsObject() : nullptr;
  if (const auto Text = O ? O->getString("text") : std::nullopt)
    event("output",
          {{"category", "console"},
           {"output", hideSecrets(*Text) + "\n"},
           {"source", json::Object{{"name", llvm::sys::path::filename(P.Path)},
                                   {"path", P.Path}}},
           {"line", P.Line}});
  if (!Event)
    llvm::consumeError(Event.takeError());
}

/// Whether the process of \p P has ended by itself.
void DapServer::look(Logpoint &P) {
  if (P.IsStopped || !P.Verb || !P.Verb->isSilent() || !P.Verb->status())
    return;
  if (*P.Verb->status() == 0 && P.Message.empty())
    P.Message =
        "it has seen as much as it was to see, or the program has ended";
  P.IsVerified = false;
  P.Verb.reset();
  tellChange(P);
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
    if (Pid <= 0)
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
  while (IsOpen || llvm::any_of(Points, [](const Logpoint &P) {
           return P.IsStopped && P.Verb;
         })) {
    std::vector<VerbProcess *> Verbs;
    std::vector<Logpoint *> Of;
    for (Logpoint &P : Points)
      if (P.Verb) {
        Verbs.push_back(P.Verb.get());
        Of.push_back(&P);
      }
    IsOpen &= readAny(IsOpen ? &Stream : nullptr, Verbs,
                      [&](size_t N, VerbProcess::Stream S, StringRef Line) {
                        note(*Of[N], S, Line);
                      });
    while (IsOpen) {
      auto Message = Stream.next();
      if (!Message)
        break;
      if (const json::Object *O =
              *Message ? (*Message)->getAsObject() : nullptr)
        take(*O);
      else
        event("output", {{"category", "important"},
                         {"output", "jopt: a message is no JSON object\n"}});
      if (!*Message)
        llvm::consumeError(Message->takeError());
    }
    IsOpen &= !interrupted();
    for (Logpoint &P : Points) {
      if (!IsOpen)
        stop(P);
      look(P);
    }
    Points.remove_if([](Logpoint &P) {
      const bool IsLate = Clock::now() > P.End;
      return P.IsStopped &&
             (!P.Verb || IsLate || (P.Verb->isSilent() && P.Verb->status()));
    });
  }
  return 0;
}

int protocol::serveDap(StringRef Program) { return DapServer(Program).run(); }
