//===- JsonStream.h - Messages in JSON over two pipes -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROTOCOL_JSONSTREAM_H
#define JOPT_PROTOCOL_JSONSTREAM_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace jopt::protocol {

/// Messages that a client sends to one descriptor and gets from another. For
/// one thread. Does not own the descriptors.
class JsonStream {
public:
  /// How a stream marks the end of a message.
  enum class Framing {
    Lines,  ///< each is a line (Model Context Protocol, transport stdio)
    Headers ///< Content-Length in front of each (Debug Adapter Protocol)
  };
  /// Longer messages are refused; also more header lines.
  static constexpr size_t MaxMessage = 1 << 20;

  JsonStream(int In, int Out, Framing F) : In(In), Out(Out), F(F) {}

  int input() const { return In; }
  /// Reads once, which waits if nothing is there. False: the client has gone.
  bool fill();
  /// The next whole message that was read; none: there is none yet. An error
  /// for one that is no JSON, has more than 64 levels, or is too long.
  std::optional<llvm::Expected<llvm::json::Value>> next();
  /// Writes \p Message, which waits for the client. False: it has gone.
  bool send(const llvm::json::Value &Message);

private:
  std::optional<llvm::Expected<std::string>> take();

  const int In, Out;
  const Framing F;
  std::string Read;    ///< and not taken yet
  size_t Searched = 0; ///< of Read, for its end
  bool Skips = false;  ///< the rest of a line that is too long
};

/// Writes all of \p Text to \p Descriptor. False if that cannot be.
bool writeAll(int Descriptor, llvm::StringRef Text);

} // namespace jopt::protocol

#endif
