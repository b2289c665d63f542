//===- Replay.cpp - A page that steps through a trace ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Replay.h"
#include "jopt/Data/TracePrint.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Replay.html.
static constexpr uint8_t ReplayPage[] = {
#include "jopt/Data/Replay.inc"
};

static constexpr StringRef ReplayMark = "@DATA@";

namespace {
/// Collects what the script of the page reads.
class ReplayData {
public:
  explicit ReplayData(const ReplayOptions &Options) : Options(Options) {}

  /// \p E is execution \p Id.
  void add(const TracedEvent &E, uint64_t Id);
  bool empty() const { return Total == 0; }
  uint64_t leftOut() const { return Total - Events.size(); }
  json::Value take(llvm::function_ref<std::string(StringRef)> Source);

private:
  int64_t text(const std::string &S) {
    return int64_t(Texts.insert({S, Texts.size()}).first->second);
  }
  bool isWanted(const TracedThread &T);
  int64_t operands(const TracedEvent &E);

  const ReplayOptions &Options;
  std::optional<uint32_t> Thread; ///< TracedThread::Number
  std::string ThreadName;
  uint64_t Total = 0; ///< executions of it
  llvm::MapVector<std::string, size_t, std::map<std::string, unsigned>> Texts;
  /// By class and method: names of method and file, in Texts.
  std::map<std::pair<uint32_t, uint32_t>, size_t> MethodNumbers;
  json::Array Methods, Events;
  std::map<std::string, bool> Files;
};
} // namespace

bool ReplayData::isWanted(const TracedThread &T) {
  if (!Thread) {
    if (!Options.Thread.empty() && Options.Thread != T.Name &&
        Options.Thread != std::to_string(T.Id))
      return false;
    Thread = T.Number;
    ThreadName = (Twine(T.Name) + " (" + Twine(T.Id) + ")").str();
  }
  return *Thread == T.Number;
}

/// The number in Texts of the operands that the declaration of \p E has.
int64_t ReplayData::operands(const TracedEvent &E) {
  const trace::ClassDeclarations &D = E.Class->Declared;
  const trace::Event &Of = E.Class->event(E.Number);
  const trace::MethodDeclaration &M = D.Methods[E.Of->MethodNumber];
  std::string Text;
  uint32_t At = Of.FirstOperand;
  for (char Letter : D.Kinds[Of.Kind].Operands) {
    const trace::Operand &O = M.Operands[At++];
    Text += (Text.empty() ? "" : " ") +
            (Letter == 's' ? D.Strings[O.String] : std::to_string(O.Number));
  }
  return text(toDisplayUTF8(Text));
}

void ReplayData::add(const TracedEvent &E, uint64_t Id) {
  if (!isWanted(*E.Thread) || Id < Options.First)
    return;
  if (++Total > Options.MaxEvents)
    return;
  const trace::ClassDeclarations &D = E.Class->Declared;
  const trace::Event &Of = E.Class->event(E.Number);
  const trace::Kind &K = D.Kinds[Of.Kind];
  auto [Method, IsNew] = MethodNumbers.try_emplace(
      {E.Of->Class, E.Of->MethodNumber}, Methods.size());
  if (IsNew) {
    const size_t Slash = D.Name.rfind('/');
    const std::string File = toDisplayUTF8(
        (Slash == std::string::npos ? "" : D.Name.substr(0, Slash + 1)) +
        D.SourceFile);
    Files[File];
    Methods.push_back(json::Array{
        text(toDisplayUTF8(D.Name + "." + E.Class->method(E.Of->MethodNumber))),
        text(File)});
  }
  auto Or = [](bool Is, int64_t N) { return Is ? json::Value(N) : nullptr; };
  const bool HasLine = K.Opcode != -2 && K.Opcode != -3 && K.Opcode != -5;
  Events.push_back(json::Array{
      int64_t(Id), text(K.Executed), K.Opcode, int64_t(Method->second),
      int64_t(E.Level), HasLine ? Of.Line : -1, int64_t(Of.BCI),
      int64_t(std::max(0, E.Milliseconds - E.Opened)), operands(E),
      Or(E.Of->HasHost, E.Of->Host), Or(E.HasObject, E.Object),
      Or(E.IsArray, E.Index), Or(E.HasValue, E.Value)});
}

json::Value
ReplayData::take(llvm::function_ref<std::string(StringRef)> Source) {
  json::Array Strings;
  for (const auto &[S, Number] : Texts)
    Strings.push_back(json::fixUTF8(S));
  json::Object Sources;
  for (const auto &[Name, Unused] : Files)
    if (std::string Text = Source(Name); !Text.empty())
      Sources[Name] = json::fixUTF8(Text);
  return json::Object{
      {"thread", json::fixUTF8(ThreadName)}, {"total", int64_t(Total)},
      {"texts", std::move(Strings)},         {"methods", std::move(Methods)},
      {"sources", std::move(Sources)},       {"events", std::move(Events)}};
}

Expected<uint64_t>
data::writeReplay(const Traces &T, const ReplayOptions &Options,
                  llvm::function_ref<std::string(StringRef)> Source,
                  llvm::raw_ostream &OS, LeftOut Tell) {
  const auto HasLine = linesOf(T);
  ReplayData Data(Options);
  uint64_t Id = 0;
  if (Error E = T.forEachEvent(Tell, [&](const TracedEvent &E) {
        if (HasLine(E))
          Data.add(E, ++Id);
        return true;
      }))
    return E;
  if (Data.empty())
    return makeError(Options.Thread.empty()
                         ? "the trace has no execution " + Twine(Options.First)
                         : "thread '" + Options.Thread +
                               "' has no execution from " +
                               Twine(Options.First) + " on");
  const uint64_t LeftOut = Data.leftOut();
  std::string Text;
  llvm::raw_string_ostream(Text) << Data.take(Source);
  auto [Head, Tail] =
      StringRef(reinterpret_cast<const char *>(ReplayPage), sizeof(ReplayPage))
          .split(ReplayMark);
  OS << Head;
  // Nothing in it ends the script element.
  for (StringRef Rest = Text; !Rest.empty();) {
    auto [Before, Behind] = Rest.split('<');
    OS << Before << (Before.size() < Rest.size() ? "\\u003c" : "");
    Rest = Behind;
  }
  OS << Tail;
  return LeftOut;
}
