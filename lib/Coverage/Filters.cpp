//===- Filters.cpp - Code that compilers add ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whole methods that nobody wrote, monitors, and `assert`.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/Support/Wildcards.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

void FilterOutput::merge(size_t A, size_t B) {
  A = representative(A);
  B = representative(B);
  if (A != B)
    Merged[B] = A;
}

Replacements Replacements::withoutDefault(const CodeFlow &Flow, size_t I) {
  Replacements Cases;
  uint32_t Branch = 0;
  Flow.forEachTarget(I, [&](size_t To) {
    if (Branch)
      Cases.add(To, I, Branch);
    ++Branch;
  });
  return Cases;
}

size_t FilterOutput::representative(size_t I) const {
  for (auto It = Merged.find(I); It != Merged.end(); It = Merged.find(I))
    I = It->second;
  return I;
}

bool CodeMatcher::isClose(unsigned Name) {
  if (!any())
    return false;
  const Opcode Op = opcode(Next - 1);
  if (Op != INVOKEINTERFACE && Op != INVOKEVIRTUAL)
    return Ok = false;
  const MemberRef M = member(Next - 1);
  if (M.Name != "close" || M.Descriptor != "()V")
    return Ok = false;
  return Ok = Owners.try_emplace(Name, M.Owner.str()).first->second == M.Owner;
}

//===----------------------------------------------------------------------===//
// Whole methods
//===----------------------------------------------------------------------===//

static bool isEnumMethod(const FilterInput &In, StringRef Name,
                         StringRef Descriptor) {
  if (In.F.superName() != "java/lang/Enum")
    return false;
  const StringRef Own = In.F.name();
  return (Name == "values" && Descriptor == ("()[L" + Own + ";").str()) ||
         (Name == "valueOf" &&
          Descriptor == ("(Ljava/lang/String;)L" + Own + ";").str());
}

/// A method that only the compiler knows. Bodies of lambdas are not such, and
/// in Kotlin somebody may have written others.
static bool isSynthetic(const FilterInput &In, StringRef Name) {
  if (In.M.is(ACC_BRIDGE))
    return true;
  if (!In.M.is(ACC_SYNTHETIC))
    return false;
  if (In.Class.IsKotlin && In.hasAllRules())
    return Name.starts_with("access$");
  if (Name.starts_with("lambda$"))
    return false;
  return !(In.Class.IsScala && Name.starts_with("$anonfun$")) &&
         !isKotlinWritten(In);
}

/// A constructor that is there only so that nobody makes an object, or that an
/// enum without fields has.
static bool isEmptyConstructor(const FilterInput &In, StringRef Name,
                               StringRef Descriptor) {
  if (Name != "<init>")
    return false;
  CodeMatcher M(In);
  constexpr unsigned This = 0;
  auto CallsSuper = [&] {
    return M.isMember(INVOKESPECIAL, In.F.superName(), "<init>", Descriptor) &&
           M.is(RETURN);
  };
  if (!M.isVar(ALOAD, This) || In.Flow.inst(0).Index != 0)
    return false;
  if (Descriptor == "()V")
    return In.M.is(ACC_PRIVATE) && CallsSuper();
  return Descriptor == "(Ljava/lang/String;I)V" &&
         In.F.superName() == "java/lang/Enum" && M.is(ALOAD) && M.is(ILOAD) &&
         CallsSuper();
}

static bool isRecordMethod(const FilterInput &In, StringRef Name,
                           StringRef Descriptor) {
  if (In.F.superName() != "java/lang/Record")
    return false;
  CodeMatcher M(In);
  auto Starts = [&] { return M.is(ALOAD) && In.Flow.inst(0).Index == 0; };
  auto CallsBootstrap = [&] {
    if (!M.is(INVOKEDYNAMIC))
      return false;
    const MemberRef Called = In.F.callee(In.Flow.inst(M.at() - 1).Index);
    return Called.Owner == "java/lang/runtime/ObjectMethods" &&
           Called.Name == Name;
  };
  if (Name == "toString" && Descriptor == "()Ljava/lang/String;")
    return Starts() && CallsBootstrap() && M.is(ARETURN);
  if (Name == "hashCode" && Descriptor == "()I")
    return Starts() && CallsBootstrap() && M.is(IRETURN);
  if (Name == "equals" && Descriptor == "(Ljava/lang/Object;)Z")
    return Starts() && M.is(ALOAD) && CallsBootstrap() && M.is(IRETURN);
  // What reads a component is left out since 0.8.9.
  return In.hasAllRules() && Descriptor.starts_with("()") && Starts() &&
         M.is(GETFIELD) && M.member(M.at() - 1).Name == Name && M.any() &&
         In.Flow.leaves(M.at() - 1) && !M.has(M.at() - 1, ATHROW) &&
         !M.has(M.at() - 1, RETURN);
}

static bool saysGenerated(llvm::ArrayRef<StringRef> Annotations) {
  return llvm::any_of(Annotations, [](StringRef Name) {
    const size_t Simple = Name.find_last_of("/$");
    return Name.substr(Simple == StringRef::npos ? 0 : Simple + 1)
        .contains("Generated");
  });
}

static bool isGenerated(const FilterInput &In) {
  llvm::SmallVector<StringRef> Own;
  findAnnotations(In.F.Pool, In.M.Attributes, Own);
  return saysGenerated(In.Class.Annotations) || saysGenerated(Own);
}

//===----------------------------------------------------------------------===//
// Parts of methods
//===----------------------------------------------------------------------===//

/// The handlers that leave the monitor of a `synchronized`.
static void filterMonitors(const FilterInput &In, FilterOutput &Out) {
  constexpr unsigned Thrown = 0;
  for (const CodeFlow::Handler &H : In.Flow.handlers()) {
    if (H.CatchType || H.Start == H.Target)
      continue;
    CodeMatcher M(In);
    M.moveTo(H.Target); // as ecj has it
    bool Found = M.is(ALOAD) && M.is(MONITOREXIT) && M.is(ATHROW);
    if (!Found) {
      M.moveTo(H.Target); // as javac has it
      Found = M.isVar(ASTORE, Thrown) && M.is(ALOAD) && M.is(MONITOREXIT) &&
              M.isVar(ALOAD, Thrown) && M.is(ATHROW);
    }
    if (Found)
      Out.ignore(H.Target, M.at());
  }
}

/// Whether assertions are on is nothing that tests should have both ways.
static void filterAssertions(const FilterInput &In, FilterOutput &Out) {
  CodeMatcher M(In);
  auto IsFlag = [&](Opcode Op) {
    return M.isMember(Op, In.F.name(), "$assertionsDisabled", "Z");
  };
  const bool IsInitialiser = In.F.name(In.M) == "<clinit>";
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    M.moveTo(I);
    if (IsFlag(GETSTATIC) && M.is(IFNE))
      Out.ignore(I + 1, M.at());
    M.moveTo(I);
    if (IsInitialiser &&
        M.isMember(INVOKEVIRTUAL, "java/lang/Class", "desiredAssertionStatus",
                   "()Z") &&
        M.is(IFNE) && M.is(ICONST_1) && M.is(GOTO) && M.is(ICONST_0) &&
        IsFlag(PUTSTATIC))
      Out.ignore(I ? I - 1 : 0, M.at()); // the class before it, too
  }
}

//===----------------------------------------------------------------------===//
// Excluded by the user
//===----------------------------------------------------------------------===//

static bool isExcluded(llvm::ArrayRef<std::string> Patterns,
                       llvm::ArrayRef<StringRef> Annotations) {
  return llvm::any_of(Annotations, [&](StringRef Internal) {
    std::string Name = Internal.str();
    std::replace(Name.begin(), Name.end(), '/', '.');
    return matchesAnyWildcard(Patterns, Name) ||
           matchesAnyWildcard(Patterns, Name.substr(Name.rfind('.') + 1));
  });
}

static bool isExcluded(const FilterInput &In) {
  llvm::ArrayRef<std::string> Patterns = In.Class.Options.ExcludedAnnotations;
  if (Patterns.empty())
    return false;
  llvm::SmallVector<StringRef> Own;
  findAnnotations(In.F.Pool, In.M.Attributes, Own);
  return isExcluded(Patterns, In.Class.Annotations) ||
         isExcluded(Patterns, Own);
}

static void excludeLines(const FilterInput &In, FilterOutput &Out) {
  const ExcludedLines &All = In.Class.Excluded;
  if (All.empty())
    return;
  int32_t Line = -1;
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (In.Flow.place(I).Line >= 0)
      Line = In.Flow.place(I).Line;
    auto Behind = llvm::upper_bound(All, std::pair(Line, INT32_MAX));
    if (Behind != All.begin() && std::prev(Behind)->second >= Line)
      Out.ignore(I, I + 1);
  }
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

FilteredClass::FilteredClass(ClassFile &F, const CountOptions &O,
                             const ExcludedLines &Excluded)
    : Rules(O.Rules), Options(O), Excluded(Excluded) {
  findAnnotations(F.Pool, F.Attributes, Annotations);
  if (Rules == Filters::None)
    return;
  auto Find = [&](StringRef Name) {
    return ClassFile::findAttribute(F.Pool, F.Attributes, Name);
  };
  IsScala = Find("ScalaSig") || Find("Scala");
  IsKotlin = llvm::is_contained(Annotations, "kotlin/Metadata");
  if (const Attribute *Map = IsKotlin ? Find("SourceDebugExtension") : nullptr)
    readInlinedLines(F,
                     StringRef(reinterpret_cast<const char *>(Map->Data.data()),
                               Map->Data.size()),
                     *this);
}

void coverage::filter(const FilterInput &In, FilterOutput &Out) {
  if (isExcluded(In)) {
    Out.ignoreAll();
    return;
  }
  excludeLines(In, Out);
  if (In.Class.Rules == Filters::None)
    return;
  const StringRef Name = In.name(), Descriptor = In.descriptor();
  if (In.F.Access & ACC_SYNTHETIC || isSynthetic(In, Name) ||
      isEnumMethod(In, Name, Descriptor) ||
      isEmptyConstructor(In, Name, Descriptor) ||
      isRecordMethod(In, Name, Descriptor) || isGenerated(In) ||
      (In.Class.IsKotlin && isKotlinGenerated(In))) {
    Out.ignoreAll();
    return;
  }
  // In front of a method's first line Kotlin checks its arguments for null.
  if (In.Class.IsKotlin && In.hasAllRules() && !sourceFile(In.F).empty())
    Out.ignore(0, firstWithLine(In.Flow));
  filterMonitors(In, Out);
  filterTryWithResources(In, Out);
  filterFinally(In, Out);
  filterSwitches(In, Out);
  // JaCoCo 0.8.6 does not ask whose class it is before it looks for these.
  if (In.Class.IsKotlin || !In.hasAllRules()) {
    filterKotlinOperators(In, Out);
    filterKotlinWhen(In, Out);
  }
  if (In.Class.IsKotlin) {
    filterKotlinArguments(In, Out);
    filterKotlinCoroutines(In, Out);
    filterKotlinInlined(In, Out);
  }
  if (!In.hasAllRules())
    return;
  filterAssertions(In, Out);
  if (In.Class.IsKotlin)
    filterKotlinComposables(In, Out);
}
