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

AttachReply::AttachReply(Log &TheLog, StringRef Options) : TheLog(TheLog) {
  if (Options.consume_front("answer="))
    File = Options.split(',').first.str();
  if (!File.empty())
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

void AttachReply::write(AttachStatus Status) {
  if (File.empty())
    return;
  std::string Text;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Text = std::to_string(jint(Status)) + "\n" + Heard + Printed;
  }
  Transaction T;
  llvm::Error E = T.stage(File, Rope(toBytes(Text)), PrivateFile);
  if (E || (E = T.commit()))
    TheLog.error(toMessage(std::move(E)));
}
