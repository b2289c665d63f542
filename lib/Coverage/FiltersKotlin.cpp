//===- FiltersKotlin.cpp - Methods that Kotlin's compiler adds ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whole methods of Kotlin classes that nobody wrote, and synthetic ones that
/// somebody did.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Reader/ClassReader.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

size_t coverage::firstWithLine(const CodeFlow &Flow) {
  size_t I = 0;
  while (I < Flow.size() && Flow.place(I).Line < 0)
    ++I;
  return I;
}

static bool hasAnnotation(const FilterInput &In, StringRef Type) {
  llvm::SmallVector<StringRef> Own;
  findAnnotations(In.F.Pool, In.M.Attributes, Own);
  return llvm::is_contained(Own, Type);
}

/// Calls of methods, without those of call sites.
template <typename Fn> static bool anyCall(const FilterInput &In, Fn Matches) {
  CodeMatcher M(In);
  for (size_t I = 0; I < In.Flow.size(); ++I)
    if (In.Flow.info(I).Cat == CatInvoke && !M.has(I, INVOKEDYNAMIC) &&
        Matches(M, I))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

/// What a class has, or `DefaultImpls`, so that it need not say again what an
/// interface does already.
static bool isOfInterface(const FilterInput &In) {
  CodeMatcher M(In);
  if (M.is(ALOAD) && In.Flow.inst(0).Index == 0 && M.is(INVOKESTATIC) &&
      M.member(M.at() - 1).Owner.ends_with("$DefaultImpls"))
    return true;
  return In.hasAllRules() && In.F.name().ends_with("$DefaultImpls") &&
         anyCall(In, [](const CodeMatcher &M, size_t I) {
           const StringRef Name = M.member(I).Name;
           return Name.starts_with("access$") && Name.ends_with("$jd");
         });
}

//===----------------------------------------------------------------------===//
// For Java
//===----------------------------------------------------------------------===//

/// A method or constructor with fewer arguments, by `@JvmOverloads`: the one
/// line that Kotlin 2 gives it stands at its return.
static bool isOverload(const FilterInput &In) {
  if (In.Flow.size() < 2)
    return false;
  const size_t Return = In.Flow.size() - 1;
  CodeMatcher M(In);
  if (!M.has(Return, RETURN) || In.Flow.place(Return).Line < 0)
    return false;
  for (size_t I = 0; I < Return; ++I)
    if (In.Flow.place(I).Line >= 0)
      return false;
  if (M.has(Return - 1, INVOKESTATIC))
    return M.member(Return - 1).Name.ends_with("$default");
  return M.has(Return - 1, INVOKESPECIAL) &&
         M.member(Return - 1)
             .Descriptor.ends_with(
                 "Lkotlin/jvm/internal/DefaultConstructorMarker;)V");
}

/// What calls the method of a companion, by `@JvmStatic`. What somebody wrote
/// that begins so has a line at once. JaCoCo 0.8.16 knows no such method with
/// arguments, whose variables begin where the code does, nor a companion with a
/// name of its own.
static bool isStaticOfCompanion(const FilterInput &In) {
  CodeMatcher M(In);
  if (!In.M.is(ACC_STATIC) || !M.is(GETSTATIC) ||
      M.member(0).Owner != In.F.name() ||
      !hasAnnotation(In, "kotlin/jvm/JvmStatic"))
    return false;
  return In.isExact()
             ? M.member(0).Name == "Companion" && !In.Flow.place(0).IsLabel
             : In.Flow.place(0).Line < 0;
}

/// What takes or returns the object of an inline class, by `@JvmExposeBoxed`.
static bool isBoxed(const FilterInput &In) {
  if (!hasAnnotation(In, "kotlin/jvm/JvmExposeBoxed"))
    return false;
  bool IsBoxed = false;
  anyCall(In, [&](const CodeMatcher &M, size_t I) {
    if (M.has(I, INVOKEVIRTUAL) && M.member(I).Name == "unbox-impl")
      return IsBoxed = I && M.has(I - 1, ALOAD), true;
    if (M.has(I, INVOKESTATIC) && M.member(I).Name == "box-impl")
      return IsBoxed = M.has(I + 1, ARETURN), true;
    return false;
  });
  return IsBoxed;
}

//===----------------------------------------------------------------------===//
// Serialization
//===----------------------------------------------------------------------===//

/// The first line of the constructor without arguments; -1 if none.
static int32_t lineOfConstructor(ClassFile &F) {
  for (const Method &M : F.Methods) {
    const int Index = M.codeAttribute(F.Pool);
    if (F.name(M) != "<init>" || F.descriptor(M) != "()V" || Index < 0)
      continue;
    CodeView Code;
    if (llvm::Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code)) {
      llvm::consumeError(std::move(E));
      return -1;
    }
    auto Flow = CodeFlow::create(F, Code);
    if (!Flow) {
      llvm::consumeError(Flow.takeError());
      return -1;
    }
    for (size_t I = 0; I < Flow->size(); ++I)
      if (Flow->place(I).Line >= 0)
        return Flow->place(I).Line;
  }
  return -1;
}

/// `serializer()`: of a companion that the compiler added, or kept in an
/// object. One that somebody wrote has a line of its own.
static bool isSerializerOfCompiler(const FilterInput &In) {
  CodeMatcher M(In);
  if (In.F.name().ends_with("$Companion") && M.is(GETSTATIC) &&
      M.member(0).Name == "INSTANCE" && In.Flow.place(0).Line >= 0 &&
      M.isType(CHECKCAST, "kotlinx/serialization/KSerializer") &&
      M.is(ARETURN)) {
    const int32_t Line = lineOfConstructor(In.F);
    return Line < 0 || Line == In.Flow.place(0).Line;
  }
  M.moveTo(0);
  return M.is(ALOAD) && In.Flow.inst(0).Index == 0 &&
         M.isMember(INVOKESPECIAL, In.F.name(), "get$cachedSerializer",
                    "()Lkotlinx/serialization/KSerializer;") &&
         M.is(ARETURN);
}

static bool isForSerialization(const FilterInput &In) {
  const StringRef Name = In.name(), Descriptor = In.descriptor();
  const bool GivesSerializer =
      Descriptor == "()Lkotlinx/serialization/KSerializer;";
  if (Name == "serializer" && GivesSerializer)
    return isSerializerOfCompiler(In);
  if (!In.M.is(ACC_SYNTHETIC))
    return false;
  if (GivesSerializer)
    return Name == "get$cachedSerializer" ||
           Name.starts_with("_init_$_anonymous_") ||
           Name.starts_with("_childSerializers$_anonymous_");
  return Name.starts_with("write$Self$") ||
         Descriptor.contains("Lkotlinx/serialization/internal/"
                             "SerializationConstructorMarker;)");
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

bool coverage::isKotlinGenerated(const FilterInput &In) {
  // The compiler gives no lines to code that nobody wrote.
  if (firstWithLine(In.Flow) == In.Flow.size() &&
      ClassFile::findAttribute(In.F.Pool, In.F.Attributes, "SourceFile"))
    return true;
  if (isOfInterface(In))
    return true;
  if (!In.hasAllRules())
    return false;
  const StringRef Name = In.name();
  if (In.F.superName() == "java/lang/Enum" && Name == "getEntries" &&
      In.descriptor() == "()Lkotlin/enums/EnumEntries;")
    return true;
  // Kotlin calls the static ones.
  if (!In.M.is(ACC_STATIC) &&
      llvm::is_contained(In.Class.Annotations, "kotlin/jvm/JvmInline"))
    return true;
  return isOverload(In) || isStaticOfCompanion(In) || isBoxed(In) ||
         isForSerialization(In);
}

bool coverage::isKotlinDefaultConstructor(const FilterInput &In) {
  return In.name() == "<init>" &&
         In.descriptor().ends_with(
             "Lkotlin/jvm/internal/DefaultConstructorMarker;)V") &&
         !In.descriptor().starts_with(
             "(Lkotlin/jvm/internal/DefaultConstructorMarker;)");
}

bool coverage::isKotlinWritten(const FilterInput &In) {
  return In.Class.IsKotlin &&
         (In.name().ends_with("$default") || isKotlinDefaultConstructor(In) ||
          In.descriptor().contains("Lkotlin/coroutines/Continuation;)"));
}
