//===- EventServer.h - Sends probe output to a client -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_EVENTSERVER_H
#define JOPT_AGENT_TELEMETRY_EVENTSERVER_H

#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Agent/Telemetry/ClientSocket.h"

namespace jopt::agent {

/// The client that follows the probes at work, over a local socket: it gets
/// what they print (jopt.boot.Client), what the log has, and why it ends. Each
/// line has a mark before it: a blank, `!` for the log, and at the end `.`, or
/// `:` where the probes passed a bound.
///
/// Nothing waits for the client: what it does not read in time is counted and
/// dropped.
class EventServer : public LogListener {
public:
  explicit EventServer(Environment &Env) : Env(Env) {}

  /// Connects to the socket \p Path, which has to be of a process of this one's
  /// user, or of root. It follows once it is begun. For whoever attaches, as
  /// the two below.
  llvm::Error connect(llvm::StringRef Path);
  /// A connected client follows from now on. \p Turn: the number of the probes
  /// at work, which counts their changes.
  void begin(JNIEnv *Jni, unsigned Turn);
  /// A client that follows goes on with the probes of number \p NewTurn.
  void goOn(unsigned NewTurn) { Turn = NewTurn; }
  /// Leaves a client that is connected, but does not follow yet.
  void drop() { Connected.close(); }

  /// The client that is connected, or follows, has closed its end.
  bool isGone() const {
    const int Follows = Socket;
    return Connected.isGone() ||
           (Follows >= 0 && ClientSocket::isGone(Follows));
  }
  /// Somebody follows.
  bool isThere() const { return Socket >= 0; }
  /// The number of the probes that are followed.
  unsigned turn() const { return Turn; }
  /// Sends what there is, as far as the client takes it; false: it has gone.
  /// On the agent's own thread.
  bool serve(JNIEnv *Jni);
  /// Says \p Line, which is not for the log.
  void say(llvm::StringRef Line);
  /// Says why, the last there is, and leaves it; what it does not take at once
  /// gets some seconds, unless the \p JvmEnds. On any thread.
  void end(JNIEnv *Jni, llvm::StringRef Why, bool IsBound,
           bool JvmEnds = false);

  /// How long what probes print may wait.
  static constexpr std::chrono::milliseconds Pause{50};
  /// When serve() is to be called again: sooner where much is printed, as not
  /// much can wait in the JVM. On the agent's own thread.
  std::chrono::milliseconds pause() const {
    return Taken > Much ? Pause / 10 : Pause;
  }

private:
  void onLine(LogLevel L, llvm::StringRef Line, bool Shown) override;
  void add(char Mark, llvm::StringRef Text);
  void take(JNIEnv *Jni, bool All);
  void tellDropped();
  static bool flush(int To, std::string &Text);
  void part();

  Environment &Env;
  ClientSocket Connected;      ///< does not follow yet
  std::atomic<int> Socket{-1}; ///< follows
  std::atomic<unsigned> Turn{0};
  std::timed_mutex Taking; ///< whoever takes lines has it
  std::mutex Lock;         ///< of what follows
  std::string Waiting;
  /// The text that a client that follows no more still has to get, and until
  /// when.
  struct Parting {
    int Socket;
    std::string Rest;
    TimerThread::Clock::time_point Until;
  };
  std::vector<Parting> Leaving;
  uint64_t Dropped = 0; ///< lines
  /// The size of what serve() found to take, and the size that makes the next
  /// call come sooner.
  size_t Taken = 0;
  static constexpr size_t Much = 1 << 12;
};

} // namespace jopt::agent

#endif
