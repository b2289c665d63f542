//===- relower-corpus.cpp - Figures of lowering ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lifts and lowers every method of folders of class files and prints what
/// that did to them: one row for each folder. -v names the methods that
/// changed; -o writes the classes; -check runs every schedule symbolically;
/// -patch makes patched bodies where possible, and counts the methods whose
/// whole attribute came out as it was (-v names the others);
/// -anchors lifts with anchors, which must make no difference;
/// -float lets all pure values float that the original did not copy, and
/// -forward forwards stored values to loads in every block: what passes do.
///
//===----------------------------------------------------------------------===//

#include "ScheduleCheck.h"
#include "Scheduler.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <ctime>
#include <map>

using namespace jopt;

namespace {
struct Figures {
  unsigned Classes = 0, Methods = 0, Identical = 0, Larger = 0, Smaller = 0;
  unsigned Patch = 0, Whole = 0;
  unsigned ExtraLocal = 0, StackGrew = 0, Ranges = 0, Failed = 0, Bad = 0,
           Inlined = 0;
  uint64_t FileIn = 0, FileOut = 0, CodeIn = 0, CodeOut = 0;
  uint64_t StackIn = 0, StackOut = 0;
  double Lift = 0, Lower = 0, Write = 0;
};
struct Options {
  std::string Out;
  bool Verbose = false, Check = false, Float = false, Forward = false;
  bool Anchors = false;
  bool Raw = false;     ///< straight code stays raw
  bool LiftRaw = false; ///< and is lifted then
  bool CodePatch = false;
};
} // namespace

/// Processor time, which others on the machine do not change.
static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

static void note(const Options &O, const ClassFile &C, const Method &M,
                 const llvm::Twine &What) {
  if (O.Verbose)
    llvm::outs() << "  " << C.displayName(M) << ": " << What << '\n';
}

/// All pure values float that the original did not copy.
static void floatPure(Body &F) {
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.isPure() && !I.keep())
        I.setFloating(true);
}

/// Uses of a slot's value become uses of the value that was stored there.
static void forwardStores(Body &F) {
  std::map<unsigned, Value *> Stored;
  llvm::DenseMap<Value *, Value *> Same;
  for (Block &B : F.blocks()) {
    Stored.clear();
    for (Instruction &I : B) {
      for (Value *&V : I.operands())
        if (Value *S = Same.lookup(V))
          V = S;
      if (I.op() == irop::LocalSet) {
        unsigned Width = I.operand(0)->type().slots();
        for (unsigned S : {I.index() - 1, I.index(), I.index() + Width - 1})
          if (Value *Old = Stored.count(S) ? Stored[S] : nullptr;
              Old && S + Old->type().slots() > I.index())
            Stored.erase(S);
        Stored[I.index()] = I.operand(0);
      } else if (I.op() == irop::LocalInc) {
        Stored.erase(I.index());
      } else if (I.isInit()) {
        Stored.clear();
      } else if (I.op() == irop::LocalGet) {
        Value *V = Stored.count(I.index()) ? Stored[I.index()] : nullptr;
        if (V && V->type() == I.type() && !I.keep()) {
          Same[&I] = V;
          V->setKeep(false);
        }
      }
    }
    for (Value *&V : B.exitValues())
      if (Value *S = Same.lookup(V))
        V = S;
  }
}

/// Lifts and lowers every method of \p Input; the result, empty on failure.
static llvm::SmallVector<uint8_t, 0>
relower(Bytes Input, Figures &F, const Options &O, llvm::StringRef Name) {
  double Begin = now();
  auto Class = readClass(Input);
  if (!Class) {
    ++F.Bad;
    llvm::outs() << "  " << Name << ": " << toString(Class.takeError()) << '\n';
    return {};
  }
  ClassFile &C = **Class;
  struct Before {
    Method *M;
    Bytes Payload;
    bool Inlined;
    std::unique_ptr<CodePatch> Patch; ///< null: it was lifted
  };
  llvm::SmallVector<Before, 32> Lifted, Lowered;
  Scheduler S;
  auto Failed = [&](Method &M, const llvm::Twine &What) {
    ++F.Failed;
    llvm::outs() << "  " << C.displayName(M) << ": " << What << '\n';
    M.IR.reset();
  };
  for (Method &M : C.Methods) {
    int At = M.codeAttribute(C.Pool);
    if (At < 0)
      continue;
    ++F.Methods;
    Bytes Payload = M.Attributes[At].Data;
    LiftOptions L;
    L.Anchors = O.Anchors;
    L.Raw = O.Raw ? KeepRaw::Straight : KeepRaw::No;
    auto Patch = O.CodePatch ? std::make_unique<CodePatch>() : nullptr;
    if (Patch && !liftPatched(C, M, *Patch))
      Patch.reset();
    llvm::Error E = Patch ? llvm::Error::success() : liftMethod(C, M, L);
    if (!E && O.LiftRaw)
      E = liftRaw(*M.IR);
    if (E) {
      Failed(M, toString(std::move(E)));
      continue;
    }
    Lifted.push_back({&M, Payload, M.IR->Inlined, std::move(Patch)});
    if (O.Forward)
      forwardStores(*M.IR);
    if (O.Float)
      floatPure(*M.IR);
  }
  double AfterLift = now();
  F.Lift += AfterLift - Begin;
  for (Before &B : Lifted) {
    Method &M = *B.M;
    if (O.Check && !B.Patch) {
      llvm::Error E = S.run(*M.IR);
      std::string Wrong =
          E ? toString(std::move(E)) : checkSchedule(S.result(), *M.IR);
      if (!Wrong.empty()) {
        Failed(M, Wrong);
        continue;
      }
    }
    if (llvm::Error E = lowerMethod(C, M))
      Failed(M, toString(std::move(E)));
    else
      Lowered.push_back(std::move(B));
  }
  double AfterLower = now();
  F.Lower += AfterLower - AfterLift;
  WriteOptions W;
  W.EncodeAll = true;
  auto Out = writeClass(C, W);
  F.Write += now() - AfterLower;
  if (!Out) {
    ++F.Bad;
    llvm::outs() << "  " << Name << ": " << toString(Out.takeError()) << '\n';
    return {};
  }
  for (const Before &B : Lowered) {
    Bytes New = B.M->Attributes[B.M->codeAttribute(C.Pool)].Data;
    auto Code = [](Bytes P) { return P.slice(8, readU4(P.data() + 4)); };
    Bytes Old = Code(B.Payload), Now = Code(New);
    if (B.Inlined) {
      ++F.Inlined;
      continue;
    }
    F.CodeIn += Old.size();
    F.CodeOut += Now.size();
    F.StackIn += readU2(B.Payload.data());
    F.StackOut += readU2(New.data());
    F.Identical += Old == Now;
    if (B.Patch) {
      ++F.Patch;
      F.Whole += B.Payload == New;
      if (B.Payload != New)
        note(O, C, *B.M, "the attribute differs");
    }
    auto Ranges = [&](Bytes P) {
      size_t At = 8 + readU4(P.data() + 4);
      return P.slice(At, 2 + 8 * readU2(P.data() + At));
    };
    if (Old == Now && Ranges(B.Payload) != Ranges(New)) {
      ++F.Ranges;
      note(O, C, *B.M, "exception table");
    }
    if (Now.size() > Old.size()) {
      ++F.Larger;
      note(O, C, *B.M, "larger");
    } else if (Now.size() < Old.size()) {
      ++F.Smaller;
      note(O, C, *B.M, "smaller");
    } else if (Old != Now) {
      note(O, C, *B.M, "different");
    }
    if (readU2(New.data() + 2) > readU2(B.Payload.data() + 2)) {
      ++F.ExtraLocal;
      note(O, C, *B.M, "extra local");
    }
    if (readU2(New.data()) > readU2(B.Payload.data())) {
      ++F.StackGrew;
      note(O, C, *B.M, "max_stack grew");
    }
  }
  ++F.Classes;
  F.FileIn += Input.size();
  F.FileOut += Out->size();
  return std::move(*Out);
}

static void print(llvm::StringRef Name, const Figures &F) {
  auto Ratio = [](double A, double B) { return B ? A / B : 1; };
  llvm::outs() << llvm::format(
      "%-24s %7u %8u %10llu  %.5f %8.3f %% %6u %6u %6u %6u %6u %6u %6u "
      "%.5f "
      "%.5f %7.1f %7.2f %5.2f %5.2f\n",
      Name.str().c_str(), F.Classes, F.Methods, (unsigned long long)F.CodeIn,
      Ratio(F.CodeOut, F.CodeIn), 100 * Ratio(F.Identical, F.Methods), F.Larger,
      F.Smaller, F.ExtraLocal, F.StackGrew, F.Ranges, F.Inlined,
      F.Failed + F.Bad, Ratio(F.StackOut, F.StackIn),
      Ratio(F.FileOut, F.FileIn),
      Ratio(F.FileIn / 1e6, F.Lift + F.Lower + F.Write),
      Ratio(F.Lift * 1e9, F.FileIn), Ratio(F.Lower * 1e9, F.FileIn),
      Ratio(F.Write * 1e9, F.FileIn));
}

int main(int Argc, char **Argv) {
  Options O;
  std::vector<std::string> Folders;
  for (int I = 1; I < Argc; ++I) {
    llvm::StringRef A = Argv[I];
    if (A == "-v")
      O.Verbose = true;
    else if (A == "-check")
      O.Check = true;
    else if (A == "-anchors")
      O.Anchors = true;
    else if (A == "-raw" || A == "-lift-raw") {
      O.Raw = true;
      O.LiftRaw = A == "-lift-raw";
    } else if (A == "-patch")
      O.CodePatch = true;
    else if (A == "-float")
      O.Float = true;
    else if (A == "-forward")
      O.Forward = true;
    else if (A == "-o" && I + 1 < Argc)
      O.Out = Argv[++I];
    else
      Folders.push_back(A.str());
  }
  if (Folders.empty()) {
    llvm::errs() << "usage: relower-corpus [-v] [-check] [-float] "
                    "[-anchors] [-raw | -lift-raw | -patch] "
                    "[-forward] [-o folder] folder...\n";
    return 1;
  }
  llvm::outs()
      << "corpus                   classes  methods    code in    "
         "ratio  identical larger smaller locals  stack ranges    jsr failed "
         "  stack    file    MB/s | lift lower write ms/MB\n";
  bool Failed = false;
  for (const std::string &Folder : Folders) {
    std::vector<std::string> Files;
    std::error_code EC;
    for (llvm::sys::fs::recursive_directory_iterator I(Folder, EC), End;
         I != End && !EC; I.increment(EC))
      if (llvm::StringRef(I->path()).ends_with(".class"))
        Files.push_back(I->path());
    std::sort(Files.begin(), Files.end());
    Figures F;
    for (const std::string &File : Files) {
      auto Buffer = llvm::MemoryBuffer::getFile(File);
      if (!Buffer)
        continue;
      auto Out = relower(toBytes((*Buffer)->getBuffer()), F, O, File);
      if (O.Out.empty() || Out.empty())
        continue;
      llvm::SmallString<128> To(O.Out);
      llvm::sys::path::append(To,
                              llvm::StringRef(File).drop_front(Folder.size()));
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(To));
      llvm::raw_fd_ostream OS(To, EC);
      OS << toStringRef(Out);
    }
    print(llvm::sys::path::filename(Folder), F);
    if (O.CodePatch)
      llvm::outs() << "  patched: " << F.Patch << " methods, " << F.Whole
                   << " of them as they were\n";
    Failed |= F.Failed || F.Bad;
  }
  return Failed;
}
