//===- Lifter.cpp - Code bytes into IR ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Reader/Lifter.h"
#include "Lifters.h"
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

/// Receiver and parameters. False if the descriptor is malformed.
static bool setInitialLocals(Body &F) {
  ClassFile &Class = F.classFile();
  Method &M = F.method();
  llvm::SmallVector<Type, 16> Slots;
  if (!M.is(ACC_STATIC))
    Slots.push_back(Class.name(M) == "<init>" &&
                            Class.name() != "java/lang/Object"
                        ? Type(Type::UninitThis)
                        : Class.classType(Class.ThisIndex));
  MethodDescriptor D(Class.descriptor(M));
  for (llvm::StringRef P = D.nextParameter(); !P.empty();
       P = D.nextParameter()) {
    Slots.push_back(F.types().fromDescriptor(P));
    if (Slots.back().isCategory2())
      Slots.push_back(Type::High);
  }
  F.setInitialLocals(Slots);
  return D.valid();
}

static Error lift(ClassFile &Class, Method &M, LiftScratch &S,
                  const LiftOptions &O) {
  const CodeView &Code = S.Code;
  const Attribute *StackMap =
      ClassFile::findAttribute(Class.Pool, Code.Attributes, "StackMapTable");
  Error FrameError = Error::success();
  for (bool Infer : {false, true}) {
    // Versions below 50 know no frames, those above nothing else; 50 may fall
    // back. The JVM itself infers for 50 only if its other verifier fails.
    if (Infer ? Class.Major > 50 : !Class.hasFrames())
      continue;
    M.IR = std::make_unique<Body>(Class, M);
    Body &F = *M.IR;
    F.setNumSlots(Code.MaxLocals);
    F.OriginalMaxStack = Code.MaxStack;
    F.OriginalMaxLocals = Code.MaxLocals;
    F.OriginalCodeLength = unsigned(Code.Code.size());
    F.HasAnchors = O.Anchors;
    for (Attribute A : Code.Attributes) {
      // The writer fills it again.
      if (Class.Pool.utf8(A.NameIndex) == "StackMapTable")
        A.Data = {};
      F.Attributes.push_back(A);
    }
    if (!setInitialLocals(F))
      return llvm::joinErrors(std::move(FrameError),
                              makeError("malformed method descriptor"));
    if (F.initialLocals().size() > Code.MaxLocals)
      return llvm::joinErrors(
          std::move(FrameError),
          makeError("max_locals is less than the parameters need"));
    if (Error E = S.Flow.build(Code))
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
  Borrowed<LiftScratch> S;
  if (Error E = parseCode(Class, M.Attributes[At].Data, S->Code))
    return E;
  if (Error E = lift(Class, M, *S, O)) {
    M.IR.reset();
    return E;
  }
  return Error::success();
}
