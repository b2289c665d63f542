//===- TestArchives.h - Archives for tests, good and bad -* -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds archives byte by byte, so that every field can be wrong.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_ARCHIVE_TESTARCHIVES_H
#define JOPT_UNITTESTS_ARCHIVE_TESTARCHIVES_H

#include "jopt/Archive/Containers.h"
#include "jopt/Archive/ZipWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <functional>
#include <optional>
#include <string>

namespace jopt {

inline void le(std::string &S, uint64_t V, unsigned N) {
  for (unsigned I = 0; I < N; ++I)
    S += char(V >> 8 * I);
}

struct TestEntry {
  std::string Name, Content;
  uint16_t Method = 8;
  uint16_t Flags = 0;
  uint16_t Time = 0x6b2d, Date = 0x5a71;
  std::string LocalExtra, Extra, Comment;
  uint32_t Attributes = 0x81a40000;
  uint16_t Needed = 20, MadeBy = 0x031e;
  bool Zip64 = false; ///< sizes and place in a Zip64 field
  // Lies.
  std::optional<uint32_t> CRC, Size, Packed, Local;
  std::optional<std::string> LocalName, PackedBytes;
  std::optional<uint32_t> LocalSize;
  std::string GapAfter;

  TestEntry(std::string Name, std::string Content, uint16_t Method = 8)
      : Name(std::move(Name)), Content(std::move(Content)), Method(Method) {}
};

struct TestArchive {
  std::string Prefix;
  bool PrefixCounted = false; ///< offsets count from the file's start
  std::vector<TestEntry> Entries;
  std::string Comment;
  bool Zip64End = false;
  std::optional<uint16_t> Count;

  std::string build() const {
    std::string Out = Prefix, Directory;
    uint64_t Base = PrefixCounted ? 0 : Prefix.size();
    for (const TestEntry &E : Entries) {
      std::string Packed = E.Content;
      if (E.PackedBytes)
        Packed = *E.PackedBytes;
      else if (E.Method == 8) {
        Packed.clear();
        llvm::cantFail(
            llvm::cantFail(pack(toBytes(E.Content), ZipMethod::Deflated))
                .Data.forEachChunk([&](Bytes B) {
                  Packed += toStringRef(B);
                  return llvm::Error::success();
                }));
      }
      uint32_t CRC = E.CRC.value_or(crc32Of(toBytes(E.Content)));
      uint32_t Size = E.Size.value_or(uint32_t(E.Content.size()));
      uint32_t PackedSize = E.Packed.value_or(uint32_t(Packed.size()));
      uint64_t Local = Out.size() - Base;
      bool Descriptor = E.Flags & 8;
      std::string Name = E.LocalName.value_or(E.Name);
      std::string LocalExtra = E.LocalExtra;
      if (E.Zip64) {
        le(LocalExtra, 1, 2);
        le(LocalExtra, 16, 2);
        le(LocalExtra, Descriptor ? 0 : Size, 8);
        le(LocalExtra, Descriptor ? 0 : PackedSize, 8);
      }
      le(Out, 0x04034b50, 4);
      le(Out, E.Needed, 2);
      le(Out, E.Flags, 2);
      le(Out, E.Method, 2);
      le(Out, E.Time, 2);
      le(Out, E.Date, 2);
      le(Out, Descriptor ? 0 : CRC, 4);
      le(Out, E.Zip64 ? 0xffffffff : Descriptor ? 0 : PackedSize, 4);
      le(Out,
         E.Zip64      ? 0xffffffff
         : Descriptor ? 0
                      : E.LocalSize.value_or(Size),
         4);
      le(Out, Name.size(), 2);
      le(Out, LocalExtra.size(), 2);
      Out += Name + LocalExtra + Packed;
      if (Descriptor) {
        le(Out, 0x08074b50, 4);
        le(Out, CRC, 4);
        le(Out, PackedSize, E.Zip64 ? 8 : 4);
        le(Out, Size, E.Zip64 ? 8 : 4);
      }
      Out += E.GapAfter;

      std::string Extra = E.Extra;
      if (E.Zip64) {
        le(Extra, 1, 2);
        le(Extra, 24, 2);
        le(Extra, Size, 8);
        le(Extra, PackedSize, 8);
        le(Extra, E.Local.value_or(Local), 8);
      }
      le(Directory, 0x02014b50, 4);
      le(Directory, E.MadeBy, 2);
      le(Directory, E.Needed, 2);
      le(Directory, E.Flags, 2);
      le(Directory, E.Method, 2);
      le(Directory, E.Time, 2);
      le(Directory, E.Date, 2);
      le(Directory, CRC, 4);
      le(Directory, E.Zip64 ? 0xffffffff : PackedSize, 4);
      le(Directory, E.Zip64 ? 0xffffffff : Size, 4);
      le(Directory, E.Name.size(), 2);
      le(Directory, Extra.size(), 2);
      le(Directory, E.Comment.size(), 2);
      le(Directory, 0, 2);
      le(Directory, 1, 2);
      le(Directory, E.Attributes, 4);
      le(Directory, E.Zip64 ? 0xffffffff : E.Local.value_or(uint32_t(Local)),
         4);
      Directory += E.Name + Extra + E.Comment;
    }
    uint64_t Start = Out.size() - Base;
    Out += Directory;
    uint16_t N = Count.value_or(uint16_t(Entries.size()));
    if (Zip64End) {
      uint64_t Place = Out.size() - Base;
      le(Out, 0x06064b50, 4);
      le(Out, 44, 8);
      le(Out, 45, 2);
      le(Out, 45, 2);
      le(Out, 0, 8);
      le(Out, N, 8);
      le(Out, N, 8);
      le(Out, Directory.size(), 8);
      le(Out, Start, 8);
      le(Out, 0x07064b50, 4);
      le(Out, 0, 4);
      le(Out, Place, 8);
      le(Out, 1, 4);
    }
    le(Out, 0x06054b50, 4);
    le(Out, 0, 4);
    le(Out, Zip64End ? 0xffff : N, 2);
    le(Out, Zip64End ? 0xffff : N, 2);
    le(Out, Zip64End ? 0xffffffff : Directory.size(), 4);
    le(Out, Zip64End ? 0xffffffff : Start, 4);
    le(Out, Comment.size(), 2);
    return Out + Comment;
  }
};

/// A client made of functions.
struct TestClient : ContainerClient {
  std::function<llvm::Expected<EntryResult>(const EntryInfo &, Bytes)> OnEntry;
  std::function<llvm::Error(ContainerEditor &)> OnFinish;
  std::function<llvm::Error(const EntryInfo &, llvm::Error)> OnUnreadable;
  std::function<EntryPlan(const EntryInfo &)> OnPlan;

  EntryPlan plan(const EntryInfo &E) override {
    return OnPlan ? OnPlan(E) : planByName(E);
  }
  llvm::Expected<EntryResult> transform(const EntryInfo &E, Bytes B) override {
    if (!OnEntry)
      return EntryResult::unchanged();
    return OnEntry(E, B);
  }
  llvm::Error finish(ContainerEditor &C) override {
    return OnFinish ? OnFinish(C) : llvm::Error::success();
  }
  llvm::Error unreadable(const EntryInfo &E, llvm::Error Why) override {
    return OnUnreadable ? OnUnreadable(E, std::move(Why)) : std::move(Why);
  }
};

inline EntryResult replacedBy(llvm::StringRef S) {
  return EntryResult::replaced(
      llvm::SmallVector<uint8_t, 0>(S.bytes_begin(), S.bytes_end()));
}

/// Replaces every wanted entry by its content with "+" behind it.
inline llvm::Expected<EntryResult> addPlus(const EntryInfo &, Bytes B) {
  return replacedBy(toStringRef(B).str() + "+");
}

/// A folder of its own, removed at the end.
class ArchiveFixture : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("jopt-test", Root));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Root); }

  std::string path(llvm::StringRef Name) const {
    llvm::SmallString<128> P(Root);
    llvm::sys::path::append(P, Name);
    return std::string(P);
  }
  void write(llvm::StringRef Name, llvm::StringRef Content) {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(Name)));
    std::error_code EC;
    llvm::raw_fd_ostream OS(path(Name), EC);
    ASSERT_FALSE(EC) << Name.str();
    OS << Content;
  }
  std::string read(llvm::StringRef Name) const {
    auto B = llvm::MemoryBuffer::getFile(path(Name), false, false);
    return B ? (*B)->getBuffer().str() : "<missing>";
  }
  bool exists(llvm::StringRef Name) const {
    return llvm::sys::fs::exists(path(Name));
  }
  /// All files below the folder, sorted; nothing else may be left behind.
  std::string list() const;

  /// Runs \p Client over \p Names to \p Spec; the error as text, or "".
  std::string run(std::vector<std::string> Names, OutputSpec Spec,
                  TestClient &Client, unsigned Threads = 2);
  /// One archive in, "out.jar" out.
  std::string run(const std::string &Archive, TestClient &Client,
                  unsigned Threads = 2) {
    write("in.jar", Archive);
    return run({path("in.jar")}, OutputSpec::to(path("out.jar")), Client,
               Threads);
  }
  /// Without the test's folder.
  std::string shortened(std::string Message) const;

  ProcessOptions Options;
  llvm::SmallString<128> Root;
};

/// Opens \p Bytes, which must live on, or fails the test.
std::unique_ptr<ZipArchive> openZip(const std::string &Bytes);
/// The content of the entry \p Name.
std::string contentOf(const std::string &Archive, llvm::StringRef Name);
/// Names of \p Archive in order, separated by spaces.
std::string namesOf(const std::string &Archive);

} // namespace jopt

#endif
