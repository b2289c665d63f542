//===- Descriptor.h - Field and method descriptors --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Descriptors of fields and methods (JVM specification, 4.3), and access
/// flags.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_DESCRIPTOR_H
#define JOPT_BYTECODE_DESCRIPTOR_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace jopt {

/// Access and property flags (tables 4.1-B, 4.5-A, 4.6-A of the
/// specification). Some values mean different things in different places.
enum AccessFlags : uint16_t {
  ACC_PUBLIC = 0x0001,
  ACC_PRIVATE = 0x0002,
  ACC_PROTECTED = 0x0004,
  ACC_STATIC = 0x0008,
  ACC_FINAL = 0x0010,
  ACC_SYNCHRONIZED = 0x0020,
  ACC_SUPER = 0x0020,
  ACC_IDENTITY = 0x0020, ///< ACC_SUPER where there are value classes
  ACC_BRIDGE = 0x0040,
  ACC_VOLATILE = 0x0040,
  ACC_VARARGS = 0x0080,
  ACC_TRANSIENT = 0x0080,
  ACC_NATIVE = 0x0100,
  ACC_INTERFACE = 0x0200,
  ACC_ABSTRACT = 0x0400,
  ACC_STRICT = 0x0800,
  ACC_STRICT_INIT = 0x0800, ///< of a field, where there are value classes
  ACC_SYNTHETIC = 0x1000,
  ACC_ANNOTATION = 0x2000,
  ACC_ENUM = 0x4000,
  ACC_MODULE = 0x8000,
  ACC_MANDATED = 0x8000,
};

/// Length of the field descriptor that \p S starts with ("[[I" -> 3), 0 if
/// there is none. Checks dimensions (at most 255) and "L...;" form, not the
/// characters of the class name.
size_t fieldDescriptorLength(llvm::StringRef S);

inline bool isFieldDescriptor(llvm::StringRef S) {
  return !S.empty() && fieldDescriptorLength(S) == S.size();
}

/// Slots a value of this field descriptor (or "V") takes: 2 for J and D, 0 for
/// V, else 1.
inline unsigned slotsOf(llvm::StringRef FieldDescriptor) {
  char C = FieldDescriptor.empty() ? 'V' : FieldDescriptor[0];
  return C == 'J' || C == 'D' ? 2 : C != 'V';
}

/// The parameters of a method descriptor, and the slots that they take.
struct ParameterCount {
  unsigned Count = 0, Slots = 0;
};
/// None if \p MethodDescriptor is malformed.
std::optional<ParameterCount> countParameters(llvm::StringRef MethodDescriptor);

/// Walks the parameters of a method descriptor, then gives the return type.
/// \code
///   MethodDescriptor D(Desc);
///   while (!(P = D.nextParameter()).empty()) ...
///   if (D.valid()) use(D.returnType());
/// \endcode
class MethodDescriptor {
public:
  explicit MethodDescriptor(llvm::StringRef Descriptor) : Rest(Descriptor) {
    Ok = Rest.consume_front("(");
  }
  /// The next parameter's field descriptor; empty after the last, or if the
  /// descriptor is malformed.
  llvm::StringRef nextParameter();
  /// After the last parameter: a field descriptor or "V".
  llvm::StringRef returnType() const { return Rest; }
  /// After the last parameter: whether the whole descriptor was well-formed.
  bool valid() const {
    return Ok && AtReturn && (Rest == "V" || isFieldDescriptor(Rest));
  }

private:
  llvm::StringRef Rest;
  bool Ok;
  bool AtReturn = false;
};

/// Whole-descriptor facts.
bool isMethodDescriptor(llvm::StringRef S);
/// Slots of all parameters, the receiver not counted. \p S must be valid.
unsigned parameterSlots(llvm::StringRef S);
/// The part behind the ')' that ends the parameters; empty if there is none.
llvm::StringRef returnDescriptor(llvm::StringRef S);

} // namespace jopt

#endif
