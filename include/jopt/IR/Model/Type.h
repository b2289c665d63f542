//===- Type.h - Types of values and slots -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verification types of the JVM specification (4.10.1.2), as small value
/// objects, and the table of the class names they refer to.
///
/// Differences from the JVM specification:
///  - boolean, byte, char and short are Int, as on the operand stack.
///  - the second slot of a long or double is High in slot arrays.
///  - Join is the merge of unrelated references in code without frames; it is
///    printed, accepted unless a hierarchy disproves it, and never written.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_TYPE_H
#define JOPT_IR_MODEL_TYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <map>
#include <vector>

namespace jopt {

/// A type, meaningful together with the TypeTable of its class. Trivially
/// copyable; equality is identity of types.
class Type {
public:
  enum Kind : uint8_t {
    Top,        ///< unusable
    Int,        ///< int and everything narrower
    Float,      //
    Long,       ///< category 2
    Double,     ///< category 2
    Null,       ///< the null constant
    UninitThis, ///< `this` of a constructor before super() or this()
    Ref,        ///< a class, interface or array; payload: name in the table
    Uninit,  ///< result of `new` before <init>; payload: new-site of the body
    Join,    ///< merge of references; payload: index of the table's joins
    RetAddr, ///< return address of a subroutine; only inside the reader
    Void,    ///< no value
    High,    ///< second slot of a long or double, in slot arrays
  };

  constexpr Type() = default;
  constexpr Type(Kind K, uint32_t Payload = 0)
      : Bits(uint32_t(K) | Payload << 4) {}

  Kind kind() const { return Kind(Bits & 15); }
  uint32_t payload() const { return Bits >> 4; }
  bool is(Kind K) const { return kind() == K; }
  bool isVoid() const { return is(Void); }
  /// Slots a value of this type takes: 2, 1, or 0 for Void.
  unsigned slots() const {
    return is(Void) ? 0 : is(Long) || is(Double) ? 2 : 1;
  }
  bool isCategory2() const { return is(Long) || is(Double); }
  /// Anything an `aload` may load: references, null, uninitialised objects.
  bool isReference() const {
    Kind K = kind();
    return (K >= Null && K <= Join);
  }
  /// Reference to an initialised object, or null.
  bool isInitialized() const { return is(Null) || is(Ref) || is(Join); }

  bool operator==(Type O) const { return Bits == O.Bits; }
  bool operator!=(Type O) const { return Bits != O.Bits; }
  uint32_t raw() const { return Bits; }

private:
  uint32_t Bits = 0;
};

/// The class names that types of one class file refer to. Names are internal
/// names ("java/lang/String") or array descriptors ("[I"), in modified UTF-8,
/// as in a CONSTANT_Class. Owned by the ClassFile; not thread-safe.
class TypeTable {
public:
  /// The reference type named \p Name (copied).
  Type ref(llvm::StringRef Name);
  /// The type of a value with field descriptor \p D, or Void for "V".
  /// \p D must be valid.
  Type fromDescriptor(llvm::StringRef D);
  /// The name of a Ref.
  llvm::StringRef name(Type T) const { return Names[T.payload()]; }
  /// The parts of a Join: Refs, sorted by name, at least two.
  llvm::ArrayRef<Type> parts(Type T) const { return Joins[T.payload()]; }

  bool isArray(Type T) const {
    return T.is(Type::Ref) && name(T).starts_with("[");
  }
  /// The element type of an array type ("[[I" -> "[I", "[I" -> Int).
  Type elementType(Type Array);

  /// The merge of two references without a hierarchy: equal types, null
  /// absorbed, otherwise a Join; java/lang/Object absorbs everything. Anything
  /// else that differs gives Top.
  Type merge(Type A, Type B);

  /// The join of \p Refs in any order; one Ref if they are equal or one of them
  /// is java/lang/Object, which absorbs everything. At least one.
  Type join(llvm::ArrayRef<Type> Refs);

  /// "int", "java/lang/String", "[I", "uninit(3)", "join(A, B)" ... as in .jir.
  std::string toString(Type T) const;

private:
  llvm::BumpPtrAllocator Alloc;
  llvm::DenseMap<llvm::CachedHashStringRef, uint32_t> Ids;
  std::vector<llvm::StringRef> Names;
  std::vector<std::vector<Type>> Joins;
  /// Payloads of the parts of a join to its index.
  std::map<std::vector<uint32_t>, uint32_t> JoinIds;
};

} // namespace jopt

#endif
