//===- Log.h - What the agent says ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_LOG_H
#define JOPT_AGENT_TELEMETRY_LOG_H

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <mutex>
#include <vector>

namespace jopt::agent {

/// The mode of all files that the agent makes: what programs do is for nobody
/// else to see.
constexpr unsigned PrivateFile = 0600;

/// "2026-01-31T12:34:56.789Z".
std::string timeNow();
/// "name 4711": this thread by its name, as far as the system knows it, and its
/// number, which is the `nid` of `jcmd Thread.print`.
std::string threadNow();

enum class LogLevel { Error, Warning, Info, Debug };

/// Hears what a log has, on any thread; calls no log.
class LogListener {
public:
  virtual ~LogListener() = default;
  /// \p Shown: the log has the line too.
  virtual void onLine(LogLevel L, llvm::StringRef Line, bool Shown) = 0;
};

/// Lines with time and thread to a file or to standard error, each in one
/// write(2), so that lines of
/// several threads, and of several JVMs with one file, are whole. A line that
/// cannot be written is lost and counted: a full disk is not the program's
/// problem. Thread-safe.
class Log {
public:
  Log() = default;
  ~Log();
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;

  /// From now on lines go to the end of \p File; empty: standard error. On
  /// failure they go where they went.
  llvm::Error open(llvm::StringRef File);
  void setLevel(LogLevel L) { Level = L; }
  bool shows(LogLevel L) const { return L <= Level; }

  void write(LogLevel L, const llvm::Twine &Message);
  void error(const llvm::Twine &M) { write(LogLevel::Error, M); }
  void warning(const llvm::Twine &M) { write(LogLevel::Warning, M); }
  void info(const llvm::Twine &M) { write(LogLevel::Info, M); }
  void debug(const llvm::Twine &M) { write(LogLevel::Debug, M); }
  /// Writes a line, without the time, to standard error wherever the log goes,
  /// and to the log: why a start failed, and why probes left by themselves,
  /// which whoever started the JVM has to see there. The one way by which the
  /// agent prints.
  void announce(const llvm::Twine &Message, LogLevel As = LogLevel::Error);
  /// Writes \p Text as it is, at any level: whoever asked for it waits for it.
  void writePage(llvm::StringRef Text);
  /// Writes a line that was not written before; of very many different ones
  /// the later ones are not remembered, and not written.
  void once(LogLevel L, const llvm::Twine &Message);
  /// Forgets what once() remembers.
  void forget();

  uint64_t lost() const { return Lost; }

  /// \p L hears each line from now on, without time and thread.
  void add(LogListener &L);
  /// \p L hears no more; it is called by nobody then.
  void remove(LogListener &L);

private:
  void tell(LogLevel L, const llvm::Twine &Message);
  void writeLine(int To, const llvm::Twine &Prefix, const llvm::Twine &Message);

  std::atomic<int> FD{2};
  std::atomic<LogLevel> Level{LogLevel::Warning};
  std::atomic<uint64_t> Lost{0};
  std::mutex Lock; ///< of what follows
  llvm::StringSet<> Said;
  std::atomic<unsigned> NumListeners{0};
  std::mutex ListenersLock; ///< of what follows
  std::vector<LogListener *> Listeners;
};

} // namespace jopt::agent

#endif
