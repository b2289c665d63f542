//===- Schema.cpp - Makes classes ready to be traced ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stage 1: holders, registration, and info methods that can tell a monitor.
/// After it a class behaves as before, and stage 2 changes no member.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/Arguments.h"
#include "../AdviceCode/Boxing.h"
#include "TFClass.h"
#include "jopt/Passes/Analysis/ClassState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

#define GET_STATISTICS_TFSchema
#include "jopt/Passes/Passes.inc"

namespace {

class SchemaChanger {
public:
  SchemaChanger(ClassFile &F, PassContext &C, const TFClass &T, bool Long)
      : F(F), C(C), T(T), P(T.Program->Library), Long(Long) {}
  Error run();

private:
  Error extendInfo(Method &M, unsigned Identifier);
  Error extendCalls(Method &M);
  Error registerClass();
  void makeHolders(Builder &B);
  void registerLong(Builder &B);
  std::string holderType() const { return "L" + P.Holder + ";"; }

  ClassFile &F;
  PassContext &C;
  const TFClass &T;
  const tf::Packages &P;
  /// The class makes its holders and the list of names itself.
  const bool Long;
};

} // namespace

/// Attributes with an entry per parameter get two more: reflection refuses
/// those that do not fit the descriptor.
static void extendParameterAttributes(ClassFile &F, Method &M) {
  for (Attribute &A : M.Attributes) {
    StringRef Name = F.Pool.utf8(A.NameIndex);
    bool Names = Name == "MethodParameters";
    if (A.Data.empty() || A.Data[0] > 253 ||
        !(Names || Name == "RuntimeVisibleParameterAnnotations" ||
          Name == "RuntimeInvisibleParameterAnnotations"))
      continue;
    ByteWriter W;
    W.u1(uint8_t(A.Data[0] + 2));
    W.bytes(A.Data.drop_front());
    for (int Added = 0; Added < 2; ++Added) {
      W.u2(0); // no name; no annotations
      if (Names)
        W.u2(ACC_SYNTHETIC);
    }
    A.Data = F.save(W.data());
  }
}

/// Two more parameters, mm and caller, and in front of the old code
/// `if (mm != null) mm.info(arguments, caller, self)`.
Error SchemaChanger::extendInfo(Method &M, unsigned Identifier) {
  std::string Old = F.descriptor(M).str(), New = T.extend(Old);
  auto Lifted = C.lift(M);
  if (!Lifted)
    return Lifted.takeError();
  Body &Code = *Lifted;
  // Nothing reads the new parameters behind the new code, so the slots of the
  // old code stay as they are, even where they are the same.
  llvm::SmallVector<Type, 8> Locals(Code.initialLocals());
  MonitorCall Told(Code, P, unsigned(Locals.size()));
  const unsigned Caller = Told.Slot + 1;
  Block *Front = openFront(Code, Locals);
  Block *Rest = &*std::next(Front->getIterator());
  Locals.push_back(Told.Monitor);
  Locals.push_back(Type::Int);
  Code.setInitialLocals(Locals);
  Code.setNumSlots(std::max(Code.numSlots(), Caller + 1));

  Builder B(Code);
  Block *Call = openCall(B, Rest, nullptr);
  auto Tell = [&](Builder &In, bool Lean) {
    Value *Monitor = Told.monitor(In);
    Value *Arguments = Lean ? In.null()
                            : boxAll(In, Old, readParameters(In, Code, Old),
                                     /*ByNew=*/false, Narrowing::Never);
    In.callInterface(P.runtime("MethodMonitor"), "info",
                     "([Ljava/lang/Object;II)V",
                     {Monitor, Arguments, In.get(Caller, Type::Int),
                      In.constant(int32_t(Identifier))});
  };
  Told.fill(
      Call, Locals, [&](Builder &In) { Tell(In, /*Lean=*/true); },
      [&](Builder &In) { Tell(In, /*Lean=*/false); });
  B.setEnd(Front);
  B.jumpIfNull(Told.monitor(B), Rest, Call);

  M.DescriptorIndex = F.Pool.addUtf8(New);
  extendParameterAttributes(F, M);
  C.get<ClassEditor>().requireChange(M);
  ++NumInfoMethods;
  return Error::success();
}

/// Calls of info methods get a null and a 0, which stage 2 replaces.
Error SchemaChanger::extendCalls(Method &M) {
  if (T.Plain.empty())
    return Error::success();
  auto Lifted = C.lift(M);
  if (!Lifted)
    return Lifted.takeError();
  for (Block &Bl : Lifted->blocks())
    for (Instruction &I : llvm::make_early_inc_range(Bl)) {
      if (!TFClass::isCall(I, F, T.Plain))
        continue;
      MemberRef Callee = F.Pool.member(I.index());
      Builder B(*Lifted, &I);
      llvm::SmallVector<Value *, 8> Operands(I.operands());
      Operands.push_back(B.null());
      Operands.push_back(B.constant(0));
      Instruction *New =
          Lifted->create(irop::Invoke, I.opcode(), I.type(), Operands, I.bci());
      New->setIndex(F.Pool.addMember(CPTag::Methodref, Callee.Owner,
                                     Callee.Name, T.extend(Callee.Descriptor)));
      New->setKeep(I.keep());
      New->setPopped(I.popped());
      Lifted->insert(New, &Bl, I.getIterator());
      Bl.replaceUses(&I, New);
      Lifted->erase(&I);
      C.get<ClassEditor>().requireChange(M);
      ++NumInfoCalls;
    }
  return Error::success();
}

/// holder = new SynchronizedHolder() for each.
void SchemaChanger::makeHolders(Builder &B) {
  for (unsigned K = 0; K < T.Data.Annotations.size(); ++K)
    B.putStatic(F.name(), tf::ClassData::holderField(K), holderType(),
                B.newObject(P.Holder, "()V", {}));
}

/// registerClass(this class, names, annotation class -> holder)
void SchemaChanger::registerLong(Builder &B) {
  makeHolders(B);
  constexpr StringRef List = "java/util/List", Map = "java/util/Map";
  Value *Self = B.classConstant(F.name());
  Value *Names = B.newObject("java/util/ArrayList", "()V", {});
  Names->setKeep(true);
  for (const tf::NameEntry &E : T.Data.Names)
    B.callInterface(List, "add", "(Ljava/lang/Object;)Z",
                    {Names, B.string(E.Name)});
  Value *Holders = B.newObject("java/util/LinkedHashMap", "()V", {});
  Holders->setKeep(true);
  for (unsigned K = 0; K < T.Data.Annotations.size(); ++K) {
    Value *Key = B.classConstant(T.Data.Annotations[K]);
    B.callInterface(
        Map, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        {Holders, Key,
         B.getStatic(F.name(), tf::ClassData::holderField(K), holderType())});
  }
  B.callStatic(P.runtime("MethodMonitorRegistry"), "registerClass",
               "(Ljava/lang/Class;Ljava/util/List;Ljava/util/Map;)V",
               {Self, Names, Holders});
}

Error SchemaChanger::registerClass() {
  Method *Initializer = nullptr;
  for (Method &M : F.Methods)
    if (F.name(M) == "<clinit>" && F.descriptor(M) == "()V")
      Initializer = &M;
  if (!Initializer) {
    if (F.Methods.size() == 65535)
      return makeError("it would have more than 65,535 methods");
    keepSerialVersion(C);
    Initializer = &C.get<ClassEditor>().addMethod(ACC_PRIVATE | ACC_STATIC,
                                                  "<clinit>", "()V");
    Body &B = *Initializer->IR;
    B.append(B.create(irop::Return, op::RETURN, Type::Void, {}),
             B.createBlock());
  }
  auto Code = C.lift(*Initializer);
  if (!Code)
    return Code.takeError();
  Block *Rest = &Code->entry();
  Builder B(*Code);
  B.setEnd(Code->createBlock(Rest));
  B.fallThrough(Rest);
  B.setPoint(Code->entry().terminator());
  if (Long)
    registerLong(B);
  else
    B.callStatic(P.runtime("MethodMonitorRegistry"), "registerClass",
                 "(Ljava/lang/Class;)V", B.classConstant(F.name()));
  C.get<ClassEditor>().requireChange(*Initializer);
  return Error::success();
}

Error SchemaChanger::run() {
  if (F.Major < 49)
    return makeError("its version is " + llvm::Twine(F.Major) +
                     ", and before 49 a class cannot name itself");
  if (F.Fields.size() + T.Data.Annotations.size() + 1 > 65535)
    return makeError("it would have more than 65,535 fields");
  for (unsigned K = 0; K < T.Data.Annotations.size(); ++K)
    for (const Field &Fd : F.Fields)
      if (F.name(Fd) == tf::ClassData::holderField(K))
        return makeError("it has a field " + F.name(Fd) + " already");
  for (unsigned I = 0; I < T.Data.Methods.size(); ++I) {
    Method &M = F.Methods[I];
    if (M.codeAttribute(F.Pool) < 0 && !M.IR)
      continue;
    Error E = Error::success();
    if (T.Data.Methods[I].Kind == tf::MethodKind::Info)
      E = extendInfo(M, T.Data.Methods[I].Identifier);
    else if (T.Data.Methods[I].Kind == tf::MethodKind::Monitored)
      E = extendCalls(M);
    if (E)
      return E;
  }
  for (unsigned K = 0; K < T.Data.Annotations.size(); ++K)
    C.get<ClassEditor>().addField(ACC_PRIVATE | ACC_STATIC,
                                  tf::ClassData::holderField(K), holderType());
  if (Error E = registerClass())
    return E;
  ++NumClasses;
  return tf::writeLevel(F, P, tf::Level::Phase1);
}

llvm::Expected<PreservedAnalyses> TFSchemaPass::run(ClassFile &F,
                                                    PassContext &C) const {
  const auto &T = C.analysis<TFClass>(F);
  if (Error E = T.check())
    return E;
  for (const std::string &Warning : T.Data.Warnings)
    C.report(ReportRow::problem(ReportRow::Warned, Warning));
  if (!T.Data.traced())
    return PreservedAnalyses::all();
  if (T.Data.Enhanced != tf::Level::None) {
    if (tf::readLevel(F, T.Program->Library) == tf::Level::None)
      return makeError("it was stripped in this run, and what is traced in it "
                       "is known of the class as it came");
    return PreservedAnalyses::all();
  }
  bool Long = Options.Register == Options.RegisterLong ||
              (Options.Register == Options.RegisterAuto &&
               !T.Program->Library.Original);
  if (Error E = SchemaChanger(F, C, T, Long).run())
    return E;
  return PreservedAnalyses::none();
}
