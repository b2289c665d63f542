//===- TestSupport.h --------------------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_PROBES_TESTSUPPORT_H
#define JOPT_UNITTESTS_PROBES_TESTSUPPORT_H

#include "jopt/Probes/Probekit/Reader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

namespace jopt::test {

/// All diagnostics of an error, one line each.
inline std::string print(llvm::Error E) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &I) {
    I.log(OS);
    OS << '\n';
  });
  return Text;
}

/// An engine that keeps its messages.
struct Collector {
  std::string Text;
  DiagnosticEngine Engine{[this](const Diagnostic &D) {
    llvm::raw_string_ostream OS(Text);
    D.print(OS);
    OS << '\n';
  }};
};

/// The findings in \p Xml, read as the file "x.xml"; "" if there are none.
/// Warnings come first.
inline std::string findings(llvm::StringRef Xml) {
  Collector C;
  auto Doc = probekit::readDocument(Xml, "x.xml", C.Engine);
  return Doc ? C.Text : C.Text + print(Doc.takeError());
}

/// The document in \p Xml, which has no faults.
inline probekit::Document read(llvm::StringRef Xml,
                               llvm::StringRef File = "x.xml") {
  Collector C;
  auto Doc = probekit::readDocument(Xml, File, C.Engine);
  EXPECT_EQ(C.Text, "");
  if (Doc)
    return std::move(*Doc);
  ADD_FAILURE() << print(Doc.takeError());
  return {};
}

/// A folder that goes with the test.
class Folder {
public:
  Folder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("jopt-test", Path));
  }
  ~Folder() { llvm::sys::fs::remove_directories(Path); }
  std::string operator/(llvm::StringRef Name) const {
    return (Path + "/" + Name).str();
  }
  std::string str() const { return Path.str().str(); }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::string File = *this / Name;
    std::error_code EC;
    llvm::raw_fd_ostream OS(File, EC);
    EXPECT_FALSE(EC) << File;
    OS << Text;
    return File;
  }
  /// The names of all that is in it, sorted.
  std::vector<std::string> list() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (llvm::sys::fs::recursive_directory_iterator It(Path, EC), End;
         It != End && !EC; It.increment(EC))
      Names.push_back(It->path().substr(Path.size() + 1));
    llvm::sort(Names);
    return Names;
  }

private:
  llvm::SmallString<128> Path;
};

} // namespace jopt::test

#endif
