//===- JsonStream.cpp - Messages in JSON over two pipes -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/JsonStream.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <unistd.h>

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;

bool protocol::writeAll(int Descriptor, StringRef Text) {
  while (!Text.empty()) {
    const ssize_t Written = ::write(Descriptor, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR && !interrupted())
      continue;
    if (Written <= 0)
      return false;
    Text = Text.drop_front(size_t(Written));
  }
  return true;
}

bool JsonStream::fill() {
  char Buffer[16384];
  for (;;) {
    const ssize_t Count = ::read(In, Buffer, sizeof(Buffer));
    if (Count < 0 && errno == EINTR && !interrupted())
      continue;
    if (Count <= 0)
      return false;
    Read.append(Buffer, size_t(Count));
    return true;
  }
}

/// Cuts the text of the next message out of what was read.
std::optional<llvm::Expected<std::string>> JsonStream::take() {
  auto Cut = [&](size_t From, size_t Length) {
    std::string Text = Read.substr(From, Length);
    Read.erase(0, From + Length);
    Searched = 0;
    return Text;
  };
  if (F == Framing::Lines) {
    const size_t End = Read.find('\n', Searched);
    if (End == std::string::npos) {
      Searched = Read.size();
      if (Read.size() > MaxMessage) {
        Skips = true;
        Read.clear();
        Searched = 0;
      }
      return std::nullopt;
    }
    std::string Line = Cut(0, End + 1);
    if (Skips || Line.size() > MaxMessage) {
      Skips = false;
      return makeError("a message of more than 1 MB");
    }
    return Line;
  }
  // The header ends with an empty line.
  const size_t End = Read.find("\r\n\r\n");
  if (End == std::string::npos) {
    if (Read.size() < 4096)
      return std::nullopt;
    Read.clear();
    return makeError("a header of more than 4 KB");
  }
  size_t Length = MaxMessage + 1;
  for (StringRef Line : llvm::split(StringRef(Read).take_front(End), "\r\n"))
    if (auto [Name, Value] = Line.split(':');
        Name.equals_insensitive("Content-Length") &&
        !llvm::to_integer(Value.trim(), Length, 10))
      Length = MaxMessage + 1;
  if (Length > MaxMessage) {
    Read.clear();
    return makeError("a header without a Content-Length of up to 1 MB");
  }
  if (Read.size() - End - 4 < Length)
    return std::nullopt;
  return Cut(End + 4, Length);
}

std::optional<llvm::Expected<llvm::json::Value>> JsonStream::next() {
  for (;;) {
    auto Text = take();
    if (!Text)
      return std::nullopt;
    if (!*Text)
      return Text->takeError();
    if (!StringRef(**Text).trim().empty())
      return parseJson(**Text);
  }
}

bool JsonStream::send(const llvm::json::Value &Message) {
  std::string Text = llvm::formatv("{0}", Message).str();
  if (F == Framing::Lines)
    Text += '\n';
  else
    Text.insert(0,
                "Content-Length: " + std::to_string(Text.size()) + "\r\n\r\n");
  return writeAll(Out, Text);
}
