//===- ClassWork.cpp - One class through the pipeline ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/ClassWork.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/Passes/Analysis/TracedEvents.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Weave/Original.h"
#include "jopt/Weave/ProbeMark.h"
#include "jopt/Writer/ClassWriter.h"
#include "jopt/Writer/CollectPool.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;

/// Prints \p Class with every method lifted that can be.
static llvm::SmallVector<uint8_t, 0> printed(ClassFile &Class,
                                             ClassOutcome &Result) {
  for (Method &M : Class.Methods) {
    if (M.IR || M.codeAttribute(Class.Pool) < 0)
      continue;
    if (Error E = liftMethod(Class, M)) {
      auto R =
          ReportRow::problem(ReportRow::LeftAlone, toDiagnostics(std::move(E)));
      R.Class = toDisplayUTF8(Class.name());
      R.Method =
          toDisplayUTF8(Class.name(M)) + toDisplayUTF8(Class.descriptor(M));
      Result.Rows.Other.push_back(std::move(R));
    }
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printClass(Class, OS);
  Bytes B = toBytes(OS.str());
  return llvm::SmallVector<uint8_t, 0>(B.begin(), B.end());
}

/// The marks of \p Class, into which those of \p Probes were put that \p
/// Applied names. \p Foreign: it came with probes of another tool.
static Error mark(ClassFile &Class, llvm::ArrayRef<uint64_t> Probes,
                  llvm::BitVector Applied, bool Foreign,
                  std::vector<ReportRow> &Rows) {
  Applied.resize(unsigned(Probes.size()));
  if (Applied.none())
    return Error::success();
  if (Foreign) {
    auto R = ReportRow::problem(
        ReportRow::Warned,
        "has probes of another tool already (its attribute Instrumented "
        "says so)");
    R.Class = toDisplayUTF8(Class.name());
    Rows.push_back(std::move(R));
  }
  std::vector<uint64_t> Ids;
  for (unsigned P : Applied.set_bits())
    Ids.push_back(Probes[P]);
  return addProbeMark(Class, Ids);
}

static bool isPresent(const ReportRow &R) {
  return R.What == ReportRow::Present;
}

/// \p Data with the shortest instructions that its pool allows; nothing if that
/// fails.
static std::optional<llvm::SmallVector<uint8_t, 0>> withShortForms(Bytes Data) {
  static const PassRegistry Registry;
  static const llvm::Expected<Pipeline> Passes =
      Pipeline::parse("short-forms", Registry);
  auto Class = readClass(Data);
  Error E = Class ? Error::success() : Class.takeError();
  if (!E)
    E = runPipeline(*Passes, **Class, RunOptions()).takeError();
  if (E) {
    llvm::consumeError(std::move(E));
    return std::nullopt;
  }
  auto Written = writeClass(**Class);
  if (Written)
    return std::move(*Written);
  llvm::consumeError(Written.takeError());
  return std::nullopt;
}

/// \p Written without what its pool need not have.
static llvm::SmallVector<uint8_t, 0>
withoutUnused(llvm::SmallVector<uint8_t, 0> Written) {
  auto Class = readClass(Written);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return Written;
  }
  bool HasLongLoads = false;
  auto Smaller = collectPool(**Class, /*Keep=*/nullptr, &HasLongLoads);
  if (!Smaller)
    return Written;
  if (HasLongLoads)
    if (auto Shorter = withShortForms(*Smaller))
      return std::move(*Shorter);
  return std::move(*Smaller);
}

/// The bytes of \p Class, which was \p Original unless that is empty.
static Expected<llvm::SmallVector<uint8_t, 0>>
write(ClassFile &Class, const WriteOptions &Options, Bytes Original) {
  if (Original.empty())
    return writeClass(Class, Options);
  if (Error E = keepOriginal(Class, Original))
    return E;
  auto Written = writeClass(Class, Options);
  if (Written)
    sealOriginal(Class, *Written);
  return Written;
}

/// The class file of \p Class before it was woven, if it carries that.
static std::optional<llvm::SmallVector<uint8_t, 0>>
carriedOriginal(const ClassFile &Class) {
  if (!hasOriginal(Class))
    return std::nullopt;
  if (auto Found = readOriginal(Class.Original))
    return std::move(*Found);
  else
    llvm::consumeError(Found.takeError());
  return std::nullopt;
}

/// To verify \p Data as a JVM of its own release does.
static VerifyOptions verifyOptions(const ClassWork &W, Bytes Data) {
  VerifyOptions O;
  O.Hierarchy = W.Hierarchy;
  if (Data.size() < 8)
    return O;
  const unsigned Minor = readU2(Data.data() + 4),
                 Major = readU2(Data.data() + 6);
  O.EnablePreview = Minor == 65535;
  O.Newest = O.EnablePreview ? Major : std::max(Major, NewestMajorVersion);
  return O;
}

/// The findings in \p Written, which was made from \p Original.
static std::vector<Finding> verifyOutput(const ClassWork &W, Bytes Original,
                                         Bytes Written,
                                         const llvm::BitVector &Patched) {
  using Check = ClassWork::OutputCheck;
  if (W.Output == Check::Nothing)
    return {};
  VerifyOptions VO = verifyOptions(W, Written);
  if (W.Output == Check::Everything)
    return verifyClass(Written, VO);
  VO.Hierarchy = nullptr;
  VO.Original = Original;
  VO.Patched = &Patched;
  auto Findings = verifyClass(Written, VO);
  if (Findings.empty() || Original.empty())
    return Findings;
  // A class that no JVM takes may keep its mistakes.
  VO.Original = {};
  VO.Patched = nullptr;
  for (const Finding &Before : verifyClass(Original, VO))
    llvm::erase_if(Findings, [&](const Finding &F) {
      return Before.Method.empty() || Before.Method == F.Method;
    });
  return Findings;
}

/// Runs the pipeline over \p Class and emits it. \p Probes: the identities of
/// the probes of \p R.
static Error weave(const ClassWork &W, const AdviceRunOptions &R,
                   llvm::ArrayRef<uint64_t> Probes, ClassFile &Class,
                   ClassOutcome &Result) {
  AdviceRunOptions Run = R;
  std::string Lines;
  DeclarationSink Declared;
  Declared.Take = [&](const trace::ClassDeclarations &D, llvm::StringRef Text) {
    Result.Declared = Text.str();
    llvm::raw_string_ostream OS(Lines);
    trace::LineIds Ids;
    if (W.Emit == EmitKind::Trace)
      trace::printDeclarations(D, W.Flavour, Ids, OS);
  };
  Run.Declared = &Declared;
  std::vector<CompanionClass> Beside;
  CompanionClassSink Made{
      [&](CompanionClass B) { Beside.push_back(std::move(B)); }};
  if (W.Emit == EmitKind::Class)
    Run.Beside = &Made;
  const bool Keep =
      W.KeepOriginal && W.Emit == EmitKind::Class && !isWoven(Class);
  std::optional<std::vector<uint64_t>> Mark = readProbeMark(Class);
  bool Foreign = !Mark && isMarkedInstrumented(Class);
  if (Mark && !W.Reinstrument) {
    Run.Present.resize(unsigned(Probes.size()));
    for (unsigned P = 0; P < Probes.size(); ++P)
      if (llvm::is_contained(*Mark, Probes[P]))
        Run.Present.set(P);
  }
  auto Ran = runWithAdvices(*W.Passes, Class, Run);
  if (!Ran)
    return Ran.takeError();
  Result.Rows = std::move(Ran->Rows);
  Result.Applied = Ran->Applied;
  if (W.IfProbed == ProbedPolicy::OK) {
    llvm::erase_if(Result.Rows.Other, isPresent);
    Result.Applied |= Run.Present;
  }
  for (ReportRow &Row : Result.Rows.Other)
    if (isPresent(Row))
      Row.What = ReportRow::Undone;
  if (W.Emit == EmitKind::Trace) {
    Bytes B = toBytes(Lines);
    Result.Data.assign(B.begin(), B.end());
    Result.Changed = true;
    return Error::success();
  }
  if (W.Emit == EmitKind::JIR) {
    Result.Data = printed(Class, Result);
    Result.Changed = true;
    return Error::success();
  }
  if (Error E = mark(Class, Probes, Ran->Applied, Foreign, Result.Rows.Other))
    return E;
  WriteOptions WO;
  WO.EncodeAll = Ran->EncodeAll;
  if (!WO.EncodeAll && !Class.isChanged() && !Ran->CollectPool)
    return Error::success();
  // One that it carries already stays, and stays valid.
  const auto Carried = carriedOriginal(Class);
  const Bytes Original = Carried ? Bytes(*Carried)
                         : Keep  ? Class.Original
                                 : Bytes();
  auto Written = write(Class, WO, Original);
  if (!Written)
    return Written.takeError();
  // A class that carries its original names the bytes that it has.
  if (Ran->CollectPool && Original.empty())
    *Written = withoutUnused(std::move(*Written));
  if (Ran->CollectPool && Bytes(*Written) == Class.Original)
    return Error::success();
  Result.OutputFindings =
      verifyOutput(W, Class.Original, *Written, Ran->Patched);
  Result.Data = std::move(*Written);
  Result.Beside = std::move(Beside);
  Result.Changed = true;
  return Error::success();
}

/// And shows it to who asked for that.
static Error work(const ClassWork &W, const AdviceRunOptions &R,
                  llvm::ArrayRef<uint64_t> Probes, ClassFile &Class,
                  ClassOutcome &Result) {
  if (Error E = weave(W, R, Probes, Class, Result))
    return E;
  if (W.Inspect)
    W.Inspect(Class);
  return Error::success();
}

/// The first method that \p A and \p B, which differ, have differently.
static std::string findDifference(Bytes A, Bytes B) {
  auto L = readClass(A), R = readClass(B);
  if (!L || !R) {
    llvm::consumeError(L.takeError());
    llvm::consumeError(R.takeError());
    return "one is no class file";
  }
  if ((*L)->Methods.size() == (*R)->Methods.size())
    for (size_t M = 0; M < (*L)->Methods.size(); ++M)
      if ((*L)->Methods[M].Original != (*R)->Methods[M].Original)
        return toDisplayUTF8((*L)->name((*L)->Methods[M])) +
               toDisplayUTF8((*L)->descriptor((*L)->Methods[M]));
  return "outside of methods";
}

/// Weaves \p Data lifted, too, and takes that result if \p Patched differs.
/// That counts only in a class that a JVM would accept: of others lifting finds
/// more errors, as it checks types.
static void checkPatch(const ClassWork &W, Bytes Data, ClassOutcome &Patched) {
  AdviceRunOptions Run = W.Run;
  Run.Patch = false;
  Run.CountMatches = false;
  ClassOutcome Lifted;
  auto Class = readClass(Data);
  if (!Class)
    return llvm::consumeError(Class.takeError());
  if (Error E = weave(W, Run, W.Probes, **Class, Lifted)) {
    Lifted.Left = toDiagnostics(std::move(E));
    Lifted.Rows.clear();
  }
  if (Lifted.Data == Patched.Data && Lifted.Changed == Patched.Changed)
    return;
  auto R = ReportRow::problem(ReportRow::Undone,
                              "patched, it is another class: " +
                                  findDifference(Patched.Data, Lifted.Data));
  R.Class = toDisplayUTF8((*Class)->name());
  Patched = std::move(Lifted);
  if (!verifyClass(Data, verifyOptions(W, Data)).empty())
    return;
  Patched.Rows.Other.push_back(std::move(R));
}

std::vector<std::pair<unsigned, std::string>>
jopt::findUnplaced(const Pipeline &P, const AdviceSet &A,
                   const llvm::BitVector &Placed) {
  std::vector<std::pair<unsigned, std::string>> Found;
  auto Add = [&](unsigned Probe, const llvm::Twine &What) {
    std::string Text =
        ("probe '" + A.Probes[Probe].Name +
         "': no pass of the pipeline places " + What + "; insert-probes does")
            .str();
    if (!llvm::is_contained(Found, std::pair(Probe, Text)))
      Found.push_back({Probe, std::move(Text)});
  };
  for (unsigned N = 0; N < A.Advices.size(); ++N)
    if (!P.places(A.Advices[N].Kind) && (N >= Placed.size() || !Placed.test(N)))
      Add(A.Advices[N].Probe,
          "its advice of kind " + getAdviceKindName(A.Advices[N].Kind));
  for (unsigned N = 0; N < A.Probes.size(); ++N)
    if (!A.Probes[N].StaticField.empty() &&
        !P.places(AdviceKind::StaticInitializer))
      Add(N, "its static field");
  llvm::stable_sort(Found, llvm::less_first());
  return Found;
}

/// The advices that the text of \p F has at their sites.
static llvm::BitVector placedAdvices(const ClassFile &F, const AdviceSet &A) {
  llvm::BitVector Placed(unsigned(A.Advices.size()));
  auto Note = [&](const Body &Code) {
    for (const Block &B : Code.blocks())
      for (const Instruction &I : B.instructions())
        if (I.op() == irop::Advice && I.index() < Placed.size())
          Placed.set(I.index());
  };
  for (const Method &M : F.Methods) {
    if (!M.IR)
      continue;
    Note(*M.IR);
    if (M.IR->Patch)
      forEachSnippet(*M.IR->Patch, [&](const Snippet &Code) {
        if (Code.IR)
          Note(*Code.IR);
      });
  }
  return Placed;
}

unsigned jopt::newerMajor(Bytes Data) {
  if (Data.size() < 8 || readU4(Data.data()) != 0xcafebabe)
    return 0;
  const unsigned Major = readU2(Data.data() + 6);
  return Major > NewestMajorVersion ? Major : 0;
}

std::string jopt::describeNewer(unsigned Major) {
  return llvm::formatv("class file version {0} is newer than {1} (Java {2})",
                       Major, NewestMajorVersion, NewestRelease);
}

Expected<ClassOutcome> jopt::workOnClass(const ClassWork &W, Bytes Data) {
  ClassOutcome Result;
  const unsigned Newer = newerMajor(Data);
  if (Newer && W.Newer == NewerPolicy::Error)
    return makeError(describeNewer(Newer));
  if (Newer && W.Newer == NewerPolicy::Copy) {
    Result.NewerMajor = Newer;
    return Result;
  }
  if (W.VerifyInput) {
    Result.NewerMajor = Newer;
    Result.InputFindings = verifyClass(Data, verifyOptions(W, Data));
    if (!Result.InputFindings.empty()) {
      Result.Left = toDiagnostics(makeError("it does not verify"));
      return Result;
    }
  }
  auto Class = readClass(Data);
  if (!Class)
    return Class.takeError();
  if (W.IfProbed == ProbedPolicy::Replace && isWoven(**Class)) {
    Result.Left = toDiagnostics(wovenWithoutOriginal());
    return Result;
  }
  if (Error E = work(W, W.Run, W.Probes, **Class, Result)) {
    Result.Left = toDiagnostics(std::move(E));
    Result.Rows.clear();
  }
  if (W.Patch == PatchPolicy::Check)
    checkPatch(W, Data, Result);
  if (Result.Left.empty() && !Result.OutputFindings.empty()) {
    Result.Left = toDiagnostics(makeError("the result does not verify"));
    Result.Rows.clear();
    Result.Data.clear();
    Result.Beside.clear();
    Result.Changed = false;
  }
  if (Result.Changed)
    Result.NewerMajor = Newer;
  return Result;
}

Expected<ClassOutcome> jopt::workOnText(const ClassWork &W,
                                        llvm::StringRef Text,
                                        llvm::StringRef Name) {
  unsigned Line = 1;
  auto Advices = parseAdviceSet(Text, Name, Line);
  if (!Advices)
    return Advices.takeError();
  TextPlaces Places;
  auto Classes = parseIR(Text, Name, Line, &Places);
  if (!Classes)
    return Classes.takeError();
  if (Classes->empty())
    return makeError(Location(Name), "there is no class in it");
  if (Classes->size() > 1)
    return makeError(Location(Name),
                     "an input is one class, this has " +
                         llvm::Twine(Classes->size()) + ": behind " +
                         toDisplayUTF8((*Classes)[0]->name()) + " comes " +
                         toDisplayUTF8((*Classes)[1]->name()) +
                         "; put each into a file of its own");
  // Passes and writer presuppose valid IR; a text may say anything.
  Error Invalid = Error::success();
  for (const IRFinding &F : verifyClassIR(*Classes->front())) {
    const TextPlaces::Place At = Places.find(F.Unit);
    Invalid = llvm::joinErrors(
        std::move(Invalid),
        makeError(Location(Name, At.Line, At.Column), F.str()));
  }
  if (Invalid)
    return Invalid;
  AdviceRunOptions Run = W.Run;
  std::unique_ptr<Matcher> Match;
  std::vector<uint64_t> Probes;
  if (!Advices->empty()) {
    Probes = probeIdentities(*Advices);
    Match = std::make_unique<Matcher>(*Advices);
    Run.Advices = &*Advices;
    Run.Match = Match.get();
  }
  // Text without a pass that makes code of advices is half-way.
  std::vector<std::pair<unsigned, std::string>> Unplaced;
  if (W.Passes->lowers())
    Unplaced = findUnplaced(*W.Passes, *Advices,
                            placedAdvices(*Classes->front(), *Advices));
  ClassOutcome Result;
  if (Error E = work(W, Run, Probes, *Classes->front(), Result))
    return inFile(std::move(E), Name);
  for (auto &[Probe, Text] : Unplaced) {
    auto R = ReportRow::problem(ReportRow::Undone, std::move(Text));
    R.Class = toDisplayUTF8(Classes->front()->name());
    Result.Rows.Other.push_back(std::move(R));
  }
  // There is no class that could stay as it was.
  Error Bad = Error::success();
  for (const Finding &F : Result.OutputFindings)
    Bad = llvm::joinErrors(std::move(Bad), makeError(Location(Name), F.str()));
  if (Bad)
    return Bad;
  return Result;
}
