//===- EventServer.cpp - Who reads along what probes write
//-------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/EventServer.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Bytes that wait for a client that is slow.
static constexpr size_t MaxWaitingBytes = 1 << 20;

/// How long a client that follows no more may take for the rest.
static constexpr std::chrono::seconds PartingTime(10);

static constexpr llvm::StringLiteral ClientClass = "jopt/boot/Client";

llvm::Error EventServer::connect(StringRef Path) {
  drop();
  auto Client = ClientSocket::connect(Path);
  if (!Client)
    return Client.takeError();
  Connected = std::move(*Client);
  return llvm::Error::success();
}

static void setFollowed(JNIEnv *Jni, bool Is) {
  LocalFrame Frame(Jni, 8);
  jclass Client = BootLibrary::find(Jni, ClientClass);
  jmethodID Set =
      Client ? Jni->GetStaticMethodID(Client, "follow", "(Z)V") : nullptr;
  Jni->ExceptionClear();
  if (Set)
    Jni->CallStaticVoidMethod(Client, Set, jboolean(Is));
  Jni->ExceptionClear();
}

void EventServer::begin(JNIEnv *Jni, unsigned Of) {
  if (!Connected)
    return;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Waiting.clear();
    Dropped = 0;
    Turn = Of;
    Socket = Connected.release();
  }
  take(Jni, /*All=*/true); // Of one that followed before.
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Waiting.clear();
    Dropped = 0;
  }
  setFollowed(Jni, true);
  Env.TheLog.add(*this);
}

/// Under the lock.
void EventServer::add(char Mark, StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    if (Waiting.size() + Line.size() > MaxWaitingBytes)
      ++Dropped;
    else
      (Waiting += Mark).append(Line.data(), Line.size()) += '\n';
    Text = Rest;
  }
}

void EventServer::onLine(LogLevel, StringRef Line, bool Shown) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Shown)
    add('!', Line);
}

void EventServer::say(StringRef Line) {
  std::lock_guard<std::mutex> Guard(Lock);
  add('!', Line);
}

/// What \p Take of \p Client, which gives bytes, gives; empty for null.
static std::string takeLines(JNIEnv *Jni, jclass Client, jmethodID Take) {
  auto *Lines =
      static_cast<jbyteArray>(Jni->CallStaticObjectMethod(Client, Take));
  Jni->ExceptionClear();
  if (!Lines)
    return {};
  std::string Text(size_t(Jni->GetArrayLength(Lines)), '\0');
  Jni->GetByteArrayRegion(Lines, 0, jsize(Text.size()),
                          reinterpret_cast<jbyte *>(Text.data()));
  Jni->DeleteLocalRef(Lines);
  return Text;
}

/// Takes what probes printed: as long as there is room for it.
void EventServer::take(JNIEnv *Jni, bool All) {
  // Whoever ends it waits for lines that another thread is just taking; not for
  // ever, as the JVM may be ending.
  std::unique_lock<std::timed_mutex> Alone(Taking, std::chrono::seconds(1));
  LocalFrame Frame(Jni, 16);
  jclass Client = BootLibrary::find(Jni, ClientClass);
  jmethodID Take =
      Client ? Jni->GetStaticMethodID(Client, "take", "()[B") : nullptr;
  jmethodID Count =
      Take ? Jni->GetStaticMethodID(Client, "takeDropped", "()J") : nullptr;
  Jni->ExceptionClear();
  size_t Bytes = 0;
  while (Count) {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      if (!All && Waiting.size() > MaxWaitingBytes / 2)
        break;
    }
    const std::string Text = takeLines(Jni, Client, Take);
    if (Text.empty())
      break;
    Bytes += Text.size();
    std::lock_guard<std::mutex> Guard(Lock);
    add(' ', Text);
  }
  // A jopt.boot that the program has may be older.
  jmethodID TakeUndone =
      Count ? Jni->GetStaticMethodID(Client, "takeUndone", "()[B") : nullptr;
  Jni->ExceptionClear();
  if (TakeUndone) {
    const std::string Text = takeLines(Jni, Client, TakeUndone);
    std::lock_guard<std::mutex> Guard(Lock);
    add('?', Text);
  }
  if (Count) {
    const jlong More = Jni->CallStaticLongMethod(Client, Count);
    std::lock_guard<std::mutex> Guard(Lock);
    Dropped += uint64_t(More);
  }
  if (!All)
    Taken = Bytes;
  Jni->ExceptionClear();
}

static std::string lostText(uint64_t Number) {
  return "!jopt: " + std::to_string(Number) +
         " lines were not read in time, and are lost\n";
}

/// Under the lock: once there is room for it.
void EventServer::tellDropped() {
  if (!Dropped || Waiting.size() > MaxWaitingBytes / 2)
    return;
  Waiting += lostText(std::exchange(Dropped, 0));
}

/// Sends as much of \p Text as \p To takes now; false if that is gone.
bool EventServer::flush(int To, std::string &Text) {
  size_t Sent = 0;
  bool IsThere = true;
  while (IsThere && Sent < Text.size()) {
    const ssize_t N = ::send(To, Text.data() + Sent, Text.size() - Sent,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (N >= 0)
      Sent += size_t(N);
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      break;
    else
      IsThere = errno == EINTR;
  }
  Text.erase(0, Sent);
  return IsThere;
}

/// Sends the rest to clients that follow no more, later again if need be.
void EventServer::part() {
  std::lock_guard<std::mutex> Guard(Lock);
  const auto Now = TimerThread::Clock::now();
  llvm::erase_if(Leaving, [&](Parting &P) {
    if (flush(P.Socket, P.Rest) && !P.Rest.empty() && Now < P.Until)
      return false;
    ::close(P.Socket);
    return true;
  });
  if (!Leaving.empty())
    Env.Later.schedule(&Leaving, Pause, [this](JNIEnv *) { part(); });
}

bool EventServer::serve(JNIEnv *Jni) {
  take(Jni, /*All=*/false);
  std::lock_guard<std::mutex> Guard(Lock);
  if (Socket < 0)
    return true;
  tellDropped();
  return !ClientSocket::isGone(Socket) && flush(Socket, Waiting);
}

void EventServer::end(JNIEnv *Jni, StringRef Why, bool IsBound, bool JvmEnds) {
  if (!isThere())
    return;
  Env.TheLog.remove(*this);
  setFollowed(Jni, false);
  take(Jni, /*All=*/true);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    // The last words find room, whatever else does not.
    if (uint64_t Number = std::exchange(Dropped, 0))
      Waiting += lostText(Number);
    ((Waiting += IsBound ? ':' : '.') += Why) += '\n';
    Leaving.push_back({Socket.exchange(-1), std::exchange(Waiting, {}),
                       TimerThread::Clock::now() + PartingTime});
  }
  part();
  // With the probes the thread has gone that would go on with that.
  if (!JvmEnds)
    Env.Later.runRest(Jni);
}
