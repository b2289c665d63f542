//===- JavaNames.cpp - Names in Java source -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::StringRef;

static bool isPlainPart(unsigned C) {
  return C < 0x80 && (llvm::isAlnum(char(C)) || C == '_' || C == '$');
}

bool java::isInternalName(StringRef Name) {
  llvm::SmallVector<StringRef> Parts;
  Name.split(Parts, '/');
  return llvm::all_of(Parts, [](StringRef Part) {
    return !Part.empty() &&
           Part.find_first_of(StringRef(".;[\\:\0", 6)) == StringRef::npos;
  });
}

bool java::isJavaType(StringRef Name) {
  unsigned Dimensions = 0;
  while (Name.consume_back("[]"))
    ++Dimensions;
  if (isPrimitiveType(Name))
    return Dimensions < 256;
  llvm::SmallVector<StringRef> Parts;
  Name.split(Parts, '.');
  return Dimensions < 256 && llvm::all_of(
                                 Parts,
                                 [](StringRef Part) {
                                   return isJavaIdentifier(Part) &&
                                          !isJavaKeyword(Part);
                                 });
}

std::string java::quoteJava(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    // A backslash that a `u` follows would be an escape for javac's scanner;
    // as an octal escape it is none.
    if (uint8_t(C) < 0x20 || C == '\\' || C == '"') {
      Out += '\\';
      for (unsigned Shift : {6, 3, 0})
        Out += char('0' + (uint8_t(C) >> Shift & 7));
    } else {
      Out += C;
    }
  }
  return Out + '"';
}

std::string java::makeClassPrefix(StringRef FileName) {
  StringRef Stem = llvm::sys::path::stem(FileName);
  llvm::SmallVector<llvm::UTF16> Units;
  // A name that is not UTF-8 is taken byte by byte.
  if (!llvm::convertUTF8ToUTF16String(Stem, Units))
    Units.assign(Stem.bytes_begin(), Stem.bytes_end());
  std::string Prefix;
  for (auto [Index, Unit] : llvm::enumerate(Units))
    if (isPlainPart(Unit) && (Index || !llvm::isDigit(char(Unit))))
      Prefix += char(Unit);
    else
      Prefix += "_" + llvm::utohexstr(Unit);
  return Prefix;
}
