//===- JImage.h - The JDK's own classes -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads `lib/modules` of a JDK, the file in which its run-time image has the
/// classes of all modules since Java 9 (JEP 220). The format is not specified;
/// this is version 1.0, which all releases up to Java 25 use: a header, a
/// perfect hash table of names, the places of resources, their names, and the
/// resources, which only jlink compresses, and only on request.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_JIMAGE_H
#define JOPT_ARCHIVE_JIMAGE_H

#include "jopt/Archive/Storage.h"
#include "jopt/Support/Bytes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace jopt {

/// An image, read only. Thread-safe.
class JImage {
public:
  struct Resource {
    std::string Module, Path; ///< "java.base", "java/lang/Object.class"
    uint64_t Offset = 0;      ///< in the file
    uint64_t Packed = 0;      ///< bytes there if compressed, else 0
    uint64_t Size = 0;        ///< bytes when unpacked
  };

  /// \p File begins like an image.
  static llvm::Expected<bool> isImage(const ByteRange &File);
  /// Reads the tables. Errors name \p Display.
  static llvm::Expected<JImage> open(ByteRange File, llvm::StringRef Display);

  /// Shows \p Do the resources of all modules, in the order of the table.
  llvm::Error
  forEach(llvm::function_ref<llvm::Error(const Resource &)> Do) const;
  /// The class of that internal name, from whichever module has its package.
  std::optional<Resource> findClass(llvm::StringRef InternalName) const;
  /// Where \p R is, which must not be compressed.
  ByteRange place(const Resource &R) const {
    return File.slice(R.Offset, R.Size);
  }
  /// Its content. Fails where it is compressed in a way other than "zip".
  llvm::Expected<llvm::SmallVector<uint8_t, 0>> read(const Resource &R) const;

private:
  JImage() = default;
  uint32_t u4(Bytes At, size_t Index) const;
  llvm::StringRef string(uint64_t Offset) const;
  std::optional<Resource> resource(uint32_t Location) const;
  std::optional<Resource> find(llvm::StringRef Module,
                               llvm::StringRef Path) const;
  llvm::Error bad(const llvm::Twine &What) const;

  ByteRange File;
  std::string Display;
  bool BigEndian = false;
  llvm::SmallVector<uint8_t, 0> Index; ///< of which the others are parts
  Bytes Redirects, Offsets, Locations, Strings;
};

} // namespace jopt

#endif
