//===- verify-corpus.cpp - Verify many class files ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tool for tests: verifies class files and prints one line for each,
/// `<path> TAB <OK or the error> TAB <message>`.
///
///   verify-corpus [-h DIR]... [-q] [-preview] (FILE | DIR | @LIST)...
///
/// -h names folders (or files) of the classes that make up the hierarchy; -q
/// prints only classes with findings and a summary. A path may also name a
/// pack, a file of many classes as make-mutants writes them (see
/// utils/mutants): such a class is called by its name in there.
///
//===----------------------------------------------------------------------===//

#include "jopt/Verify/ClassVerifier.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <map>

using namespace jopt;
using llvm::StringRef;

namespace {

struct Corpus {
  VerifyOptions Options;
  bool Quiet = false;
  std::map<std::string, unsigned> Count;

  void verify(StringRef Name, Bytes Class) {
    std::vector<Finding> Findings = verifyClass(Class, Options);
    if (Findings.empty()) {
      ++Count["OK"];
      if (!Quiet)
        llvm::outs() << Name << "\tOK\t\n";
      return;
    }
    StringRef Error = getErrorName(Findings[0].Kind);
    ++Count[Error.str()];
    llvm::outs() << Name << '\t' << Error << '\t' << Findings[0].str() << '\n';
  }
};

} // namespace

static std::vector<std::string> classFiles(StringRef Path) {
  if (!llvm::sys::fs::is_directory(Path))
    return {Path.str()};
  std::vector<std::string> Files;
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator I(Path, EC), E;
       I != E && !EC; I.increment(EC))
    if (StringRef(I->path()).ends_with(".class"))
      Files.push_back(I->path());
  llvm::sort(Files);
  return Files;
}

static std::unique_ptr<llvm::MemoryBuffer> read(StringRef Path) {
  auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (File)
    return std::move(*File);
  llvm::errs() << Path << ": " << File.getError().message() << '\n';
  return nullptr;
}

int main(int argc, char **argv) {
  Corpus C;
  MemoryHierarchy Hierarchy;
  std::vector<std::string> Inputs;
  for (int I = 1; I < argc; ++I) {
    StringRef Arg = argv[I];
    if (Arg == "-q") {
      C.Quiet = true;
    } else if (Arg == "-preview") {
      C.Options.EnablePreview = true;
    } else if (Arg.consume_front("-newest=")) {
      if (Arg.getAsInteger(10, C.Options.Newest))
        return 1;
    } else if (Arg == "-h" && I + 1 < argc) {
      C.Options.Hierarchy = &Hierarchy;
      for (const std::string &Path : classFiles(argv[++I]))
        if (auto File = read(Path))
          if (auto E = Hierarchy.addClass(toBytes(File->getBuffer())))
            llvm::errs() << Path << ": " << llvm::toString(std::move(E))
                         << '\n';
    } else if (Arg.consume_front("@")) {
      if (auto File = read(Arg)) {
        llvm::SmallVector<StringRef, 0> Lines;
        File->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
        for (StringRef Line : Lines)
          Inputs.push_back(Line.str());
      }
    } else {
      for (std::string &Path : classFiles(Arg))
        Inputs.push_back(std::move(Path));
    }
  }
  for (const std::string &Path : Inputs) {
    auto File = read(Path);
    if (!File)
      return 1;
    Bytes Data = toBytes(File->getBuffer());
    if (!StringRef(Path).ends_with(".pack")) {
      C.verify(Path, Data);
      continue;
    }
    // Entries of a pack: u2 and name, u4 and class file.
    ByteCursor In(Data);
    while (!In.atEnd() && !In.failed()) {
      StringRef Name = jopt::toStringRef(In.bytes(In.u2()));
      Bytes Class = In.bytes(In.u4());
      if (!In.failed())
        C.verify(Name, Class);
    }
  }
  llvm::errs() << "verified";
  for (auto &[Kind, Number] : C.Count)
    llvm::errs() << ' ' << Kind << '=' << Number;
  llvm::errs() << '\n';
  return 0;
}
