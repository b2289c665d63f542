//===- Traces.cpp - The events of one run ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Traces.h"
#include "TraceDecoder.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include <queue>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Definitions; the events below are of tables.
enum : uint8_t {
  StringDefinition = 1,
  ClassDefinition = 16,
  MethodDefinition = 17
};

std::string TracedClass::method(uint32_t Number) const {
  const trace::MethodDeclaration &M = Declared.Methods[Number];
  return Declared.Strings[M.Name] + Declared.Strings[M.Descriptor];
}

void Traces::addClass(uint32_t Number, StringRef Text, LeftOut Tell) {
  auto D = trace::decode(Text);
  if (!D) {
    Tell(R->folder() + ": " + toMessage(D.takeError()));
    return;
  }
  TracedClass C;
  C.Declared = std::move(*D);
  for (uint32_t M = 0; M < C.Declared.Methods.size(); ++M) {
    C.FirstEvents.push_back(uint32_t(C.Methods.size()));
    trace::MethodDeclaration &Of = C.Declared.Methods[M];
    C.Methods.insert(C.Methods.end(), Of.Events.size(), M);
    if (Of.Segments.empty())
      continue;
    auto Paths = trace::Paths::number(std::move(Of.Segments));
    if (!Paths) {
      Tell(R->folder() + ": the declarations of class " + C.Declared.Name +
           " are broken");
      return;
    }
    C.Paths.emplace(M, std::move(*Paths));
  }
  C.FirstEvents.push_back(uint32_t(C.Methods.size()));
  if (ClassNumbers.try_emplace(Number, Classes.size()).second)
    Classes.push_back(std::move(C));
}

bool Traces::define(const EventView &E, LeftOut Tell) {
  ByteCursor C(E.Payload);
  const uint32_t Number = C.u4();
  if (E.Kind == StringDefinition) {
    Strings[Number] = toDisplayUTF8(jopt::toStringRef(C.bytes(C.remaining())));
  } else if (E.Kind == ClassDefinition) {
    std::string &Text = Texts[Number];
    Text += jopt::toStringRef(C.bytes(C.remaining()));
    if (E.Argument == 0) {
      addClass(Number, Text, Tell);
      Texts.erase(Number);
    }
  } else if (E.Kind == MethodDefinition) {
    Method &M = Methods[Number];
    M.Class = C.u4();
    M.Event = C.u4();
  }
  return !C.failed();
}

Expected<Traces> Traces::open(const Run &R, LeftOut Tell) {
  Traces T(R);
  Error E = R.forEachChunk(
      ChunkKind::Definitions, Tell, [&](const ChunkView &V) -> Error {
        bool Fine = true;
        Fine &= data::forEachEvent(V.Events, [&](const EventView &E) {
          if (E.Kind == ClassDefinition || E.Kind == MethodDefinition ||
              E.Kind == StringDefinition)
            Fine &= T.define(E, Tell);
        });
        if (!Fine)
          Tell(R.folder() + ": definitions in chunk " + Twine(V.Sequence) +
               " are damaged");
        return Error::success();
      });
  if (E)
    return E;
  E = R.forEachChunk(ChunkKind::Traces, Tell, [&](const ChunkView &V) {
    T.Streams[V.Stream].push_back({V.Part, V.Sequence, V.Time, V.Place});
    return Error::success();
  });
  if (E)
    return E;
  for (auto &[Stream, Parts] : T.Streams)
    llvm::sort(Parts, [](const Part &A, const Part &B) {
      return std::tie(A.Number, A.Sequence) < std::tie(B.Number, B.Sequence);
    });
  return T;
}

namespace jopt::data {

/// The streams of a run, merged by time.
class TraceMerger {
public:
  TraceMerger(const Traces &T, LeftOut Tell) : T(T), Tell(Tell) {
    Known.reserve(T.Methods.size());
    for (const auto &[Number, M] : T.Methods)
      addMethod(Number, M);
    for (const auto &[Number, Parts] : T.Streams) {
      Streams.push_back({Number, Parts, 0, {}, {}});
      Waiting.push({int32_t(Parts[0].Time / 1000000), Streams.size() - 1});
    }
  }

  void run(llvm::function_ref<bool(const TracedEvent &)> Use) {
    merge(Use);
    Threads.forEach([&](const ThreadState &S) {
      if (S.Gaps == 0)
        return;
      const std::string Places =
          S.Gaps == 1 ? "a place," : std::to_string(S.Gaps) + " places, first";
      Tell(T.R->folder() + ": thread " + Twine(S.Thread.Id) + " (" +
           S.Thread.Name + "): events may be missing in " + Places + " " +
           S.FirstGap + ": there was no stack or memory left to record them");
    });
  }

private:
  struct Stream {
    uint32_t Number;
    llvm::ArrayRef<Traces::Part> Parts;
    size_t Next;
    std::vector<char> Buffer;
    std::optional<TraceDecoder> Decoder;
  };

  void merge(llvm::function_ref<bool(const TracedEvent &)> Use) {
    while (!Waiting.empty()) {
      const size_t I = Waiting.top().second;
      Waiting.pop();
      Stream &S = Streams[I];
      // Up to where another stream is next.
      const std::pair<int32_t, size_t> Next =
          Waiting.empty() ? std::pair(INT32_MAX, size_t(0)) : Waiting.top();
      auto IsNext = [&](int32_t Time) { return std::pair(Time, I) > Next; };
      while (true) {
        if (!S.Decoder && !begin(S))
          break;
        if (IsNext(S.Decoder->time())) {
          Waiting.push({S.Decoder->time(), I});
          break;
        }
        const auto Stopped = S.Decoder->run(
            [&](int32_t Time) { return IsNext(Time); }, Opened, Use);
        if (Stopped == TraceDecoder::Enough)
          return;
        if (Stopped == TraceDecoder::Later)
          continue;
        if (Stopped == TraceDecoder::Damaged) {
          Tell(T.R->files()[S.Parts[S.Next - 1].Place.File] + ": at " +
               Twine(S.Parts[S.Next - 1].Place.Offset) +
               ": events are damaged from " + Twine(S.Decoder->offset()) +
               " on");
          Threads.forget(S.Number);
        }
        end(S);
        // Another may be first now.
        if (S.Next < S.Parts.size()) {
          Waiting.push({int32_t(S.Parts[S.Next].Time / 1000000), I});
          break;
        }
      }
    }
  }

  void addMethod(uint32_t Number, const Traces::Method &M) {
    auto C = T.ClassNumbers.find(M.Class);
    if (C == T.ClassNumbers.end())
      return;
    const TracedClass &Class = T.Classes[C->second];
    if (M.Event >= Class.Methods.size())
      return;
    const uint32_t Method = Class.Methods[M.Event];
    KnownMethod &To = Known[Number];
    To = {&Class,  C->second,
          Method,  Class.FirstEvents[Method],
          M.Event, Class.FirstEvents[Method + 1]};
    if (auto P = Class.Paths.find(Method); P != Class.Paths.end()) {
      To.Paths = &P->second;
      To.First = M.Event + 1;
      To.End = To.First + To.Paths->size();
    }
  }

  /// The next part of \p S; false if there is none.
  bool begin(Stream &S) {
    while (S.Next < S.Parts.size()) {
      const Traces::Part &P = S.Parts[S.Next++];
      const uint32_t Before = S.Next > 1 ? S.Parts[S.Next - 2].Number : 0;
      if (P.Number != Before + 1) {
        Threads.forget(S.Number);
        if (S.Next > 1 || T.R->get("ring") != "true")
          Tell(T.R->folder() + ": stream " + Twine(S.Number) + ": " +
               (P.Number > Before + 1
                    ? "parts " + Twine(Before + 1) + " to " +
                          Twine(P.Number - 1) + " are missing"
                    : "part " + Twine(P.Number) + " is there twice"));
      }
      auto Chunk = T.R->readChunk(P.Place, S.Buffer);
      if (!Chunk) {
        Tell(T.R->files()[P.Place.File] + ": " + toMessage(Chunk.takeError()));
        continue;
      }
      if (Chunk->Sequence != P.Sequence) {
        Tell(T.R->files()[P.Place.File] +
             ": the program is still writing: a part of it is gone");
        continue;
      }
      S.Decoder.emplace(*Chunk, Known, Threads);
      return true;
    }
    end(S);
    return false;
  }

  void end(Stream &S) {
    S.Decoder.reset();
    std::vector<char>().swap(S.Buffer);
  }

  const Traces &T;
  LeftOut Tell;
  KnownMethods Known;
  ThreadStates Threads;
  int32_t Opened = 0;
  std::vector<Stream> Streams;
  std::priority_queue<std::pair<int32_t, size_t>,
                      std::vector<std::pair<int32_t, size_t>>, std::greater<>>
      Waiting;
};

} // namespace jopt::data

Error Traces::forEachEvent(LeftOut Tell,
                           llvm::function_ref<bool(const TracedEvent &)> Use,
                           bool WithArguments) const {
  if (WithArguments)
    TraceMerger(*this, Tell).run(Use);
  else
    TraceMerger(*this, Tell).run([&](const TracedEvent &E) {
      return E.IsArguments || Use(E);
    });
  return Error::success();
}

StringRef Traces::typeName(uint32_t Type) const {
  if (Type == 0)
    return "";
  auto I = Strings.find(Type - 1);
  return I == Strings.end() ? "?" : StringRef(I->second);
}
