//===- Profile.cpp - What sampled stacks add up to ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Profile.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Support/Page.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace jopt;
using namespace jopt::client;
using llvm::raw_ostream;
using llvm::StringRef;
namespace json = llvm::json;

/// Flame.html.
static constexpr uint8_t FlamePage[] = {
#include "jopt/Client/Flame.inc"
};

/// Calls below this part of all are left out of trees and pages.
static constexpr double LeastOfTree = 0.005, LeastOfPage = 0.0002;

namespace {
struct Sum {
  uint64_t Samples = 0, Own = 0, Total = 0;
};

/// The calls from one place, by their names.
struct CallNode : Sum {
  std::map<std::string, CallNode> Calls;
};
} // namespace

bool client::matchesFrame(StringRef Pattern, StringRef Frame) {
  auto [Class, Method] = Pattern.split('#');
  auto [OfFrame, Name] = Frame.rsplit('.');
  if (!matchesWildcard(Method, Name))
    return false;
  const StringRef Simple =
      Class.contains('.') ? OfFrame : OfFrame.rsplit('.').second;
  return matchesWildcard(Class, OfFrame) ||
         (!Simple.empty() && matchesWildcard(Class, Simple));
}

void client::keepDuring(SampledStacks &S, StringRef Pattern) {
  llvm::erase_if(S.Stacks, [&](const SampledStack &Stack) {
    return llvm::none_of(Stack.Frames, [&](const std::string &Frame) {
      return matchesFrame(Pattern, Frame);
    });
  });
}

static CallNode treeOf(const SampledStacks &S) {
  CallNode Root;
  for (const SampledStack &Stack : S.Stacks) {
    CallNode *At = &Root;
    auto Count = [&] {
      At->Samples += Stack.Samples;
      At->Total += Stack.Weight;
    };
    Count();
    for (const std::string &Frame : Stack.Frames) {
      At = &At->Calls[Frame];
      Count();
    }
    At->Own += Stack.Weight;
  }
  return Root;
}

/// The calls of \p N from \p Least on, the largest first.
static std::vector<std::pair<StringRef, const CallNode *>>
callsOf(const CallNode &N, double Least) {
  std::vector<std::pair<StringRef, const CallNode *>> All;
  for (const auto &[Name, Call] : N.Calls)
    if (double(Call.Total) >= Least)
      All.emplace_back(Name, &Call);
  llvm::stable_sort(All, [](const auto &A, const auto &B) {
    return A.second->Total > B.second->Total;
  });
  return All;
}

static StringRef metricOf(SampledKind Kind) {
  return Kind == SampledKind::Cpu    ? "cpu"
         : Kind == SampledKind::Wall ? "wall"
                                     : "alloc";
}

/// `1234.5` milliseconds, or bytes.
static std::string amount(uint64_t Weight, SampledKind Kind) {
  return Kind == SampledKind::Alloc
             ? std::to_string(Weight)
             : llvm::formatv("{0:F1}", double(Weight) / 1e6).str();
}

static void addAmounts(json::OStream &J, const Sum &N, SampledKind Kind) {
  J.attribute("samples", int64_t(N.Samples));
  if (Kind == SampledKind::Alloc) {
    J.attribute("total_bytes", int64_t(N.Total));
    J.attribute("own_bytes", int64_t(N.Own));
  } else {
    J.attribute("total_ms", double(N.Total) / 1e6);
    J.attribute("own_ms", double(N.Own) / 1e6);
  }
}

static int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Says in front of a table how it came to be.
static void printHead(const SampledStacks &S, const Sum &All, SampledKind Kind,
                      raw_ostream &OS) {
  OS << llvm::formatv("{0}: {1} samples in {2:F1} s by {3}\n", metricOf(Kind),
                      All.Samples, double(S.Took.count()) / 1000, S.By);
  const StringRef Unit = Kind == SampledKind::Alloc ? "bytes" : "ms";
  OS << llvm::formatv("{0,14} {1,14} {2,6}  method\n", ("total_" + Unit).str(),
                      ("own_" + Unit).str(), "own");
}

static void printRow(StringRef Name, const Sum &Of, const Sum &All,
                     SampledKind Kind, unsigned Depth, raw_ostream &OS) {
  OS << llvm::formatv(
      "{0,14} {1,14} {2,5:F1}%  ", amount(Of.Total, Kind), amount(Of.Own, Kind),
      All.Total ? 100.0 * double(Of.Own) / double(All.Total) : 0.0);
  OS.indent(2 * Depth) << Name << '\n';
}

void client::printTop(const SampledStacks &S, const ProfileOptions &O,
                      raw_ostream &OS) {
  llvm::StringMap<Sum> Methods;
  Sum All;
  for (const SampledStack &Stack : S.Stacks) {
    All.Samples += Stack.Samples;
    All.Total += Stack.Weight;
    llvm::StringSet<> Seen; // of a recursion one counts
    for (StringRef Frame : Stack.Frames)
      if (Seen.insert(Frame).second) {
        Methods[Frame].Samples += Stack.Samples;
        Methods[Frame].Total += Stack.Weight;
      }
    Methods[Stack.Frames.back()].Own += Stack.Weight;
  }
  std::vector<std::pair<StringRef, const Sum *>> Rows;
  for (const auto &M : Methods)
    if (O.Patterns.empty() || llvm::any_of(O.Patterns, [&](StringRef P) {
          return matchesFrame(P, M.getKey());
        }))
      Rows.emplace_back(M.getKey(), &M.getValue());
  llvm::sort(Rows, [](const auto &A, const auto &B) {
    return std::make_tuple(B.second->Own, B.second->Total, A.first) <
           std::make_tuple(A.second->Own, A.second->Total, B.first);
  });
  if (Rows.size() > O.Rows)
    Rows.resize(O.Rows);
  if (!O.AsJson)
    printHead(S, All, O.Kind, OS);
  const int64_t Time = now();
  for (const auto &[Name, Of] : Rows) {
    if (!O.AsJson) {
      printRow(Name, *Of, All, O.Kind, 0, OS);
      continue;
    }
    json::OStream J(OS);
    J.object([&, Name = Name, Of = Of] {
      J.attribute("time", Time);
      J.attribute("metric", metricOf(O.Kind));
      J.attribute("key", json::fixUTF8(Name));
      addAmounts(J, *Of, O.Kind);
    });
    OS << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

static void printCalls(const CallNode &Of, const Sum &All, double Least,
                       SampledKind Kind, unsigned Depth, raw_ostream &OS) {
  for (const auto &[Name, Call] : callsOf(Of, Least)) {
    printRow(Name, *Call, All, Kind, Depth, OS);
    // Frameworks have hundreds of levels: the only call is in the same column.
    const bool IsChain = Call->Own == 0 && callsOf(*Call, Least).size() == 1;
    printCalls(*Call, All, Least, Kind, Depth + !IsChain, OS);
  }
}

static void writeCalls(json::OStream &J, const CallNode &Of, double Least,
                       SampledKind Kind);

static void writeCall(json::OStream &J, StringRef Name, const CallNode &Call,
                      double Least, SampledKind Kind) {
  J.attribute("method", json::fixUTF8(Name));
  addAmounts(J, Call, Kind);
  writeCalls(J, Call, Least, Kind);
}

static void writeCalls(json::OStream &J, const CallNode &Of, double Least,
                       SampledKind Kind) {
  const auto Calls = callsOf(Of, Least);
  if (Calls.empty())
    return;
  J.attributeArray("calls", [&] {
    for (const auto &[Name, Call] : Calls)
      J.object([&, Name = Name, Call = Call] {
        writeCall(J, Name, *Call, Least, Kind);
      });
  });
}

void client::printTree(const SampledStacks &S, const ProfileOptions &O,
                       raw_ostream &OS) {
  const CallNode Root = treeOf(S);
  const double Least = LeastOfTree * double(Root.Total);
  if (!O.AsJson) {
    printHead(S, Root, O.Kind, OS);
    printCalls(Root, Root, Least, O.Kind, 0, OS);
    return;
  }
  const int64_t Time = now();
  for (const auto &[Name, Call] : callsOf(Root, Least)) {
    json::OStream J(OS);
    J.object([&, Name = Name, Call = Call] {
      J.attribute("time", Time);
      J.attribute("metric", metricOf(O.Kind));
      writeCall(J, Name, *Call, Least, O.Kind);
    });
    OS << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Flame graphs
//===----------------------------------------------------------------------===//

/// `[NAME, TOTAL, OWN, [CALLS]]`, names by their numbers.
static void writeFlame(json::OStream &J, StringRef Name, const CallNode &N,
                       double Least,
                       llvm::function_ref<int64_t(StringRef)> NumberOf) {
  J.array([&] {
    J.value(NumberOf(Name));
    J.value(int64_t(N.Total));
    J.value(int64_t(N.Own));
    J.array([&] {
      for (const auto &[Of, Call] : callsOf(N, Least))
        writeFlame(J, Of, *Call, Least, NumberOf);
    });
  });
}

std::string client::makeFlameGraph(const SampledStacks &S, SampledKind Kind,
                                   StringRef Title) {
  const CallNode Root = treeOf(S);
  std::string Data, Text;
  llvm::raw_string_ostream DataOS(Data), OS(Text);
  json::OStream J(DataOS);
  llvm::StringMap<int64_t> Numbers;
  std::vector<std::string> Names;
  auto NumberOf = [&](StringRef Name) {
    auto [At, IsNew] = Numbers.try_emplace(Name, int64_t(Names.size()));
    if (IsNew)
      Names.push_back(json::fixUTF8(Name));
    return At->second;
  };
  J.object([&] {
    J.attribute("title", json::fixUTF8(Title));
    J.attribute("metric", metricOf(Kind));
    J.attribute("by", S.By);
    J.attribute("seconds", double(S.Took.count()) / 1000);
    J.attribute("samples", int64_t(Root.Samples));
    J.attributeBegin("root");
    writeFlame(J, "all", Root, LeastOfPage * double(Root.Total), NumberOf);
    J.attributeEnd();
    J.attributeArray("names", [&] {
      for (const std::string &Name : Names)
        J.value(Name);
    });
  });
  printPage(toStringRef(jopt::Bytes(FlamePage)), DataOS.str(), OS);
  return OS.str();
}
