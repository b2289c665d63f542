//===- WalkTest.cpp - Folders, nesting, threads and outputs ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestArchives.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace fs = llvm::sys::fs;

namespace {
class WalkTest : public ArchiveFixture {};

std::string jarOf(std::vector<TestEntry> Entries, std::string Prefix = {}) {
  TestArchive A;
  A.Entries = std::move(Entries);
  A.Prefix = std::move(Prefix);
  return A.build();
}
} // namespace

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

TEST_F(WalkTest, ArchivesInArchives) {
  std::string Inner = jarOf({{"C.class", "c"}, {"x.txt", "x"}}, "#!prefix\n");
  std::string Middle = jarOf({{"lib/inner.jar", Inner, 0}, {"B.class", "b"}});
  std::string Same = jarOf({{"y.txt", "y"}});
  std::string Outer = jarOf({{"WEB-INF/lib/middle.war", Middle},
                             {"WEB-INF/lib/same.jar", Same},
                             {"data.zip", "only named like one"},
                             {"A.class", "a"}});
  for (unsigned Threads : {1, 2, 5}) {
    std::vector<std::string> Order;
    TestClient C;
    C.OnEntry = addPlus;
    C.OnFinish = [&](ContainerEditor &E) {
      Order.push_back(shortened(E.info().Display) + " " +
                      std::to_string(E.info().Id) + " " +
                      std::to_string(E.info().Depth) +
                      (E.changed() ? " changed" : "") +
                      (E.entriesChanged() ? " itself" : ""));
      return Error::success();
    };
    EXPECT_EQ(run(Outer, C, Threads), "");
    EXPECT_EQ(llvm::join(Order, "\n"),
              "in.jar!/WEB-INF/lib/middle.war!/lib/inner.jar 2 2 changed "
              "itself\n"
              "in.jar!/WEB-INF/lib/middle.war 1 1 changed itself\n"
              "in.jar!/WEB-INF/lib/same.jar 3 1\n"
              "in.jar 0 0 changed itself");
    std::string Out = read("out.jar");
    std::string NewMiddle = contentOf(Out, "WEB-INF/lib/middle.war");
    std::string NewInner = contentOf(NewMiddle, "lib/inner.jar");
    EXPECT_EQ(contentOf(NewInner, "C.class"), "c+");
    EXPECT_EQ(contentOf(NewMiddle, "B.class"), "b+");
    EXPECT_TRUE(StringRef(NewInner).starts_with("#!prefix\n"));
    EXPECT_EQ(contentOf(Out, "WEB-INF/lib/same.jar"), Same);
    EXPECT_EQ(openZip(NewMiddle)->entries()[0].Method, 0);
  }
}

TEST_F(WalkTest, LargeInnerArchive) {
  // Beyond what is inflated and deflated in one go; incompressible content.
  std::string Noise(9u << 20, 0);
  uint32_t X = 1;
  for (char &Ch : Noise)
    Ch = char((X = X * 1664525 + 1013904223) >> 24);
  std::string Inner = jarOf({{"noise", Noise, 0}, {"C.class", "c"}});
  std::string Outer = jarOf({{"inner.jar", Inner}});
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(Outer, C), "");
  std::string New = contentOf(read("out.jar"), "inner.jar");
  EXPECT_EQ(contentOf(New, "C.class"), "c+");
  EXPECT_TRUE(contentOf(New, "noise") == Noise);
}

TEST_F(WalkTest, BrokenInnerArchive) {
  std::string Inner = jarOf({{"C.class", "c"}, {"D.class", "d"}});
  std::string Outer =
      jarOf({{"inner.jar", Inner.substr(0, 40)}, {"A.class", "a"}});
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(Outer, C), "in.jar!/inner.jar: error: not an archive, or "
                           "truncated: it has no end record");
  EXPECT_EQ(list(), "in.jar");
  unsigned Asked = 0;
  C.OnUnreadable = [&](const EntryInfo &E, Error Why) {
    ++Asked;
    llvm::consumeError(std::move(Why));
    return Error::success();
  };
  EXPECT_EQ(run(Outer, C), "");
  EXPECT_EQ(Asked, 1u);
  EXPECT_EQ(contentOf(read("out.jar"), "inner.jar"), Inner.substr(0, 40));
  EXPECT_EQ(contentOf(read("out.jar"), "A.class"), "a+");
}

TEST_F(WalkTest, TheClientIsAskedOnceAboutAnInnerFailure) {
  std::string Bad = "PK\3\4" + jarOf({{"C.class", "c"}}).substr(29);
  std::string Outer =
      jarOf({{"m.jar", jarOf({{"n.jar", jarOf({{"x.jar", Bad}})}})}});
  unsigned Asked = 0;
  TestClient C;
  C.OnUnreadable = [&](const EntryInfo &, Error Why) {
    ++Asked;
    return Why;
  };
  EXPECT_EQ(run(Outer, C),
            "in.jar!/m.jar!/n.jar!/x.jar: error: truncated, or the directory "
            "is not where the end record says");
  EXPECT_EQ(Asked, 1u);
}

TEST_F(WalkTest, TooDeep) {
  std::string Jar = jarOf({{"A.class", "a"}});
  for (unsigned I = 0; I < 16; ++I)
    Jar = jarOf({{"n.jar", Jar, uint16_t(I % 2 ? 8 : 0)}});
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(Jar, C), "");
  EXPECT_NE(read("out.jar"), Jar);
  fs::remove(path("out.jar"));
  std::string Message = run(jarOf({{"n.jar", Jar}}), C);
  EXPECT_TRUE(StringRef(Message).ends_with(
      "!/n.jar: error: more than 16 archives inside each other"))
      << Message;
  EXPECT_EQ(list(), "in.jar");
}

TEST_F(WalkTest, Bombs) {
  // Sixteen archives in each archive, of zeros in the end.
  std::string Zip = jarOf({{"zeros.jar", std::string(30u << 20, 0)}});
  for (unsigned I = 0; I < 4; ++I) {
    std::vector<TestEntry> Level;
    for (unsigned J = 0; J < 16; ++J)
      Level.push_back({"n" + std::to_string(J) + ".zip", Zip});
    Zip = jarOf(Level);
  }
  EXPECT_LT(Zip.size(), 100u << 10);
  TestClient C;
  std::string Message = run(Zip, C);
  EXPECT_TRUE(StringRef(Message).ends_with(
      "error: its file inflates to far more than its own size; this looks "
      "like an archive bomb"))
      << Message;
  EXPECT_EQ(list(), "in.jar");
}

//===----------------------------------------------------------------------===//
// Order and threads
//===----------------------------------------------------------------------===//

TEST_F(WalkTest, SameBytesAndOrdinalsForAnyNumberOfThreads) {
  std::vector<TestEntry> Entries;
  for (unsigned I = 0; I < 500; ++I)
    Entries.push_back({"p/C" + std::to_string(I) + (I % 7 ? ".class" : ".txt"),
                       std::string(I * 13, char('a' + I % 26)),
                       uint16_t(I % 3 ? 8 : 0)});
  std::string In = jarOf(Entries), First, FirstSeen;
  for (unsigned Threads : {1, 2, 8}) {
    std::mutex Lock;
    std::map<uint64_t, std::string> Seen;
    TestClient C;
    C.OnEntry = [&](const EntryInfo &E, Bytes B) {
      std::lock_guard<std::mutex> Guard(Lock);
      EXPECT_TRUE(Seen.try_emplace(E.Ordinal, E.Name.str()).second);
      EXPECT_EQ(E.Size, B.size());
      return addPlus(E, B);
    };
    EXPECT_EQ(run(In, C, Threads), "");
    std::string SeenText;
    for (auto &[Ordinal, Name] : Seen)
      SeenText += std::to_string(Ordinal) + Name + " ";
    if (First.empty()) {
      First = read("out.jar");
      FirstSeen = SeenText;
    }
    EXPECT_TRUE(read("out.jar") == First);
    EXPECT_EQ(SeenText, FirstSeen);
  }
}

TEST_F(WalkTest, TheFirstErrorInOrderIsReported) {
  std::vector<TestEntry> Entries;
  for (unsigned I = 0; I < 200; ++I)
    Entries.push_back({std::to_string(I) + ".class", "x"});
  std::string In = jarOf(Entries);
  for (unsigned Repeat = 0; Repeat < 20; ++Repeat) {
    TestClient C;
    C.OnEntry = [&](const EntryInfo &E, Bytes B) -> Expected<EntryResult> {
      unsigned N = 0;
      E.Name.drop_back(6).getAsInteger(10, N);
      if (N == 17)
        usleep(2000);
      if (N >= 17)
        return makeError("no");
      return addPlus(E, B);
    };
    EXPECT_EQ(run(In, C, 4), "in.jar!/17.class: error: no");
    EXPECT_EQ(list(), "in.jar");
  }
}

TEST_F(WalkTest, WithoutOutputNothingIsWritten) {
  write("in.jar",
        jarOf({{"A.class", "a"}, {"n.jar", jarOf({{"B.class", "b"}})}}));
  auto In = InputSet::open({path("in.jar")});
  ASSERT_TRUE(bool(In));
  std::mutex Lock;
  std::string Refused;
  std::map<uint64_t, std::string> Seen;
  TestClient C;
  C.OnEntry = [&](const EntryInfo &E, Bytes B) {
    std::lock_guard<std::mutex> Guard(Lock);
    Seen[E.Ordinal] = shortened(E.display());
    return addPlus(E, B);
  };
  C.OnFinish = [&](ContainerEditor &E) {
    EXPECT_TRUE(E.changed());
    Refused = shortened(llvm::toString(E.add("x", {})));
    return Error::success();
  };
  for (unsigned Repeat = 0; Repeat < 2; ++Repeat) {
    Seen.clear();
    EXPECT_EQ(llvm::toString(processInputs(*In, C, nullptr, Options)), "");
    EXPECT_EQ(Seen.size(), 2u);
    EXPECT_EQ(Seen[0], "in.jar!/A.class");
    EXPECT_EQ(Seen[2], "in.jar!/n.jar!/B.class");
    EXPECT_EQ(Refused, "in.jar: error: cannot add an entry without an output");
  }
  EXPECT_EQ(list(), "in.jar");
  // The second walk must see what the first saw.
  write("in.jar", "something else");
  EXPECT_EQ(shortened(llvm::toString(processInputs(*In, C, nullptr, Options))),
            "in.jar: error: the file changed during the run");
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

TEST_F(WalkTest, AFolderIsMirrored) {
  write("in/b/B.class", "b");
  write("in/a.class", "a");
  write("in/readme", "text");
  write("in/lib/x.jar", jarOf({{"X.class", "x"}}));
  write("in/lib/y.jar", jarOf({{"y.txt", "y"}}));
  write("in/lib/z.jar", "");
  ::chmod(path("in/a.class").c_str(), 0600);
  std::vector<std::string> Finished;
  TestClient C;
  C.OnEntry = [&](const EntryInfo &E, Bytes B) -> Expected<EntryResult> {
    EntryResult R = llvm::cantFail(addPlus(E, B));
    if (E.Name == "b/B.class")
      R.NewName = "b/B.jir";
    return R;
  };
  C.OnFinish = [&](ContainerEditor &E) -> Error {
    Finished.push_back(shortened(E.info().Display));
    if (E.info().TheKind != ContainerInfo::Kind::Folder)
      return Error::success();
    EXPECT_EQ(E.size(), 6u);
    EXPECT_EQ(jopt::toStringRef(llvm::cantFail(E.read(0))), "a+");
    EXPECT_NE(llvm::toString(E.replace(*E.find("lib/x.jar"), {})), "");
    if (Error Err = E.add("probes/P.class", toBytes(StringRef("p"))))
      return Err;
    return E.replace(*E.find("readme"), toBytes(StringRef("new text")));
  };
  EXPECT_EQ(run({path("in")}, OutputSpec::to(path("out")), C), "");
  EXPECT_EQ(llvm::join(Finished, " "), "in/lib/x.jar in/lib/y.jar in");
  EXPECT_EQ(list(), "in/a.class in/b/B.class in/lib/x.jar in/lib/y.jar "
                    "in/lib/z.jar in/readme out/a.class out/b/B.jir "
                    "out/lib/x.jar out/lib/y.jar out/lib/z.jar "
                    "out/probes/P.class out/readme");
  EXPECT_EQ(read("out/a.class"), "a+");
  EXPECT_EQ(read("out/b/B.jir"), "b+");
  EXPECT_EQ(read("out/readme"), "new text");
  EXPECT_EQ(read("out/lib/y.jar"), read("in/lib/y.jar"));
  EXPECT_EQ(contentOf(read("out/lib/x.jar"), "X.class"), "x+");
  struct stat S;
  ASSERT_EQ(::stat(path("out/a.class").c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 0777, 0600u);
}

TEST_F(WalkTest, FilesComeByTheBytesOfTheirPaths) {
  // A slash is behind '-' and '.', and in front of digits and letters.
  std::vector<std::string> Wanted = {"a-b", "a.c", "a/x", "a0", "ab"};
  for (unsigned I = 1000; I < 3000; ++I)
    Wanted.push_back("b/" + std::to_string(I % 7) + "/" + std::to_string(I));
  llvm::sort(Wanted);
  for (const std::string &Name : Wanted)
    write("in/" + Name, Name);
  for (unsigned Threads : {1, 3}) {
    auto In = InputSet::open({path("in/")}, Threads);
    ASSERT_TRUE(bool(In));
    std::vector<std::string> Found;
    for (const InputFile &F : In->inputs()[0].Files) {
      Found.push_back(F.Relative);
      EXPECT_EQ(F.Size, F.Relative.size());
      EXPECT_EQ(F.Path, path("in/") + F.Relative);
      EXPECT_TRUE(bool(F.open()));
    }
    EXPECT_EQ(Found, Wanted);
  }
}

TEST_F(WalkTest, ModesAreThoseOfTheInputsWhateverTheMask) {
  const std::vector<unsigned> Modes = {0644, 0644, 0666, 0666, 0600, 0644};
  for (unsigned I = 0; I < Modes.size(); ++I) {
    const std::string Name = "in/" + std::to_string(I);
    write(Name, "a");
    ::chmod(path(Name).c_str(), Modes[I]);
  }
  TestClient C;
  for (mode_t Mask : {0077, 0}) {
    const std::string Out = "out" + std::to_string(Mask);
    const mode_t Old = ::umask(Mask);
    EXPECT_EQ(run({path("in")}, OutputSpec::to(path(Out)), C), "");
    ::umask(Old);
    for (unsigned I = 0; I < Modes.size(); ++I) {
      struct stat S;
      ASSERT_EQ(::stat(path(Out + "/" + std::to_string(I)).c_str(), &S), 0);
      EXPECT_EQ(S.st_mode & 0777, Modes[I]) << Out << " " << I;
    }
  }
}

TEST_F(WalkTest, AFolderAppearsWhole) {
  write("in/a.class", "a");
  write("in/b.class", "b");
  auto In = InputSet::open({path("in")});
  ASSERT_TRUE(bool(In));
  // The second time the folder is there already.
  for (const char *Added : {"p", "q"}) {
    TestClient C;
    C.OnEntry = addPlus;
    C.OnFinish = [&](ContainerEditor &E) -> Error {
      EXPECT_EQ(jopt::toStringRef(llvm::cantFail(E.read(0))), "a+");
      return E.replace(0, toBytes(StringRef(Added)));
    };
    auto Out = OutputSet::create(*In, OutputSpec::to(path("new/out/")));
    ASSERT_TRUE(bool(Out));
    bool WasThere = exists("new/out");
    EXPECT_EQ(llvm::toString(processInputs(*In, C, &*Out, Options)), "");
    // In the folder, if it is written in another way.
    EXPECT_EQ(llvm::toString(Out->addFile(path("in/../new/out/x.jar"),
                                          Rope(toBytes(StringRef(Added))))),
              "");
    EXPECT_EQ(shortened(llvm::toString(
                  Out->addFile(path("new/out/x.jar"), Rope(Bytes())))),
              "new/out/x.jar: error: both 'an added file' and 'an added file' "
              "would be written here");
    EXPECT_EQ(exists("new/out"), WasThere);
    EXPECT_EQ(llvm::toString(Out->commit()), "");
    EXPECT_EQ(list(), "in/a.class in/b.class new/out/a.class new/out/b.class "
                      "new/out/x.jar");
    EXPECT_EQ(read("new/out/a.class"), Added);
    EXPECT_EQ(read("new/out/b.class"), "b+");
    EXPECT_EQ(read("new/out/x.jar"), Added);
  }
}

TEST_F(WalkTest, InPlaceLeavesWhatChangedMeanwhile) {
  for (const char *Name : {"other", "longer", "later", "gone", "same"})
    write(std::string("in/") + Name + ".class", "ab");
  auto In = InputSet::open({path("in")});
  ASSERT_TRUE(bool(In));
  TestClient C;
  C.OnEntry = addPlus;
  auto Weave = [&]() -> Expected<OutputSet> {
    auto Out = OutputSet::create(*In, OutputSpec::inPlace());
    if (Out)
      if (Error E = processInputs(*In, C, &*Out, Options))
        return E;
    return Out;
  };
  Expected<OutputSet> Out = Weave();
  ASSERT_TRUE(bool(Out));
  // Another file of that size and time; another size; another time.
  struct stat Was;
  ASSERT_EQ(::stat(path("in/other.class").c_str(), &Was), 0);
  write("new", "cd");
  const timespec Times[] = {Was.st_atim, Was.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, path("new").c_str(), Times, 0), 0);
  ASSERT_EQ(::rename(path("new").c_str(), path("in/other.class").c_str()), 0);
  write("in/longer.class", "abc");
  const timespec Later[] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path("in/later.class").c_str(), Later, 0), 0);
  ASSERT_EQ(::unlink(path("in/gone.class").c_str()), 0);
  EXPECT_EQ(Out->changed().size(), 4u);

  std::vector<const InputFile *> Left;
  EXPECT_EQ(llvm::toString(Out->commit(&Left)), "");
  std::string Names;
  for (const InputFile *F : Left)
    Names += F->Relative + " ";
  EXPECT_EQ(Names, "gone.class later.class longer.class other.class ");
  EXPECT_EQ(list(), "in/later.class in/longer.class in/other.class "
                    "in/same.class");
  EXPECT_EQ(read("in/other.class"), "cd");
  EXPECT_EQ(read("in/longer.class"), "abc");
  EXPECT_EQ(read("in/later.class"), "ab");
  EXPECT_EQ(read("in/same.class"), "ab+");
}

TEST_F(WalkTest, OnlyTheBeginning) {
  class Heads : public ContainerClient {
  public:
    uint64_t wantedBytes() const override { return 3; }
    Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
      std::lock_guard<std::mutex> Guard(Lock);
      Seen[E.Name.str()] = jopt::toStringRef(Data).str();
      return EntryResult::unchanged();
    }
    Error unreadable(const EntryInfo &E, Error Why) override {
      std::lock_guard<std::mutex> Guard(Lock);
      Seen[E.Name.str()] = llvm::toString(std::move(Why));
      return Error::success();
    }
    std::mutex Lock;
    std::map<std::string, std::string> Seen;
  };
  std::string Long;
  for (unsigned I = 0; I < 5000; ++I)
    Long += std::to_string(I * 7919);
  std::string Bad = jarOf({{"bad.class", Long}});
  // The first block of the content is of a type that does not exist.
  Bad[30 + strlen("bad.class")] = char(0x07);
  write("in/a.jar", jarOf({{"deflated.class", Long},
                           {"stored.class", Long, 0},
                           {"short.class", "ab"},
                           {"exact.class", "abc"}}));
  write("in/b.jar", Bad);
  write("in/file.class", Long);
  write("in/empty.class", "");
  auto In = InputSet::open({path("in")});
  ASSERT_TRUE(bool(In));
  Heads C;
  EXPECT_EQ(llvm::toString(processInputs(*In, C, nullptr, Options)), "");
  std::string Text;
  for (const auto &[Name, Data] : C.Seen)
    Text += Name + "=" + shortened(Data) + "\n";
  EXPECT_EQ(Text, "bad.class=in/b.jar!/bad.class: error: broken: does not "
                  "inflate to the " +
                      std::to_string(Long.size()) +
                      " bytes that the directory says\n"
                      "deflated.class=079\nempty.class=\nexact.class=abc\n"
                      "file.class=079\nshort.class=ab\nstored.class=079\n");
}

TEST_F(WalkTest, InPlace) {
  write("in/b/B.class", "b");
  write("in/a.txt", "a");
  write("x.jar", jarOf({{"X.class", "x"}}));
  ::symlink("x.jar", path("link.jar").c_str());
  ::link(path("x.jar").c_str(), path("hard.jar").c_str());
  std::string Before = read("x.jar");
  TestClient C;
  C.OnEntry = addPlus;
  C.OnFinish = [&](ContainerEditor &E) -> Error {
    if (E.info().TheKind == ContainerInfo::Kind::Folder)
      return E.add("new.txt", toBytes(StringRef("n")));
    return Error::success();
  };
  EXPECT_EQ(run({path("in"), path("link.jar")}, OutputSpec::inPlace(), C), "");
  EXPECT_EQ(list(), "hard.jar in/a.txt in/b/B.class in/new.txt link.jar x.jar");
  EXPECT_EQ(read("in/b/B.class"), "b+");
  EXPECT_EQ(read("in/new.txt"), "n");
  EXPECT_EQ(contentOf(read("x.jar"), "X.class"), "x+");
  EXPECT_TRUE(fs::is_symlink_file(path("link.jar")));
  EXPECT_TRUE(read("hard.jar") == Before);

  // Whole or not at all.
  C.OnFinish = [&](ContainerEditor &E) -> Error {
    if (E.info().Input == 1)
      return makeError("late failure");
    return Error::success();
  };
  EXPECT_EQ(run({path("in"), path("link.jar")}, OutputSpec::inPlace(), C),
            "link.jar: error: late failure");
  EXPECT_EQ(read("in/b/B.class"), "b+");
  EXPECT_EQ(list(), "hard.jar in/a.txt in/b/B.class in/new.txt link.jar x.jar");

  // A link inside a folder is not followed to change what lies elsewhere.
  ::symlink("../../x.jar", path("in/b/link.jar").c_str());
  C.OnFinish = nullptr;
  EXPECT_EQ(run({path("in")}, OutputSpec::inPlace(), C),
            "in/b/link.jar: error: is reached by a link, which is not changed "
            "in place");
}

TEST_F(WalkTest, LinksInFolders) {
  write("in/b/B.class", "b");
  write("elsewhere/C.class", "c");
  ::symlink("..", path("in/b/up").c_str());
  ::symlink(".", path("in/self").c_str());
  ::symlink("../elsewhere", path("in/e").c_str());
  ::symlink("nowhere", path("in/dangling").c_str());
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run({path("in")}, OutputSpec::to(path("out")), C), "");
  EXPECT_EQ(read("out/e/C.class"), "c+");
  EXPECT_EQ(read("out/b/B.class"), "b+");
  EXPECT_FALSE(exists("out/self"));
  EXPECT_EQ(read("elsewhere/C.class"), "c");
}

TEST_F(WalkTest, WhereOutputsGo) {
  write("A.class", "a");
  write("b/B.class", "b");
  write("c/d/C.class", "c");
  TestClient C;
  C.OnEntry = addPlus;
  // One file: to the path, or into a folder.
  EXPECT_EQ(run({path("A.class")}, OutputSpec::to(path("o1/X.class")), C), "");
  EXPECT_EQ(read("o1/X.class"), "a+");
  EXPECT_EQ(run({path("A.class")}, OutputSpec::to(path("o1")), C), "");
  EXPECT_EQ(read("o1/A.class"), "a+");
  EXPECT_EQ(run({path("A.class")}, OutputSpec::to(path("o2/")), C), "");
  EXPECT_EQ(read("o2/A.class"), "a+");
  // Several: under their last parts.
  EXPECT_EQ(run({path("A.class"), path("b"), path("c/./d/.")},
                OutputSpec::to(path("o3")), C),
            "");
  EXPECT_EQ(read("o3/A.class"), "a+");
  EXPECT_EQ(read("o3/b/B.class"), "b+");
  EXPECT_EQ(read("o3/d/C.class"), "c+");
  // An existing output is replaced.
  EXPECT_EQ(run({path("b/B.class")}, OutputSpec::to(path("o1/X.class")), C),
            "");
  EXPECT_EQ(read("o1/X.class"), "b+");
  EXPECT_EQ(run({path("A.class")}, OutputSpec::to("/dev/null"), C), "");
  struct stat S;
  ASSERT_EQ(::stat("/dev/null", &S), 0);
  EXPECT_TRUE(S_ISCHR(S.st_mode));
}

TEST_F(WalkTest, RefusedOutputs) {
  write("A.class", "a");
  write("b/A.class", "b");
  write("file", "f");
  ::symlink("A.class", path("link").c_str());
  ::link(path("A.class").c_str(), path("hard").c_str());
  std::string Before = list();
  TestClient C;
  C.OnEntry = addPlus;
  auto Run = [&](std::vector<std::string> Names, StringRef Out) {
    for (std::string &N : Names)
      N = path(N);
    std::string Text =
        run(Names, OutputSpec::to(Out == "-" ? "-" : path(Out)), C);
    EXPECT_EQ(list(), Before);
    EXPECT_EQ(read("A.class"), "a");
    return Text;
  };
  for (StringRef Out : {"A.class", "link", "hard", "b/../A.class", "."})
    EXPECT_TRUE(StringRef(Run({"A.class"}, Out))
                    .ends_with("error: this output is an input; only -in-place "
                               "changes inputs"))
        << Out.str();
  EXPECT_EQ(Run({"A.class", "b/A.class"}, "out"),
            "out/A.class: error: both 'A.class' and 'b/A.class' would be "
            "written here");
  EXPECT_EQ(Run({"A.class", "b"}, "file"),
            "file: error: a folder or several inputs need a folder for "
            "output, this is a file");
  for (StringRef Out : {"b", "b/out", "b/x/../out", "file/../b/new/er"})
    EXPECT_TRUE(StringRef(Run({"b"}, Out))
                    .contains("error: the output folder is inside the input "
                              "folder 'b'"))
        << Out.str();
  EXPECT_EQ(Run({"b"}, "-"),
            "error: a folder or several inputs cannot go to standard output: "
            "give an output folder, or work in place");
  EXPECT_EQ(Run({"missing"}, "out"),
            "missing: error: cannot read: No such file or directory");
  // Outputs that would replace inputs of another argument.
  EXPECT_TRUE(StringRef(Run({"A.class", "b"}, "."))
                  .contains("error: this output is an input"));
}

TEST_F(WalkTest, FailedWritesLeaveNothing) {
  write("A.class", "a");
  write("out/x/A.class/occupied", "o");
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run({path("A.class")},
                OutputSpec::to(path("out/x/A.class/occupied/y")), C),
            "out/x/A.class/occupied/y: error: cannot write: Not a directory");
  write("in/p/A.class", "a");
  write("in/q/A.class", "q");
  write("dest/q/A.class/z", "z");
  EXPECT_EQ(run({path("in")}, OutputSpec::to(path("dest")), C),
            "dest/q/A.class: error: cannot write: is a folder");
  EXPECT_FALSE(exists("dest/p"));
  EXPECT_EQ(list(), "A.class dest/q/A.class/z in/p/A.class in/q/A.class "
                    "out/x/A.class/occupied");
}

TEST_F(WalkTest, AnInterruptLeavesNothing) {
  write("in.jar", jarOf({{"A.class", "a"}, {"B.class", "b"}}));
  write("out/old", "old");
  auto InterruptedRun = [&] {
    catchInterrupts();
    TestClient C;
    C.OnEntry = [](const EntryInfo &E, Bytes B) {
      ::raise(SIGINT);
      return addPlus(E, B);
    };
    std::string Text = run({path("in.jar"), path("out/old")},
                           OutputSpec::to(path("result")), C, 1);
    ::_exit(Text == "error: interrupted" && list() == "in.jar out/old" ? 0 : 1);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(InterruptedRun(), testing::ExitedWithCode(0), "");
}
