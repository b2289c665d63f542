//===- DotFiles.cpp - Control flow of methods, for Graphviz ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotFiles.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/IR/Model/CFG.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;

llvm::Expected<std::unique_ptr<DotFiles>>
DotFiles::create(llvm::StringRef Folder, DiagnosticEngine &Diags,
                 const coverage::EdgeProfile *Profile) {
  if (std::error_code EC = llvm::sys::fs::create_directories(Folder))
    return makeError(Location(Folder), EC.message());
  if (!llvm::sys::fs::is_directory(Folder))
    return makeError(Location(Folder), "it is no folder");
  return std::unique_ptr<DotFiles>(new DotFiles(Folder, Diags, Profile));
}

/// A class that is there several times has as many files for each method.
std::string DotFiles::nextPath(const ClassFile &Class, const Method &M) {
  std::string Name =
      methodFileName(Class.name(), Class.name(M), Class.descriptor(M), ".dot");
  std::lock_guard<std::mutex> Guard(Lock);
  if (unsigned Number = Names[Name]++)
    Name.insert(Name.size() - 3, std::to_string(Number + 1) + ".");
  llvm::SmallString<128> Path(Folder);
  llvm::sys::path::append(Path, Name);
  return std::string(Path);
}

namespace {

/// The counts that a profile has of a method, by bytecode indices.
class MethodCounts {
public:
  MethodCounts(const ClassFile &Class, const Method &M,
               const coverage::EdgeProfile &Profile);

  FlowCounts::Count ofBlock(const Block &B) const {
    return find(Runs, B.bci());
  }
  FlowCounts::Count ofWay(const Block &From, size_t N) const;

private:
  template <typename Map>
  static FlowCounts::Count find(const Map &Counts,
                                const typename Map::key_type &Key) {
    auto It = Counts.find(Key);
    return It == Counts.end() ? FlowCounts::Count() : It->second;
  }

  std::map<int64_t, int64_t> Runs; ///< by where they begin
  /// By their last instruction, and where they lead.
  std::map<std::pair<int64_t, int64_t>, int64_t> Jumps;
  std::map<int64_t, int64_t> Falls; ///< by where they lead
};

} // namespace

MethodCounts::MethodCounts(const ClassFile &Class, const Method &M,
                           const coverage::EdgeProfile &Profile) {
  CodeView Code;
  const int At = M.codeAttribute(Class.Pool);
  if (At < 0 ||
      llvm::errorToBool(parseCode(Class, M.Attributes[size_t(At)].Data, Code)))
    return;
  auto Edges = coverage::findEdges(Class, M, Code);
  if (!Edges) {
    llvm::consumeError(Edges.takeError());
    return;
  }
  const coverage::EdgeGraph &G = Edges->Graph;
  const coverage::EdgeCounts *Counts = Profile.counts(Class.name(), G);
  if (!Counts || !Edges->accepts(*Counts))
    return;
  for (uint32_t R = 0; R < G.root(); ++R)
    Runs[Edges->Code[R].Start] = Counts->Runs[R];
  for (auto [E, Count] : llvm::zip(G.Edges, Counts->Edges)) {
    if (E.From == G.root() || E.To == G.root())
      continue;
    const int64_t To = Edges->Code[E.To].Start;
    if (E.Kind == coverage::EdgeGraph::Edge::Fall)
      Falls[To] = Count;
    else
      Jumps[{Edges->Code[E.From].Last, To}] += Count;
  }
}

/// What passes put between is not known of.
FlowCounts::Count MethodCounts::ofWay(const Block &From, size_t N) const {
  const Instruction &T = *From.terminator();
  const Block &To = *T.successors()[N];
  if (To.bci() < 0)
    return std::nullopt;
  if (T.op() == irop::FallThrough || (T.op() == irop::If && N))
    return find(Falls, To.bci());
  return find(Jumps, {T.bci(), To.bci()});
}

void DotFiles::write(ClassFile &Class, Method &M) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  FlowGraph G(*M.IR, FlowEdges::WithThrows);
  if (Profile) {
    const MethodCounts Counts(Class, M, *Profile);
    auto OfBlock = [&](const Block &B) { return Counts.ofBlock(B); };
    auto OfWay = [&](const Block &B, size_t N) { return Counts.ofWay(B, N); };
    printDot(G, Class.displayName(M), OS, {OfBlock, OfWay});
  } else {
    printDot(G, Class.displayName(M), OS);
  }
  llvm::Error E = writeFile(nextPath(Class, M), OS.str());
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Failure) // One says enough of a full disk.
    Failure = std::move(E);
  else
    llvm::consumeError(std::move(E));
}

void DotFiles::write(ClassFile &Class) {
  for (Method &M : Class.Methods) {
    if (!M.IR && M.codeAttribute(Class.Pool) < 0)
      continue;
    llvm::Error E =
        M.IR ? llvm::Error::success() : liftMethod(Class, M, LiftOptions());
    if (E)
      Diags.report(Severity::Warning, Location(),
                   Class.displayName(M) +
                       ": no graph: " + toMessage(std::move(E)));
    else
      write(Class, M);
  }
}
