//===- FoundTests.cpp - Tests in class files ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Containers.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// What JUnit 3 runs.
static bool isTestCase(const ClassFile &F, const Method &M) {
  return F.superName() == "junit/framework/TestCase" &&
         F.name(M).starts_with("test") && F.descriptor(M) == "()V";
}

static bool isTest(const ClassFile &F, const Method &M) {
  static constexpr StringRef Known[] = {
      "org/junit/Test",
      "org/junit/jupiter/api/Test",
      "org/junit/jupiter/api/RepeatedTest",
      "org/junit/jupiter/api/TestFactory",
      "org/junit/jupiter/api/TestTemplate",
      "org/junit/jupiter/params/ParameterizedTest",
      "org/testng/annotations/Test",
  };
  llvm::SmallVector<StringRef> Annotations;
  findAnnotations(F.Pool, M.Attributes, Annotations);
  return llvm::any_of(Annotations,
                      [](StringRef A) { return llvm::is_contained(Known, A); });
}

namespace {
class TestFinder : public ContainerClient {
public:
  explicit TestFinder(data::LeftOut Tell) : Tell(Tell) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    auto F = readClass(Data);
    const std::lock_guard<std::mutex> Guard(Lock);
    if (F)
      find(**F);
    else
      Tell(E.display() + ": " + toMessage(F.takeError()));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &, Error Why) override {
    const std::lock_guard<std::mutex> Guard(Lock);
    Tell(toMessage(std::move(Why)));
    return Error::success();
  }

  std::vector<FoundTest> Found;

private:
  void find(const ClassFile &F) {
    std::string Class = toDisplayUTF8(F.name());
    const std::string Folder = Class.substr(0, Class.rfind('/') + 1);
    std::replace(Class.begin(), Class.end(), '/', '.');
    for (const Method &M : F.Methods)
      if (!(M.Access & (ACC_ABSTRACT | ACC_SYNTHETIC)) &&
          (isTestCase(F, M) || isTest(F, M)))
        Found.push_back({Class + "#" + toDisplayUTF8(F.name(M)),
                         Folder + toDisplayUTF8(sourceFile(F))});
  }

  const data::LeftOut Tell;
  std::mutex Lock;
};
} // namespace

Expected<std::vector<FoundTest>>
coverage::findTests(llvm::ArrayRef<std::string> Inputs, data::LeftOut Tell) {
  auto In = InputSet::open(Inputs);
  if (!In)
    return In.takeError();
  TestFinder Finder(Tell);
  if (Error E = processInputs(*In, Finder, nullptr, ProcessOptions()))
    return E;
  llvm::sort(Finder.Found, [](const FoundTest &A, const FoundTest &B) {
    return std::tie(A.Name, A.Source) < std::tie(B.Name, B.Source);
  });
  return std::move(Finder.Found);
}
