//===- Strip.cpp - Classes without what TF put into them ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The way back from stage 2 to stage 1, and from there to the class without
/// the tracing facility. A failure leaves the class whole, as it was.
///
//===----------------------------------------------------------------------===//

#include "StripCode.h"
#include "TFClass.h"
#include "jopt/Passes/Analysis/ClassState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/ClassEditor.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

#define GET_STATISTICS_TFStrip
#include "jopt/Passes/Passes.inc"

namespace {

class ClassStripper {
public:
  ClassStripper(ClassFile &F, PassContext &C, const TFClass &T)
      : F(F), C(C), P(T.Program->Library), T(T) {}
  /// Lifts all methods.
  Error open();
  Error undoTrace();
  Error undoSchema();

private:
  Error inMethod(Method &M, Error E);
  bool isExtended(size_t I) const;
  Error restoreInfoMethods();
  Error restoreCalls();
  Error restoreInitializer();
  void dropHolders();
  Error checkUses();

  ClassFile &F;
  PassContext &C;
  const tf::Packages &P;
  const TFClass &T;
  /// Info methods with the parameters of stage 1, by name and descriptor.
  llvm::StringMap<unsigned> Info;
  /// The static initialiser is gone: the class had none.
  bool HadNoInitializer = false;
};

} // namespace

/// Succeeds as \p E does, and then marks \p M as changed.
Error ClassStripper::inMethod(Method &M, Error E) {
  if (E)
    return makeError(
        F.displayName(M) +
        " is not as the tracing facility makes it: " + toMessage(std::move(E)));
  C.get<ClassEditor>().requireChange(M);
  return Error::success();
}

bool ClassStripper::isExtended(size_t I) const {
  const Method &M = F.Methods[I];
  return I < T.Data.Methods.size() && M.IR &&
         T.Data.Methods[I].Kind == tf::MethodKind::Info && !M.is(ACC_STATIC) &&
         F.descriptor(M).rsplit(')').first.ends_with(P.infoSuffix());
}

Error ClassStripper::open() {
  for (Method &M : F.Methods) {
    if (M.codeAttribute(F.Pool) < 0 && !M.IR)
      continue;
    if (Error E = C.lift(M).takeError())
      return E;
  }
  for (size_t I = 0; I < F.Methods.size(); ++I)
    if (isExtended(I))
      Info[(F.name(F.Methods[I]) + F.descriptor(F.Methods[I])).str()] =
          unsigned(I);
  return Error::success();
}

Error ClassStripper::undoTrace() {
  for (Method &M : F.Methods) {
    bool Asks =
        M.IR && llvm::any_of(M.IR->blocks(), [&](Block &B) {
          return llvm::any_of(B, [&](const Instruction &I) {
            // The initialiser fills holders, and reads them.
            return F.name(M) != "<clinit>" && asksForMonitor(I, *M.IR, P);
          });
        });
    if (!Asks)
      continue;
    if (Error E = inMethod(M, stripMonitored(*M.IR, P, Info)))
      return E;
    ++NumMethods;
  }
  return tf::writeLevel(F, P, tf::Level::Phase1);
}

/// Attributes with an entry per parameter lose those of the two that go, if
/// they have any: the original does not touch all of them.
static void shrinkParameterAttributes(ClassFile &F, Method &M,
                                      unsigned Parameters) {
  for (Attribute &A : M.Attributes) {
    StringRef Name = F.Pool.utf8(A.NameIndex);
    const size_t Entry = Name == "MethodParameters" ? 4 : 2;
    if (A.Data.empty() || A.Data[0] != Parameters ||
        A.Data.size() < 1 + 2 * Entry ||
        !(Entry == 4 || Name == "RuntimeVisibleParameterAnnotations" ||
          Name == "RuntimeInvisibleParameterAnnotations"))
      continue;
    ByteWriter W;
    W.u1(uint8_t(Parameters - 2));
    W.bytes(A.Data.drop_front().drop_back(2 * Entry));
    A.Data = F.save(W.data());
  }
}

/// The descriptor \p D without what stage 1 appended to its parameters.
static std::string plainDescriptor(StringRef D, const tf::Packages &P) {
  auto [Parameters, Result] = D.rsplit(')');
  Parameters.consume_back(P.infoSuffix());
  return (Parameters + ")" + Result).str();
}

Error ClassStripper::restoreInfoMethods() {
  for (size_t I = 0; I < F.Methods.size(); ++I) {
    Method &M = F.Methods[I];
    if (!isExtended(I))
      continue;
    if (Error E = inMethod(M, stripInfoMethod(*M.IR, P)))
      return E;
    unsigned Parameters = 0;
    MethodDescriptor D(F.descriptor(M));
    while (!D.nextParameter().empty())
      ++Parameters;
    shrinkParameterAttributes(F, M, Parameters);
    M.DescriptorIndex = F.Pool.addUtf8(plainDescriptor(F.descriptor(M), P));
    ++NumInfoMethods;
  }
  return Error::success();
}

Error ClassStripper::restoreCalls() {
  for (Method &M : F.Methods) {
    if (!M.IR)
      continue;
    for (Block &B : M.IR->blocks())
      for (Instruction &I : llvm::make_early_inc_range(B))
        if (TFClass::isCall(I, F, Info)) {
          std::string Plain =
              plainDescriptor(F.Pool.member(I.index()).Descriptor, P);
          if (Error E = inMethod(M, stripInfoCall(*M.IR, I, Plain)))
            return E;
        }
  }
  return Error::success();
}

Error ClassStripper::restoreInitializer() {
  auto At = llvm::find_if(F.Methods, [&](const Method &M) {
    return F.name(M) == "<clinit>" && F.descriptor(M) == "()V" && M.IR;
  });
  if (At == F.Methods.end())
    return makeError("it has no static initialiser that registers it");
  if (Error E = inMethod(*At, stripRegistration(*At->IR, P)))
    return E;
  // No compiler makes a private one, nor an empty one.
  bool Empty = At->IR->entry().terminator()->op() == irop::Return &&
               At->IR->entry().instructions().size() == 1;
  HadNoInitializer =
      Empty && At->is(ACC_PRIVATE) && std::next(At) == F.Methods.end();
  if (HadNoInitializer)
    C.get<ClassEditor>().dropMethods(F.Methods.size() - 1);
  return Error::success();
}

/// With the holders goes the field that kept the serial version, if that is
/// what the JVM computes again.
void ClassStripper::dropHolders() {
  auto IsHolder = [&](const Field &Fd) {
    return F.name(Fd).starts_with(tf::ClassData::HolderPrefix) &&
           F.descriptor(Fd) == "L" + P.Holder + ";";
  };
  bool Behind = F.Fields.size() > 1 && IsHolder(F.Fields[F.Fields.size() - 2]);
  F.dropFields(IsHolder);
  if (!HadNoInitializer || !Behind || F.Fields.empty())
    return;
  const Field &Last = F.Fields.back();
  const Attribute *Value =
      ClassFile::findAttribute(F.Pool, Last.Attributes, "ConstantValue");
  if (F.name(Last) != "serialVersionUID" || F.descriptor(Last) != "J" ||
      Last.Access != (ACC_PRIVATE | ACC_STATIC | ACC_FINAL) || !Value)
    return;
  ByteCursor Index(Value->Data);
  const CPEntry &Version = F.Pool[Index.u2()];
  if (Version.Tag == CPTag::Long &&
      int64_t(Version.Bits) == computeSerialVersionUID(F))
    F.Fields.pop_back();
}

/// Nothing may be left that needs what is gone.
Error ClassStripper::checkUses() {
  for (Method &M : F.Methods) {
    if (!M.IR)
      continue;
    for (Block &B : M.IR->blocks())
      for (const Instruction &I : B) {
        bool Holder = false;
        if (I.op() == irop::FieldAccess) {
          MemberRef R = F.Pool.member(I.index());
          Holder = R.Owner == F.name() &&
                   R.Name.starts_with(tf::ClassData::HolderPrefix);
        }
        if (Holder || asksForMonitor(I, *M.IR, P))
          return inMethod(M, makeError("it uses a holder"));
      }
  }
  return Error::success();
}

Error ClassStripper::undoSchema() {
  if (Error E = restoreInitializer())
    return E;
  if (Error E = restoreInfoMethods())
    return E;
  if (Error E = restoreCalls())
    return E;
  dropHolders();
  if (Error E = checkUses())
    return E;
  return tf::writeLevel(F, P, tf::Level::None);
}

llvm::Expected<PreservedAnalyses> TFStripPass::run(ClassFile &F,
                                                   PassContext &C) const {
  const auto &T = C.analysis<TFClass>(F);
  if (Error E = T.check())
    return E;
  tf::Level Level = tf::readLevel(F, T.Program->Library);
  bool ToOriginal = Options.To == Options.ToOriginal;
  if (Level == tf::Level::None || (Level == tf::Level::Phase1 && !ToOriginal))
    return PreservedAnalyses::all();
  ClassStripper Stripper(F, C, T);
  if (Error E = Stripper.open())
    return E;
  if (Level == tf::Level::Phase2)
    if (Error E = Stripper.undoTrace())
      return E;
  if (ToOriginal)
    if (Error E = Stripper.undoSchema())
      return E;
  C.get<ClassEditor>().trimPool();
  ++NumClasses;
  return PreservedAnalyses::none();
}
