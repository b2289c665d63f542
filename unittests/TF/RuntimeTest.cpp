//===- RuntimeTest.cpp - What the libraries see at run time ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Identifiers are written into code, and the library computes them again by
/// reflection: both must agree, on what javac wrote, for our library and for
/// the original one. Each half runs where its library is installed.
///
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/TF/ClassData.h"
#include "jopt/TF/Program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::tf;
using llvm::StringRef;

namespace {

const std::vector<std::string> Classes = {
    "Shapes$Simple", "Shapes$Both",     "Shapes$Names", "Shapes$Overloads",
    "Shapes$Kind",   "Shapes$Untraced", "Shapes$Deep",  "Shapes$Deep$Inner"};

std::string replaced(std::string Text, StringRef What, StringRef With) {
  for (size_t At = 0; (At = Text.find(What, At)) != std::string::npos;
       At += With.size())
    Text.replace(At, What.size(), With);
  return Text;
}

/// Lines for the other library are emptied.
std::string source(const Packages &P, StringRef Library) {
  auto File = llvm::MemoryBuffer::getFile(JOPT_TF_SHAPES);
  std::string Text;
  for (StringRef Line : llvm::split((*File)->getBuffer(), '\n')) {
    size_t Mark = Line.rfind("//");
    bool ForOther = Mark != StringRef::npos &&
                    (Line.ends_with("//jopt") || Line.ends_with("//pfl")) &&
                    Line.drop_front(Mark + 2) != Library;
    Text += (ForOther ? "" : Line.str()) + "\n";
  }
  Text =
      replaced(Text, "ANNOTATION.*", replaced(P.Annotation, "/", ".") + ".*");
  return replaced(Text, "TF.*", replaced(P.Runtime, "/", ".") + ".*");
}

/// Runs a program of the JDK; what it prints.
std::string run(const Folder &Dir, StringRef Program,
                std::vector<std::string> Args) {
  auto Path = llvm::sys::findProgramByName(Program);
  if (!Path)
    return "no " + Program.str();
  std::vector<StringRef> All{*Path};
  All.insert(All.end(), Args.begin(), Args.end());
  std::string Out = Dir / "out", Err = Dir / "err";
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Out),
                                          StringRef(Err)};
  int Status = llvm::sys::ExecuteAndWait(*Path, All, std::nullopt, Redirects);
  auto Text = llvm::MemoryBuffer::getFile(Status ? Err : Out);
  return Text ? (*Text)->getBuffer().str() : "no output";
}

std::unique_ptr<llvm::MemoryBuffer> bytesOf(const Folder &Dir, StringRef Name) {
  auto File = llvm::MemoryBuffer::getFile(Dir / (Name + ".class").str(),
                                          /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  return File ? std::move(*File) : nullptr;
}

/// What the analysis says, printed as the program does.
std::string collected(const Folder &Dir, const Packages &P, Rules R) {
  AnnotationSet Known;
  for (const char *Name : {"Shapes$High", "Shapes$Low", "Shapes$Plain"}) {
    auto Buffer = bytesOf(Dir, Name);
    if (!Buffer)
      return std::string("no ") + Name;
    auto Class = readClass(toBytes(Buffer->getBuffer()));
    if (auto A = readTFAnnotation(**Class, P))
      Known.add(*A);
  }
  std::string Text;
  for (const std::string &Name : Classes) {
    auto Buffer = bytesOf(Dir, Name);
    auto Class = readClass(toBytes(Buffer->getBuffer()));
    auto Data = collectClass(**Class, {P, R, Known, {}});
    if (!Data)
      return toMessage(Data.takeError());
    if (!Data->traced()) {
      Text += Name + " is not traced\n";
      continue;
    }
    std::vector<std::string> Names, Types, Timers;
    for (const NameEntry &E : Data->Names) {
      Names.push_back(E.Name);
      Types.push_back(timingTypeName(E.Type).str());
      Timers.push_back(E.TimingName);
    }
    Text += Name + " [" + llvm::join(Names, ", ") + "] [" +
            llvm::join(Types, ", ") + "] [" + llvm::join(Timers, ", ") + "]\n";
  }
  return Text;
}

void compare(const Packages &P, Rules R, StringRef Library,
             const std::string &ClassPath) {
  Folder Dir;
  std::string File = Dir.write("Shapes.java", source(P, Library));
  ASSERT_EQ(run(Dir, "javac",
                {"-nowarn", "-g", "-cp", ClassPath, "-d", Dir.str(), File}),
            "");
  std::vector<std::string> Args{"-Dfile.encoding=UTF-8",
                                "-Dstdout.encoding=UTF-8", "-cp",
                                ClassPath + ":" + Dir.str(), "Shapes"};
  Args.insert(Args.end(), Classes.begin(), Classes.end());
  std::string Text;
  // The classes have no holders, which the original says on its output.
  std::string Printed = run(Dir, "java", Args);
  for (StringRef Line : llvm::split(Printed, '\n'))
    if (!Line.empty() && !Line.starts_with("Exceptionn "))
      Text += Line.str() + "\n";
  EXPECT_EQ(Text, collected(Dir, P, R));
}

TEST(TFRuntime, OurLibraryAgrees) {
  if (!llvm::sys::fs::exists(JOPT_TF_JAR))
    GTEST_SKIP() << "jopt-tf.jar is not built";
  compare(Packages::jopt(), Rules::Seed, "jopt", JOPT_TF_JAR);
}

TEST(TFRuntime, TheOriginalAgrees) {
  std::vector<std::string> Jars;
  for (const char *Part : {"asm", "basic", "dynamic", "tf", "tf-tools"})
    Jars.push_back(std::string("/usr/share/java/glassfish-pfl-") + Part +
                   ".jar");
  for (const std::string &Jar : Jars)
    if (!llvm::sys::fs::exists(Jar))
      GTEST_SKIP() << "libgmbal-pfl-java is not installed";
  compare(Packages::pfl(), Rules::PFL, "pfl", llvm::join(Jars, ":"));
}

} // namespace
