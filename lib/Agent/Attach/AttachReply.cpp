//===- AttachReply.cpp - What an attach answers
//--------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/AttachReply.h"
#include "jopt/Archive/Transaction.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Warnings of a big program may be many; the log has them all.
static constexpr size_t MaxHeard = 256 << 10;

/// How long a client may take for its answer.
static constexpr std::chrono::seconds TimeForAnswer(5);

AttachReply::AttachReply(Log &TheLog, StringRef Options) : TheLog(TheLog) {
  const StringRef First = Options.split(',').first;
  auto [Name, Value] = First.split('=');
  if (Name == "answer")
    File = Value.str();
  if (Name != "client")
    return;
  if (auto Connected = ClientSocket::connect(Value))
    Client = std::move(*Connected);
  else
    TheLog.error(toMessage(Connected.takeError()));
}

AttachReply::~AttachReply() {
  if (Listens)
    TheLog.remove(*this);
}

void AttachReply::listen() {
  if (File.empty() && !Client)
    return;
  Listens = true;
  TheLog.add(*this);
}

void AttachReply::add(std::string &To, char Mark, StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    (To += Mark).append(Line.data(), Line.size()) += '\n';
    Text = Rest;
  }
}

void AttachReply::onLine(LogLevel L, StringRef Line, bool Shown) {
  if (!Shown && L > LogLevel::Warning)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  if (Heard.size() < MaxHeard)
    add(Heard, '!', Line);
}

void AttachReply::warn(StringRef Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  add(Heard, '!', Text);
}

void AttachReply::announce(const llvm::Twine &Line) {
  if (Client)
    Client.send(("~" + Line + "\n").str(), std::chrono::milliseconds(0));
}

void AttachReply::write(AttachStatus Status) {
  if ((File.empty() && !Client) || std::exchange(IsWritten, true))
    return;
  std::string Text;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Text = std::to_string(jint(Status)) + "\n" + Heard + Printed;
  }
  if (Client) {
    if (!Client.send(Text, TimeForAnswer))
      TheLog.info("the client did not wait for its answer");
    Client.close();
    return;
  }
  Transaction T;
  llvm::Error E = T.stage(File, Rope(toBytes(Text)), PrivateFile);
  if (E || (E = T.commit()))
    TheLog.error(toMessage(std::move(E)));
}
