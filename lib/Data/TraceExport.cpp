//===- TraceExport.cpp - Traces for other tools ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSpans.h"
#include "CallTree.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

/// \p Name as a frame of a stack in a line.
static std::string frame(std::string Name) {
  for (char &C : Name)
    if (C == ';' || uint8_t(C) < 0x20)
      C = C == ';' ? ',' : ' ';
  return Name;
}

Error data::exportCollapsed(const Traces &T, llvm::raw_ostream &OS,
                            LeftOut Tell) {
  auto Tree = CallTree::read(T, Tell);
  if (!Tree)
    return Tree.takeError();
  llvm::ArrayRef<CallTree::Node> Nodes = Tree->nodes();
  std::vector<std::string> Lines;
  for (const CallTree::Node &N : Nodes) {
    if (N.Events == 0)
      continue;
    std::string Stack = frame(N.Name);
    for (uint32_t I = N.Above; I != 0; I = Nodes[I].Above)
      Stack = frame(Nodes[I].Name) + ";" + Stack;
    Lines.push_back(Stack + " " + std::to_string(N.Events));
  }
  llvm::sort(Lines);
  for (const std::string &L : Lines)
    OS << L << '\n';
  return Error::success();
}

Error data::exportPerfetto(const Traces &T, llvm::raw_ostream &OS,
                           LeftOut Tell) {
  llvm::json::OStream J(OS);
  auto Slice = [&](const char *Phase, const TracedThread &Thread,
                   int32_t Milliseconds, StringRef Name) {
    J.object([&] {
      J.attribute("ph", Phase);
      J.attribute("pid", 1);
      J.attribute("tid", Thread.Id);
      J.attribute("ts", int64_t(Milliseconds) * 1000);
      if (!Name.empty()) {
        J.attribute("name", Name);
        J.attribute("cat", "call");
      }
    });
  };
  struct Slices : CallSpans {
    decltype(Slice) &Write;
    llvm::json::OStream &J;
    Slices(decltype(Slice) &Write, llvm::json::OStream &J)
        : Write(Write), J(J) {}
    void thread(const TracedThread &Of) override {
      J.object([&] {
        J.attribute("ph", "M");
        J.attribute("pid", 1);
        J.attribute("tid", Of.Id);
        J.attribute("name", "thread_name");
        J.attributeObject("args",
                          [&] { J.attribute("name", displayName(Of)); });
      });
    }
    void begin(const TracedThread &Of, int32_t Time, StringRef Name) override {
      Write("B", Of, Time, Name);
    }
    void end(const TracedThread &Of, int32_t Time) override {
      Write("E", Of, Time, "");
    }
  } Out(Slice, J);
  J.objectBegin();
  J.attribute("displayTimeUnit", "ms");
  J.attributeBegin("traceEvents");
  J.arrayBegin();
  Error Failed = Out.run(T, Tell);
  J.arrayEnd();
  J.attributeEnd();
  J.objectEnd();
  OS << '\n';
  return Failed;
}
