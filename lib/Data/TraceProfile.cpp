//===- TraceProfile.cpp - Traces as profiles ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two formats of profiles: pprof's adds up stacks, speedscope's has calls in
/// order.
///
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "CallTree.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include <libdeflate.h>
#include <memory>
#include <protozero/pbf_writer.hpp>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

/// Numbers of fields in pprof's profile.proto.
namespace pprof {
enum Profile {
  SampleType = 1,
  Sample,
  Mapping,
  Location,
  Function,
  StringTable,
  TimeNanos = 9
};
enum ValueType { Type = 1, Unit };
enum SampleFields { LocationId = 1, Value, Label };
enum LabelFields { Key = 1, Text };
enum LocationFields { Id = 1, Line = 4 };
enum LineFields { FunctionId = 1 };
enum FunctionFields { FunctionNumber = 1, Name, SystemName };
} // namespace pprof

namespace {
/// Texts by their numbers; 0 is the empty one.
class StringTable {
public:
  uint64_t number(StringRef Text) {
    auto [I, IsNew] = Numbers.try_emplace(Text.str(), Texts.size());
    if (IsNew)
      Texts.push_back(&I->first);
    return I->second;
  }
  llvm::ArrayRef<const std::string *> texts() const { return Texts; }

private:
  std::map<std::string, uint64_t> Numbers{{"", 0}};
  std::vector<const std::string *> Texts{&Numbers.begin()->first};
};
} // namespace

/// The profile, not yet packed.
static std::string profileOf(llvm::ArrayRef<CallTree::Node> Nodes,
                             const Run &R) {
  std::string Content;
  protozero::pbf_writer W(Content);
  StringTable Strings;
  auto Kind = [&](StringRef Type, StringRef Unit) {
    protozero::pbf_writer V(W, pprof::SampleType);
    V.add_int64(pprof::Type, int64_t(Strings.number(Type)));
    V.add_int64(pprof::Unit, int64_t(Strings.number(Unit)));
  };
  Kind("events", "count");
  Kind("time", "nanoseconds");
  const int64_t Thread = int64_t(Strings.number("thread"));
  // A method has one location and one function, which share its number.
  std::map<std::string, uint64_t> Methods;
  for (const CallTree::Node &N : Nodes.drop_front()) {
    if (N.Above == 0 || (!N.Events && !N.Milliseconds))
      continue;
    std::vector<uint64_t> Stack;
    const CallTree::Node *At = &N;
    for (; At->Above != 0; At = &Nodes[At->Above])
      Stack.push_back(
          Methods.try_emplace(At->Name, Methods.size() + 1).first->second);
    const int64_t Values[] = {int64_t(N.Events), N.Milliseconds * 1000000};
    protozero::pbf_writer S(W, pprof::Sample);
    S.add_packed_uint64(pprof::LocationId, Stack.begin(), Stack.end());
    S.add_packed_int64(pprof::Value, std::begin(Values), std::end(Values));
    protozero::pbf_writer L(S, pprof::Label);
    L.add_int64(pprof::Key, Thread);
    L.add_int64(pprof::Text, int64_t(Strings.number(json::fixUTF8(At->Name))));
  }
  for (const auto &[Name, Number] : Methods) {
    {
      protozero::pbf_writer L(W, pprof::Location);
      L.add_uint64(pprof::Id, Number);
      protozero::pbf_writer Line(L, pprof::Line);
      Line.add_uint64(pprof::FunctionId, Number);
    }
    const int64_t Text = int64_t(Strings.number(json::fixUTF8(Name)));
    protozero::pbf_writer F(W, pprof::Function);
    F.add_uint64(pprof::FunctionNumber, Number);
    F.add_int64(pprof::Name, Text);
    F.add_int64(pprof::SystemName, Text);
  }
  for (const std::string *Text : Strings.texts())
    W.add_string(pprof::StringTable, *Text);
  W.add_int64(pprof::TimeNanos, R.start() * 1000000);
  return Content;
}

Error data::exportPprof(const Traces &T, llvm::raw_ostream &OS, LeftOut Tell) {
  auto Tree = CallTree::read(T, Tell);
  if (!Tree)
    return Tree.takeError();
  const std::string Content = profileOf(Tree->nodes(), T.run());
  const std::unique_ptr<libdeflate_compressor,
                        decltype(&libdeflate_free_compressor)>
      C(libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  std::string Packed(libdeflate_gzip_compress_bound(C.get(), Content.size()),
                     0);
  Packed.resize(libdeflate_gzip_compress(
      C.get(), Content.data(), Content.size(), Packed.data(), Packed.size()));
  OS << Packed;
  return Error::success();
}

namespace {
/// The calls of each thread as events that open and close.
class SpeedscopeSpans : public CallSpans {
public:
  json::Array Frames;
  struct Track {
    std::string Name;
    int64_t Last = 0;
    json::Array Events;
    std::vector<int64_t> Open; ///< frames
  };
  std::map<uint32_t, Track> Tracks; ///< by the thread's number

protected:
  void thread(const TracedThread &Of) override {
    Tracks[Of.Number].Name = json::fixUTF8(displayName(Of));
  }
  void begin(const TracedThread &Of, int32_t Time, StringRef Name) override {
    auto [I, IsNew] = Numbers.try_emplace(Name.str(), int64_t(Numbers.size()));
    if (IsNew)
      Frames.push_back(json::Object{{"name", json::fixUTF8(Name)}});
    Track &To = Tracks[Of.Number];
    To.Open.push_back(I->second);
    add(To, "O", I->second, Time);
  }
  void end(const TracedThread &Of, int32_t Time) override {
    Track &To = Tracks[Of.Number];
    add(To, "C", To.Open.back(), Time);
    To.Open.pop_back();
  }

private:
  static void add(Track &To, StringRef Type, int64_t Frame, int32_t Time) {
    To.Last = std::max<int64_t>(To.Last, Time);
    To.Events.push_back(
        json::Object{{"type", Type}, {"frame", Frame}, {"at", To.Last}});
  }
  std::map<std::string, int64_t> Numbers;
};
} // namespace

Error data::exportSpeedscope(const Traces &T, llvm::raw_ostream &OS,
                             LeftOut Tell) {
  SpeedscopeSpans Spans;
  if (Error E = Spans.run(T, Tell))
    return E;
  json::Array Profiles;
  for (auto &[Number, Of] : Spans.Tracks)
    Profiles.push_back(json::Object{{"type", "evented"},
                                    {"name", Of.Name},
                                    {"unit", "milliseconds"},
                                    {"startValue", 0},
                                    {"endValue", Of.Last},
                                    {"events", std::move(Of.Events)}});
  OS << json::Value(json::Object{
            {"$schema", "https://www.speedscope.app/file-format-schema.json"},
            {"exporter", "jopt"},
            {"name", "run " + T.run().id().str()},
            {"shared", json::Object{{"frames", std::move(Spans.Frames)}}},
            {"profiles", std::move(Profiles)}})
     << '\n';
  return Error::success();
}
