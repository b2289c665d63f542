//===- DotFiles.cpp - Control flow of methods, for Graphviz ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotFiles.h"
#include "jopt/IR/CFG.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;

llvm::Expected<std::unique_ptr<DotFiles>>
DotFiles::create(llvm::StringRef Folder, DiagnosticEngine &Diags) {
  if (std::error_code EC = llvm::sys::fs::create_directories(Folder))
    return makeError(Location(Folder), EC.message());
  if (!llvm::sys::fs::is_directory(Folder))
    return makeError(Location(Folder), "it is no folder");
  return std::unique_ptr<DotFiles>(new DotFiles(Folder, Diags));
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

void DotFiles::write(ClassFile &Class, Method &M) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  FlowGraph G(*M.IR, FlowEdges::WithThrows);
  printDot(G, Class.displayName(M), OS);
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
