//===- AttachSocket.h - HotSpot's attach protocol ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_ATTACHSOCKET_H
#define JOPT_CLIENT_ATTACHSOCKET_H

#include "jopt/Client/View.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>

namespace jopt::client {

using Clock = std::chrono::steady_clock;

/// The answer of a JVM to a request.
struct SocketReply {
  int Code = 0;     ///< 0: it was carried out
  std::string Text; ///< what it wrote, without the code
};

/// Asked while something takes its time: why waiting is of no use; success if
/// it may be.
using StillWorth = llvm::function_ref<llvm::Error()>;

/// One connection for one request, as the protocol has it.
class AttachSocket {
public:
  /// Connects to the socket \p Path of \p V, before \p Deadline. No connection,
  /// and no error, if nobody listens there; an error if that is not \p User's.
  static llvm::Expected<AttachSocket> connect(const View &V,
                                              llvm::StringRef Path, uid_t User,
                                              Clock::time_point Deadline,
                                              StillWorth Worth);
  explicit operator bool() const { return bool(Socket); }

  /// Sends \p Command in version 1 or 2 of the protocol, and reads the reply to
  /// its end. Version 1 has three arguments of 1,024 bytes at most.
  llvm::Expected<SocketReply> ask(unsigned Version, llvm::StringRef Command,
                                  llvm::ArrayRef<std::string> Arguments,
                                  Clock::time_point Deadline, StillWorth Worth);

private:
  llvm::Error send(llvm::StringRef Data, Clock::time_point Deadline,
                   StillWorth Worth);
  Descriptor Socket;
};

} // namespace jopt::client

#endif
