//===- McpServer.cpp - Verbs as tools of a language model -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/McpServer.h"
#include "jopt/Protocol/JsonStream.h"
#include "jopt/Protocol/Secrets.h"
#include "jopt/Protocol/VerbProcess.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <list>
#include <unistd.h>

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Revisions that begin with `initialize`, the newest last. Not 2025-03-26,
/// which has several messages in one.
static constexpr StringRef Revisions[] = {"2024-11-05", "2025-06-18",
                                          "2025-11-25"};

/// Of JSON-RPC.
enum ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
};

static constexpr StringRef Instructions =
    "Tools that look into running Java programs. `ps` lists them. Each tool "
    "that follows a program puts probes in, reports what they see, and takes "
    "them out when its time is over or it has seen enough. Methods are written "
    "'com.shop.Cart#add(int, ..)', with * for any name.";

static constexpr size_t MaxCalls = 8, MaxEvents = 1000, MaxBytes = 1 << 18;
/// A call that is over has so long to take its probes out.
static constexpr std::chrono::seconds Farewell(30);

using Clock = std::chrono::steady_clock;

namespace {

/// A call of a tool.
struct Call {
  explicit Call(const json::Value &Id) : Id(Id) {}

  const json::Value Id;
  std::optional<json::Value> ProgressToken;
  std::vector<std::string> Words; ///< of its command
  int64_t Pid = 0; ///< the JVM that it puts probes into; 0: it puts in none
  int64_t Seconds = 0;
  std::unique_ptr<VerbProcess> Process; ///< null: it waits for its turn
  Clock::time_point End; ///< it is asked to end then, and killed later
  bool IsStopped = false, IsCancelled = false, IsCut = false;
  json::Array Events;
  std::string Text;             ///< of the events, a line each
  std::string Output, Messages; ///< lines that are no events
  size_t Bytes = 0;             ///< of all of that

  void stop() {
    if (IsStopped)
      return;
    IsStopped = true;
    if (Process)
      Process->stop();
    End = Clock::now() + Farewell;
  }
};

class McpServer {
public:
  McpServer(llvm::ArrayRef<McpTool> Tools, const McpOptions &Options)
      : Tools(Tools), Options(Options) {}
  int run();

private:
  void take(const json::Value &Message);
  void request(StringRef Method, const json::Value &Id,
               const json::Object &Params);
  void initialize(const json::Value &Id, const json::Object &Params);
  void list(const json::Value &Id);
  void call(const json::Value &Id, const json::Object &Params);
  void start();
  void cancel(const json::Object &Params);
  void note(Call &C, VerbProcess::Stream S, StringRef Line);
  void finish(Call &C, int Status);
  void wait();

  using Members = std::initializer_list<json::Object::KV>;
  void send(Members Of) {
    json::Object Message(Of);
    Message["jsonrpc"] = "2.0";
    IsOpen &= Stream.send(std::move(Message));
  }
  void answer(const json::Value &Id, Members Result) {
    send({{"id", Id}, {"result", json::Object(Result)}});
  }
  void fail(const json::Value &Id, ErrorCode Code, const Twine &Why) {
    send(
        {{"id", Id},
         {"error", json::Object{{"code", int(Code)}, {"message", Why.str()}}}});
  }
  void refuse(const json::Value &Id, const Twine &Why) {
    answer(Id, {{"content", json::Array{json::Object{{"type", "text"},
                                                     {"text", Why.str()}}}},
                {"isError", true}});
  }

  const llvm::ArrayRef<McpTool> Tools;
  const McpOptions &Options;
  JsonStream Stream{STDIN_FILENO, STDOUT_FILENO, JsonStream::Framing::Lines};
  bool IsOpen = true; ///< the client is there
  std::list<Call> Calls;
};

} // namespace

void McpServer::initialize(const json::Value &Id, const json::Object &Params) {
  StringRef Revision = Params.getString("protocolVersion").value_or("");
  if (!llvm::is_contained(Revisions, Revision))
    Revision = std::end(Revisions)[-1];
  answer(Id, {{"protocolVersion", Revision},
              {"capabilities", json::Object{{"tools", json::Object{}}}},
              {"serverInfo",
               json::Object{{"name", "jopt"}, {"version", Options.Version}}},
              {"instructions", Instructions}});
}

void McpServer::list(const json::Value &Id) {
  json::Array All;
  for (const McpTool &T : Tools)
    if (!T.Changes || Options.AllowChanges)
      All.push_back(describeTool(T));
  answer(Id, {{"tools", std::move(All)}});
}

void McpServer::call(const json::Value &Id, const json::Object &Params) {
  const StringRef Name = Params.getString("name").value_or("");
  const McpTool *Tool = llvm::find_if(
      Tools, [&](const McpTool &T) { return Name == StringRef(T.Name); });
  if (Tool == Tools.end())
    return fail(Id, InvalidParams, "there is no tool '" + Name + "'");
  if (Tool->Changes && !Options.AllowChanges)
    return refuse(Id, "'" + Name +
                          "' changes a JVM, which this server does not allow; "
                          "jopt mcp --allow=changes does");
  if (Calls.size() >= MaxCalls)
    return refuse(Id, Twine(MaxCalls) + " calls are running; wait for one");
  const json::Object None, *Given = Params.getObject("arguments");
  auto Words = makeCommand(*Tool, Given ? *Given : None, Options);
  if (!Words)
    return refuse(Id, toMessage(Words.takeError()));
  if (llvm::any_of(Calls, [&](const Call &C) { return C.Id == Id; }))
    return fail(Id, InvalidRequest, "a call with that id is running");
  Call &New = Calls.emplace_back(Id);
  New.Words = std::move(*Words);
  New.Seconds = 60;
  if (Tool->Follows) {
    New.Pid = Given->getInteger("pid").value_or(0);
    New.Seconds += Given->getInteger("seconds").value_or(DefaultSeconds);
  }
  if (const json::Object *Meta = Params.getObject("_meta"))
    if (const json::Value *Token = Meta->get("progressToken"))
      New.ProgressToken = *Token;
}

/// Starts the calls whose turn it is: probes of one call take the place of
/// those of another in the same JVM.
void McpServer::start() {
  for (auto C = Calls.begin(); C != Calls.end(); ++C) {
    if (C->Process || C->IsStopped ||
        (C->Pid && std::any_of(Calls.begin(), C, [&](const Call &Of) {
           return Of.Pid == C->Pid;
         })))
      continue;
    auto Process = VerbProcess::start(Options.Program, C->Words);
    if (Process) {
      C->Process = std::move(*Process);
      C->End = Clock::now() + std::chrono::seconds(C->Seconds);
    } else {
      C->Messages = toMessage(Process.takeError());
      C->IsStopped = true;
    }
  }
}

void McpServer::cancel(const json::Object &Params) {
  if (const json::Value *Id = Params.get("requestId"))
    for (Call &C : Calls)
      if (C.Id == *Id) {
        C.IsCancelled = true;
        C.stop();
      }
}

void McpServer::request(StringRef Method, const json::Value &Id,
                        const json::Object &Params) {
  if (Method == "initialize")
    return initialize(Id, Params);
  if (Method == "ping")
    return answer(Id, {});
  if (Method == "tools/list")
    return list(Id);
  if (Method == "tools/call")
    return call(Id, Params);
  fail(Id, MethodNotFound, "'" + Method + "' is not known");
}

void McpServer::take(const json::Value &Message) {
  const json::Object *M = Message.getAsObject();
  const auto Method = M ? M->getString("method") : std::nullopt;
  const json::Value *Id = M ? M->get("id") : nullptr;
  if (!Method) {
    // An answer to nothing that was asked is passed over.
    if (!M || !(M->get("result") || M->get("error")))
      fail(Id ? *Id : json::Value(nullptr), InvalidRequest,
           "a message is an object with a method");
    return;
  }
  const json::Object None, *Params = M->getObject("params");
  if (Id)
    return request(*Method, *Id, Params ? *Params : None);
  if (*Method == "notifications/cancelled")
    cancel(Params ? *Params : None);
}

/// A line that the verb of \p C wrote.
void McpServer::note(Call &C, VerbProcess::Stream S, StringRef Line) {
  if (C.IsCut || C.IsCancelled)
    return;
  C.Bytes += Line.size();
  if (C.Bytes > MaxBytes || C.Events.size() >= MaxEvents) {
    C.IsCut = true;
    C.stop();
    return;
  }
  if (S == VerbProcess::Messages) {
    C.Messages += hideSecrets(Line) + "\n";
    return;
  }
  auto Event = Line.starts_with("{") ? parseJson(Line)
                                     : llvm::Expected<json::Value>(nullptr);
  if (!Event || Event->kind() == json::Value::Null) {
    llvm::consumeError(Event.takeError());
    C.Output += hideSecrets(Line) + "\n";
    return;
  }
  json::Value Shown = *Event;
  hideSecrets(Shown);
  C.Text += Shown == *Event ? Line.str() : llvm::formatv("{0}", Shown).str();
  C.Text += '\n';
  C.Events.push_back(std::move(Shown));
  if (C.ProgressToken)
    send({{"method", "notifications/progress"},
          {"params", json::Object{{"progressToken", *C.ProgressToken},
                                  {"progress", int64_t(C.Events.size())}}}});
}

void McpServer::finish(Call &C, int Status) {
  if (C.IsCancelled)
    return;
  if (C.IsCut)
    C.Messages += "there was more; ask for less, or with a narrower pattern\n";
  std::string Text = C.Output + C.Text + C.Messages;
  if (Text.empty())
    Text = "nothing was seen\n";
  answer(
      C.Id,
      {{"content",
        json::Array{json::Object{{"type", "text"}, {"text", std::move(Text)}}}},
       {"structuredContent", json::Object{{"events", std::move(C.Events)},
                                          {"output", std::move(C.Output)},
                                          {"messages", std::move(C.Messages)},
                                          {"complete", !C.IsCut},
                                          {"exitStatus", Status}}},
       {"isError", Status != 0 && Status != 2}});
}

/// Waits for the client and the verbs, and reads what comes.
void McpServer::wait() {
  std::vector<VerbProcess *> Verbs;
  std::vector<Call *> Of;
  for (Call &C : Calls)
    if (C.Process) {
      Verbs.push_back(C.Process.get());
      Of.push_back(&C);
    }
  IsOpen &= readAny(IsOpen ? &Stream : nullptr, Verbs,
                    [&](size_t N, VerbProcess::Stream S, StringRef Line) {
                      note(*Of[N], S, Line);
                    });
  while (IsOpen) {
    auto Message = Stream.next();
    if (!Message)
      return;
    if (*Message)
      take(**Message);
    else
      fail(nullptr, ParseError, toMessage(Message->takeError()));
  }
}

int McpServer::run() {
  while (IsOpen || !Calls.empty()) {
    start();
    wait();
    IsOpen &= !interrupted();
    for (auto C = Calls.begin(); C != Calls.end();) {
      if (!IsOpen) {
        C->IsCancelled = true;
        C->stop();
      }
      if (C->Process && Clock::now() > C->End) {
        if (C->IsStopped)
          C->Process->kill();
        C->stop();
      }
      std::optional<int> Status;
      if (!C->Process && C->IsStopped)
        Status = 1;
      else if (C->Process && C->Process->isSilent())
        Status = C->Process->status();
      if (Status)
        finish(*C, *Status);
      C = Status ? Calls.erase(C) : std::next(C);
    }
  }
  return 0;
}

int protocol::serveMcp(llvm::ArrayRef<McpTool> Tools,
                       const McpOptions &Options) {
  return McpServer(Tools, Options).run();
}
