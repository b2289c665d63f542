//===- ArchiveTest.cpp - What stays of an archive, what breaks it ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestArchives.h"
#include "jopt/Archive/Signatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::raw_string_ostream;
using llvm::SmallVector;
using llvm::StringRef;

namespace fs = llvm::sys::fs;

namespace {

class ArchiveTest : public ArchiveFixture {
protected:
  /// Everything about an archive but content, as text: names, methods, flags,
  /// the raw bytes of headers without sizes, checksums and places.
  static std::string metadata(const std::string &Archive) {
    std::unique_ptr<ZipArchive> A = openZip(Archive);
    if (!A)
      return "<broken>";
    std::string Text;
    raw_string_ostream OS(Text);
    ArrayRef<ZipEntry> Entries = A->entries();
    for (size_t I = 0; I < Entries.size(); ++I) {
      const ZipEntry &E = Entries[I];
      size_t End = I + 1 < Entries.size() ? Entries[I + 1].Record
                                          : A->directory().size();
      std::string Record =
          jopt::toStringRef(A->directory().slice(E.Record, End - E.Record))
              .str();
      for (unsigned At = 16; At < 28; ++At)
        Record[At] = 0;
      for (unsigned At = 42; At < 46; ++At)
        Record[At] = 0;
      OS << E.Name << ": " << llvm::toHex(Record) << ' ';
      std::string Local =
          jopt::toStringRef(toBytes(Archive).slice(E.Local, E.Data - E.Local))
              .str();
      for (unsigned At = 14; At < 26; ++At)
        Local[At] = 0;
      OS << llvm::toHex(Local) << '\n';
    }
    return Text;
  }

  static TestArchive plain() {
    TestArchive A;
    A.Entries = {{"META-INF/", "", 0},
                 {"META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n"},
                 {"a/B.class", std::string(5000, 'b')},
                 {"a/stored.class", "cccc", 0},
                 {"a/b.txt", std::string(300, 't')}};
    return A;
  }
};

} // namespace

TEST_F(ArchiveTest, UnchangedIsCopiedByteForByte) {
  TestArchive A = plain();
  A.Comment = "a comment";
  A.Prefix = "#!/bin/sh\nexec java -jar \"$0\"\n";
  A.Entries[2].GapAfter = "padding";
  std::string Bytes = A.build();
  TestClient C;
  EXPECT_EQ(run(Bytes, C), "");
  EXPECT_EQ(read("out.jar"), Bytes);
  // Also when an entry is answered with its own content.
  C.OnEntry = [](const EntryInfo &, jopt::Bytes B) {
    return replacedBy(jopt::toStringRef(B));
  };
  EXPECT_EQ(run(Bytes, C), "");
  EXPECT_EQ(read("out.jar"), Bytes);
}

TEST_F(ArchiveTest, ChangedKeepsEverythingElse) {
  TestArchive A = plain();
  A.Comment = "a comment";
  A.Entries[2].LocalExtra = std::string("\xfe\xca\0\0", 4);
  A.Entries[2].Extra = std::string("UT\5\0\1abcd", 9);
  A.Entries[2].Comment = "entry comment";
  A.Entries[2].Flags = 0x0802; // deflate option, UTF-8 name
  A.Entries[4].Extra = std::string("UT\5\0\1abcd", 9);
  std::string In = A.build();
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(In, C), "");
  std::string Out = read("out.jar");
  EXPECT_EQ(metadata(Out), metadata(In));
  EXPECT_EQ(contentOf(Out, "a/B.class"), std::string(5000, 'b') + "+");
  EXPECT_EQ(contentOf(Out, "a/stored.class"), "cccc+");
  EXPECT_EQ(contentOf(Out, "a/b.txt"), std::string(300, 't'));
  EXPECT_EQ(openZip(Out)->entries()[3].Method, 0);
  EXPECT_TRUE(StringRef(Out).ends_with("a comment"));
}

TEST_F(ArchiveTest, BothKindsOfPrefix) {
  for (bool Counted : {false, true}) {
    TestArchive A = plain();
    A.Prefix = "#!/bin/sh\nexec java -jar \"$0\"\n";
    A.PrefixCounted = Counted;
    std::string In = A.build();
    TestClient C;
    C.OnEntry = addPlus;
    EXPECT_EQ(run(In, C), "");
    std::string Out = read("out.jar");
    EXPECT_EQ(openZip(Out)->base(), Counted ? 0 : A.Prefix.size());
    EXPECT_TRUE(StringRef(Out).starts_with(A.Prefix));
    EXPECT_EQ(contentOf(Out, "a/B.class"), std::string(5000, 'b') + "+");
    EXPECT_EQ(metadata(Out), metadata(In));
  }
}

TEST_F(ArchiveTest, DescriptorsAndZip64) {
  for (bool Zip64 : {false, true}) {
    for (bool Descriptor : {false, true}) {
      TestArchive A = plain();
      A.Zip64End = Zip64;
      for (TestEntry &E : A.Entries) {
        E.Zip64 = Zip64;
        if (Descriptor && E.Method == 8)
          E.Flags |= 8;
      }
      std::string In = A.build();
      TestClient C;
      EXPECT_EQ(run(In, C), "");
      EXPECT_EQ(read("out.jar"), In);
      // A change of the same length and back: the original, but for deflate's
      // own choices, which are ours in both.
      C.OnEntry = addPlus;
      EXPECT_EQ(run(In, C), "");
      std::string Changed = read("out.jar");
      EXPECT_EQ(contentOf(Changed, "a/B.class"), std::string(5000, 'b') + "+");
      EXPECT_EQ(openZip(Changed)->isZip64(), Zip64);
      C.OnEntry = [](const EntryInfo &, Bytes B) {
        return replacedBy(jopt::toStringRef(B).drop_back());
      };
      EXPECT_EQ(run(Changed, C), "");
      EXPECT_EQ(read("out.jar"), In);
    }
  }
}

TEST_F(ArchiveTest, MoreEntriesThan65535) {
  TestArchive A;
  for (unsigned I = 0; I < 65534; ++I)
    A.Entries.push_back({"e" + std::to_string(I), "", 0});
  std::string In = A.build();
  TestClient C;
  C.OnFinish = [](ContainerEditor &E) -> Error {
    for (StringRef Name : {"x", "y", "z"})
      if (Error Err = E.add(Name, toBytes(Name)))
        return Err;
    return Error::success();
  };
  EXPECT_EQ(run(In, C), "");
  std::string Out = read("out.jar");
  std::unique_ptr<ZipArchive> Zip = openZip(Out);
  ASSERT_TRUE(Zip);
  EXPECT_TRUE(Zip->isZip64());
  EXPECT_EQ(Zip->entries().size(), 65537u);
  EXPECT_EQ(contentOf(Out, "z"), "z");
}

TEST_F(ArchiveTest, DuplicatesStay) {
  TestArchive A;
  A.Entries = {{"A.class", "first"}, {"b", "b"}, {"A.class", "second"}};
  TestClient C;
  C.OnEntry = [](const EntryInfo &E, Bytes B) -> Expected<EntryResult> {
    if (jopt::toStringRef(B) == "second")
      return replacedBy("changed");
    return EntryResult::unchanged();
  };
  EXPECT_EQ(run(A.build(), C), "");
  std::string Out = read("out.jar");
  EXPECT_EQ(namesOf(Out), "A.class b A.class");
  EXPECT_EQ(contentOf(Out, "A.class"), "first");
  std::unique_ptr<ZipArchive> Zip = openZip(Out);
  SmallVector<uint8_t, 0> Data;
  ASSERT_FALSE(bool(Zip->read(Zip->entries()[2], 100, Data)));
  EXPECT_EQ(jopt::toStringRef(Data), "changed");
}

TEST_F(ArchiveTest, NamesAreBytes) {
  TestArchive A;
  std::string Odd("\xff\n../\x00 z", 8);
  A.Entries = {{"../../etc/A.class", "1"},
               {"/abs.class", "2"},
               {Odd, "3"},
               {"C:\\x.class", "4"}};
  std::string In = A.build();
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(In, C), "");
  std::string Out = read("out.jar");
  EXPECT_EQ(metadata(Out), metadata(In));
  EXPECT_EQ(contentOf(Out, "../../etc/A.class"), "1+");
  EXPECT_EQ(contentOf(Out, Odd), "3");
  EXPECT_EQ(list(), "in.jar out.jar");
}

TEST_F(ArchiveTest, DirectoryInAnotherOrderThanContent) {
  TestArchive A = plain();
  std::string In = A.build();
  // Swap the last two records of the directory (nothing else knows of order).
  std::unique_ptr<ZipArchive> Zip = openZip(In);
  size_t First = Zip->entries()[3].Record, Second = Zip->entries()[4].Record;
  size_t Start = Zip->directoryStart(), End = Start + Zip->directory().size();
  std::string Swapped = In.substr(0, Start + First) +
                        In.substr(Start + Second, End - Start - Second) +
                        In.substr(Start + First, Second - First) +
                        In.substr(End);
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(Swapped, C), "");
  std::string Out = read("out.jar");
  EXPECT_EQ(metadata(Out), metadata(Swapped));
  EXPECT_GT(openZip(Out)->entries()[3].Local, openZip(Out)->entries()[4].Local);
  EXPECT_EQ(contentOf(Out, "a/stored.class"), "cccc+");
}

TEST_F(ArchiveTest, AddReplaceDrop) {
  ::unsetenv("SOURCE_DATE_EPOCH");
  TestClient C;
  C.OnFinish = [](ContainerEditor &E) -> Error {
    EXPECT_EQ(E.size(), 5u);
    EXPECT_FALSE(E.changed());
    if (Error Err = E.drop(*E.find("a/b.txt")))
      return Err;
    EXPECT_TRUE(E.changed());
    EXPECT_FALSE(E.entriesChanged());
    if (Error Err = E.replace(1, toBytes("new manifest")))
      return Err;
    EXPECT_EQ(jopt::toStringRef(llvm::cantFail(E.read(1))), "new manifest");
    EXPECT_EQ(jopt::toStringRef(llvm::cantFail(E.read(3))), "cccc");
    if (Error Err = E.add("a/stored.class", toBytes("replaced")))
      return Err;
    if (Error Err = E.add("p/q.bin", toBytes("stored"), false))
      return Err;
    for (StringRef Bad : {"", "/x", "../x", "a/../x", "a//b", ".", "a\\b"})
      EXPECT_NE(llvm::toString(E.add(Bad, {})), "") << Bad.str();
    EXPECT_NE(llvm::toString(E.add("p/q.bin", {})), "");
    return E.add("p/\xc3\xa4", toBytes("umlaut"));
  };
  EXPECT_EQ(run(plain().build(), C), "");
  std::string Out = read("out.jar");
  EXPECT_EQ(namesOf(Out), "META-INF/ META-INF/MANIFEST.MF a/B.class "
                          "a/stored.class p/q.bin p/\xc3\xa4");
  EXPECT_EQ(contentOf(Out, "META-INF/MANIFEST.MF"), "new manifest");
  EXPECT_EQ(contentOf(Out, "a/stored.class"), "replaced");
  std::unique_ptr<ZipArchive> Zip = openZip(Out);
  EXPECT_EQ(Zip->entries()[4].Method, 0);
  EXPECT_EQ(Zip->entries()[5].Flags, 0x800);
  auto DateOf = [](const ZipArchive &A, size_t I) {
    const uint8_t *P = A.directory().data() + A.entries()[I].Record + 12;
    return unsigned(P[0] | P[1] << 8 | P[2] << 16) | unsigned(P[3]) << 24;
  };
  EXPECT_EQ(DateOf(*Zip, 5), 0x00210000u); // 1980-01-01 00:00
  ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  EXPECT_EQ(run(plain().build(), C), "");
  ::unsetenv("SOURCE_DATE_EPOCH");
  // 2023-11-14 22:13:20
  EXPECT_EQ(DateOf(*openZip(Out = read("out.jar")), 5),
            (43u << 25 | 11u << 21 | 14u << 16 | 22u << 11 | 13u << 5 | 10u));
}

// A fuzzer's: bytes that look like end records, one across the other. What is
// written is found again, or the archive is refused.
TEST_F(ArchiveTest, EndRecordsInEachOther) {
  std::string Archive = llvm::fromHex(
      "0000006c500050008a00504b0506e9008a005006e9058a00504b504b0506"
      "de00000000504b0506000000000006000000000000500050008a00504b05"
      "06e9008a005006e9058a00504b504b050600000000504b05060000000000"
      "0000000000504b0506000000000000000000000000000000000000000020"
      "00000000000000000000000000000000");
  std::unique_ptr<ZipArchive> A = openZip(Archive);
  ASSERT_TRUE(A);
  ZipWriter W(A.get());
  W.add("added/P.class",
        llvm::cantFail(pack(toBytes("new content"), ZipMethod::Deflated)));
  Expected<Rope> Edited = W.finish();
  ASSERT_FALSE(bool(Edited));
  EXPECT_EQ(llvm::toString(Edited.takeError()),
            "error: other bytes of the archive look like its end record; it "
            "cannot be changed");
}

static std::string textOf(const Rope &R) {
  std::string Text;
  llvm::cantFail(R.forEachChunk([&](Bytes Chunk) {
    Text += jopt::toStringRef(Chunk);
    return Error::success();
  }));
  return Text;
}

// Whatever is in memory, in a file or in that of the rope itself: the bytes,
// and each part of them, are those that were put there.
TEST_F(ArchiveTest, RopesOfSmallPieces) {
  std::shared_ptr<SpillFile> Spill = SpillFile::create();
  Rope R(Spill);
  std::string Expected;
  for (unsigned I = 0; I < 3000; ++I) {
    // Owned bytes are 1.5 MB: some go to the file, some stay.
    std::string Header(500 + I % 7, char('a' + I % 26));
    std::string Content(I % 90, char('A' + I % 26));
    R.append(toBytes(Header));
    R.append(llvm::cantFail(Spill->append(toBytes(Content))));
    Expected += Header + Content;
  }
  EXPECT_EQ(R.size(), Expected.size());
  EXPECT_TRUE(textOf(R) == Expected);
  for (uint64_t From = 0; From < Expected.size(); From += 70001) {
    Rope Part;
    const uint64_t Length = std::min<uint64_t>(From / 3, R.size() - From);
    Part.append(R, From, Length);
    EXPECT_TRUE(textOf(Part) == Expected.substr(From, Length)) << From;
  }
  EXPECT_TRUE(jopt::toStringRef(llvm::cantFail(R.last(300000))) ==
              StringRef(Expected).take_back(300000));
  Rope Copy;
  Copy.append(R);
  EXPECT_TRUE(textOf(Copy) == Expected);

  llvm::SmallString<128> Path;
  int FD;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("rope", "", FD, Path));
  EXPECT_FALSE(bool(R.writeTo(FD, Path)));
  ::close(FD);
  auto Written = llvm::MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Written));
  EXPECT_TRUE((*Written)->getBuffer() == Expected);
  llvm::sys::fs::remove(Path);
}

TEST_F(ArchiveTest, BrokenArchives) {
  auto Message = [&](const std::string &Bytes) {
    TestClient C;
    C.OnEntry = addPlus;
    std::string Text = run(Bytes, C);
    EXPECT_FALSE(exists("out.jar")) << Text;
    EXPECT_EQ(list(), "in.jar");
    return Text;
  };
  std::string Good = plain().build();
  EXPECT_EQ(Message(""), "in.jar: error: not an archive");
  EXPECT_EQ(Message(Good.substr(0, Good.size() - 5)),
            "in.jar: error: not an archive, or truncated: it has no end "
            "record");
  EXPECT_EQ(Message(Good.substr(0, 100)),
            "in.jar: error: not an archive, or truncated: it has no end "
            "record");
  EXPECT_EQ(Message(Good.substr(50)),
            "in.jar: error: truncated, or the directory is not where the end "
            "record says");

  auto With = [&](std::function<void(TestArchive &)> Spoil) {
    TestArchive A = plain();
    Spoil(A);
    return Message(A.build());
  };
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].CRC = 1; }),
            "in.jar!/a/B.class: error: broken: wrong checksum");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Size = 5001; }),
            "in.jar!/a/B.class: error: broken: does not inflate to the 5001 "
            "bytes that the directory says");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Size = 4999; }),
            "in.jar!/a/B.class: error: broken: does not inflate to the 4999 "
            "bytes that the directory says");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Size = 30u << 20; }),
            "in.jar!/a/B.class: error: its 23 bytes cannot inflate to "
            "31457280");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].LocalSize = 1; }),
            "in.jar!/a/B.class: error: the local header has another size or "
            "checksum than the directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Packed = 1u << 30; }),
            "in.jar!/a/B.class: error: overlaps the next entry or the "
            "directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[3].Size = 3; }),
            "in.jar!/a/stored.class: error: stored, but its two sizes differ");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].LocalName = "a/C.class"; }),
            "in.jar!/a/B.class: error: the local header has another name than "
            "the directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[3].Local = 0; }),
            "in.jar!/META-INF/: error: overlaps the next entry or the "
            "directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[3].Local = 1; }),
            "in.jar!/META-INF/: error: overlaps the next entry or the "
            "directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[3].Local = 1u << 30; }),
            "in.jar!/a/stored.class: error: begins beyond the directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[4].Local = 170; }),
            "in.jar!/a/B.class: error: overlaps the next entry or the "
            "directory");
  EXPECT_EQ(With([](TestArchive &A) { A.Count = 4; }),
            "in.jar: error: the end record counts 4 entries, the directory "
            "has 5");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Flags = 1; }),
            "in.jar!/a/B.class: error: is encrypted");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].Method = 14; }),
            "in.jar!/a/B.class: error: unknown compression method 14");
  EXPECT_EQ(With([](TestArchive &A) { A.Entries[2].PackedBytes = "nonsense"; }),
            "in.jar!/a/B.class: error: broken: does not inflate to the 5000 "
            "bytes that the directory says");
}

TEST_F(ArchiveTest, EveryPrefixIsAnErrorOrAnArchive) {
  TestArchive A = plain();
  A.Zip64End = true;
  std::string Good = A.build();
  for (size_t Length = 0; Length < Good.size(); ++Length) {
    std::string Cut = Good.substr(0, Length);
    auto Zip = ZipArchive::open(ByteRange::ofMemory(toBytes(Cut)), "t.jar", {});
    EXPECT_FALSE(bool(Zip)) << Length;
    if (!Zip)
      llvm::consumeError(Zip.takeError());
  }
}

TEST_F(ArchiveTest, WhatNeedNotBeTouchedMayBeUnreadable) {
  TestArchive A = plain();
  A.Entries[4].Flags = 1;
  A.Entries.push_back({"other.dat", "whatever", 93});
  std::string In = A.build();
  TestClient C;
  C.OnEntry = addPlus;
  EXPECT_EQ(run(In, C), "");
  EXPECT_EQ(metadata(read("out.jar")), metadata(In));
}

TEST_F(ArchiveTest, LocalHeadersWithoutSizes) {
  std::string In = plain().build();
  std::unique_ptr<ZipArchive> Zip = openZip(In);
  for (const ZipEntry &E : Zip->entries())
    std::fill_n(In.begin() + E.Local + 14, 12, '\0');
  TestClient C;
  EXPECT_EQ(run(In, C), "");
  EXPECT_EQ(read("out.jar"), In);
  C.OnEntry = addPlus;
  EXPECT_EQ(run(In, C), "");
  EXPECT_EQ(contentOf(read("out.jar"), "a/stored.class"), "cccc+");
}

TEST_F(ArchiveTest, TheClientMayLeaveTheUnreadableAlone) {
  TestArchive A = plain();
  A.Entries[2].CRC = 7;
  std::string Seen;
  TestClient C;
  C.OnEntry = addPlus;
  C.OnUnreadable = [&](const EntryInfo &E, Error Why) {
    Seen += E.Name.str() + ": " + llvm::toString(std::move(Why));
    return Error::success();
  };
  EXPECT_EQ(run(A.build(), C), "");
  EXPECT_EQ(shortened(Seen), "a/B.class: in.jar!/a/B.class: error: broken: "
                             "wrong checksum");
  std::string Out = read("out.jar");
  EXPECT_EQ(contentOf(Out, "a/stored.class"), "cccc+");
  EXPECT_EQ(openZip(Out)->entries()[2].CRC, 7u);
}

TEST_F(ArchiveTest, LimitsOfSize) {
  TestArchive A;
  A.Entries = {{"Big.class", std::string(40u << 20, 'x')},
               {"big.txt", std::string(40u << 20, 'x')}};
  TestClient C;
  EXPECT_EQ(run(A.build(), C),
            "in.jar!/Big.class: error: has 41943040 bytes, the limit is "
            "33554432");
  A.Entries[0].Name = "big.dat"; // only copied: no limit
  EXPECT_EQ(run(A.build(), C), "");
  EXPECT_EQ(read("out.jar"), A.build());

  A.Entries = {{"A.class", std::string(1u << 20, 'x')},
               {"B.class", std::string(1u << 20, 'x')}};
  Options.Limits.MaxInflated = 1u << 20;
  fs::remove(path("out.jar"));
  EXPECT_EQ(run(A.build(), C),
            "in.jar!/B.class: error: its file inflates to far more than its "
            "own size; this looks like an archive bomb");
  EXPECT_EQ(list(), "in.jar");
}

TEST(Manifest, WithoutDigests) {
  EXPECT_EQ(withoutDigests("Manifest-Version: 1.0\r\nX-Digest: main\r\n\r\n"
                           "Name: a/B.class\r\nSHA-256-Digest: abc\r\n de\r\n"
                           "\r\n"
                           "Name: p/\r\nSealed: true\r\nSHA1-Digest-de: x\r\n"
                           "\r\n"
                           "Name: q/\r\nSealed: true\r\n\r\n"
                           "Name: r\r\n\r\n"),
            "Manifest-Version: 1.0\r\nX-Digest: main\r\n\r\n"
            "Name: p/\r\nSealed: true\r\n\r\n"
            "Name: q/\r\nSealed: true\r\n\r\n"
            "Name: r\r\n\r\n");
  EXPECT_EQ(withoutDigests("A: b\n\nName: x\nMD5-Digest: y"), "A: b\n\n");
  EXPECT_EQ(withoutDigests(""), "");
  EXPECT_EQ(withoutDigests("\n\n"), "\n\n");
}

TEST_F(ArchiveTest, SignaturesGoWithTheFirstChange) {
  TestArchive A = plain();
  A.Entries[1].Content = "Manifest-Version: 1.0\r\n\r\nName: a/B.class\r\n"
                         "SHA-256-Digest: abc\r\n\r\n";
  A.Entries.push_back({"META-INF/X.SF", "sf"});
  A.Entries.push_back({"meta-inf/x.rsa", "rsa"});
  A.Entries.push_back({"META-INF/sub/x.rsa", "other"});
  std::string In = A.build();
  std::string Dropped;
  TestClient C;
  C.OnFinish = [&](ContainerEditor &E) -> Error {
    auto Names = dropSignatures(E);
    if (!Names)
      return Names.takeError();
    Dropped = llvm::join(*Names, " ");
    return Error::success();
  };
  EXPECT_EQ(run(In, C), "");
  EXPECT_EQ(Dropped, "");
  EXPECT_EQ(read("out.jar"), In);
  C.OnEntry = addPlus;
  EXPECT_EQ(run(In, C), "");
  EXPECT_EQ(Dropped, "META-INF/X.SF meta-inf/x.rsa");
  std::string Out = read("out.jar");
  EXPECT_EQ(contentOf(Out, "META-INF/MANIFEST.MF"),
            "Manifest-Version: 1.0\r\n\r\n");
  EXPECT_EQ(contentOf(Out, "META-INF/sub/x.rsa"), "other");
}
