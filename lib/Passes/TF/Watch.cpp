//===- Watch.cpp - Has registries tell the agent of changes ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Methods that change monitors end, however they end, with
/// `Link.monitorsChanged(registry, class)`; the class is null where it is not
/// known which ones are concerned.
///
//===----------------------------------------------------------------------===//

#include "TFClass.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseSet.h"

using namespace jopt;
using llvm::StringRef;

#define GET_STATISTICS_TFWatch
#include "jopt/Passes/Passes.inc"

/// The methods of a registry that change monitors. The original brings groups
/// up to date where it is only asked for a factory.
static constexpr StringRef Changing[] = {"register", "clear", "registerClass",
                                         "registeredFactory",
                                         "setLegacyGroups"};

namespace {

class MethodWatcher {
public:
  MethodWatcher(Body &F, bool OfClass) : F(F), OfClass(OfClass) {}
  void run();

private:
  void tell(Builder &B);
  void atReturn(Instruction *End);

  Body &F;
  const bool OfClass; ///< the first parameter is the class
  unsigned ClassSlot = 0;
  llvm::DenseSet<const Block *> Uncovered;
};

} // namespace

void MethodWatcher::tell(Builder &B) {
  Value *Registry = B.classConstant(F.classFile().name());
  Value *Class =
      OfClass ? (Value *)B.get(ClassSlot, F.types().ref("java/lang/Class"))
              : B.null();
  B.callStatic("jopt/boot/Link", "monitorsChanged",
               "(Ljava/lang/Class;Ljava/lang/Class;)V", {Registry, Class});
}

/// The value that \p End returns waits in a slot, so that the call stands in a
/// block of its own, which the handler does not cover.
void MethodWatcher::atReturn(Instruction *End) {
  auto At = End->getIterator();
  if (!End->operands().empty()) {
    Type Ty = End->operand(0)->type();
    unsigned Slot = F.addSlot(Ty.slots());
    Builder B(F, End);
    B.set(Slot, End->operand(0));
    Instruction *Load = B.get(Slot, Ty);
    End->operands()[0] = Load;
    At = Load->getIterator();
  }
  Block *Rest = F.split(End->block(), At);
  Builder B(F, &*Rest->begin());
  tell(B);
  Uncovered.insert(Rest);
}

void MethodWatcher::run() {
  llvm::SmallVector<Instruction *, 4> Returns;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.op() == irop::Return)
        Returns.push_back(&I);
  Type Class = F.types().ref("java/lang/Class");
  if (OfClass)
    ClassSlot = F.addPinnedLocal(Class);
  for (Instruction *End : Returns)
    atReturn(End);

  llvm::SmallVector<Block *, 32> Covered;
  for (Block &B : F.blocks())
    if (!Uncovered.contains(&B))
      Covered.push_back(&B);
  Type Throwable = F.types().ref("java/lang/Throwable");
  Block *Handler = addCatchAll(F, {});
  Builder B(F);
  B.setEnd(Handler);
  const unsigned Thrown = F.addSlot(1);
  B.set(Thrown, Handler->parameters()[0]);
  tell(B);
  B.raise(B.get(Thrown, Throwable));
  F.addFinalHandler(Handler, Covered);

  if (!OfClass)
    return;
  // The method may use the slot of its parameter for something else.
  Block *Start = &F.entry();
  B.setEnd(openFront(F, F.initialLocals()));
  B.set(ClassSlot, B.get(0, Class));
  B.fallThrough(Start);
}

llvm::Expected<PreservedAnalyses> TFWatchPass::run(ClassFile &F,
                                                   PassContext &C) const {
  const tf::Program *Program = C.get<TracedProgram>().Program;
  if (!Program || F.name() != Program->Library.runtime("MethodMonitorRegistry"))
    return PreservedAnalyses::all();
  if (F.Major < 49)
    return makeError("its version is " + llvm::Twine(F.Major) +
                     ", and before 49 a class cannot name itself");
  bool Any = false;
  for (Method &M : F.Methods) {
    if (!llvm::is_contained(Changing, F.name(M)) || !M.is(ACC_STATIC) ||
        (M.codeAttribute(F.Pool) < 0 && !M.IR))
      continue;
    auto Code = C.lift(M);
    if (!Code)
      return Code.takeError();
    MethodWatcher(*Code, F.name(M) == "registerClass" &&
                             F.descriptor(M).starts_with("(Ljava/lang/Class;"))
        .run();
    C.get<ClassEditor>().requireChange(M);
    ++NumMethods;
    Any = true;
  }
  if (!Any)
    return makeError("none of its methods changes monitors");
  return PreservedAnalyses::none();
}
