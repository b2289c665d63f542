//===- AdviceCall.cpp - The calls that advices become ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdviceCall.h"
#include "Boxing.h"
#include "HostLink.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/ClassState.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/LocalVariables.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/JavaNames.h"
#include <map>

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

Error jopt::adviceError(const Instruction &I, const llvm::Twine &M) {
  return makeError("advice #" + llvm::Twine(I.index()) + ": " + M);
}

std::string jopt::descriptorOf(const TypeTable &Types, Type Ref) {
  StringRef Name = Types.name(Ref);
  return Name.starts_with("[") ? Name.str() : ("L" + Name + ";").str();
}

unsigned jopt::narrowTypeOf(const Instruction &I, const Advice &A,
                            const DataUse &Use) {
  const NarrowTypes Known(I.imm());
  if (!isBoxedAtCall(Use))
    return Known.value();
  unsigned Number = 0;
  for (const DataUse &Other : A.Data) {
    if (Other.Item == Use.Item && Other.Key == Use.Key)
      break;
    Number += isSiteItem(A.Kind, Other);
  }
  return Number < NarrowTypes::NumOperands ? Known.operand(Number) : 0;
}

StringRef jopt::primitiveType(unsigned Narrow, Type Ty) {
  switch (Ty.kind()) {
  case Type::Int:
    return Narrow ? arrayTypeDescriptor(Narrow).drop_front() : "I";
  case Type::Long:
    return "J";
  case Type::Float:
    return "F";
  case Type::Double:
    return "D";
  default:
    return {};
  }
}

/// \p V, of descriptor \p Type, as an object.
Value *AdviceCaller::box(Builder &B, Value *V, StringRef Type) {
  Boxes += findBox(Type) != nullptr;
  return jopt::box(B, V, Type, BoxByNew);
}

/// B.string(\p S), which lives as long as the class: looked up in the pool once
/// per method.
Value *AdviceCaller::part(Builder &B, StringRef S) {
  Instruction *&First = Parts[S.data()];
  if (First)
    return copyFloating(B, *First);
  return First = B.string(S);
}

/// \p S, which lives as long as the class, as a String: joined of several
/// constants where it is longer than one may be.
Value *AdviceCaller::text(Builder &B, StringRef S) {
  Value *Whole = nullptr;
  do {
    // A character is not cut: its bytes behind the first are 10xxxxxx.
    size_t Length = std::min<size_t>(S.size(), 65535);
    while (Length < S.size() && (uint8_t(S[Length]) & 0xc0) == 0x80)
      --Length;
    Value *Part = part(B, S.take_front(Length));
    Whole = !Whole ? Part
                   : B.callVirtual("java/lang/String", "concat",
                                   "(Ljava/lang/String;)Ljava/lang/String;",
                                   {Whole, Part});
    S = S.drop_front(Length);
  } while (!S.empty());
  return Whole;
}

/// The static field of the probe of \p I.
llvm::Expected<Value *> AdviceCaller::staticField(Builder &B,
                                                  const Instruction &I) {
  const ClassFile &Class = F.classFile();
  unsigned P = Set.Advices[I.index()].Probe;
  Instruction *&Known = StaticFields[P];
  if (Known) {
    Instruction *Again = B.make(Known->op(), Known->opcode(), Known->type());
    Again->setIndex(Known->index());
    return Again;
  }
  std::string Type = "L" + Set.Probes[P].StaticField + ";";
  // A text may have the field already, by its first name. A class file may
  // have one of other probes.
  const std::string First = Class.Original.empty()
                                ? Set.Probes[P].FieldPrefix + std::to_string(P)
                                : std::string();
  for (const std::string &Name :
       {C.analysis<ClassState>(Class).Fields[P], First})
    for (const Field &Fd : Class.Fields)
      if (Class.name(Fd) == Name && Class.descriptor(Fd) == Type)
        return Known = B.getStatic(Class.name(), Name, Type);
  if (Calls.keepsStateAside())
    return emitState(B, F, Calls, P);
  return adviceError(I, "the class has no static field of the probe");
}

/// \p I runs where the class is entered, for want of a static initialiser.
bool AdviceCaller::standsForInitializer(const Instruction &I) {
  return Set.Advices[I.index()].Kind == AdviceKind::StaticInitializer &&
         C.analysis<ClassState>(F.classFile()).AtEntry;
}

Value *jopt::hostClass(Builder &B, const ClassFile &Class) {
  if (Class.Major >= 49)
    return B.classConstant(Class.name());
  std::string Name = Class.name().str();
  std::replace(Name.begin(), Name.end(), '/', '.');
  return B.callStatic("java/lang/Class", "forName",
                      "(Ljava/lang/String;)Ljava/lang/Class;", B.string(Name));
}

/// The types of the host's parameters as Java has them.
StringRef AdviceCaller::parameterTypes() {
  std::string Text;
  MethodDescriptor D(Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Text += (Text.empty() ? "" : ", ") + javaTypeName(P);
  return F.pool().save(Text);
}

/// The names of the host's parameters, as its LocalVariableTable has them.
StringRef AdviceCaller::parameterNames() {
  std::map<unsigned, StringRef> BySlot;
  CodeView Code;
  const int At = Host.codeAttribute(F.pool());
  if (At >= 0) {
    if (Error E =
            parseCode(F.classFile(), Host.Attributes[size_t(At)].Data, Code))
      llvm::consumeError(std::move(E));
    for (const LocalVariable &V : readVariables(F.pool(), Code.Attributes))
      if (V.Start == 0)
        BySlot[V.Slot] = V.Name;
  }
  std::string Text;
  unsigned Slot = isStatic(F.classFile(), Host) ? 0 : 1;
  bool IsFirst = true;
  MethodDescriptor D(Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Text += (std::exchange(IsFirst, false) ? "" : ",") + BySlot[Slot].str();
    Slot += slotsOf(P);
  }
  return F.pool().save(Text);
}

/// A data item that does not depend on the site.
llvm::Expected<Value *> AdviceCaller::hostItem(Builder &B, const Instruction &I,
                                               DataItem D) {
  ClassFile &Class = F.classFile();
  switch (D) {
  case DataItem::ClassName:
    return part(B, Class.name());
  case DataItem::MethodName:
    return part(B, standsForInitializer(I) ? "<clinit>" : Class.name(Host));
  case DataItem::MethodSig:
    return part(B, standsForInitializer(I) ? "()V" : Descriptor);
  case DataItem::StaticField:
    return staticField(B, I);
  case DataItem::Args:
    return B.get(unsigned(ArgumentSlot), F.types().ref("[Ljava/lang/Object;"));
  case DataItem::Arguments:
    return B.cast(B.callVirtual("[Ljava/lang/Object;", "clone",
                                "()Ljava/lang/Object;",
                                B.get(unsigned(ArgumentSlot),
                                      F.types().ref("[Ljava/lang/Object;"))),
                  "[Ljava/lang/Object;");
  case DataItem::HostClass:
    return hostClass(B, Class);
  case DataItem::ParameterTypes:
    return text(B, parameterTypes());
  case DataItem::ParameterNames:
    return text(B, parameterNames());
  case DataItem::ClassSourceFile: {
    const Attribute *A =
        ClassFile::findAttribute(F.pool(), Class.Attributes, "SourceFile");
    if (!A || A->Data.size() != 2)
      return B.null();
    return text(B, F.pool().utf8(readU2(A->Data.data())));
  }
  case DataItem::MethodNames:
    return text(B, C.analysis<MethodNamesText>(Class).Text);
  case DataItem::MethodLineTables:
    return text(B, C.analysis<MethodLineTablesText>(Class).Text);
  case DataItem::MethodNumber: {
    const auto &Methods = C.analysis<OriginalMethods>(Class);
    return B.constant(int32_t(standsForInitializer(I)
                                  ? Methods.Methods.size()
                                  : Methods.numberOf(Host)));
  }
  case DataItem::PreviousUnits: {
    unsigned N = C.analysis<OriginalMethods>(Class).numberOf(Host);
    return B.constant(int32_t(C.analysis<ClassUnits>(Class).Previous[N]));
  }
  default:
    return adviceError(I, getDataItemName(D) + " is not known here");
  }
}

/// The value of a site, \p Given, as the parameter of type \p Wanted.
llvm::Expected<Value *> AdviceCaller::argument(Builder &B, const Instruction &I,
                                               const DataUse &Use,
                                               StringRef Wanted, Value *Given) {
  const DataItem D = Use;
  Type Ty = Given->type();
  bool WantsObject = Wanted.size() > 1;
  const Advice &A = Set.Advices[I.index()];
  // What the program made, not what an advice did.
  const bool OfProgram = D == DataItem::ReturnedObject ||
                         D == DataItem::ValueItem || D == DataItem::OldValue ||
                         isBoxedAtCall(Use);
  StringRef Primitive;
  if (OfProgram)
    Primitive = primitiveType(narrowTypeOf(I, A, Use), Ty);
  if (WantsObject == Ty.isInitialized() &&
      (WantsObject || Ty == F.types().fromDescriptor(Wanted))) {
    if (!Primitive.empty())
      Given = narrow(B, Given, Primitive);
    return OfProgram || D == DataItem::Parameter ? narrow(B, Given, Wanted)
                                                 : Given;
  }
  // It was initialised through another value since, which who places at
  // instructions has seen to.
  if ((D == DataItem::EventObject || SiteKinds >> unsigned(A.Kind) & 1) &&
      WantsObject && (Ty.is(Type::Uninit) || Ty.is(Type::UninitThis)))
    return Given;
  if (!Primitive.empty())
    return box(B, Given, Primitive);
  return adviceError(I, getDataItemName(D) +
                            " would be given a value of type " +
                            F.types().toString(Ty));
}

/// Converts \p V, the result of the call, to the type that \p I has.
llvm::Expected<Value *> AdviceCaller::result(Builder &B, const Instruction &I,
                                             Value *V) {
  const Advice &A = Set.Advices[I.index()];
  StringRef Given = returnDescriptor(Calls.callDescriptor(I.index()));
  if (A.Result == ResultUse::Keep || A.Result == ResultUse::Decide) {
    if (I.type() != F.types().fromDescriptor(Given))
      return adviceError(I, "its result is of type " + Given);
    return V;
  }
  // The value takes the place of one of type I.type().
  Type Ty = I.type();
  StringRef Primitive = primitiveType(NarrowTypes(I.imm()).value(), Ty);
  if (!Primitive.empty() && findBox(Given)) {
    if (V->type() == Ty)
      return V;
    return adviceError(I, "a value of type " + Given +
                              " cannot replace one of " + Primitive);
  }
  if (!Primitive.empty())
    return unbox(B, V, Given, Primitive);
  if (!Ty.is(Type::Ref))
    return adviceError(I, "no value of type " + F.types().toString(Ty) +
                              " can be replaced");
  StringRef Class = F.types().name(Ty);
  if (findBox(Given)) {
    V = box(B, V, Given);
    Given = "Ljava/lang/Object;";
  }
  if (Class == "java/lang/Object" || Ty == F.types().fromDescriptor(Given))
    return V;
  return B.cast(V, Class);
}

/// The call of the stub of advice \p N with \p Arguments. It gives back what is
/// \p Replaced, if there is a value, or throws it, where the advice is gone.
Value *AdviceCaller::callStub(Builder &B, unsigned N,
                              llvm::SmallVectorImpl<Value *> &Arguments,
                              llvm::ArrayRef<Value *> Replaced) {
  const AdviceBody &A = Set.Advices[N].Body;
  if (!Replaced.empty())
    Arguments.push_back(Replaced.front());
  Arguments.push_back(B.constant(A.Token));
  return B.callStatic(A.Stub, A.Name, stubDescriptor(Set.Advices[N]),
                      Arguments);
}

/// Adds what advice \p N is given at \p I to \p Arguments; the first of \p
/// Operands are those of the site that it takes, and go.
Error AdviceCaller::addArguments(Builder &B, const Instruction &I, unsigned N,
                                 llvm::ArrayRef<Value *> &Operands,
                                 llvm::SmallVectorImpl<Value *> &Arguments) {
  const Advice &A = Set.Advices[N];
  MethodDescriptor D(Calls.callDescriptor(N));
  for (const DataUse &Item : A.Data) {
    StringRef Wanted = D.nextParameter();
    bool AtSite = isSiteItem(A.Kind, Item);
    auto V = AtSite ? argument(B, I, Item, Wanted, Operands.front())
                    : hostItem(B, I, Item);
    if (!V)
      return V.takeError();
    Arguments.push_back(*V);
    Operands = Operands.drop_front(AtSite);
  }
  return Error::success();
}

/// The call of advice \p N; what it returns.
llvm::Expected<Value *>
AdviceCaller::invoke(Builder &B, unsigned N,
                     llvm::SmallVectorImpl<Value *> &Arguments,
                     llvm::ArrayRef<Value *> Replaced) {
  const AdviceBody &Body = Set.Advices[N].Body;
  if (Body.OfInterface)
    return emitInterfaceCall(B, Body, Arguments);
  if (Calls.callsStub(N))
    return callStub(B, N, Arguments, Replaced);
  if (Calls.callsBySites())
    return emitCall(B, F, Calls, N, Arguments);
  return B.callStatic(Calls.bodyMethod(N), Body.Descriptor, Arguments);
}

llvm::Expected<Value *> AdviceCaller::ask(Builder &B, const Instruction &I,
                                          const Advice &Decider,
                                          llvm::ArrayRef<Value *> Operands) {
  const Advice &A = Set.Advices[I.index()];
  llvm::SmallVector<Value *, 8> Given;
  for (const DataUse &Use : Decider.Data) {
    if (!isSiteItem(A.Kind, Use))
      continue;
    const Value *const *Operand = Operands.begin();
    for (const DataUse &Other : A.Data) {
      if (Other.Item == Use.Item && Other.Key == Use.Key)
        break;
      Operand += isSiteItem(A.Kind, Other);
    }
    Given.push_back(const_cast<Value *>(*Operand));
  }
  const unsigned N = unsigned(&Decider - Set.Advices.data());
  llvm::ArrayRef<Value *> Left = Given;
  llvm::SmallVector<Value *, 8> Arguments;
  if (Error E = addArguments(B, I, N, Left, Arguments))
    return E;
  return invoke(B, N, Arguments, {});
}

/// The call with its arguments; the value that stands for \p I, null if it has
/// none.
llvm::Expected<Value *> AdviceCaller::call(Builder &B, const Instruction &I,
                                           llvm::ArrayRef<Value *> Operands) {
  const Advice &A = Set.Advices[I.index()];
  B.setAdvice(int32_t(I.index()));
  llvm::SmallVector<Value *, 8> Arguments;
  if (Error E = addArguments(B, I, I.index(), Operands, Arguments))
    return E;
  if (standsForInitializer(I)) {
    if (Error E = emitOnce(B, F, Calls, I.index(), Arguments))
      return E;
    return nullptr;
  }
  auto V = A.Kind == AdviceKind::TraceEnter
               ? emitTraceEnter(B, F, C, Host, Arguments)
               : invoke(B, I.index(), Arguments, Operands);
  if (!V)
    return V.takeError();
  if (I.type().isVoid())
    return nullptr;
  return result(B, I, *V);
}
