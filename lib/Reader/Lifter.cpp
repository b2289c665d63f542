//===- Lifter.cpp - Code bytes into IR ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reader/Lifter.h"
#include "Lifters.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;
using llvm::Error;

JOPT_STATISTIC(NumLifted, "lifter", "methods", "methods lifted");
JOPT_STATISTIC(NumInferred, "lifter", "inferred",
               "methods lifted by inference");
JOPT_STATISTIC(NumInlined, "lifter", "subroutines", "methods with jsr inlined");

Type jopt::caughtType(Body &F, uint16_t CatchType) {
  if (!CatchType)
    return F.types().ref("java/lang/Throwable");
  Type T = F.classFile().classType(CatchType);
  return T.is(Type::Ref) ? T : F.types().ref("java/lang/Throwable");
}

Body &jopt::makeBody(ClassFile &Class, Method &M, const CodeView &Code) {
  M.IR = std::make_unique<Body>(Class, M);
  Body &F = *M.IR;
  F.setNumSlots(Code.MaxLocals);
  F.OriginalMaxStack = Code.MaxStack;
  F.OriginalMaxLocals = Code.MaxLocals;
  F.OriginalCodeLength = unsigned(Code.Code.size());
  for (Attribute A : Code.Attributes) {
    // The writer fills it again.
    if (Class.Pool.utf8(A.NameIndex) == "StackMapTable")
      A.Data = {};
    F.Attributes.push_back(A);
  }
  return F;
}

uint32_t jopt::endOfSuperCall(const Body &F, Bytes Code) {
  const ClassFile &Class = F.classFile();
  if (F.method().is(ACC_STATIC) || Class.name(F.method()) != "<init>" ||
      Class.name() == "java/lang/Object")
    return 0;
  DecodedInst D;
  for (uint32_t At = 0; decodeInst(Code, At, D); At = D.end()) {
    if (D.info().Branches || D.info().EndsBlock)
      return 0;
    if (!isInitCall(Class.Pool, D.Op, D.Index))
      continue;
    const llvm::StringRef Owner = Class.Pool.member(D.Index).Owner;
    if (Owner == Class.name() || Owner == Class.superName())
      return D.end();
  }
  return 0;
}

static Error lift(ClassFile &Class, Method &M, LiftScratch &S, LiftOptions O) {
  if (O.Anchors)
    O.Raw = std::min(O.Raw, KeepRaw::Moves);
  const CodeView &Code = S.Code;
  const Attribute *StackMap =
      ClassFile::findAttribute(Class.Pool, Code.Attributes, "StackMapTable");
  Error FrameError = Error::success();
  for (bool Infer : {false, true}) {
    // Versions below 50 know no frames, those above nothing else; 50 may fall
    // back. The JVM itself infers for 50 only if its other verifier fails.
    if (Infer ? Class.Major > 50 : !Class.hasFrames())
      continue;
    Body &F = makeBody(Class, M, Code);
    F.HasAnchors = O.Anchors;
    llvm::SmallVector<Type, 16> Slots;
    if (!initialLocals(F, Slots))
      return llvm::joinErrors(std::move(FrameError),
                              makeError("malformed method descriptor"));
    F.setInitialLocals(Slots);
    if (F.initialLocals().size() > Code.MaxLocals)
      return llvm::joinErrors(
          std::move(FrameError),
          makeError("max_locals is less than the parameters need"));
    S.Leaders.scan(Code.Code, Code.Handlers, MoreLeaders::RangeBorders);
    if (Error E = S.Leaders.check())
      return llvm::joinErrors(std::move(FrameError), std::move(E));
    Error E = Infer
                  ? liftByInference(F, S, O)
                  : liftByFrames(F, S, StackMap ? StackMap->Data : Bytes(), O);
    if (!E) {
      llvm::consumeError(std::move(FrameError));
      ++NumLifted;
      if (Infer)
        ++NumInferred;
      if (F.Inlined)
        ++NumInlined;
      return Error::success();
    }
    FrameError = llvm::joinErrors(std::move(FrameError), std::move(E));
  }
  return FrameError;
}

Error jopt::liftMethod(ClassFile &Class, Method &M, const LiftOptions &O) {
  int At = M.codeAttribute(Class.Pool);
  if (At < 0)
    return makeError("method has no code");
  PooledObject<LiftScratch> S;
  if (Error E = parseCode(Class, M.Attributes[At].Data, S->Code))
    return E;
  if (Error E = lift(Class, M, *S, O)) {
    M.IR.reset();
    return E;
  }
  return Error::success();
}
