//===- LoadedClass.cpp - A class in the JVM -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/LoadedClass.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "jopt/Agent/Hosts/Ancestors.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Bytecode/PoolTags.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

LoadedClassFacts::~LoadedClassFacts() {
  if (Loader && *Loader)
    C.Jni->DeleteLocalRef(*Loader);
}

/// The hook is given it; of loaded classes, which are many, few are asked.
jobject LoadedClassFacts::loader() {
  if (!C.Data.empty())
    return C.Loader;
  if (!Loader) {
    Loader = nullptr;
    Env.Jvmti->GetClassLoader(C.Class, &*Loader);
  }
  return *Loader;
}

std::string LoadedClassFacts::loaderName() {
  return agent::loaderName(Env.Jvmti, C.Jni, loader());
}

std::optional<std::string> LoadedClassFacts::source() {
  LocalFrame Frame(C.Jni, 8);
  jobject Domain = C.Domain;
  // A security manager may refuse to say.
  if (C.Data.empty()) {
    jmethodID Ask = C.Jni->GetMethodID(C.Jni->GetObjectClass(C.Class),
                                       "getProtectionDomain",
                                       "()Ljava/security/ProtectionDomain;");
    Domain = Ask ? C.Jni->CallObjectMethod(C.Class, Ask) : nullptr;
    if (!takeException(C.Jni).empty())
      return std::nullopt;
  }
  return codeSource(C.Jni, Domain);
}

Bytes LoadedClassFacts::pool() {
  if (!C.Data.empty())
    return C.Data;
  jint Size = 0;
  if (!Pool.get() && Env.Jvmti->GetConstantPool(C.Class, &PoolCount, &Size,
                                                &Pool) == JVMTI_ERROR_NONE)
    PoolSize = size_t(Size);
  return Bytes(Pool.get(), PoolSize);
}

/// Some call in the \p Count entries of \p Pool is to a callee that probes of
/// \p M select (JVM specification, 4.4).
static bool hasSelectedCall(const Matcher &M, Bytes Pool, unsigned Count) {
  std::vector<uint32_t> Starts(Count);
  ByteCursor In(Pool);
  for (unsigned I = 1; I < Count && !In.failed(); ++I) {
    Starts[I] = uint32_t(In.offset());
    const auto Tag = CPTag(In.u1());
    In.skip(Tag == CPTag::Utf8 ? In.u2() : getPoolTagInfo(Tag).Size);
    I += isWide(Tag);
  }
  auto At = [&](unsigned I) {
    ByteCursor Entry(I < Count ? Pool.drop_front(Starts[I]) : Bytes());
    Entry.skip(1);
    return Entry;
  };
  auto Text = [&](unsigned I) {
    ByteCursor Utf8 = At(I);
    return toStringRef(Utf8.bytes(Utf8.u2()));
  };
  for (unsigned I = 1; I < Count; ++I) {
    const auto Tag = CPTag(Pool[Starts[I]]);
    I += isWide(Tag);
    if (Tag == CPTag::InvokeDynamic && M.needsDynamicCalls())
      return true;
    if (Tag != CPTag::Methodref && Tag != CPTag::InterfaceMethodref)
      continue;
    ByteCursor Ref = At(I), Owner = At(Ref.u2()), Member = At(Ref.u2());
    const StringRef Class = Text(Owner.u2()), Name = Text(Member.u2());
    if (M.matchCallee(Class, Name, Text(Member.u2())).Probes.any())
      return true;
  }
  return In.failed();
}

bool LoadedClassFacts::maySelect(const Matcher &M) {
  const std::optional<MatchClass> Class = supers(M.needsHierarchy());
  // The JVM tells of no annotations.
  if (!Class || M.needsAnnotations() || M.hasTrace())
    return true;
  if (M.callProbes().any()) {
    const Bytes Entries = pool();
    if (PoolCount < 0 || hasSelectedCall(M, Entries, unsigned(PoolCount)))
      return true;
  }
  jint Count = 0;
  JvmtiMemory<jmethodID> Methods(Env.Jvmti);
  if (Env.Jvmti->GetClassMethods(C.Class, &Count, &Methods) != JVMTI_ERROR_NONE)
    return true;
  const ClassMatcher Rules(M, *Class, MatchCount::Ignore);
  return llvm::any_of(
      llvm::ArrayRef(Methods.get(), size_t(Count)), [&](jmethodID Id) {
        JvmtiMemory<char> Name(Env.Jvmti), Descriptor(Env.Jvmti);
        jint Flags = 0;
        if (Env.Jvmti->GetMethodName(Id, &Name, &Descriptor, nullptr) !=
                JVMTI_ERROR_NONE ||
            Env.Jvmti->GetMethodModifiers(Id, &Flags) != JVMTI_ERROR_NONE)
          return true;
        const bool HasCode = !(Flags & (ACC_ABSTRACT | ACC_NATIVE));
        return !Rules
                    .match({Name.get(),
                            Descriptor.get(),
                            {},
                            (Flags & ACC_STATIC) != 0},
                           HasCode ? nullptr : &M.classProbes(),
                           MatchCount::Ignore)
                    .empty();
      });
}

std::optional<MatchClass> LoadedClassFacts::supers(bool Hierarchy) {
  if (!C.Class)
    return std::nullopt;
  if (Supers && (!Hierarchy || Supers->Ancestry))
    return Supers;
  // Class.getInterfaces may be what tells.
  HookScope JavaRuns(InHook::No);
  InterfaceNames = directInterfaces(Env.Jvmti, C.Jni, C.Class);
  Interfaces.assign(InterfaceNames.begin(), InterfaceNames.end());
  jboolean IsInterface = false;
  (void)Env.Jvmti->IsInterface(C.Class, &IsInterface);
  MatchClass Found{C.Name, Interfaces, bool(IsInterface)};
  if (Hierarchy) {
    Super = superName(Env.Jvmti, C.Jni, C.Class);
    Ancestry = ancestorsOf(Env.Jvmti, C.Jni, C.Class);
    Found.Super = Super;
    Found.Ancestry = Ancestry.get();
  }
  return Supers = Found;
}
