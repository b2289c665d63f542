//===- TypeHierarchy.cpp - What is known of other classes -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Verify/TypeHierarchy.h"
#include "ClassView.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::ArrayRef;
using llvm::StringRef;

TypeHierarchy::~TypeHierarchy() = default;

bool ClassInfo::isInterface() const { return Flags & ACC_INTERFACE; }
bool ClassInfo::isFinal() const { return Flags & ACC_FINAL; }

static const MemberInfo *find(ArrayRef<MemberInfo> In, StringRef Name,
                              StringRef Descriptor) {
  for (const MemberInfo &M : In)
    if (M.Name == Name && M.Descriptor == Descriptor)
      return &M;
  return nullptr;
}

const MemberInfo *ClassInfo::findField(StringRef Name,
                                       StringRef Descriptor) const {
  return find(Fields, Name, Descriptor);
}

const MemberInfo *ClassInfo::findMethod(StringRef Name,
                                        StringRef Descriptor) const {
  return find(Methods, Name, Descriptor);
}

/// Skims the pool: tags, indices and places of texts. False if it is broken.
static bool skimPool(ByteCursor &C, std::vector<PoolEntry> &Pool) {
  Pool.resize(std::max<unsigned>(C.u2(), 1));
  for (unsigned I = 1; I < Pool.size(); ++I) {
    PoolEntry &E = Pool[I];
    E.Tag = CPTag(C.u1());
    if (E.Tag == CPTag::Utf8) {
      E.A = C.u2();
      E.Offset = uint32_t(C.offset());
      C.skip(E.A);
    } else if (unsigned Size = getPoolTagInfo(E.Tag).Size) {
      E.A = C.u2(); // of a Class, and nobody asks for others
      C.skip(Size - 2);
      I += isWide(E.Tag);
    } else {
      return false;
    }
    if (C.failed())
      return false;
  }
  return true;
}

static void skipAttributes(ByteCursor &C) {
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    C.skip(2);
    C.skip(C.u4());
  }
}

llvm::Error MemoryHierarchy::addClass(Bytes ClassFile) {
  ClassView V;
  V.Data = ClassFile;
  ByteCursor C(ClassFile);
  bool Magic = C.u4() == 0xcafebabe;
  V.Minor = C.u2();
  V.Major = C.u2();
  if (!Magic || !skimPool(C, V.Pool))
    return makeError("not a class file");

  ClassInfo Info;
  Info.Flags = C.u2();
  if ((Info.Flags & ACC_MODULE) && V.Major >= 53)
    return llvm::Error::success(); // module-info is no class
  StringRef Name = V.className(C.u2());
  if (C.failed() || Name.empty())
    return makeError("not a class file");
  if (Classes.count(Name))
    return llvm::Error::success();
  Info.Name = Strings.save(Name);
  Info.Super = Strings.save(V.className(C.u2()));
  Info.Identity =
      hasValueClasses(V.Major, V.Minor)
          ? Info.Flags & ACC_IDENTITY
          : !(Name.starts_with("java/") && (Info.Flags & ACC_ABSTRACT));

  auto ReadNames = [&](ByteCursor &From) {
    llvm::SmallVector<StringRef, 8> Names;
    for (unsigned N = From.u2(); N && !From.failed(); --N)
      Names.push_back(Strings.save(V.className(From.u2())));
    return ArrayRef(Names).copy(Alloc);
  };
  auto ReadMembers = [&] {
    llvm::SmallVector<MemberInfo, 32> Members;
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      MemberInfo &M = Members.emplace_back();
      M.Flags = C.u2();
      M.Name = Strings.save(V.utf8(C.u2()));
      M.Descriptor = Strings.save(V.utf8(C.u2()));
      skipAttributes(C);
    }
    return ArrayRef(Members).copy(Alloc);
  };
  Info.Interfaces = ReadNames(C);
  Info.Fields = ReadMembers();
  Info.Methods = ReadMembers();
  for (unsigned N = C.u2(); N && !C.failed(); --N) {
    StringRef Attribute = V.utf8(C.u2());
    Bytes Data = C.bytes(C.u4());
    if (Attribute == "PermittedSubclasses" && V.Major >= 61) {
      ByteCursor List(Data);
      Info.PermittedSubclasses = ReadNames(List);
      Info.Sealed = true;
    }
  }
  if (C.failed())
    return makeError("not a class file");
  Classes[Info.Name] = new (Alloc) ClassInfo(Info);
  return llvm::Error::success();
}

void MemoryHierarchy::addAncestry(const ClassInfo &Info) {
  if (Classes.count(Info.Name))
    return;
  llvm::SmallVector<StringRef, 8> Interfaces;
  for (StringRef I : Info.Interfaces)
    Interfaces.push_back(Strings.save(I));
  auto *Copy = new (Alloc) ClassInfo;
  Copy->Name = Strings.save(Info.Name);
  Copy->Super = Strings.save(Info.Super);
  Copy->Interfaces = ArrayRef(Interfaces).copy(Alloc);
  Copy->Flags = Info.Flags;
  Classes[Copy->Name] = Copy;
}

const ClassInfo *MemoryHierarchy::lookup(StringRef InternalName) const {
  return Classes.lookup(InternalName);
}
