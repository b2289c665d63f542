//===- PoolTags.h - The kinds of constant-pool entries ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of what stands in a constant pool (JVM specification, 4.4): how
/// long each kind of entry is, and which of its parts are indices of which
/// other entries.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_POOLTAGS_H
#define JOPT_BYTECODE_POOLTAGS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <iterator>

namespace jopt {

enum class CPTag : uint8_t {
  None = 0, ///< index 0, and the second entry of a Long or Double
  Utf8 = 1,
  Integer = 3,
  Float = 4,
  Long = 5,
  Double = 6,
  Class = 7,
  String = 8,
  Fieldref = 9,
  Methodref = 10,
  InterfaceMethodref = 11,
  NameAndType = 12,
  MethodHandle = 15,
  MethodType = 16,
  Dynamic = 17,
  InvokeDynamic = 18,
  Module = 19,
  Package = 20,
};

/// Set of tags, bit N for tag N.
constexpr uint32_t tagBit(CPTag Tag) { return 1u << unsigned(Tag); }
constexpr uint32_t AnyMethodTags =
    tagBit(CPTag::Methodref) | tagBit(CPTag::InterfaceMethodref);
/// The constants for ldc, for ldc2_w, and for either: a Dynamic has the size of
/// its descriptor.
constexpr uint32_t NarrowConstantTags =
    tagBit(CPTag::Integer) | tagBit(CPTag::Float) | tagBit(CPTag::Class) |
    tagBit(CPTag::String) | tagBit(CPTag::MethodHandle) |
    tagBit(CPTag::MethodType) | tagBit(CPTag::Dynamic);
constexpr uint32_t WideConstantTags =
    tagBit(CPTag::Long) | tagBit(CPTag::Double) | tagBit(CPTag::Dynamic);
constexpr uint32_t LoadableTags = NarrowConstantTags | WideConstantTags;

/// An entry is its tag and `Size` bytes: a number, or a part A and, if there is
/// more, a part B of two bytes. A part is an index or a number: the kind of a
/// MethodHandle (one byte), the bootstrap method of a Dynamic.
struct PoolTagInfo {
  llvm::StringLiteral Name = ""; ///< empty if there is no such tag
  uint8_t Since = 0;             ///< first major version of class files
  uint8_t Size = 0;              ///< 0: a Utf8, which says itself, or no tag
  uint32_t A = 0;           ///< what A may refer to, a set; 0 if it is no index
  uint32_t B = 0;           ///< the same of B
  const char *Section = ""; ///< of the specification

  unsigned sizeOfA() const { return Size == 3 ? 1 : 2; }
  bool hasB() const { return Size > 2; }
};

namespace detail {
constexpr uint32_t Utf8 = tagBit(CPTag::Utf8), Class = tagBit(CPTag::Class),
                   NameType = tagBit(CPTag::NameAndType),
                   Member = tagBit(CPTag::Fieldref) | AnyMethodTags;
/// By tag.
inline constexpr PoolTagInfo PoolTags[] = {
    {},
    {"Utf8", 45, 0, 0, 0, "4.4.7"},
    {},
    {"Integer", 45, 4, 0, 0, "4.4.4"},
    {"Float", 45, 4, 0, 0, "4.4.4"},
    {"Long", 45, 8, 0, 0, "4.4.5"},
    {"Double", 45, 8, 0, 0, "4.4.5"},
    {"Class", 45, 2, Utf8, 0, "4.4.1"},
    {"String", 45, 2, Utf8, 0, "4.4.3"},
    {"Fieldref", 45, 4, Class, NameType, "4.4.2"},
    {"Methodref", 45, 4, Class, NameType, "4.4.2"},
    {"InterfaceMethodref", 45, 4, Class, NameType, "4.4.2"},
    {"NameAndType", 45, 4, Utf8, Utf8, "4.4.6"},
    {},
    {},
    {"MethodHandle", 51, 3, 0, Member, "4.4.8"}, // see handleTags
    {"MethodType", 51, 2, Utf8, 0, "4.4.9"},
    {"Dynamic", 55, 4, 0, NameType, "4.4.10"},
    {"InvokeDynamic", 51, 4, 0, NameType, "4.4.10"},
    {"Module", 53, 2, Utf8, 0, "4.4.11"},
    {"Package", 53, 2, Utf8, 0, "4.4.11"},
};
static_assert(std::size(PoolTags) == unsigned(CPTag::Package) + 1);
} // namespace detail

/// The row of \p Tag, which may be any byte.
inline const PoolTagInfo &getPoolTagInfo(CPTag Tag) {
  return detail::PoolTags[unsigned(Tag) < std::size(detail::PoolTags)
                              ? unsigned(Tag)
                              : 0];
}
/// The tag of that name, None if there is none.
CPTag findPoolTag(llvm::StringRef Name);

/// Integer, Float, Long and Double.
constexpr bool isNumber(CPTag Tag) {
  return Tag >= CPTag::Integer && Tag <= CPTag::Double;
}
/// Takes two indices of the pool.
constexpr bool isWide(CPTag Tag) {
  return Tag == CPTag::Long || Tag == CPTag::Double;
}

/// The tags that a MethodHandle of kind \p Kind may refer to; 0 if the kind is
/// undefined. Before version 52 kinds 6 and 7 know no InterfaceMethodref.
uint32_t handleTags(unsigned Kind);

} // namespace jopt

#endif
