//===- Inlinable.cpp - Which methods of advices may be inlined ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rule: any class, in whatever module and of whatever loader, may execute
/// the code and gets the same from it. The method's own class is a direct
/// subclass of Object and in no package of the platform, so of what that class
/// legally uses in java.base everything is public, but for the protected
/// methods of Object.
///
//===----------------------------------------------------------------------===//

#include "Inlinable.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

AnalysisKey Inlinables::Key;

/// A longer method gains nothing by being inlined.
static constexpr unsigned MaxLength = 200, MaxSlots = 1024;

/// The packages java.* that java.base exports (Java SE 8 to 25): visible to
/// classes of any module. Sorted.
static constexpr StringRef Packages[] = {
    "java/io",
    "java/lang",
    "java/lang/annotation",
    "java/lang/constant",
    "java/lang/ref",
    "java/math",
    "java/net",
    "java/net/spi",
    "java/nio",
    "java/nio/channels",
    "java/nio/channels/spi",
    "java/nio/charset",
    "java/nio/charset/spi",
    "java/nio/file",
    "java/nio/file/attribute",
    "java/nio/file/spi",
    "java/security/cert",
    "java/security/interfaces",
    "java/security/spec",
    "java/text",
    "java/text/spi",
    "java/time",
    "java/time/chrono",
    "java/time/format",
    "java/time/temporal",
    "java/time/zone",
    "java/util",
    "java/util/concurrent",
    "java/util/concurrent/atomic",
    "java/util/concurrent/locks",
    "java/util/function",
    "java/util/jar",
    "java/util/random",
    "java/util/regex",
    "java/util/spi",
    "java/util/stream",
    "java/util/zip",
};

/// Whether the result of a method depends on its caller: the caller's class,
/// loader or module. Packages that consist mostly of such methods (reflection,
/// method handles, access control) are not among the above.
static bool asksForCaller(StringRef Owner, StringRef Name) {
  auto Is = [&](std::initializer_list<StringRef> Names) {
    return llvm::is_contained(Names, Name);
  };
  if (Owner == "java/lang/Class")
    return !Is({"getName", "getSimpleName", "getTypeName", "getSuperclass",
                "getComponentType", "getModifiers", "getPackageName",
                "isInstance", "isArray", "isInterface", "isPrimitive",
                "isAssignableFrom", "cast", "hashCode", "equals", "toString",
                "desiredAssertionStatus"});
  if (Owner == "java/lang/System")
    return Is({"load", "loadLibrary", "getLogger", "setSecurityManager"});
  if (Owner == "java/lang/Runtime")
    return Is({"load", "loadLibrary"});
  if (Owner == "java/lang/Thread")
    return Name == "getContextClassLoader";
  if (Owner.starts_with("java/util/concurrent/atomic/"))
    return Name == "newUpdater";
  return llvm::is_contained(
      {StringRef("java/lang/ClassLoader"), StringRef("java/lang/Module"),
       StringRef("java/lang/ModuleLayer"), StringRef("java/lang/Package"),
       StringRef("java/lang/StackWalker"),
       StringRef("java/lang/SecurityManager"),
       StringRef("java/io/ObjectStreamField"),
       StringRef("java/io/ObjectInputStream"),
       StringRef("java/io/ObjectStreamClass"),
       StringRef("java/util/ResourceBundle"),
       StringRef("java/util/ServiceLoader")},
      Owner);
}

namespace {

/// Looks through one method.
class AdviceExaminer {
public:
  AdviceExaminer(const AdviceBody &Advised, StringRef Switch, ClassFile &Class,
                 Inlinable &Out)
      : Advised(Advised), Switch(Switch), Class(Class), Pool(Class.Pool),
        Outer(StringRef(Advised.Owner).split('$').first), Out(Out) {}

  /// Why the method is not inlined; empty if it may be.
  std::string examine();

private:
  std::string examineCode(const Body &F);
  std::string instruction(const Instruction &I);
  std::string type(StringRef Name);
  std::string member(const Instruction &I);
  bool isProbeClass(StringRef Name) const {
    return Name == Outer ||
           (Name.starts_with(Outer) && Name[Outer.size()] == '$');
  }
  bool hasInitializer() const {
    return llvm::any_of(Class.Methods, [&](const Method &M) {
      return Class.name(M) == "<clinit>";
    });
  }
  bool beginsWithOwnClass(const Body &F) const;
  void needs(unsigned Version) { Out.Version = std::max(Out.Version, Version); }

  const AdviceBody &Advised;
  const StringRef Switch;
  ClassFile &Class;
  ConstantPool &Pool;
  /// The class around the probe's; of it and what is in it the host sees what
  /// is public.
  const StringRef Outer;
  Inlinable &Out;
};

} // namespace

/// \p Name: internal name or array descriptor.
std::string AdviceExaminer::type(StringRef Name) {
  if (Name.starts_with("[")) {
    Name = Name.ltrim('[');
    if (!Name.consume_front("L") || !Name.consume_back(";"))
      return {};
  }
  if (Name == Class.name()) {
    if (!(Class.Access & ACC_PUBLIC))
      return "it uses " + toDisplayUTF8(Name) + ", which is not public";
    Out.Uses.insert(Name.str());
    return {};
  }
  if (isProbeClass(Name))
    return "it uses " + toDisplayUTF8(Name) +
           ", another class than the one it is in";
  if (std::binary_search(std::begin(Packages), std::end(Packages),
                         Name.rsplit('/').first) &&
      Name.contains('/'))
    return {};
  return "it uses " + toDisplayUTF8(Name) +
         ", which is not in a package that every class can see";
}

std::string AdviceExaminer::member(const Instruction &I) {
  MemberRef R = Pool.member(I.index());
  std::string What = toDisplayUTF8(R.Owner) + "." + toDisplayUTF8(R.Name);
  if (std::string Why = type(R.Owner); !Why.empty())
    return Why;
  if (R.Owner == Class.name()) {
    auto Public = [&](const Member &M) {
      return Class.name(M) == R.Name && Class.descriptor(M) == R.Descriptor &&
             M.is(ACC_PUBLIC);
    };
    bool Found = I.op() == irop::FieldAccess
                     ? llvm::any_of(Class.Fields, Public)
                     : llvm::any_of(Class.Methods, Public);
    return Found ? "" : "it uses " + What + ", which is not public";
  }
  if (R.Owner == "java/lang/Object" &&
      (R.Name == "clone" || R.Name == "finalize"))
    return "it uses " + What + ", which is protected";
  if (I.op() == irop::Invoke && asksForCaller(R.Owner, R.Name))
    return "it calls " + What + ", which asks who calls it";
  return {};
}

std::string AdviceExaminer::instruction(const Instruction &I) {
  switch (I.op()) {
  case irop::Const:
    switch (I.opcodeInfo().PoolTags ? Pool[I.index()].Tag : CPTag::None) {
    case CPTag::Class:
      needs(49);
      return type(Pool.className(I.index()));
    case CPTag::MethodHandle:
    case CPTag::MethodType:
    case CPTag::Dynamic:
      return "it has a constant that depends on the class it is in";
    default:
      return {};
    }
  case irop::FieldAccess:
    return member(I);
  case irop::Invoke:
    if (I.opcode() == op::INVOKEDYNAMIC)
      return "it has an invokedynamic, which depends on the class it is in";
    if (I.opcode() == op::INVOKESPECIAL && !I.isInit())
      return "it has an invokespecial of a method that is no constructor";
    if (I.opcode() == op::INVOKESTATIC &&
        Pool.has(I.index(), CPTag::InterfaceMethodref))
      needs(52);
    return member(I);
  case irop::New:
  case irop::ClassOp:
  case irop::MultiNewArray:
    return type(Pool.className(I.index()));
  case irop::Plain:
    if (I.opcodeInfo().Cat == op::CatMonitor)
      return "it locks an object";
    return {};
  case irop::Return:
    ++Out.Returns;
    return {};
  case irop::LocalGet:
  case irop::LocalSet:
  case irop::LocalInc: {
    unsigned Width = I.op() == irop::LocalGet   ? I.type().slots()
                     : I.op() == irop::LocalSet ? I.operand(0)->type().slots()
                                                : 1;
    unsigned End = I.index() + Width;
    if (I.op() != irop::LocalSet)
      Out.Read.set(I.index(), End);
    if (I.op() != irop::LocalGet)
      Out.Written.set(I.index(), End);
    return {};
  }
  default:
    return {};
  }
}

/// Whether the first thing that \p F does for others to see initialises its
/// class, as calling it would.
bool AdviceExaminer::beginsWithOwnClass(const Body &F) const {
  for (const Instruction &I : F.blocks().front().instructions())
    switch (I.op()) {
    case irop::Nop:
    case irop::LocalGet:
    case irop::LocalSet:
    case irop::LocalInc:
      break;
    case irop::Const:
      if (!I.isPure())
        return false;
      break;
    case irop::Plain:
      if (I.opcodeInfo().MayThrow)
        return false;
      break;
    case irop::FieldAccess:
    case irop::Invoke:
      return !I.opcodeInfo().hasReceiver() &&
             Pool.member(I.index()).Owner == Class.name();
    default:
      return false;
    }
  return false;
}

std::string AdviceExaminer::examineCode(const Body &F) {
  if (F.OriginalCodeLength > MaxLength)
    return ("it has " + Twine(F.OriginalCodeLength) +
            " bytes of code, and the limit is " + Twine(MaxLength))
        .str();
  if (F.numSlots() > MaxSlots)
    return ("it has more than " + Twine(MaxSlots) + " slots").str();
  Out.Read.resize(F.numSlots());
  Out.Written.resize(F.numSlots());
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions())
      if (std::string Why = instruction(I); !Why.empty())
        return Why;
  for (const TryEntry *T : F.tries())
    if (T->CatchType)
      if (std::string Why = type(Pool.className(T->CatchType)); !Why.empty())
        return Why;
  if (!Out.Returns)
    return "it never returns";
  Out.Straight = F.blocks().size() == 1 && !F.blocks().front().throwEdges();
  if (!Out.Straight && F.Inferred)
    return "it branches, and its class file is too old to have frames";
  if (!Switch.empty())
    Out.Uses.insert(Switch.split('.').first.str());
  if (hasInitializer() && Switch.split('.').first != Class.name() &&
      !beginsWithOwnClass(F))
    return "its class has a static initialiser, which the call runs first";
  return {};
}

std::string AdviceExaminer::examine() {
  for (Method &M : Class.Methods) {
    if (Class.name(M) != Advised.Name ||
        Class.descriptor(M) != Advised.Descriptor)
      continue;
    if (!M.is(ACC_STATIC) || M.codeAttribute(Pool) < 0)
      return "it is no static method with code";
    if (M.is(ACC_SYNCHRONIZED))
      return "it is synchronized";
    if (Class.superName() != "java/lang/Object")
      return "its class extends another one than java/lang/Object";
    for (uint16_t I : Class.Interfaces)
      if (std::string Why = type(Pool.className(I)); !Why.empty())
        return Why;
    if (!M.IR)
      if (llvm::Error E = liftMethod(Class, M))
        return toMessage(std::move(E));
    Out.Code = M.IR.get();
    return examineCode(*M.IR);
  }
  return "its class has no such method";
}

Inlinables Inlinables::run(const ClassFile &, PassContext &C) {
  Inlinables R;
  const AdviceCalls &Calls = C.get<AdviceCalls>();
  for (const Advice &A : Calls.set().Advices) {
    Inlinable &Out = R.List.emplace_back();
    auto [At, New] = R.Read.try_emplace(A.Body.Owner);
    if (New) {
      auto Class = readClass(Calls.findClass(A.Body.Owner));
      if (Class)
        At->second = std::move(*Class);
      else
        llvm::consumeError(Class.takeError());
    }
    if (!At->second)
      Out.Refused = "its class is not known";
    else
      Out.Refused =
          AdviceExaminer(A.Body, A.Switch, *At->second, Out).examine();
  }
  return R;
}
