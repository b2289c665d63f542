//===- FragmentLines.cpp - Classes that name their probe files ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentLines.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::java;
using llvm::Error;
using llvm::StringRef;

/// Where the first word of line \p Line of \p S is from.
static JavaSource::Place placeOfLine(const JavaSource &S, unsigned Line) {
  if (Line == 0 || Line > S.LineStarts.size())
    return {};
  StringRef Text = StringRef(S.Text).drop_front(S.LineStarts[Line - 1]);
  return S.locate(Line, unsigned(Text.size() - Text.ltrim(" \t").size()));
}

/// Gives the code \p A of a method the lines of the probe file. \p File is the
/// first that is met.
static Error renumber(ClassFile &Class, Attribute &A, const JavaSource &S,
                      const SourceFile *&File) {
  CodeView View;
  if (Error E = parseCode(Class, A.Data, View))
    return E;
  auto *Copy = Class.allocator().Allocate<uint8_t>(A.Data.size());
  llvm::copy(A.Data, Copy);
  for (const Attribute &Inner : View.Attributes) {
    if (Class.Pool.utf8(Inner.NameIndex) != "LineNumberTable" ||
        Inner.Data.size() < 2)
      continue;
    uint8_t *Table = Copy + (Inner.Data.data() - A.Data.data());
    size_t Count = std::min<size_t>(readU2(Table), (Inner.Data.size() - 2) / 4);
    for (uint8_t *Line = Table + 4; Count; --Count, Line += 4) {
      JavaSource::Place P = placeOfLine(S, readU2(Line));
      if (!P.File)
        continue;
      if (!File)
        File = P.File;
      writeU2(Line, uint16_t(std::min(P.Where.Line, 0xffffu)));
    }
  }
  A.Data = Bytes(Copy, A.Data.size());
  return Error::success();
}

/// The source that \p Class says it is from.
static const JavaSource *findSource(const ClassFile &Class,
                                    llvm::ArrayRef<JavaSource> Sources) {
  const Attribute *A =
      ClassFile::findAttribute(Class.Pool, Class.Attributes, "SourceFile");
  if (!A || A->Data.size() != 2)
    return nullptr;
  StringRef Name = Class.Pool.utf8(readU2(A->Data.data()));
  if (!Name.consume_back(".java"))
    return nullptr;
  auto It = llvm::find_if(
      Sources, [&](const JavaSource &S) { return S.ClassName == Name; });
  // What all probes share is in no file of theirs.
  return It == Sources.end() || Name == RuntimeClass ? nullptr : &*It;
}

Error java::nameProbeFiles(CompiledClasses &Classes,
                           llvm::ArrayRef<JavaSource> Sources) {
  for (auto &[Path, Data] : Classes) {
    auto Class = readClass(Data);
    if (!Class)
      return Class.takeError();
    ClassFile &C = **Class;
    const JavaSource *S = findSource(C, Sources);
    if (!S)
      continue;
    const SourceFile *File = nullptr;
    for (Method &M : C.Methods)
      if (int At = M.codeAttribute(C.Pool); At >= 0) {
        if (Error E = renumber(C, M.Attributes[At], *S, File))
          return E;
        M.Changed = true;
      }
    if (!File)
      File = S->Marks.front().File;
    uint8_t Index[2];
    // Without its folder, so that the bytes do not depend on it.
    writeU2(Index, C.Pool.addUtf8(llvm::sys::path::filename(File->File)));
    C.setAttribute("SourceFile", Index);
    auto Written = writeClass(C);
    if (!Written)
      return Written.takeError();
    Data = std::move(*Written);
  }
  return Error::success();
}
