//===- ClassFile.h - Classes, members, attributes ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A class file (JVM specification, chapter 4) as an object that knows the
/// bytes it came from. Everything no pass changes is copied from there by the
/// writer; everything else is encoded from the model.
///
/// Differences from the JVM specification:
///  - attributes are kept as payload bytes and decoded where somebody asks;
///    their structure stands in Attributes.td.
///  - the Code attribute's parts are found on demand (Method::code()).
///
/// Size: ClassFile has a field for each item of the ClassFile structure (4.1),
/// beside what is found out from them once.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_CLASSFILE_H
#define JOPT_IR_MODEL_CLASSFILE_H

#include "jopt/Bytecode/ClassVersions.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Bytecode/ExceptionHandler.h"
#include "jopt/IR/Model/BootstrapTable.h"
#include "jopt/IR/Model/ConstantPool.h"
#include "jopt/IR/Model/Type.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Support/PooledObject.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jopt {

class Body;
class ClassFile;

/// Storage of bodies, and of what else is made for a class. Slabs are large:
/// many methods fit into one.
using BodyArena =
    llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 1 << 16, 1 << 16>;

/// An attribute: its name and the payload behind attribute_length. The payload
/// points into the input or into ClassFile::allocator().
struct Attribute {
  uint16_t NameIndex = 0;
  Bytes Data;
};

/// The parts of a Code attribute, all pointing into its payload.
struct CodeView {
  using Handler = ExceptionHandler;
  uint16_t MaxStack = 0, MaxLocals = 0;
  Bytes Code;
  llvm::SmallVector<Handler, 0> Handlers;
  llvm::SmallVector<Attribute, 4> Attributes;
};

/// The parts that fields and methods share.
class Member {
public:
  uint16_t Access = 0;
  uint16_t NameIndex = 0, DescriptorIndex = 0;
  llvm::SmallVector<Attribute, 2> Attributes;

  /// The member's bytes in the input; empty if it was made here.
  Bytes Original;
  /// Set by whoever changes anything above (or, for methods, the code).
  bool Changed = false;

  bool is(AccessFlags F) const { return Access & F; }
};

class Field : public Member {};

/// A method. Its code is bytes (the Code attribute) until a pass asks for the
/// Body; as long as the Body exists it is the truth, and the writer lowers it.
class Method : public Member {
public:
  Method();
  Method(Method &&);
  Method &operator=(Method &&);
  ~Method();

  /// Index of the Code attribute in Attributes, or -1.
  int codeAttribute(const ConstantPool &Pool) const;
  /// The instructions in it (`code`); empty if there is none, or not a whole
  /// one.
  Bytes code(const ConstantPool &Pool) const;

  /// Its place in ClassFile::Methods.
  unsigned Number = 0;

  /// The IR, null if not lifted. Created by liftMethod (lib/Reader) or the
  /// parser; owned here.
  std::unique_ptr<Body> IR;
};

/// A class file. Owns pool, members, types and everything its IR refers to;
/// refers to, and does not own, the input bytes. Used by one thread at a time.
class ClassFile {
public:
  ClassFile() = default;
  ~ClassFile();
  ClassFile(const ClassFile &) = delete;
  ClassFile &operator=(const ClassFile &) = delete;

private:
  void findTwinClasses();
  // Bodies use it when they die: it must outlive the methods.
  std::optional<PooledObject<BodyArena>> Arena, Saved;
  unsigned NumBodies = 0;

public:
  uint16_t Minor = 0, Major = 0;
  uint16_t Access = 0;
  uint16_t ThisIndex = 0, SuperIndex = 0;
  ConstantPool Pool;
  TypeTable Types;
  llvm::SmallVector<uint16_t, 4> Interfaces;
  std::deque<Field> Fields;   ///< stable addresses
  std::deque<Method> Methods; ///< stable addresses
  llvm::SmallVector<Attribute, 4> Attributes;

  /// The whole input, empty if parsed from text.
  Bytes Original;
  /// Set by whoever changes anything of the class itself: header, interfaces,
  /// class attributes, number or order of members. Members have their own.
  bool Changed = false;

  llvm::StringRef name() const { return Pool.className(ThisIndex); }
  llvm::StringRef superName() const { return Pool.className(SuperIndex); }
  llvm::StringRef name(const Member &M) const { return Pool.utf8(M.NameIndex); }
  llvm::StringRef descriptor(const Member &M) const {
    return Pool.utf8(M.DescriptorIndex);
  }
  bool isInterface() const { return Access & ACC_INTERFACE; }
  /// Class files that the JVM verifies by frames: version 50 and above. (50
  /// may fall back to inference.)
  bool hasFrames() const { return Major >= 50; }
  /// It may be a value class, and have strict fields.
  bool hasValueClasses() const { return jopt::hasValueClasses(Major, Minor); }
  /// Constructors must set \p F before they call super().
  bool isStrict(const Field &F) const {
    return F.is(ACC_STRICT_INIT) && !F.is(ACC_STATIC) && hasValueClasses();
  }

  /// The first attribute named \p Name, or null.
  static const Attribute *findAttribute(const ConstantPool &Pool,
                                        llvm::ArrayRef<Attribute> As,
                                        llvm::StringRef Name);

  /// \name Changes that note themselves
  /// @{
  /// A new member, behind all others of its kind; without attributes.
  Field &addField(uint16_t Access, llvm::StringRef Name,
                  llvm::StringRef Descriptor);
  Method &addMethod(uint16_t Access, llvm::StringRef Name,
                    llvm::StringRef Descriptor);
  /// The same without name and descriptor, for readers of a class.
  Method &newMethod() {
    Method &M = Methods.emplace_back();
    M.Number = unsigned(Methods.size()) - 1;
    return M;
  }
  /// Takes the fields away for which \p Drops holds.
  void dropFields(llvm::function_ref<bool(const Field &)> Drops);
  /// Gives the class the attribute \p Name, in the place of the first that it
  /// has, or behind all others. \p Payload is copied.
  void setAttribute(llvm::StringRef Name, Bytes Payload);
  /// Takes the first attribute \p Name of the class away, if it has one.
  void dropAttribute(llvm::StringRef Name);
  /// @}

  /// Anything here, in a member or in the pool differs from the input.
  bool isChanged() const;

  /// "a/B.m(I)V" for messages, standard UTF-8.
  std::string displayName(const Method &M) const;

  /// The method that a call of pool entry \p Index names. For an InvokeDynamic
  /// the owner is the class of the bootstrap method, empty where there is no
  /// valid one.
  MemberRef callee(unsigned Index);

  /// \name Bootstrap methods (section 4.7.23)
  /// @{
  /// The number of the bootstrap method with these pool entries: of the first
  /// equal one, or of one that is added behind all others. None where the
  /// attribute is malformed or full.
  std::optional<uint16_t>
  addBootstrapMethod(uint16_t Handle, llvm::ArrayRef<uint16_t> Arguments);
  /// How many were added.
  unsigned numAddedBootstrapMethods() const { return AddedBootstrapMethods; }
  /// Takes the last ones away, so that \p Added stay of those that were added.
  void dropBootstrapMethods(unsigned Added);
  /// Takes all but the first \p Count away.
  void keepBootstrapMethods(size_t Count);
  /// @}

  /// The effect of a call with the descriptor of a NameAndType on the stack:
  /// number of parameters (no receiver) and result. Computed once per entry;
  /// NumArgs is Invalid where the entry or its descriptor is malformed.
  struct CallShape {
    static constexpr uint16_t Unknown = 0xffff, Invalid = 0xfffe;
    uint16_t NumArgs = Unknown;
    uint16_t ArgSlots = 0; ///< that the arguments take
    Type Result;
  };
  const CallShape &callShape(unsigned NameAndType);
  /// Slots of the operand stack that what names a pool entry takes and gives:
  /// the arguments and the result of a call, the value of a field or constant.
  struct StackSlots {
    uint16_t Takes = 0;
    uint8_t Gives = 0;
    bool IsKnown = false;
  };
  /// Those of entry \p Index, computed once; none where it is malformed.
  StackSlots stackSlots(unsigned Index) {
    return Index < SlotsOf.size() && SlotsOf[Index].IsKnown
               ? SlotsOf[Index]
               : findStackSlots(Index);
  }
  /// The type of a field by its NameAndType; Void where malformed.
  Type fieldType(unsigned NameAndType);
  /// The Ref named by a Class entry; Top where it is none.
  Type classType(unsigned ClassIndex);
  /// The first Class entry that names \p T, a Ref; added if there is none. 0 if
  /// the pool is full.
  uint16_t classIndex(Type T);

  /// The Class entries of the input that have the name of one before,
  /// ascending: classIndex gives none of them.
  llvm::ArrayRef<uint16_t> twinClasses() {
    if (!TwinClasses)
      findTwinClasses();
    return *TwinClasses;
  }

  /// Storage that lives as long as the class: payloads of new attributes.
  BodyArena &allocator() {
    if (!Saved)
      Saved.emplace();
    return **Saved;
  }
  Bytes save(Bytes B);

  /// \name Storage of bodies, shared by those that there are at a time
  /// @{
  BodyArena &addBody();
  void dropBody();
  /// @}

private:
  bool readBootstraps(Bytes Payload);
  void useBootstraps();
  StackSlots findStackSlots(unsigned Index);

  /// By pool index: call shapes and field types at NameAndTypes (apart: one
  /// entry may serve both, wrongly), types at Classes.
  std::vector<CallShape> Shapes;
  std::vector<StackSlots> SlotsOf;            ///< by pool index
  std::unique_ptr<BootstrapTable> Bootstraps; ///< the attribute, if it changed
  unsigned AddedBootstrapMethods = 0;
  /// Pool indices of the classes of the bootstrap methods.
  std::optional<std::vector<uint16_t>> BootstrapOwners;
  std::optional<llvm::SmallVector<uint16_t, 0>> TwinClasses; ///< once asked for
  std::vector<Type> PoolTypes;
  std::vector<uint16_t> ClassIndices; ///< by Type::payload(); 0: not known
};

} // namespace jopt

#endif
