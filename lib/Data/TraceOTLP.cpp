//===- TraceOTLP.cpp - Traces as spans of OpenTelemetry -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "jopt/Data/TracePrint.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;
namespace json = llvm::json;

static json::Object textAttribute(StringRef Key, StringRef Value) {
  return json::Object{{"key", Key},
                      {"value", json::Object{{"stringValue", Value.str()}}}};
}

/// Numbers of 64 bits are texts in OTLP's JSON.
static json::Object numberAttribute(StringRef Key, int64_t Value) {
  return json::Object{
      {"key", Key},
      {"value", json::Object{{"intValue", std::to_string(Value)}}}};
}

namespace {
/// Writes each span when it ends, and a line for so many of them.
class SpanWriter : public CallSpans {
public:
  SpanWriter(const Run &R, llvm::raw_ostream &OS) : R(R), OS(OS) {}

  /// Writes the last line.
  void flush();

protected:
  void thread(const TracedThread &) override {}
  void begin(const TracedThread &Of, int32_t Time, StringRef Name) override;
  void end(const TracedThread &Of, int32_t Time) override;

private:
  static constexpr size_t SpansOfLine = 1000;
  struct Span {
    uint64_t Root; ///< the number of the outermost span
    uint64_t Id;
    uint64_t Parent; ///< 0 if there is none
    int32_t Begin;
    std::string Name;
  };
  std::string nanoseconds(int32_t Time) const {
    return std::to_string((R.start() + Time) * 1000000);
  }

  const Run &R;
  llvm::raw_ostream &OS;
  uint64_t LastId = 0;
  std::map<uint32_t, std::vector<Span>> Open; ///< by the thread's number
  json::Array Ended;
};
} // namespace

void SpanWriter::begin(const TracedThread &Of, int32_t Time, StringRef Name) {
  std::vector<Span> &Stack = Open[Of.Number];
  const uint64_t Id = ++LastId;
  Stack.push_back({Stack.empty() ? Id : Stack.front().Id, Id,
                   Stack.empty() ? 0 : Stack.back().Id, Time, Name.str()});
}

void SpanWriter::end(const TracedThread &Of, int32_t Time) {
  std::vector<Span> &Stack = Open[Of.Number];
  const Span S = std::move(Stack.back());
  Stack.pop_back();
  // A call from outside of traced code begins a trace, whose id is the first
  // half of the run's and the number of this span.
  json::Object O{
      {"traceId", StringRef(R.id()).take_front(16).str() +
                      llvm::utohexstr(S.Root, /*LowerCase=*/true, 16)},
      {"spanId", llvm::utohexstr(S.Id, /*LowerCase=*/true, 16)},
      {"name", S.Name},
      {"kind", 1},
      {"startTimeUnixNano", nanoseconds(S.Begin)},
      {"endTimeUnixNano", nanoseconds(Time)},
      {"attributes",
       json::Array{numberAttribute("thread.id", Of.Id),
                   textAttribute("thread.name", displayName(Of))}}};
  if (S.Parent)
    O["parentSpanId"] = llvm::utohexstr(S.Parent, /*LowerCase=*/true, 16);
  Ended.push_back(std::move(O));
  if (Ended.size() == SpansOfLine)
    flush();
}

void SpanWriter::flush() {
  if (Ended.empty())
    return;
  json::Array Resource{textAttribute("service.name", "java"),
                       textAttribute("jopt.run", R.id())};
  for (const auto &[Key, Value] : R.entries())
    if (Key == "java")
      Resource.push_back(textAttribute("process.runtime.version", Value));
  json::Object Scope{{"scope", json::Object{{"name", "jopt"}}},
                     {"spans", std::move(Ended)}};
  json::Object Spans{
      {"resource", json::Object{{"attributes", std::move(Resource)}}},
      {"scopeSpans", json::Array{std::move(Scope)}}};
  OS << json::Value(
            json::Object{{"resourceSpans", json::Array{std::move(Spans)}}})
     << '\n';
  Ended = json::Array();
}

llvm::Error data::exportOTLP(const Traces &T, llvm::raw_ostream &OS,
                             LeftOut Tell) {
  SpanWriter Out(T.run(), OS);
  llvm::Error Failed = Out.run(T, Tell);
  Out.flush();
  return Failed;
}
