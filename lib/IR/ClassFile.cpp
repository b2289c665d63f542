//===- ClassFile.cpp - Classes, members, attributes -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/ClassFile.h"
#include "jopt/IR/Body.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;

// Out of line, where Body is complete.
Method::Method() = default;
Method::Method(Method &&) = default;
Method &Method::operator=(Method &&) = default;
Method::~Method() = default;

int Method::codeAttribute(const ConstantPool &Pool) const {
  for (unsigned I = 0; I < Attributes.size(); ++I)
    if (Pool.utf8(Attributes[I].NameIndex) == "Code")
      return int(I);
  return -1;
}

Bytes Method::code(const ConstantPool &Pool) const {
  int At = codeAttribute(Pool);
  if (At < 0)
    return {};
  ByteCursor C(Attributes[unsigned(At)].Data);
  C.skip(4);
  Bytes Code = C.bytes(C.u4());
  return C.failed() ? Bytes() : Code;
}

const Attribute *ClassFile::findAttribute(const ConstantPool &Pool,
                                          llvm::ArrayRef<Attribute> As,
                                          llvm::StringRef Name) {
  for (const Attribute &A : As)
    if (Pool.utf8(A.NameIndex) == Name)
      return &A;
  return nullptr;
}

bool ClassFile::isChanged() const {
  if (Changed || Original.empty() || Pool.size() != Pool.numOriginal())
    return true;
  for (const Field &F : Fields)
    if (F.Changed)
      return true;
  for (const Method &M : Methods)
    if (M.Changed)
      return true;
  return false;
}

std::string ClassFile::displayName(const Method &M) const {
  return toDisplayUTF8(name()) + "." + toDisplayUTF8(name(M)) +
         toDisplayUTF8(descriptor(M));
}

std::unique_ptr<BodyArena> ClassFile::takeArena() {
  if (SpareArenas.empty())
    return std::make_unique<BodyArena>();
  std::unique_ptr<BodyArena> A = std::move(SpareArenas.back());
  SpareArenas.pop_back();
  return A;
}

void ClassFile::giveBack(std::unique_ptr<BodyArena> A) {
  // One is in use at a time, unless bodies are kept as IR.
  if (SpareArenas.size() >= 2)
    return;
  A->Reset();
  SpareArenas.push_back(std::move(A));
}

Bytes ClassFile::save(Bytes B) { return B.copy(Alloc); }

/// Of each entry of the BootstrapMethods attribute (section 4.7.23) the class
/// that its method handle names, 0 if that is malformed.
static std::vector<uint16_t> findBootstrapOwners(const ClassFile &F) {
  std::vector<uint16_t> Owners;
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods");
  ByteCursor C(A ? A->Data : Bytes());
  unsigned Count = A ? C.u2() : 0;
  for (unsigned I = 0; I < Count && !C.failed(); ++I) {
    const CPEntry &Handle = F.Pool[C.u2()];
    C.skip(2 * size_t(C.u2()));
    bool IsHandle = Handle.Tag == CPTag::MethodHandle;
    const CPEntry &Member = F.Pool[IsHandle ? Handle.B : 0];
    bool IsMember = Member.Tag == CPTag::Methodref ||
                    Member.Tag == CPTag::InterfaceMethodref;
    Owners.push_back(IsMember ? Member.A : 0);
  }
  return Owners;
}

MemberRef ClassFile::callee(unsigned Index) {
  MemberRef M = Pool.member(Index);
  if (!Pool.has(Index, CPTag::InvokeDynamic))
    return M;
  if (!BootstrapOwners)
    BootstrapOwners = findBootstrapOwners(*this);
  size_t Number = Pool[Index].A;
  if (Number < BootstrapOwners->size())
    M.Owner = Pool.className((*BootstrapOwners)[Number]);
  return M;
}

const ClassFile::CallShape &ClassFile::callShape(unsigned NameAndType) {
  if (Shapes.size() < Pool.size())
    Shapes.resize(Pool.size());
  static const CallShape Malformed = {CallShape::Invalid, Type::Void};
  if (!Pool.has(NameAndType, CPTag::NameAndType))
    return Malformed;
  CallShape &S = Shapes[NameAndType];
  if (S.NumArgs != CallShape::Unknown)
    return S;
  S.NumArgs = CallShape::Invalid;
  MethodDescriptor D(Pool.utf8(Pool[NameAndType].B));
  uint16_t N = 0;
  while (!D.nextParameter().empty())
    ++N;
  if (D.valid() && N <= 255) {
    S.NumArgs = N;
    S.Result = Types.fromDescriptor(D.returnType());
  }
  return S;
}

Type ClassFile::fieldType(unsigned NameAndType) {
  if (PoolTypes.size() < Pool.size())
    PoolTypes.resize(Pool.size());
  if (!Pool.has(NameAndType, CPTag::NameAndType))
    return Type::Void;
  Type &T = PoolTypes[NameAndType];
  if (T.is(Type::Top)) {
    llvm::StringRef D = Pool.utf8(Pool[NameAndType].B);
    T = isFieldDescriptor(D) ? Types.fromDescriptor(D) : Type(Type::Void);
  }
  return T;
}

Type ClassFile::classType(unsigned ClassIndex) {
  if (PoolTypes.size() < Pool.size())
    PoolTypes.resize(Pool.size());
  llvm::StringRef Name = Pool.className(ClassIndex);
  if (Name.empty())
    return Type::Top;
  Type &T = PoolTypes[ClassIndex];
  if (T.is(Type::Top))
    T = Types.ref(Name);
  return T;
}

uint16_t ClassFile::classIndex(Type T) {
  if (T.payload() >= ClassIndices.size())
    ClassIndices.resize(T.payload() + 1);
  uint16_t &Index = ClassIndices[T.payload()];
  // The pool may have shrunk since.
  if (!Index || Pool.className(Index) != Types.name(T))
    Index = Pool.addClass(Types.name(T));
  return Index;
}
