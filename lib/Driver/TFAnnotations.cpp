//===- TFAnnotations.cpp - The TF annotations of all inputs ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/TFAnnotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/TF/Program.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Keeps the class files that may be TF annotations, a few of very many.
class Collect : public ContainerClient {
public:
  using Planner = llvm::function_ref<EntryPlan(const EntryInfo &)>;
  explicit Collect(Planner Plan) : Plan(Plan) {}

  EntryPlan plan(const EntryInfo &E) override { return Plan(E); }
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    tf::PoolFacts Facts = tf::lookAtPool(Data);
    if (!Facts.Group && !Facts.Annotated)
      return EntryResult::unchanged();
    std::lock_guard<std::mutex> Guard(Lock);
    InfoInNests |= Facts.Info && Facts.Nested;
    if (Facts.Annotated)
      Candidates.add(E);
    if (Facts.Group)
      ByOrdinal[E.Ordinal] = {E.display(), {Data.begin(), Data.end()}};
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &E, Error Why) override {
    llvm::consumeError(std::move(Why));
    std::lock_guard<std::mutex> Guard(Lock);
    Candidates.add(E);
    return Error::success();
  }

  struct Found {
    std::string Display;
    llvm::SmallVector<uint8_t, 0> Data;
  };
  std::map<uint64_t, Found> ByOrdinal;
  EntrySet Candidates;
  bool InfoInNests = false;

private:
  const Planner Plan;
  std::mutex Lock;
};

struct Candidate {
  std::string Display;
  std::unique_ptr<ClassFile> Class;
};
} // namespace

/// The library that \p Classes use, if any.
static Expected<std::optional<tf::Packages>>
findLibrary(llvm::ArrayRef<Candidate> Classes) {
  std::optional<tf::Packages> Library;
  StringRef First;
  for (const Candidate &C : Classes)
    for (tf::Packages &P : tf::librariesOf(*C.Class)) {
      if (!Library) {
        Library = std::move(P);
        First = C.Display;
      } else if (Library->Runtime != P.Runtime) {
        return makeError("the inputs use two libraries: " + Library->name() +
                         " (" + First + ") and " + P.name() + " (" + C.Display +
                         "); -package says which counts");
      }
    }
  return Library;
}

Expected<TFInputs>
jopt::collectTFAnnotations(const InputSet &In,
                           std::optional<tf::Packages> Library,
                           const ProcessOptions &Options,
                           DiagnosticEngine &Diags, Collect::Planner Plan) {
  Collect Walk(Plan);
  if (Error E = processInputs(In, Walk, nullptr, Options))
    return E;
  std::vector<Candidate> Classes;
  for (auto &[Ordinal, Found] : Walk.ByOrdinal) {
    if (auto Class = readClass(Found.Data))
      Classes.push_back({std::move(Found.Display), std::move(*Class)});
    else
      llvm::consumeError(Class.takeError());
  }
  if (!Library) {
    auto L = findLibrary(Classes);
    if (!L)
      return L.takeError();
    Library = std::move(*L);
  }
  TFInputs Result{
      std::move(Library), {}, std::move(Walk.Candidates), Walk.InfoInNests};
  if (!Result.Library)
    return Result;
  for (Candidate &C : Classes) {
    auto Found = tf::readTFAnnotation(*C.Class, *Result.Library);
    if (!Found)
      continue;
    std::string Name = toDisplayUTF8(Found->Name);
    if (!Result.Annotations.add(std::move(*Found)))
      Diags.report(Severity::Warning, Location(C.Display),
                   "the annotation " + Name +
                       " was found before, with another group; that one "
                       "counts");
  }
  return Result;
}
