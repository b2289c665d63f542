//===- TFAnnotations.cpp - The TF annotations of all inputs ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/TFAnnotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

namespace {
class Collect : public ContainerClient {
public:
  explicit Collect(const tf::Packages &P) : P(P) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    // A few of very many class files: most are not even read.
    if (!tf::mayBeTFAnnotation(Data, P))
      return EntryResult::unchanged();
    auto Class = readClass(Data);
    if (!Class) {
      llvm::consumeError(Class.takeError());
      return EntryResult::unchanged();
    }
    if (auto Found = tf::readTFAnnotation(**Class, P)) {
      std::lock_guard<std::mutex> Guard(Lock);
      ByOrdinal[E.Ordinal] = {E.display(), std::move(*Found)};
    }
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

  struct Place {
    std::string Display;
    tf::TFAnnotation Annotation;
  };
  std::map<uint64_t, Place> ByOrdinal;

private:
  const tf::Packages &P;
  std::mutex Lock;
};
} // namespace

Expected<tf::AnnotationSet>
jopt::collectTFAnnotations(const InputSet &In, const tf::Packages &P,
                           const ProcessOptions &Options,
                           DiagnosticEngine &Diags) {
  Collect Walk(P);
  if (Error E = processInputs(In, Walk, nullptr, Options))
    return E;
  tf::AnnotationSet Set;
  for (auto &[Ordinal, Found] : Walk.ByOrdinal) {
    std::string Name = toDisplayUTF8(Found.Annotation.Name);
    if (!Set.add(std::move(Found.Annotation)))
      Diags.report(Severity::Warning, Location(Found.Display),
                   "the annotation " + Name +
                       " was found before, with another group; that one "
                       "counts");
  }
  return Set;
}
