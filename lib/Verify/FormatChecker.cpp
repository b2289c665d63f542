//===- FormatChecker.cpp - Format checking (4.8) --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormatChecker.h"
#include "Linkage.h"
#include "Names.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

bool FormatChecker::checkVersion() {
  auto Bad = [&](const Twine &Why) {
    return R.add(FindingKind::UnsupportedVersion,
                 "class file version " + Twine(V.Major) + "." + Twine(V.Minor) +
                     " " + Why,
                 "4.1");
  };
  if (V.Major < OldestMajorVersion || V.Major > Options.Newest)
    return Bad("is not supported");
  if (V.Major < 56 || V.Minor == 0)
    return true;
  if (V.Minor != 65535)
    return Bad("does not exist");
  if (V.Major != Options.Newest)
    return Bad("used preview features of another release");
  return Options.EnablePreview || Bad("needs preview features");
}

void FormatChecker::checkClassFlags(uint16_t Flags) {
  bool Since49 = V.Major >= 49;
  bool Interface = Flags & ACC_INTERFACE;
  // Before 50 an interface was abstract without saying so.
  bool Abstract = (Flags & ACC_ABSTRACT) || (Interface && V.Major < 50);
  if ((Abstract && (Flags & ACC_FINAL)) || (Interface && !Abstract) ||
      (Interface && Since49 && (Flags & (ACC_SUPER | ACC_ENUM))) ||
      (!Interface && Since49 && (Flags & ACC_ANNOTATION)) ||
      // A value class leaves nothing about its subclasses open.
      (V.hasValueClasses() &&
       !(Flags & (ACC_IDENTITY | ACC_INTERFACE | ACC_ABSTRACT | ACC_FINAL))))
    format("bad access flags of a class", "4.1");
}

void FormatChecker::checkInterfaces() {
  unsigned Count = In.u2();
  llvm::SmallDenseSet<StringRef, 8> Names;
  bool Duplicate = false;
  for (unsigned I = 0; I < Count && !In.failed() && !R.full(); ++I) {
    uint16_t Index = In.u2();
    if (In.failed())
      break;
    StringRef Name = V.className(Index);
    if (!isClass(Index)) {
      format("interface " + Twine(I) + " is no class constant", "4.1");
      continue;
    }
    if (Name.starts_with("[")) {
      format("interface " + Twine(I) + " is an array", "4.1");
      continue;
    }
    V.Interfaces.push_back(Index);
    checkSuperinterface(V, Name, Options.Hierarchy, R);
    Duplicate |= !Names.insert(Name).second;
  }
  if (Duplicate)
    format("an interface is named twice", "4.1");
  if (Count && V.thisName() == "java/lang/Object")
    format("java/lang/Object implements an interface", "4.1");
}

bool FormatChecker::run() {
  uint32_t Magic = In.u4();
  if (In.failed())
    return truncated();
  if (Magic != 0xcafebabe)
    return format("bad magic number", "4.8");
  V.Minor = In.u2();
  V.Major = In.u2();
  if (In.failed())
    return truncated();
  if (!checkVersion() || !readPool())
    return false;

  V.Flags = In.u2();
  V.This = In.u2();
  V.Super = In.u2();
  if (In.failed())
    return truncated();
  bool Module = (V.Flags & ACC_MODULE) && V.Major >= 53;
  if (!Module) {
    V.Flags &= ~ACC_MODULE;
    if (ModuleConstants)
      format("a module or package constant in a class that is no module",
             "4.4.11");
    checkClassFlags(V.Flags);
  }
  StringRef Name = V.thisName();
  R.setClass(Name);
  if (!isClass(V.This))
    return format("this_class is no class constant", "4.1");
  if (Name.starts_with("["))
    return format("this_class is an array", "4.1");
  if (V.Super == 0) {
    if (Name != "java/lang/Object" && !Module)
      format("no superclass", "4.1");
  } else if (!isClass(V.Super)) {
    return format("super_class is no class constant", "4.1");
  } else if (V.superName().starts_with("[")) {
    format("super_class is an array", "4.1");
  }
  checkInterfaces();
  if (In.failed())
    return truncated();

  if (!readMembers(V.Fields, /*Methods=*/false) ||
      !readMembers(V.Methods, /*Methods=*/true))
    return false;
  R.setMethod({}, {});
  checkClassAttributes();
  if (In.failed())
    return truncated();
  if (!In.atEnd())
    format("bytes after the end of the class", "4.8");
  if (V.isInterface() && V.superName() != "java/lang/Object")
    format("the superclass of an interface must be java/lang/Object", "4.1");
  if (Module &&
      (V.Flags != ACC_MODULE || Name != "module-info" || V.Super ||
       !V.Interfaces.empty() || !V.Fields.empty() || !V.Methods.empty()))
    format("a module descriptor that is more than that", "4.1");
  return R.count() == 0 || !R.full();
}

bool FormatChecker::readMembers(std::vector<MemberView> &Members,
                                bool Methods) {
  unsigned Count = In.u2();
  if (In.failed())
    return truncated();
  if (Methods)
    Known.beginMethods();
  Members.reserve(std::min<size_t>(Count, In.remaining() / 8));
  bool HasNew = false;
  for (unsigned I = 0; I < Count && !R.full(); ++I) {
    MemberView &M = Members.emplace_back();
    ByteCursor Behind = In;
    const auto Is = Known.compare(skipMember(Behind));
    M.Flags = In.u2();
    M.Name = In.u2();
    M.Descriptor = In.u2();
    if (Is == KnownParts::Same) {
      In = Behind;
      continue;
    }
    HasNew |= Is == KnownParts::New;
    if (In.failed())
      return truncated();
    if (!isUtf8(M.Name) || !isUtf8(M.Descriptor))
      return format((Methods ? "method " : "field ") + Twine(I) +
                        " has no name or no descriptor",
                    Methods ? "4.6" : "4.5");
    if (Methods) {
      R.setMethod(V.utf8(M.Name), V.utf8(M.Descriptor));
      checkMethod(M, Is == KnownParts::New);
    } else {
      checkField(M);
    }
    if (In.failed())
      return truncated();
  }
  R.setMethod({}, {});
  if (HasNew)
    checkDuplicates(Members, Methods);
  return true;
}

void FormatChecker::checkDuplicates(llvm::ArrayRef<MemberView> Members,
                                    bool Methods) {
  llvm::SmallDenseSet<std::pair<StringRef, StringRef>, 32> Seen;
  for (const MemberView &M : Members)
    if (!Seen.insert({V.utf8(M.Name), V.utf8(M.Descriptor)}).second) {
      format(Methods ? "two methods have one name and descriptor"
                     : "two fields have one name and descriptor",
             Methods ? "4.6" : "4.5");
      return;
    }
}

/// More than one of public, private and protected.
static bool hasManyVisibilities(uint16_t Flags) {
  uint16_t F = Flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED);
  return F & (F - 1);
}

void FormatChecker::checkField(MemberView &F) {
  uint16_t Bad = ACC_PRIVATE | ACC_PROTECTED | ACC_VOLATILE | ACC_TRANSIENT;
  uint16_t Needed = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
  if (V.Major >= 49)
    Bad |= ACC_ENUM;
  StringRef Name = V.utf8(F.Name);
  if (V.isInterface()
          ? (F.Flags & Needed) != Needed || (F.Flags & Bad)
          : hasManyVisibilities(F.Flags) ||
                ((F.Flags & ACC_FINAL) && (F.Flags & ACC_VOLATILE)) ||
                (V.isValueClass() && !F.isStatic() &&
                 !((F.Flags & ACC_FINAL) && V.isStrict(F))))
    format("bad access flags of field " + Name, "4.5");
  if (!isLegalFieldName(Name, V.Major))
    format("bad field name", "4.2.2");
  if (!isLegalFieldDescriptor(V.utf8(F.Descriptor), V.Major))
    format("bad descriptor of field " + Name, "4.3.2");
  SeenSet Seen;
  readAttributes(In, [&](StringRef Attribute, Bytes Data) {
    checkFieldAttribute(F, Attribute, Data, Seen);
  });
}

bool FormatChecker::checkMethodFlags(const MemberView &M, StringRef Name) {
  uint16_t F = M.Flags;
  bool Abstract = F & ACC_ABSTRACT;
  // strictfp means something from 46 to 60 only; HotSpot looks at it since 49.
  uint16_t Strict = V.Major < 61 ? ACC_STRICT : 0;
  if (V.isInterface()) {
    if (V.Major >= 52) {
      bool Public = F & ACC_PUBLIC, Private = F & ACC_PRIVATE;
      return Public != Private &&
             !(F &
               (ACC_PROTECTED | ACC_FINAL | ACC_NATIVE | ACC_SYNCHRONIZED)) &&
             !(Abstract && (F & (ACC_PRIVATE | ACC_STATIC | Strict)));
    }
    uint16_t Bad = ACC_STATIC | ACC_FINAL | ACC_NATIVE;
    if (V.Major >= 49)
      Bad |= ACC_PRIVATE | ACC_PROTECTED | ACC_SYNCHRONIZED | Strict;
    return (F & ACC_PUBLIC) && Abstract && !(F & Bad);
  }
  if (hasManyVisibilities(F) ||
      (V.isValueClass() && (F & ACC_SYNCHRONIZED) && !(F & ACC_STATIC)))
    return false;
  if (Name == "<init>")
    return !(F & (ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE |
                  ACC_ABSTRACT)) &&
           !(V.Major >= 49 && (F & ACC_BRIDGE));
  uint16_t Bad = ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC;
  if (V.Major >= 49)
    Bad |= ACC_SYNCHRONIZED | Strict;
  return !Abstract || !(F & Bad);
}

void FormatChecker::checkMethod(MemberView &M, bool IsNew) {
  StringRef Name = V.utf8(M.Name), Descriptor = V.utf8(M.Descriptor);
  if (IsNew) {
    if (!isLegalMethodName(Name, V.Major))
      format("bad method name", "4.2.2");
    if (!isLegalMethodDescriptor(Name, Descriptor, V.Major))
      format("bad method descriptor", "4.3.3");
  }
  if (Name == "<clinit>") {
    // Its other flags do not count. Before 51 it need not even be static.
    if (V.Major < 51)
      M.Flags = ACC_STATIC;
    else if (M.Flags & ACC_STATIC)
      M.Flags = ACC_STATIC;
    else
      format("the class initialiser is not static", "4.6");
  } else if (!checkMethodFlags(M, Name)) {
    format("bad access flags of a method", "4.6");
  }
  if (Name == "<init>" && V.isInterface())
    format("an interface has a constructor", "4.6");
  if (IsNew && isMethodDescriptor(Descriptor) &&
      parameterSlots(Descriptor) + !M.isStatic() > 255)
    format("a method has more than 255 parameter slots", "4.3.3");

  SeenSet Seen;
  readAttributes(In, [&](StringRef Attribute, Bytes Data) {
    checkMethodAttribute(M, Attribute, Data, Seen);
  });
  bool Bodiless = M.Flags & (ACC_NATIVE | ACC_ABSTRACT);
  if (!In.failed() && M.HasCode == Bodiless)
    format(Bodiless ? "a native or abstract method has code"
                    : "a method has no code",
           "4.7.3");
}
