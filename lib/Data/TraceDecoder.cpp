//===- TraceDecoder.cpp - The records of one chunk ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceDecoder.h"
#include "jopt/Data/TraceFilter.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::data;

namespace {
/// The first bytes of records. Those from 1 on that are below Near are events:
/// how far from the last one of the activation, plus Behind.
enum : uint8_t {
  Near = 0xc0,
  Behind = 64,
  EventRecord = 0xc0,  ///< + HasValue, + HasObject
  ArrayRecord = 0xc4,  ///< + HasValue
  EnterRecord = 0xc8,  ///< + HasHost, + HasDepth
  ActiveRecord = 0xcc, ///< + HasHost, + HasDepth
  BackRecord = 0xd0,
  LaterRecord,
  AtRecord,
  ThreadRecord,
  NamedRecord,
  LostRecord,
  OpenedRecord,
  ArgumentsRecord,
  CallRecord,
};
/// No thread has more activations.
constexpr uint32_t MostLevels = 1 << 30;
/// Of the event of an activation that ends by an exception.
constexpr int32_t AbortOpcode = -7;
enum : uint8_t { HasValue = 1, HasObject = 2, HasHost = 1, HasDepth = 2 };
} // namespace

TraceDecoder::TraceDecoder(const ChunkView &V, const KnownMethods &Methods,
                           ThreadStates &Threads)
    : Begin(V.Events.begin()), At(V.Events.begin()), Limit(V.Events.end()),
      Methods(Methods), Threads(Threads), Stream(V.Stream),
      Time(int32_t(V.Time / 1000000)) {}

uint32_t TraceDecoder::number() {
  uint32_t N = 0;
  for (unsigned Shift = 0; Shift < 35 && At != Limit; Shift += 7) {
    const uint8_t B = *At++;
    N |= uint32_t(B & 0x7f) << Shift;
    if (B < 0x80)
      return N;
  }
  Failed = true;
  return 0;
}

int32_t TraceDecoder::signedNumber() {
  const uint32_t N = number();
  return int32_t(N >> 1 ^ (0 - (N & 1)));
}

int32_t TraceDecoder::hash() {
  if (At != Limit && *At < 0x80)
    return Hashes[*At++];
  if (Limit - At < 5) {
    Failed = true;
    return 0;
  }
  const uint32_t H = readU4(At + 1);
  At += 5;
  return Hashes[(H ^ H >> 7 ^ H >> 14 ^ H >> 21) & 0x7f] = int32_t(H);
}

static bool isReturn(const TracedClass &C, uint32_t Event) {
  const int32_t Opcode = C.kind(Event).Opcode;
  return (Opcode >= 172 && Opcode <= 177) || Opcode == AbortOpcode;
}

TraceDecoder::Outcome TraceDecoder::event(int32_t Distance, TracedEvent &E) {
  if (Failed || !Thread || Thread->Stack.empty())
    return IsWrong;
  ThreadState::Level &L = Thread->Stack.back();
  const uint32_t Number = L.Last + uint32_t(Distance);
  if (Number < L.Method->First || Number >= L.Method->End)
    return IsWrong;
  L.Last = Number;
  E.Number = Number;
  if (!L.Method->Paths)
    E.IsReturn = isReturn(*L.Method->Class, Number);
  return IsEvent;
}

TraceDecoder::Outcome TraceDecoder::activation(uint8_t Flags, bool IsActive,
                                               TracedEvent &E) {
  const uint32_t Level = IsActive ? number() : 0;
  auto M = Methods.find(number());
  ThreadState::Level L;
  L.HasHost = Flags & HasHost;
  if (L.HasHost)
    L.Host = hash();
  if (Flags & HasDepth)
    L.Depth = int32_t(number());
  const uint32_t Last = IsActive ? number() : 0;
  if (Failed || !Thread || M == Methods.end() ||
      (IsActive && (Level == 0 || Level > MostLevels)))
    return IsWrong;
  L.Method = &M->second;
  L.Class = L.Method->ClassIndex;
  L.MethodNumber = L.Method->Method;
  L.Last = L.Method->Enter + Last;
  std::vector<ThreadState::Level> &Stack = Thread->Stack;
  if (IsActive) {
    if (Level <= Thread->Unknown ||
        Level - 1 > Thread->Unknown + Stack.size()) {
      Stack.clear();
      Thread->Unknown = Level - 1;
    }
    Stack.resize(Level - 1 - Thread->Unknown);
  }
  Stack.push_back(L);
  E.Number = L.Last;
  E.IsEnter = true;
  return IsActive ? Fine : IsEvent;
}

TraceDecoder::Outcome TraceDecoder::thread(bool IsNamed) {
  const uint32_t Number = number();
  if (Failed)
    return IsWrong;
  Thread = &Threads.get(Number);
  Thread->Stream = Stream;
  if (!IsNamed)
    return Fine;
  Thread->Thread.IsVirtual = number() != 0;
  ByteCursor C(Bytes(At, Limit));
  Thread->Thread.Id = int64_t(C.u8());
  Thread->Thread.Name = toDisplayUTF8(jopt::toStringRef(C.bytes(C.u2())));
  At += C.offset();
  return Failed || C.failed() ? IsWrong : Fine;
}

TraceDecoder::Outcome TraceDecoder::types(bool OfCall, TracedEvent &E) {
  if (!Thread || Thread->Stack.empty())
    return IsWrong;
  Thread->Types.clear();
  for (uint32_t N = number(); N && !Failed; --N)
    Thread->Types.push_back(number());
  const ThreadState::Level &L = Thread->Stack.back();
  E.Number = L.Method->Enter;
  E.IsArguments = !OfCall;
  return Failed ? IsWrong : OfCall ? Fine : IsEvent;
}

TraceDecoder::Outcome TraceDecoder::record(TracedEvent &E) {
  const uint8_t First = *At++;
  if (First < Near)
    return event(int32_t(First) - Behind, E);
  if (First < ArrayRecord) {
    const int32_t Distance = signedNumber();
    E.HasObject = First & HasObject;
    E.HasValue = First & HasValue;
    if (E.HasObject)
      E.Object = hash();
    if (E.HasValue)
      E.Value = hash();
    return event(Distance, E);
  }
  if (First < EnterRecord) {
    if (First & HasObject)
      return IsWrong;
    const int32_t Distance = signedNumber();
    E.IsArray = E.HasObject = true;
    E.Object = hash();
    E.Index = signedNumber();
    E.Length = number();
    E.HasValue = First & HasValue;
    if (E.HasValue)
      E.Value = hash();
    return event(Distance, E);
  }
  if (First < BackRecord)
    return activation(First & 3, First >= ActiveRecord, E);
  switch (First) {
  case BackRecord: {
    const uint32_t Level = number();
    if (Failed || !Thread || Level > MostLevels)
      return IsWrong;
    std::vector<ThreadState::Level> &Stack = Thread->Stack;
    if (Level >= Thread->Unknown && Level - Thread->Unknown <= Stack.size()) {
      Stack.resize(Level - Thread->Unknown);
    } else {
      Stack.clear();
      Thread->Unknown = Level;
    }
    return Fine;
  }
  case LaterRecord:
    Time = int32_t(uint32_t(Time) + number());
    break;
  case AtRecord:
    Time = int32_t(number());
    break;
  case ThreadRecord:
  case NamedRecord:
    return thread(First == NamedRecord);
  case LostRecord:
    Hashes.fill(0);
    break;
  case OpenedRecord:
    break;
  case ArgumentsRecord:
  case CallRecord:
    return types(First == CallRecord, E);
  default:
    return IsWrong;
  }
  return Failed ? IsWrong : Fine;
}

/// The program had no stack or memory left to record what is next.
void TraceDecoder::addGap(int32_t Opened) {
  if (!Thread || Thread->Gaps++)
    return;
  if (!Thread->Stack.empty()) {
    const ThreadState::Level &L = Thread->Stack.back();
    Thread->FirstGap = "behind events of " +
                       displayName(*L.Method->Class, L.MethodNumber) + " ";
  }
  Thread->FirstGap +=
      "at " + std::to_string(std::max(0, Time - Opened)) + " ms";
}

/// Calls \p Use with the events of the path \p E.
bool TraceDecoder::rebuild(
    TracedEvent &E, llvm::function_ref<bool(const TracedEvent &)> Use) const {
  const KnownMethod &M = *Thread->Stack.back().Method;
  bool Wants = true;
  TracedEvent Each = E;
  const auto End =
      M.Paths->follow(E.Number - M.First, [&](uint32_t First, uint32_t Count) {
        for (uint32_t I = 0; I < Count && Wants; ++I) {
          Each.Number = M.First + First + I;
          Each.IsReturn = isReturn(*M.Class, Each.Number);
          Wants = Use(Each);
        }
      });
  E.IsReturn = End == trace::Paths::End::Returns;
  return Wants;
}

TraceDecoder::Stop
TraceDecoder::run(llvm::function_ref<bool(int32_t)> IsLater, int32_t &Opened,
                  llvm::function_ref<bool(const TracedEvent &)> Use) {
  while (At != Limit && *At != 0) {
    const uint8_t *const Start = At;
    const int32_t Before = Time;
    TracedEvent E;
    const Outcome Is = record(E);
    if (Is == IsWrong) {
      At = Start;
      return Damaged;
    }
    if (*Start == OpenedRecord)
      Opened = Time;
    if (*Start == LostRecord)
      addGap(Opened);
    if (Time != Before && IsLater(Time))
      return Later;
    if (Is != IsEvent)
      continue;
    const ThreadState::Level &L = Thread->Stack.back();
    E.Thread = &Thread->Thread;
    E.Class = L.Method->Class;
    E.Of = &L;
    E.Level = Thread->Unknown + uint32_t(Thread->Stack.size());
    E.Milliseconds = Time;
    E.Opened = Opened;
    E.Types = Thread->Types;
    const bool IsPath = L.Method->Paths && !E.IsEnter && !E.IsArguments;
    if (!(IsPath ? rebuild(E, Use) : Use(E)))
      return Enough;
    Thread->Types.clear();
    if (E.IsReturn)
      Thread->Stack.pop_back();
  }
  return End;
}
