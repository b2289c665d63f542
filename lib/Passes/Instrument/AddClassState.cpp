//===- ClassState.cpp - Static fields and the static initialiser ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The members are added before any other pass of the pipeline sees the class,
/// so that the code follows as the last thing placed in one of its methods: the
/// static initialiser is lifted, changed and lowered when the runner comes to
/// it.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/HostLink.h"
#include "../AdviceCode/Outline.h"
#include "../Sites/PatchSites.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/ClassState.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;

#define GET_STATISTICS_AddClassState
#include "jopt/Passes/Passes.inc"

AnalysisKey ClassState::Key;

static size_t numFields(const ClassState &S) {
  return size_t(llvm::count_if(
      S.Fields, [](const std::string &Name) { return !Name.empty(); }));
}

/// Pool entries for one field, with its creation, or one call.
static constexpr size_t EntriesPerAdvice = 16;

/// A field's object is made in so many bytes; a call takes fewer.
static constexpr size_t BytesPerField = 10, BytesPerCall = 3;

/// The code that makes the fields can be in a method of its own. Only the
/// static initialiser may write final fields, as all of interfaces are.
static bool canOutlineFields(const ClassFile &F) { return !F.isInterface(); }

/// Why \p S cannot be had in \p F.
static void findProblems(const ClassFile &F, const PassContext &C,
                         ClassState &S) {
  size_t NumFields = numFields(S);
  size_t Entries = (NumFields + S.Initializers.size() + 1) * EntriesPerAdvice;
  bool Creates = !S.Initializer && !S.Aside;
  if (S.AtEntry && !canHaveCallSites(F))
    S.Problem = "it has no static initialiser, its schema must stay as it is, "
                "and it can have no call site";
  else if (S.Initializer && !S.Initializer->IR &&
           S.Initializer->codeAttribute(F.Pool) < 0)
    S.Problem = "its static initialiser has no code";
  else if (S.Initializer && !isStatic(F, *S.Initializer))
    S.Problem = "its static initialiser is not declared static";
  else if (S.Initializer && NumFields &&
           S.Initializer->code(F.Pool).size() +
                   (C.attempt().MayOutline && canOutlineFields(F)
                        ? BytesPerCall
                        : NumFields * BytesPerField) >
               65535)
    S.FieldProblem = "its static initialiser has no room for what makes them";
  else if (F.Fields.size() + NumFields + 1 > 65535)
    S.FieldProblem = "it would have more than 65,535 fields";
  else if (Creates && F.Methods.size() == 65535)
    S.Problem = "it would have more than 65,535 methods";
  else if (F.Pool.size() + Entries > 65535)
    S.Problem = "its constant pool would have more than 65,535 entries";
}

ClassState ClassState::run(const ClassFile &F, PassContext &C) {
  ClassState S;
  auto &Advices = C.get<ClassAdvices>();
  const AdviceSet &Set = Advices.set();
  S.Fields.resize(Set.Probes.size());
  llvm::BitVector Probes = Advices.classProbes();
  if (Probes.none())
    return S;

  S.Aside = C.get<AdviceCalls>().keepsStateAside();
  llvm::StringSet<> Names;
  for (unsigned P : Probes.set_bits())
    if (!Set.Probes[P].StaticField.empty() && !S.Aside) {
      if (Names.empty())
        for (const Field &Fd : F.Fields)
          Names.insert(F.name(Fd));
      unsigned N = P;
      do
        S.Fields[P] = Set.Probes[P].FieldPrefix + std::to_string(N++);
      while (!Names.insert(S.Fields[P]).second);
    }
  for (unsigned I = 0; I < Set.Advices.size(); ++I)
    if (Set.Advices[I].Kind == AdviceKind::StaticInitializer &&
        Probes.test(Set.Advices[I].Probe))
      S.Initializers.push_back(I);
  sortAdvices(Set, AdviceKind::StaticInitializer, S.Initializers);
  if (S.empty())
    return S;
  for (const Method &M : F.Methods)
    if (F.name(M) == "<clinit>" && F.descriptor(M) == "()V")
      S.Initializer = &M;
  S.AtEntry = S.Aside && !S.Initializer && !S.Initializers.empty();
  findProblems(F, C, S);
  bool All = !S.Problem.empty();
  if (!All && S.FieldProblem.empty())
    return S;
  // Drop what cannot be had.
  for (unsigned I = 0; I < Set.Advices.size(); ++I) {
    const Advice &A = Set.Advices[I];
    bool OfField = !S.Fields[A.Probe].empty() &&
                   llvm::is_contained(A.Data, DataItem::StaticField);
    if (OfField || (All && A.Kind == AdviceKind::StaticInitializer))
      S.Withdrawn.push_back(I);
  }
  for (std::string &Name : S.Fields)
    Name.clear();
  llvm::erase_if(S.Initializers, [&](unsigned I) {
    return llvm::is_contained(S.Withdrawn, I);
  });
  return S;
}

/// Says what cannot be had.
static void reportProblem(const ClassState &S, PassContext &C) {
  bool All = !S.Problem.empty();
  C.report(ReportRow::problem(
      ReportRow::Undone,
      (S.Aside ? "no advices of a static initialiser: "
       : All   ? "no static fields and no advices in a static initialiser: "
               : "no static fields: ") +
          (All ? S.Problem : S.FieldProblem)));
}

void jopt::keepSerialVersion(PassContext &C) {
  ClassFile &F = C.classFile();
  bool Plain = F.isInterface() ||
               (F.Interfaces.empty() && F.superName() == "java/lang/Object");
  // The version of records and enums is 0 whatever they have.
  if (Plain || F.superName() == "java/lang/Record" || (F.Access & ACC_ENUM))
    return;
  for (const Field &Fd : F.Fields) {
    if (F.name(Fd) != "serialVersionUID")
      continue;
    if (!Fd.is(ACC_STATIC) || !Fd.is(ACC_FINAL))
      C.report(ReportRow::problem(
          ReportRow::Warned,
          "its serial version is a computed one, and changes with the "
          "static initialiser that probes add: its field "
          "serialVersionUID is not static and final"));
    return;
  }
  int64_t Version = computeSerialVersionUID(F);
  Field &Fd = C.get<ClassEditor>().addField(
      ACC_PRIVATE | ACC_STATIC | ACC_FINAL, "serialVersionUID", "J");
  uint8_t Payload[2];
  writeU2(Payload, F.Pool.addLong(Version));
  Fd.Attributes.push_back(
      {F.Pool.addUtf8("ConstantValue"), F.save(Bytes(Payload))});
  ++NumVersions;
}

bool AddClassStatePass::begin(PassContext &C) const {
  ClassFile &F = C.classFile();
  // Numbers of methods are those of the class as it came; which methods of a
  // text those are must be asked before any is added.
  if (F.Original.empty())
    C.analysis<OriginalMethods>(F);
  auto &Advices = C.get<ClassAdvices>();
  if (!Advices.hasClassProbes())
    return false;
  auto &Editor = C.get<ClassEditor>();
  const auto &S = C.analysis<ClassState>(F);
  for (unsigned I : S.Withdrawn)
    Advices.withdraw(I);
  if (!S.Problem.empty() || !S.FieldProblem.empty())
    reportProblem(S, C);
  if (S.empty() || S.AtEntry)
    return !S.empty();

  if (S.Initializer && numFields(S))
    Editor.require(*S.Initializer);
  if (!S.Initializer) {
    keepSerialVersion(C);
    Method &M = Editor.addMethod(ACC_STATIC, "<clinit>", "()V");
    Body &B = *M.IR;
    B.append(B.create(irop::Return, op::RETURN, Type::Void, {}),
             B.createBlock());
    Editor.require(M);
    ++NumInitializers;
  }
  // Interfaces have no other fields (section 4.5).
  uint16_t Access =
      ACC_STATIC | (F.isInterface() ? ACC_PUBLIC | ACC_FINAL : ACC_PRIVATE);
  for (unsigned P = 0; P < S.Fields.size(); ++P)
    if (!S.Fields[P].empty()) {
      Editor.addField(Access, S.Fields[P],
                      "L" + Advices.set().Probes[P].StaticField + ";");
      ++NumFields;
    }
  return true;
}

/// Entering \p M may be what initialises its class: constructors and static
/// methods do that (and default methods of interfaces), but for private ones
/// that a compiler made, which others of the class call.
static bool mayInitialize(const ClassFile &F, const Method &M) {
  if (M.is(ACC_PRIVATE) && M.is(ACC_SYNTHETIC))
    return false;
  return isStatic(F, M) || F.name(M) == "<init>" || F.isInterface();
}

bool AddClassStatePass::wants(const Method &M, PassContext &C) const {
  const ClassFile &F = C.classFile();
  const auto &S = C.analysis<ClassState>(F);
  if (S.AtEntry)
    return mayInitialize(F, M);
  return F.name(M) == "<clinit>" && F.descriptor(M) == "()V";
}

/// Makes what \p S has in front of \p Before.
static llvm::Error place(Body &F, Instruction &Before, PassContext &C,
                         const ClassState &S, unsigned First) {
  Placement P(F, C);
  Builder B(F, &Before);
  B.setAdvice(int32_t(First));
  auto MakeFields = [&](Builder &B) {
    for (unsigned Pr = 0; Pr < S.Fields.size(); ++Pr) {
      if (S.Fields[Pr].empty())
        continue;
      const std::string &Class = P.Set.Probes[Pr].StaticField;
      B.putStatic(F.classFile().name(), S.Fields[Pr], "L" + Class + ";",
                  B.newObject(Class, "()V", {}));
      P.count(Pr);
    }
  };
  if (C.attempt().outlines() && canOutlineFields(F.classFile()) &&
      numFields(S)) {
    auto Fill = [&](Body &Made) {
      Builder In(Made);
      In.setEnd(Made.createBlock());
      In.setAdvice(int32_t(First));
      MakeFields(In);
      makeReturn(In, nullptr);
      return llvm::Error::success();
    };
    auto Call = Outliner(F, C).call(B, "", "()V", {}, Fill);
    if (!Call)
      return Call.takeError();
  } else {
    MakeFields(B);
  }
  if (!C.attempt().onlyRequired())
    for (unsigned N : S.Initializers)
      P.emit(&Before, N, {});
  return P.finish();
}

llvm::Expected<PreservedAnalyses> AddClassStatePass::run(Body &F,
                                                         PassContext &C) const {
  const auto &S = C.analysis<ClassState>(F.classFile());
  const unsigned First = S.Initializers.empty() ? 0 : S.Initializers.front();
  auto Place = [&](Body &Code, Instruction &Before) {
    return place(Code, Before, C, S, First);
  };
  auto PlaceInFront = [&]() -> llvm::Error {
    if (F.Patch)
      return C.get<Snippets>().putInFront(F, S.Initializers, Place);
    // Behind what defines slots, and in front of all else.
    Instruction *Defined = Placement(F, C).prologue(First).terminator();
    return Place(F, *startBlock(Defined)->terminator());
  };
  if (llvm::Error E = PlaceInFront())
    return E;
  return PreservedAnalyses::none();
}
