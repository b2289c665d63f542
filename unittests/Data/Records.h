//===- Records.h - Records for tests ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Events, chunks of them, and folders with runs.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_DATA_RECORDS_H
#define JOPT_UNITTESTS_DATA_RECORDS_H

#include "jopt/Data/Run.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace jopt::data {

/// Makes events, and chunks of them.
class Events {
public:
  Events &add(unsigned Event, unsigned Argument,
              llvm::function_ref<void(ByteWriter &)> Payload) {
    const size_t At = W.size();
    W.u1(uint8_t(Event));
    W.u1(uint8_t(Argument));
    W.u2(0);
    Payload(W);
    W.patchU2(At + 2, uint16_t(W.size() - At));
    return *this;
  }
  Events &table(uint32_t Id, uint32_t Parent, llvm::StringRef Title,
                uint64_t Mask = 5, uint32_t Minimum = 0) {
    return add(4, 0, [&](ByteWriter &W) {
      W.u4(Id);
      W.u8(Mask);
      W.u4(Parent);
      W.u4(Minimum);
      W.u4(1);
      W.bytes("H");
      W.bytes(Title);
    });
  }
  Events &column(uint32_t Table, uint32_t Index, char Type,
                 llvm::StringRef Title, uint32_t Other = 0) {
    return add(5, uint8_t(Type), [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Index);
      W.u4(Other);
      W.bytes(Title);
    });
  }
  Events &thread(uint64_t Id, llvm::StringRef Name) {
    return add(9, 0, [&](ByteWriter &W) {
      W.u8(Id);
      W.bytes(Name);
    });
  }
  Events &create(uint32_t Table, uint32_t Row, uint32_t Parent, uint64_t Time) {
    return add(1, 0, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u4(Parent);
      W.u8(Time);
    });
  }
  Events &setInt(uint32_t Table, uint32_t Row, unsigned Column, int Value,
                 uint64_t Time = 0) {
    return add(2, Column, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u4(uint32_t(Value));
      if (Time)
        W.u8(Time);
    });
  }
  Events &text(uint32_t Table, uint32_t Row, unsigned Column,
               llvm::StringRef Value, unsigned Event = 5) {
    return add(Event, Column, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u8(0);
      W.bytes(Value);
    });
  }
  Events &end(unsigned Event, uint32_t Table, uint32_t Row, uint64_t Time) {
    return add(Event, 0, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u8(Time);
    });
  }

  /// A slot with these events.
  std::string chunk(ChunkKind Kind, uint32_t Sequence, bool Full = false,
                    uint64_t Time = 0) const {
    ByteWriter H;
    H.u4(ChunkMagic);
    H.u2(FormatNumber);
    H.u1(uint8_t(Kind));
    H.u1(Full);
    H.u8(1);
    H.u4(Sequence);
    H.u4(ChunkSize);
    H.u8(Time);
    H.u4(uint32_t(W.size()));
    H.u4(Full ? llvm::crc32(W.data()) : 0);
    H.u8(0);
    H.bytes(W.data());
    std::string Slot = jopt::toStringRef(H.data()).str();
    Slot.resize(ChunkSize);
    return Slot;
  }

private:
  ByteWriter W;
};

/// Runs in a folder of their own.
class RecordTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("jopt-data-test", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(const llvm::Twine &Name) {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }
  void write(const llvm::Twine &Name, llvm::StringRef Content) {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(Name)));
    ASSERT_EQ(toMessage(writeFile(path(Name), Content)), "");
  }
  void run(const llvm::Twine &Name, llvm::StringRef Live, int Start = 1000) {
    write(Name + "/run.txt",
          "format=1\nstart=" + std::to_string(Start) + "\nring=false\n");
    write(Name + "/live-1.jopt", Live);
  }

  using Texts = std::vector<std::string>;
  llvm::SmallString<128> Folder;
  /// The distinct messages.
  Texts LeftOutParts;
};

} // namespace jopt::data

#endif
