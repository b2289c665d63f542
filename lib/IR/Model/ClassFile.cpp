//===- ClassFile.cpp - Classes, members, attributes -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/ClassFile.h"
#include "jopt/IR/Model/Body.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

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
  constexpr size_t HeaderSize = 8;
  const Bytes Data = Attributes[unsigned(At)].Data;
  if (Data.size() < HeaderSize)
    return {};
  const size_t Length = readU4(Data.data() + 4);
  return Data.size() - HeaderSize < Length ? Bytes()
                                           : Data.slice(HeaderSize, Length);
}

static constexpr llvm::StringLiteral BootstrapMethods = "BootstrapMethods";

/// Sets the parts that new fields and methods share.
static void setUp(Member &M, ConstantPool &Pool, uint16_t Access,
                  llvm::StringRef Name, llvm::StringRef Descriptor) {
  M.Access = Access;
  M.NameIndex = Pool.addUtf8(Name);
  M.DescriptorIndex = Pool.addUtf8(Descriptor);
  M.Changed = true;
}

Field &ClassFile::addField(uint16_t Access, llvm::StringRef Name,
                           llvm::StringRef Descriptor) {
  Changed = true;
  setUp(Fields.emplace_back(), Pool, Access, Name, Descriptor);
  return Fields.back();
}

Method &ClassFile::addMethod(uint16_t Access, llvm::StringRef Name,
                             llvm::StringRef Descriptor) {
  Changed = true;
  setUp(newMethod(), Pool, Access, Name, Descriptor);
  return Methods.back();
}

void ClassFile::dropFields(llvm::function_ref<bool(const Field &)> Drops) {
  const size_t Before = Fields.size();
  llvm::erase_if(Fields, Drops);
  Changed |= Fields.size() != Before;
}

void ClassFile::setAttribute(llvm::StringRef Name, Bytes Payload) {
  Changed = true;
  Bytes Data = save(Payload);
  for (Attribute &A : Attributes)
    if (Pool.utf8(A.NameIndex) == Name) {
      A.Data = Data;
      return;
    }
  Attributes.push_back({Pool.addUtf8(Name), Data});
}

void ClassFile::dropAttribute(llvm::StringRef Name) {
  auto *At = llvm::find_if(Attributes, [&](const Attribute &A) {
    return Pool.utf8(A.NameIndex) == Name;
  });
  if (At == Attributes.end())
    return;
  Attributes.erase(At);
  Changed = true;
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

BodyArena &ClassFile::addBody() {
  if (!Arena)
    Arena.emplace();
  ++NumBodies;
  return **Arena;
}

void ClassFile::dropBody() {
  // A patched body has nothing there.
  if (--NumBodies == 0 && (*Arena)->getBytesAllocated())
    (*Arena)->Reset();
}

ClassFile::~ClassFile() {
  if (Saved)
    (*Saved)->Reset();
}

Bytes ClassFile::save(Bytes B) { return B.copy(allocator()); }

/// Of each entry of the BootstrapMethods attribute (section 4.7.23) the class
/// that its method handle names, 0 if that is malformed.
static std::vector<uint16_t> findBootstrapOwners(const ClassFile &F) {
  std::vector<uint16_t> Owners;
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, BootstrapMethods);
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

bool ClassFile::readBootstraps(Bytes Payload) {
  if (!Bootstraps)
    Bootstraps = std::make_unique<BootstrapTable>();
  return Bootstraps->read(Payload);
}

std::optional<uint16_t>
ClassFile::addBootstrapMethod(uint16_t Handle,
                              llvm::ArrayRef<uint16_t> Arguments) {
  const Attribute *At = findAttribute(Pool, Attributes, BootstrapMethods);
  const uint8_t None[2] = {0, 0};
  if (!readBootstraps(At ? At->Data : Bytes(None)))
    return std::nullopt;
  const size_t Before = Bootstraps->size();
  const std::optional<uint16_t> Number = Bootstraps->add(Handle, Arguments);
  if (Bootstraps->size() != Before) {
    useBootstraps();
    ++AddedBootstrapMethods;
  }
  return Number;
}

/// The attribute is what the table has.
void ClassFile::useBootstraps() {
  Changed = true;
  for (Attribute &A : Attributes)
    if (Pool.utf8(A.NameIndex) == BootstrapMethods) {
      A.Data = Bootstraps->payload();
      return;
    }
  Attributes.push_back({Pool.addUtf8(BootstrapMethods), Bootstraps->payload()});
}

void ClassFile::keepBootstrapMethods(size_t Count) {
  const Attribute *At = findAttribute(Pool, Attributes, BootstrapMethods);
  if (!At || !readBootstraps(At->Data) || Bootstraps->size() <= Count)
    return;
  BootstrapOwners.reset();
  Bootstraps->keep(Count);
  if (Count)
    useBootstraps();
  else
    dropAttribute(BootstrapMethods);
}

void ClassFile::dropBootstrapMethods(unsigned Added) {
  if (Added >= AddedBootstrapMethods)
    return;
  const bool WasChanged = Changed;
  // An attribute that was empty before goes too, which says the same.
  keepBootstrapMethods(Bootstraps->size() - (AddedBootstrapMethods - Added));
  AddedBootstrapMethods = Added;
  Changed = WasChanged;
}

const ClassFile::CallShape &ClassFile::callShape(unsigned NameAndType) {
  if (Shapes.size() < Pool.size())
    Shapes.resize(Pool.size());
  static const CallShape Malformed = {CallShape::Invalid, 0, Type::Void};
  if (!Pool.has(NameAndType, CPTag::NameAndType))
    return Malformed;
  CallShape &S = Shapes[NameAndType];
  if (S.NumArgs != CallShape::Unknown)
    return S;
  S.NumArgs = CallShape::Invalid;
  MethodDescriptor D(Pool.utf8(Pool[NameAndType].B));
  uint16_t N = 0, Slots = 0;
  for (llvm::StringRef P = D.nextParameter(); !P.empty();
       P = D.nextParameter()) {
    ++N;
    Slots = uint16_t(Slots + slotsOf(P));
  }
  if (D.valid() && N <= 255) {
    S.NumArgs = N;
    S.ArgSlots = Slots;
    S.Result = Types.fromDescriptor(D.returnType());
  }
  return S;
}

ClassFile::StackSlots ClassFile::findStackSlots(unsigned Index) {
  if (SlotsOf.size() < Pool.size())
    SlotsOf.resize(Pool.size(), StackSlots());
  if (Index >= SlotsOf.size())
    return {};
  StackSlots &Of = SlotsOf[Index];
  Of.IsKnown = true;
  const CPEntry &E = Pool[Index];
  switch (E.Tag) {
  case CPTag::Long:
  case CPTag::Double:
    Of.Gives = 2;
    return Of;
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::String:
  case CPTag::Class:
  case CPTag::MethodHandle:
  case CPTag::MethodType:
    Of.Gives = 1;
    return Of;
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
  case CPTag::Dynamic:
  case CPTag::InvokeDynamic:
    break;
  default:
    return Of;
  }
  const llvm::StringRef D =
      Pool.has(E.B, CPTag::NameAndType) ? Pool.utf8(Pool[E.B].B) : "";
  if (!D.starts_with("(")) {
    Of.Gives = isFieldDescriptor(D) ? uint8_t(slotsOf(D)) : 0;
  } else if (const auto Parameters = countParameters(D);
             Parameters && Parameters->Count <= 255) {
    Of.Takes = uint16_t(Parameters->Slots);
    // A class, or an array, ends so.
    Of.Gives = D[D.size() - 2] == ')' ? uint8_t(slotsOf(D.take_back(1))) : 1;
  }
  return Of;
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

void ClassFile::findTwinClasses() {
  TwinClasses.emplace();
  // Half of it at least stays free: each name is an entry too. By length and
  // end: names of a class file rarely have both in common.
  const llvm::ArrayRef<CPEntry> Entries =
      Pool.entries().take_front(Pool.numOriginal());
  const size_t Size = llvm::PowerOf2Ceil(Entries.size());
  llvm::SmallVector<uint16_t, 1024> Table(Size, 0);
  for (const CPEntry &E : Entries) {
    if (E.Tag != CPTag::Class)
      continue;
    const llvm::StringRef Name = Pool.utf8(E.A);
    const uint16_t I = uint16_t(&E - Entries.data());
    uint64_t Hash = 0;
    if (Name.size() >= sizeof(Hash))
      std::memcpy(&Hash, Name.end() - sizeof(Hash), sizeof(Hash));
    else
      for (char C : Name)
        Hash = Hash << 8 | uint8_t(C);
    Hash += Name.size();
    size_t At = Hash * 0x9e3779b97f4a7c15ull >> 40 & (Size - 1);
    while (Table[At] && Pool.className(Table[At]) != Name)
      At = (At + 1) & (Size - 1);
    if (Table[At])
      TwinClasses->push_back(I);
    else
      Table[At] = I;
  }
}

uint16_t ClassFile::classIndex(Type T) {
  if (T.payload() >= ClassIndices.size())
    ClassIndices.resize(T.payload() + 1);
  uint16_t &Index = ClassIndices[T.payload()];
  // The pool may have shrunk since, but not below what it was at first.
  if (!Index ||
      (Index >= Pool.numOriginal() && Pool.className(Index) != Types.name(T)))
    Index = Pool.addClass(Types.name(T));
  return Index;
}
