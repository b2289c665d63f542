//===- SourceVerbs.cpp - Traces beside the source -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceVerbs.h"
#include "TraceVerbs.h"
#include "jopt/Data/Replay.h"
#include "jopt/Slice/Slice.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::data;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static cl::opt<std::string>
    At("at", cl::value_desc("ID|FILE:LINE"), cl::cat(ToolOptions),
       cl::desc("For slice: from that execution, or the last one of the line. "
                "For replay: from that execution on"));
static cl::opt<std::string>
    Variable("variable", cl::value_desc("NAME"), cl::cat(ToolOptions),
             cl::desc("For slice of a line: what led to this local variable or "
                      "field, as it is behind the line"));
static cl::list<std::string>
    ClassPath("classpath", cl::value_desc("PATH:..."), cl::cat(ToolOptions),
              cl::desc("For slice: the classes as they were before they were "
                       "traced; folders, archives"));
static cl::list<std::string>
    Sources("sources", cl::value_desc("FOLDER"), cl::cat(ToolOptions),
            cl::desc("For slice, replay and coverage: where the sources are"));
static cl::opt<uint64_t>
    Limit("limit", cl::value_desc("N"), cl::cat(ToolOptions),
          cl::desc("For slice: hold up to so many executions (50 million), "
                   "each some 20 bytes. For replay: show so many (100000)"));

llvm::ArrayRef<std::string> data::sourceFolders() {
  return static_cast<std::vector<std::string> &>(Sources);
}

std::optional<std::string> data::sourceFile(StringRef Name) {
  // It is as class files have it.
  if (!staysBelow(Name))
    return std::nullopt;
  for (const std::string &Folder : Sources) {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    if (llvm::sys::fs::exists(Path))
      return Path.str().str();
  }
  return std::nullopt;
}

std::string data::readSource(StringRef Name) {
  constexpr size_t Limit = 64 << 20;
  auto Path = sourceFile(Name);
  auto Text = Path ? readRegular(*Path, {Limit}) : std::string();
  if (Text)
    return std::move(*Text);
  llvm::consumeError(Text.takeError());
  return {};
}

namespace {
/// The text of lines, file by file.
class SourceLines {
public:
  /// Empty if it is not there.
  StringRef line(const slice::SourceLine &L) {
    auto [It, IsNew] = Files.try_emplace(L.File);
    if (IsNew)
      It->second = readSource(L.File);
    if (L.Line < 1)
      return {};
    StringRef Rest = It->second;
    for (int32_t N = 1; N < L.Line; ++N)
      Rest = Rest.split('\n').second;
    return Rest.split('\n').first.rtrim();
  }

private:
  std::map<std::string, std::string> Files;
};
} // namespace

static Expected<slice::Criterion> criterion() {
  slice::Criterion C;
  C.Variable = Variable;
  if (Limit.getNumOccurrences())
    C.MaxExecutions = Limit;
  auto [File, Line] = StringRef(At).rsplit(':');
  if (!StringRef(At).getAsInteger(10, C.Execution) && C.Execution) {
    if (!Variable.empty())
      return makeError("-variable= wants a line: -at=FILE:LINE");
    return C;
  }
  if (File.empty() || Line.getAsInteger(10, C.Line) || C.Line < 1)
    return makeError("slice wants -at=ID, of an execution as print numbers "
                     "them, or -at=FILE:LINE");
  C.File = File.str();
  return C;
}

Error data::sliceTraces(llvm::ArrayRef<Run> Runs, StringRef Output,
                        LeftOut Tell) {
  auto From = criterion();
  if (!From)
    return From.takeError();
  std::vector<std::string> Path;
  for (StringRef Entries : ClassPath)
    for (StringRef Entry : llvm::split(Entries, ':'))
      Path.push_back(Entry.str());
  if (Path.empty())
    return makeError("slice wants -classpath=, the classes as they were before "
                     "they were traced");
  return writeTraces(
      Runs, Output, Tell, [&](const Traces &T, llvm::raw_ostream &OS) -> Error {
        auto Classes = readClassPath(Path, 0);
        if (!Classes)
          return Classes.takeError();
        auto S = slice::slice(T, std::move(*Classes), *From, Tell);
        if (!S)
          return S.takeError();
        SourceLines Text;
        for (const slice::SourceLine &L : S->Lines) {
          OS << L.File << ':'
             << (L.Line < 0 ? std::string("?") : std::to_string(L.Line));
          if (StringRef Source = Text.line(L); !Source.empty())
            OS << ": " << Source;
          OS << '\n';
        }
        for (const std::string &D : S->Doubts)
          OS << "doubt: " << D << '\n';
        return Error::success();
      });
}

Error data::replayTraces(llvm::ArrayRef<Run> Runs, StringRef Output,
                         LeftOut Tell) {
  ReplayOptions Options;
  if (threadOptions().size() > 1)
    return makeError("replay shows one thread");
  if (!threadOptions().empty())
    Options.Thread = threadOptions().front();
  if (!At.empty() &&
      (StringRef(At).getAsInteger(10, Options.First) || !Options.First))
    return makeError("replay wants -at=ID, of an execution as print numbers "
                     "them");
  if (Limit.getNumOccurrences())
    Options.MaxEvents = Limit;
  return writeTraces(
      Runs, Output, Tell, [&](const Traces &T, llvm::raw_ostream &OS) -> Error {
        auto Rest = writeReplay(T, Options, readSource, OS, Tell);
        if (!Rest)
          return Rest.takeError();
        if (*Rest)
          Tell(llvm::Twine(*Rest) + " executions behind the first " +
               llvm::Twine(Options.MaxEvents) +
               ": -limit= takes more, -at= "
               "begins later");
        return Error::success();
      });
}
