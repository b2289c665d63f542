//===- RoundTripCorpus.cpp - Text of real classes -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// roundtrip-corpus [-print] [-anchors | -raw] PATH...: reads, lifts, prints and
// parses every class file below the paths, and prints what was parsed: both
// texts must be equal. The IR verifier must find nothing in what was lifted,
// and both classes must lower to the same bytes.
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <chrono>

using namespace jopt;
using llvm::errs;
using llvm::outs;

static std::vector<std::string> classFiles(llvm::StringRef Path) {
  std::vector<std::string> Files;
  if (!llvm::sys::fs::is_directory(Path))
    return {Path.str()};
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator I(Path, EC), End;
       I != End && !EC; I.increment(EC))
    if (llvm::sys::path::extension(I->path()) == ".class")
      Files.push_back(I->path());
  std::sort(Files.begin(), Files.end());
  return Files;
}

/// The first lines that differ.
static void report(llvm::StringRef File, llvm::StringRef A, llvm::StringRef B) {
  unsigned Line = 1;
  while (!A.empty() || !B.empty()) {
    auto [LineA, RestA] = A.split('\n');
    auto [LineB, RestB] = B.split('\n');
    if (LineA != LineB) {
      errs() << File << ": text line " << Line << " differs\n- " << LineA
             << "\n+ " << LineB << '\n';
      return;
    }
    A = RestA;
    B = RestB;
    ++Line;
  }
}

/// Lowers everything and writes the class, nothing copied; empty on failure.
static llvm::SmallVector<uint8_t, 0> lowered(llvm::StringRef File,
                                             ClassFile &Class) {
  for (Method &M : Class.Methods) {
    if (!M.IR)
      continue;
    if (llvm::Error E = lowerMethod(Class, M)) {
      errs() << File << ": " << Class.displayName(M) << ": "
             << llvm::toString(std::move(E)) << '\n';
      return {};
    }
  }
  WriteOptions O;
  O.EncodeAll = true;
  auto Bytes = writeClass(Class, O);
  if (Bytes)
    return std::move(*Bytes);
  errs() << File << ": " << llvm::toString(Bytes.takeError()) << '\n';
  return {};
}

static bool lowersAlike(llvm::StringRef File, ClassFile &A, ClassFile &B) {
  auto BytesA = lowered(File, A), BytesB = lowered(File, B);
  if (BytesA == BytesB && !BytesA.empty())
    return true;
  errs() << File << ": the parsed text lowers to other bytes\n";
  return false;
}

int main(int argc, char **argv) {
  bool Print = false;
  LiftOptions Lift;
  size_t Classes = 0, Bytes = 0, TextSize = 0, Failed = 0;
  size_t Different = 0, Findings = 0, OtherBytes = 0;
  double ReadTime = 0, PrintTime = 0, ParseTime = 0, VerifyTime = 0;
  using Clock = std::chrono::steady_clock;
  auto Seconds = [](Clock::time_point A, Clock::time_point B) {
    return std::chrono::duration<double>(B - A).count();
  };
  for (int A = 1; A < argc; ++A) {
    if (argv[A] == llvm::StringRef("-print")) {
      Print = true;
      continue;
    }
    if (argv[A] == llvm::StringRef("-raw")) {
      Lift.Raw = KeepRaw::Straight;
      continue;
    }
    if (argv[A] == llvm::StringRef("-anchors")) {
      Lift.Anchors = true;
      continue;
    }
    for (const std::string &File : classFiles(argv[A])) {
      auto Buffer = llvm::MemoryBuffer::getFile(File, false, false);
      if (!Buffer)
        continue;
      auto T0 = Clock::now();
      auto Class = readClass(toBytes((*Buffer)->getBuffer()));
      if (!Class) {
        errs() << File << ": " << llvm::toString(Class.takeError()) << '\n';
        continue;
      }
      for (Method &M : (*Class)->Methods) {
        if (M.codeAttribute((*Class)->Pool) < 0)
          continue;
        if (llvm::Error E = liftMethod(**Class, M, Lift)) {
          errs() << File << ": " << (*Class)->displayName(M) << ": "
                 << llvm::toString(std::move(E)) << '\n';
          ++Failed;
        }
      }
      auto T1 = Clock::now();
      ReadTime += Seconds(T0, T1);
      auto V0 = Clock::now();
      std::vector<IRFinding> Found =
          verifyClassIR(**Class, IRTier::Instrumentation);
      VerifyTime += Seconds(V0, Clock::now());
      for (const IRFinding &F : Found)
        errs() << F.str() << '\n';
      Findings += Found.size();
      T1 = Clock::now();
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      printClass(**Class, OS);
      OS.flush();
      auto T2 = Clock::now();
      if (Print)
        outs() << Text;
      auto T3 = Clock::now();
      auto Parsed = parseIR(Text, File);
      auto T4 = Clock::now();
      ParseTime += Seconds(T3, T4);
      if (!Parsed) {
        errs() << llvm::toString(Parsed.takeError()) << '\n';
        ++Different;
      } else {
        std::string Again;
        llvm::raw_string_ostream AgainOS(Again);
        for (auto &C : *Parsed)
          printClass(*C, AgainOS);
        AgainOS.flush();
        if (Again != Text)
          report(File, Text, Again), ++Different;
        if (Parsed->size() == 1 &&
            !lowersAlike(File, **Class, *Parsed->front()))
          ++OtherBytes;
      }
      ++Classes;
      Bytes += (*Buffer)->getBufferSize();
      TextSize += Text.size();
      PrintTime += Seconds(T1, T2);
    }
  }
  errs() << "classes " << Classes << " bytes " << Bytes << " text " << TextSize
         << " not lifted " << Failed << " read " << ReadTime << " s print "
         << PrintTime << " s parse " << ParseTime << " s verify " << VerifyTime
         << " s different " << Different << " findings " << Findings
         << " other bytes " << OtherBytes << '\n';
  return Different || Findings || OtherBytes ? 1 : 0;
}
