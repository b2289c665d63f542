//===- JavacTest.cpp ------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/Javac.h"
#include "TestSupport.h"
#include "jopt/Probes/LoadProbes.h"
#include <cstdlib>

using namespace jopt;
using namespace jopt::test;
using namespace jopt::java;

namespace {

/// Sets a variable of the environment for a while.
class Environment {
public:
  Environment(const char *Name, const char *Value) : Name(Name) {
    if (const char *Old = getenv(Name))
      Was = Old;
    if (Value)
      setenv(Name, Value, 1);
    else
      unsetenv(Name);
  }
  ~Environment() {
    if (Was)
      setenv(Name, Was->c_str(), 1);
    else
      unsetenv(Name);
  }

private:
  const char *Name;
  std::optional<std::string> Was;
};

/// A folder with a probe file and a cache of its own.
struct Project {
  Folder Dir;
  ProbeOptions Options;
  Collector Seen;
  std::vector<std::string> Files;

  explicit Project(llvm::StringRef Xml = "") {
    Options.CacheFolder = Dir / "cache";
    if (!Xml.empty())
      add("x.xml", Xml);
  }
  void add(llvm::StringRef Name, llvm::StringRef Xml) {
    Files.push_back(Dir.write(Name, Xml));
  }
  llvm::Expected<ProbeBundle> load() {
    auto P = readProbes(Files, Options, Seen.Engine);
    if (!P)
      return P.takeError();
    if (llvm::Error E = compileProbes(*P, Options, Seen.Engine))
      return E;
    return std::move(P->Bundle);
  }
  /// All that was said, with files by their names in Dir.
  std::string fail() {
    Seen.Text.clear();
    auto B = load();
    std::string Text = Seen.Text;
    if (B)
      Text += "no error\n";
    else
      Text += print(B.takeError());
    std::string Prefix = Dir.str() + "/";
    for (size_t At; (At = Text.find(Prefix)) != std::string::npos;)
      Text.erase(At, Prefix.size());
    return Text;
  }
  ProbeBundle succeed() {
    auto B = load();
    if (B)
      return std::move(*B);
    ADD_FAILURE() << print(B.takeError());
    return {};
  }
  std::vector<std::string> cached() {
    std::vector<std::string> Names;
    for (std::string &Name : Dir.list())
      if (llvm::StringRef(Name).contains("llvmcache-"))
        Names.push_back(Name);
    return Names;
  }
  /// A program that stands in for javac.
  void fakeJavac(llvm::StringRef Script) {
    Options.Javac = Dir.write("javac", ("#!/bin/sh\n" + Script).str());
    llvm::sys::fs::setPermissions(Options.Javac, llvm::sys::fs::all_all);
  }
};

} // namespace

static std::string entry(llvm::StringRef Code) {
  return ("<probekit>\n<probe>\n<fragment type='entry'>\n<code><![CDATA[" +
          Code + "]]></code></fragment></probe></probekit>")
      .str();
}

static unsigned majorVersion(llvm::ArrayRef<uint8_t> Class) {
  return Class.size() < 8 ? 0 : Class[6] << 8 | Class[7];
}

TEST(ProbekitJavac, CompilesToABundle) {
  Project P(entry("int i; new Object() {};"));
  ProbeBundle B = P.succeed();
  std::string Folder =
      llvm::StringRef(B.Classes.at(0).first).rsplit('/').first.str();
  std::vector<std::string> Names;
  for (auto &[Name, Content] : B.Classes) {
    Names.push_back(Name);
    ASSERT_GT(Content.size(), 8u);
    EXPECT_EQ(Content[0], 0xcau);
    EXPECT_EQ(majorVersion(Content), 52u);
  }
  EXPECT_EQ(Names,
            (std::vector<std::string>{Folder + "/x_probe$Probe_0$1.class",
                                      Folder + "/x_probe$Probe_0.class",
                                      Folder + "/x_probe.class"}));
  ASSERT_EQ(B.Advices.Advices.size(), 1u);
  EXPECT_EQ(B.Advices.Advices[0].Body.Owner + ".class", Names[1]);
  EXPECT_EQ(P.Seen.Text, "");
}

TEST(ProbekitJavac, SeveralFilesAndPackages) {
  Project P(entry("y_probe.Probe_0._entry();"));
  P.add("y.xml", entry(";"));
  EXPECT_EQ(P.succeed().Classes.size(), 4u);
  P.Options.Package = "my.own";
  ProbeBundle B = P.succeed();
  EXPECT_EQ(B.Classes[0].first, "my/own/x_probe$Probe_0.class");
  P.Options.Package = "";
  EXPECT_EQ(P.succeed().Classes[0].first, "x_probe$Probe_0.class");
  P.Options.Package = "a b";
  EXPECT_EQ(P.fail(), "error: 'a b' is not the name of a Java package\n");
}

TEST(ProbekitJavac, Releases) {
  Project P(entry(";"));
  auto Compiler = findJavac("", 60);
  ASSERT_TRUE(bool(Compiler));
  P.Options.LowestRelease = 3;
  EXPECT_EQ(majorVersion(P.succeed().Classes[0].second), 52u);
  P.Options.LowestRelease = 11;
  EXPECT_EQ(majorVersion(P.succeed().Classes[0].second), 55u);
  // More than javac knows: what it knows.
  P.Options.LowestRelease = 1000;
  EXPECT_EQ(majorVersion(P.succeed().Classes[0].second),
            44 + Compiler->Feature);
  P.Options.Release = 9;
  EXPECT_EQ(majorVersion(P.succeed().Classes[0].second), 53u);
  P.Options.Release = 1000;
  EXPECT_EQ(P.fail(), Compiler->Path + ": error: javac " + Compiler->Version +
                          " does not know release 1000\n");
  P.Options.Release = 5;
  EXPECT_EQ(P.fail(), "error: javac: release version 5 not supported\n");
}

/// A file with a probe that has a static field of \p Type, on line 2.
static std::string withStaticField(llvm::StringRef Type) {
  return ("<probekit><fragmentAtSharedScope>public static class Mine {}"
          "</fragmentAtSharedScope><probe><import text='java.util.*'/>\n"
          "<staticField type='" +
          Type +
          "'/>\n"
          "<fragment type='catch'><data type='isFinally' name='f'/>"
          "<data type='staticField' name='s'/><code>;</code></fragment>"
          "</probe></probekit>")
      .str();
}

TEST(ProbekitJavac, TheClassOfAStaticFieldIsFoundByJavac) {
  static const std::pair<const char *, const char *> Types[] = {
      {"java.util.ArrayList", "java/util/ArrayList"},
      {"ArrayList", "java/util/ArrayList"}, // imported
      {"String", "java/lang/String"},
      {"java.awt.geom.Point2D.Double", "java/awt/geom/Point2D$Double"},
      {"Mine", "p/x_probe$Mine"},
      {"x_probe.Mine", "p/x_probe$Mine"}};
  for (auto [Type, Class] : Types) {
    Project P(withStaticField(Type));
    P.Options.Package = "p";
    ProbeBundle B = P.succeed();
    ASSERT_EQ(B.Advices.Probes.size(), 1u) << Type;
    EXPECT_EQ(B.Advices.Probes[0].StaticField, Class);
    ASSERT_EQ(B.Advices.Advices.size(), 1u);
    EXPECT_EQ(B.Advices.Advices[0].Body.Descriptor,
              std::string("(ZL") + Class + ";)V");
    EXPECT_EQ(print(checkAdviceSet(B.Advices)), "");
  }
  EXPECT_EQ(
      Project(withStaticField("a.Nothing")).fail(),
      "x.xml:2:1: error: package a does not exist; classes of the program are "
      "found among the inputs and by -classpath\n"
      "x.xml:3:57: error: package a does not exist; classes of the program are "
      "found among the inputs and by -classpath\n");
  EXPECT_EQ(Project(withStaticField("Iterator")).fail(),
            "x.xml:2:1: error: Iterator is abstract; cannot be instantiated\n");
}

TEST(ProbekitJavac, ErrorsAreAtTheirPlaceInTheXml) {
  Project P("<probekit>\n"
            "<fragmentAtSharedScope>int a = \"\";</fragmentAtSharedScope>\n"
            "<probe>\n"
            "<import text='no.such.Type'/>\n"
            "<fragmentAtClassScope>\n"
            "  static int b() {}\n"
            "</fragmentAtClassScope>\n"
            "<fragment type='entry'>\n"
            "<data type='args' name='args'/>\n"
            "<data type='className' name='c'/>\n"
            "<code><![CDATA[\n"
            "  String \xc3\xa9 = null; /* \xf0\x9f\x98\x80 */ missing();\n"
            "\tb(1);\n"
            "]]></code></fragment></probe></probekit>");
  EXPECT_EQ(P.fail(),
            "x.xml:4:1: error: package no.such does not exist; classes of the "
            "program are found among the inputs and by -classpath\n"
            "x.xml:2:32: error: incompatible types: String cannot be converted "
            "to int\n"
            "x.xml:12:28: error: cannot find symbol; symbol: method missing(); "
            "location: class Probe_0\n"
            "x.xml:13:2: error: method b in class Probe_0 cannot be applied to "
            "given types; required: no arguments; found: int; reason: actual "
            "and formal argument lists differ in length\n"
            // Left alone, javac looks for these only where there are no others.
            "x.xml:6:19: error: missing return statement; fragments with "
            "result=\"replace\", with result=\"return\" and a javaType, and "
            "those that make an invocationObject, return a value on every "
            "path\n");
}

TEST(ProbekitJavac, SyntaxErrorsAreNearTheirPlace) {
  EXPECT_EQ(Project(entry("int i")).fail(),
            "x.xml:4:21: error: ';' expected\n");
  EXPECT_EQ(Project(entry("foo(;")).fail(),
            "x.xml:4:20: error: illegal start of expression\n");
  // One brace too few: javac notices at the end of the file.
  EXPECT_EQ(Project(entry("if (true) {")).fail(),
            "x.xml:4:27: error: reached end of file while parsing; are the "
            "braces in the texts balanced?\n");
  // One too many: what follows is out of place.
  EXPECT_TRUE(
      llvm::StringRef(Project(entry("}")).fail()).starts_with("x.xml:4:"));
}

TEST(ProbekitJavac, CodeThatMovesItsMethodElsewhere) {
  EXPECT_EQ(Project("<probekit>\n<probe><fragmentAtClassScope>} static class "
                    "Other {</fragmentAtClassScope><fragment><code>;</code>"
                    "</fragment></probe></probekit>")
                .fail(),
            "x.xml:2:1: error: compiling this probe gave no method '_entry()V' "
            "in class 'x_probe$Probe_0'; are the braces in its fragments "
            "balanced?\n");
}

TEST(ProbekitJavac, MoreThanAHundredErrorsAreFound) {
  std::string Code;
  for (unsigned I = 0; I < 150; ++I)
    Code += "x" + std::to_string(I) + "();\n";
  EXPECT_EQ(llvm::StringRef(Project(entry(Code)).fail()).count('\n'), 150u);
}

TEST(ProbekitJavac, WarningsAndNotesDoNotStop) {
  Project P(entry("java.util.List l = new java.util.ArrayList(); l.add(1);\n"
                  "Thread.currentThread().stop();"));
  P.Options.Release = 17; // where stop is marked for removal from 18 on
  std::string Said = P.fail();
  EXPECT_TRUE(llvm::StringRef(Said).ends_with("no error\n")) << Said;
  EXPECT_TRUE(llvm::StringRef(Said).contains(
      "x.xml: note: uses unchecked or unsafe operations."))
      << Said;
  EXPECT_FALSE(llvm::StringRef(Said).contains("Recompile"));
  // The same again from the cache.
  EXPECT_EQ(P.fail(), Said);
}

TEST(ProbekitJavac, ClassPath) {
  Project Library(entry(";"));
  Library.Options.Package = "lib";
  ProbeBundle B = Library.succeed();
  Folder Classes;
  llvm::sys::fs::create_directory(Classes / "lib");
  for (auto &[Name, Content] : B.Classes)
    Classes.write(Name, llvm::toStringRef(Content));

  Project P("<probekit><probe><import text='java.util.*'/><fragment><code>;"
            "</code></fragment><fragmentAtClassScope>lib.Missing m;"
            "</fragmentAtClassScope></probe></probekit>");
  EXPECT_TRUE(llvm::StringRef(P.fail()).contains("package lib does not exist"));
  P.Options.ClassPath = {Classes.str()};
  EXPECT_EQ(P.fail(),
            "x.xml:1:106: error: cannot find symbol; symbol: class Missing; "
            "location: package lib\n");
  // A source on the class path is not compiled with the probes.
  Classes.write("lib/Missing.java", "package lib; public class Missing {}");
  EXPECT_TRUE(llvm::StringRef(P.fail()).contains("cannot find symbol"));
}

TEST(ProbekitJavac, TheEnvironmentDoesNotMatter) {
  Environment A("JAVA_TOOL_OPTIONS", "-Duser.language=de");
  Environment B("JDK_JAVAC_OPTIONS", "-Xlint:all -nosuchoption");
  Environment C("_JAVA_OPTIONS", "-Dx=y");
  Environment D("CLASSPATH", "/no/such/folder");
  EXPECT_EQ(Project(entry("x();")).fail(),
            "x.xml:4:16: error: cannot find symbol; symbol: method x(); "
            "location: class Probe_0\n");
}

TEST(ProbekitJavac, TemporaryFoldersAreRemoved) {
  Folder Temp;
  Environment E("TMPDIR", Temp.str().c_str());
  Project Good(entry(";")), Bad(entry("x();"));
  Good.succeed();
  Bad.fail();
  Project Slow(entry(";"));
  Slow.fakeJavac(
      "case $1 in -version) echo javac 17;; *) exec sleep 20;; esac");
  Slow.Options.TimeoutSeconds = 1;
  std::string Said = Slow.fail();
  EXPECT_TRUE(llvm::StringRef(Said).starts_with(
      "javac: error: javac did not end within 1 seconds"))
      << Said;
  // What stays is this test's own.
  for (const std::string &Name : Temp.list())
    EXPECT_FALSE(llvm::StringRef(Name).starts_with("jopt-probes")) << Name;
}

TEST(ProbekitJavac, Finding) {
  Project P(entry(";"));
  P.Options.Javac = P.Dir / "nothing";
  EXPECT_EQ(P.fail(), "nothing: error: there is no javac that can run\n");
  P.Options.Javac.clear();
  {
    Environment Home("JAVA_HOME", nullptr);
    Environment Path("PATH", "/no/such/folder");
    EXPECT_EQ(P.fail(), "error: no javac: JAVA_HOME is not set and none on "
                        "PATH; probes need a JDK, not only a JRE\n");
  }
  {
    Environment Home("JAVA_HOME", "/no/jdk");
    Environment Path("PATH", "/no/such/folder");
    EXPECT_EQ(P.fail(), "error: no javac in JAVA_HOME (/no/jdk) and none on "
                        "PATH; probes need a JDK, not only a JRE\n");
  }
  {
    // JAVA_HOME comes first, and PATH where that is only a JRE.
    Environment Home("JAVA_HOME", P.Dir.str().c_str());
    EXPECT_NE(P.load().get().Classes.size(), 0u);
    llvm::sys::fs::create_directory(P.Dir / "bin");
    std::string Fake = P.Dir.write("bin/javac", "#!/bin/sh\necho javac 6.0\n");
    llvm::sys::fs::setPermissions(Fake, llvm::sys::fs::all_all);
    EXPECT_EQ(P.fail(), "bin/javac: error: javac 6.0 is too old; probes need 8 "
                        "or newer\n");
  }
}

TEST(ProbekitJavac, BrokenCompilers) {
  Project P(entry(";"));
  P.fakeJavac("echo hello");
  EXPECT_EQ(P.fail(), "javac: error: this is no javac: its version is ''\n");
  P.fakeJavac("case $1 in -version) echo javac 1.8.0_402;; *) echo boom; exit "
              "3;; esac");
  EXPECT_EQ(P.fail(), "error: javac failed with status 3: boom\n");
  P.fakeJavac("case $1 in -version) echo javac 99-ea;; *) exit 0;; esac");
  EXPECT_TRUE(llvm::StringRef(P.fail()).starts_with(
      "x.xml:2:1: error: compiling this probe gave no method '_entry()V'"));
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string parse(llvm::StringRef Output) {
  JavacJob Job;
  Job.Sources = {{"p/x_probe.java", ""}, {"p/y_probe.java", ""}};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const JavacMessage &M : parseJavacOutput(Output, Job))
    OS << (M.Level == Severity::Error     ? "error "
           : M.Level == Severity::Warning ? "warning "
                                          : "note ")
       << M.Source << ' ' << M.Line << ':' << M.Column << ' ' << M.Text << '\n';
  return Text;
}

TEST(ProbekitJavac, Messages) {
  EXPECT_EQ(parse("p/y_probe.java:7: error: first\n"
                  "    source\n"
                  "      ^\n"
                  "  detail:   one\n"
                  "  detail two\n"
                  "p/x_probe.java:1: warning: [removal] second\n"
                  "error: a line of source\n"
                  "^\n"
                  "error: no place\n"
                  "Note: p/x_probe.java uses things.\n"
                  "Note: Recompile with -Xlint for details.\n"
                  "2 errors\n"
                  "1 warning\n"),
            "error 1 7:6 first; detail: one; detail two\n"
            "warning 0 1:0 [removal] second\n"
            "error -1 0:0 no place\n"
            "note 0 0:0 uses things.\n");
  // Details above the source, carriage returns, text before any message.
  EXPECT_EQ(parse("Picked up nothing\r\n"
                  "p/x_probe.java:2: error: bad\r\n"
                  "  because\r\n"
                  "\tsource\r\n"
                  "\t ^\r\n"),
            "error 0 2:2 bad; because\n");
  EXPECT_EQ(parse(""), "");
  EXPECT_EQ(parse("p/x_probe.java:99999999999999: error: overflow"), "");
  EXPECT_EQ(parse("p/x_probe.java:3: error: last"), "error 0 3:0 last\n");
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

/// A project whose javac counts its runs and makes the same classes each time.
struct CacheProject : Project {
  CacheProject() : Project(entry("int i;")) {
    Options.Package = "p";
    Options.CacheFolder = "off";
    Expected = succeed().Classes;
    Options.CacheFolder = Dir / "cache";
    llvm::sys::fs::create_directories(Dir / "saved/p");
    for (auto &[Name, Content] : Expected)
      Dir.write("saved/" + Name, llvm::toStringRef(Content));
    std::string Here = Dir.str();
    fakeJavac("test $1 = -version && echo javac 17 && exit\n"
              "echo run >> " +
              Here +
              "/runs\n"
              "for last; do :; done\n"
              "out=$(sed -n '/^\"-d\"$/{n;s/\"//g;p}' ${last#@})\n"
              "cp -r " +
              Here + "/saved/. $out\n");
  }
  /// Loads, and says how often javac has run since the beginning.
  unsigned runs() {
    EXPECT_EQ(succeed().Classes, Expected);
    auto Log = llvm::MemoryBuffer::getFile(Dir / "runs");
    return Log ? (*Log)->getBuffer().count('\n') : 0;
  }
  CompiledClasses Expected;
};

TEST(ProbekitCache, AHitNeedsNoCompiler) {
  CacheProject P;
  EXPECT_EQ(P.runs(), 1u);
  EXPECT_EQ(P.runs(), 1u);
  EXPECT_EQ(P.cached().size(), 1u);
  P.Options.CacheFolder = "off";
  EXPECT_EQ(P.runs(), 2u);
  EXPECT_EQ(P.runs(), 3u);
}

TEST(ProbekitCache, WhatItDependsOn) {
  CacheProject P;
  EXPECT_EQ(P.runs(), 1u);
  P.Options.Release = 9;
  EXPECT_EQ(P.runs(), 2u);
  // Another text, of the same size.
  P.Dir.write("x.xml", entry("int j;"));
  EXPECT_EQ(P.runs(), 3u);
  // The class path: its entries, and each file below a folder.
  std::string Classes = P.Dir / "classes";
  P.Options.ClassPath = {Classes};
  EXPECT_EQ(P.runs(), 4u);
  llvm::sys::fs::create_directories(Classes + "/deep");
  EXPECT_EQ(P.runs(), 5u);
  P.Dir.write("classes/deep/A.class", "one");
  EXPECT_EQ(P.runs(), 6u);
  P.Dir.write("classes/deep/A.class", "one more");
  EXPECT_EQ(P.runs(), 7u);
  EXPECT_EQ(P.runs(), 7u);
  // Another compiler at the same place.
  std::string Script;
  {
    auto Old = llvm::MemoryBuffer::getFile(P.Options.Javac);
    ASSERT_TRUE(bool(Old));
    Script = (*Old)->getBuffer().drop_front(strlen("#!/bin/sh\n")).str();
  }
  P.fakeJavac(Script + "true\n");
  EXPECT_EQ(P.runs(), 8u);
}

TEST(ProbekitCache, DamageIsNoticed) {
  CacheProject P;
  EXPECT_EQ(P.runs(), 1u);
  std::string Name = P.cached().at(0);
  auto Read = [&] {
    auto Entry = llvm::MemoryBuffer::getFile(P.Dir / Name, false, true, true);
    return Entry ? (*Entry)->getBuffer().str() : std::string();
  };
  std::string Whole = Read();
  std::string Flipped = Whole;
  Flipped[Whole.size() / 2] ^= 1;
  unsigned Runs = 1;
  for (const std::string &Bad :
       {std::string(), Whole.substr(0, 20), Whole.substr(0, Whole.size() - 1),
        Flipped, Whole + "x", std::string("\0\0\0", 3)}) {
    P.Dir.write(Name, Bad);
    EXPECT_EQ(P.runs(), ++Runs);
    EXPECT_TRUE(Read() == Whole); // it is whole again
    EXPECT_EQ(P.runs(), Runs);
  }
}

TEST(ProbekitCache, AnUnusableFolderIsNoError) {
  Project P(entry("int i;"));
  P.Options.CacheFolder = P.Files[0]; // a file
  EXPECT_EQ(P.succeed().Classes.size(), 2u);
  P.Options.CacheFolder = "/proc/no/such";
  EXPECT_EQ(P.succeed().Classes.size(), 2u);
}

TEST(ProbekitCache, ThePlaceOfTheUser) {
  Project P(entry("int i;"));
  P.Options.CacheFolder.clear();
  {
    Environment E("XDG_CACHE_HOME", P.Dir.str().c_str());
    P.succeed();
  }
  ASSERT_EQ(P.cached().size(), 1u);
  EXPECT_TRUE(llvm::StringRef(P.cached()[0]).starts_with("jopt/llvmcache-"));
  Environment E("XDG_CACHE_HOME", nullptr);
  Environment H("HOME", P.Dir.str().c_str());
  P.succeed();
  EXPECT_EQ(P.cached().size(), 2u);
}

//===----------------------------------------------------------------------===//
// The samples
//===----------------------------------------------------------------------===//

TEST(ProbekitExamples, AllCompileTogetherAndAlone) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (llvm::sys::fs::directory_iterator It(JOPT_EXAMPLES, EC), End; It != End;
       It.increment(EC))
    // http.xml needs the servlet API (test/FirstUse/f-http.test).
    if (llvm::StringRef Path = It->path();
        Path.ends_with(".xml") && !Path.ends_with("/http.xml"))
      Files.push_back(It->path());
  ASSERT_FALSE(EC);
  ASSERT_GE(Files.size(), 4u);
  llvm::sort(Files);
  Project All;
  All.Files = Files;
  ProbeBundle B = All.succeed();
  EXPECT_EQ(All.Seen.Text, "");
  EXPECT_GE(B.Advices.Probes.size(), Files.size());
  for (const std::string &File : Files) {
    Project One;
    One.Files = {File};
    EXPECT_FALSE(One.succeed().Classes.empty()) << File;
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(ProbekitFiles, ThatCannotBeRead) {
  Project P;
  P.Files = {P.Dir / "missing.xml", P.Dir.str() + "/"};
  P.add("bad.xml", "<probekit/>");
  EXPECT_EQ(P.fail(), "missing.xml: error: No such file or directory\n"
                      ": error: is a folder, and none of its classes has "
                      "@MethodPattern of jopt.probes or com.yourkit.probes; "
                      "probes of other kinds are files: Probekit XML, lines "
                      "(*.probes), engine scripts or bundles\n"
                      "bad.xml:1:1: error: the file has no 'probe'\n");
  P.Files = {"/dev/zero"};
  EXPECT_EQ(P.fail(), "/dev/zero: error: Probekit file of more than 16 MiB\n");
}
