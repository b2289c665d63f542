//===- TFClass.cpp - What TF makes of a class -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TFClass.h"

using namespace jopt;
using llvm::StringRef;

AnalysisKey TFClass::Key;
ServiceKey TracedProgram::Key;

TFClass TFClass::run(const ClassFile &F, PassContext &C) {
  TFClass T;
  T.Program = C.get<TracedProgram>().Program;
  if (!T.Program)
    return T;
  auto Data = tf::collectClass(F, *T.Program);
  if (!Data) {
    T.Problems = toDiagnostics(Data.takeError());
    return T;
  }
  T.Data = std::move(*Data);
  for (unsigned I = 0; I < T.Data.Methods.size(); ++I) {
    const Method &M = F.Methods[I];
    if (T.Data.Methods[I].Kind != tf::MethodKind::Info ||
        M.codeAttribute(F.Pool) < 0)
      continue;
    StringRef Descriptor = F.descriptor(M);
    if (T.Data.Enhanced == tf::Level::None) {
      T.Plain[(F.name(M) + Descriptor).str()] = I;
      T.Extended[F.name(M).str() + T.extend(Descriptor)] = I;
    } else {
      T.Extended[(F.name(M) + Descriptor).str()] = I;
    }
  }
  return T;
}

llvm::Error TFClass::check() const {
  if (!Program)
    return makeError("what is traced is not known: the run has no annotations "
                     "of the tracing facility");
  llvm::Error E = llvm::Error::success();
  for (const Diagnostic &P : Problems)
    E = llvm::joinErrors(std::move(E), llvm::make_error<DiagnosticError>(P));
  return E;
}

std::string TFClass::extend(StringRef Descriptor) const {
  auto [Parameters, Result] = Descriptor.rsplit(')');
  return (Parameters + Program->Library.infoSuffix() + ")" + Result).str();
}

bool TFClass::isCall(const Instruction &I, const ClassFile &F,
                     const llvm::StringMap<unsigned> &Info) {
  if (Info.empty() || I.op() != irop::Invoke ||
      (I.opcode() != op::INVOKESPECIAL && I.opcode() != op::INVOKEVIRTUAL))
    return false;
  MemberRef R = F.Pool.member(I.index());
  return R.valid() && R.Owner == F.name() &&
         Info.contains((R.Name + R.Descriptor).str());
}

Block *jopt::openFront(Body &F, llvm::ArrayRef<Type> Locals) {
  Block *Old = &F.entry();
  if (!Old->hasFrame())
    F.setFrame(Old, Locals);
  return F.createBlock(Old);
}

Block *jopt::openCall(Builder &B, Block *Next, const ThrowEdge *Edges) {
  Body &F = Next->body();
  Block *Call = F.createBlock(Next);
  Call->setThrowEdges(Edges);
  B.setEnd(Call);
  B.fallThrough(Next);
  B.setPoint(Call->terminator());
  return Call;
}

MonitorCall::MonitorCall(Body &F, const tf::Packages &P, unsigned Slot)
    : P(P), Slot(Slot), Monitor(F.types().ref(P.runtime("MethodMonitor"))) {}

Value *MonitorCall::monitor(Builder &B) const {
  Instruction *Load = B.get(Slot, Monitor);
  Load->setFloating(false);
  return Load;
}

void MonitorCall::fill(Block *Call, llvm::ArrayRef<Type> Slots,
                       llvm::function_ref<void(Builder &)> Lean,
                       llvm::function_ref<void(Builder &)> Full) const {
  Body &F = Call->body();
  if (!Lean || P.Original) {
    Builder B(F, Call->terminator());
    Full(B);
    return;
  }
  Block *Next = Call->terminator()->successors()[0];
  F.erase(Call->terminator());
  Builder B(F);
  Block *Other = openCall(B, Next, Call->throwEdges());
  F.setFrame(Other, Slots);
  Full(B);
  Block *Short = openCall(B, Other, Call->throwEdges());
  F.erase(Short->terminator());
  B.setEnd(Short);
  Lean(B);
  B.jump(Next);
  B.setEnd(Call);
  B.jumpIfZero(
      B.callInterface(P.runtime("MethodMonitor"), "isLean", "()Z", monitor(B)),
      Other, Short);
}
