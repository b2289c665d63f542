//===- SlicedClasses.h - The code that was traced ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_SLICEDCLASSES_H
#define JOPT_LIB_SLICE_SLICEDCLASSES_H

#include "CodeRegions.h"
#include "Dependences.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Slice/Slice.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace jopt::slice {

struct SlicedClass;

/// A method that has code.
struct SlicedMethod {
  const SlicedClass *Class = nullptr;
  llvm::StringRef Name, Descriptor;
  bool IsStatic = false;
  CodeView Code;
  SiteId FirstSite = 0;

  SiteId site(uint32_t BCI) const { return FirstSite + BCI; }
  bool isConstructor() const { return Name == "<init>"; }
  /// The first instruction from \p BCI on that is no nop, as those have no
  /// event.
  uint32_t skipNops(uint32_t BCI) const;
  /// Control may go from \p I to \p BCI, nops aside, without an exception.
  bool flows(const DecodedInst &I, uint32_t BCI) const;
  /// Decodes the instruction at \p BCI.
  bool decode(uint32_t BCI, DecodedInst &I) const {
    return decodeInst(Code.Code, BCI, I);
  }
  CodeRegions &regions() const;
  /// -1 if it is not known.
  int32_t line(uint32_t BCI) const;
  /// The slot of the variable \p Name behind the instruction that ends at
  /// \p End.
  std::optional<unsigned> variable(llvm::StringRef Name, uint32_t End) const;

private:
  mutable std::unique_ptr<CodeRegions> Regions;
  mutable std::optional<llvm::SmallVector<LineEntry, 64>> Lines;
};

struct SlicedClass {
  std::unique_ptr<ClassFile> File;
  /// Its place in Traces::classes(); none if it was not traced.
  std::optional<uint32_t> Traced;
  std::string SourceFile; ///< with the folders of its package
  /// By the place of the method in the declarations; null without code.
  std::vector<const SlicedMethod *> Declared;
  std::deque<SlicedMethod> Methods;

  const SlicedMethod *find(llvm::StringRef Name,
                           llvm::StringRef Descriptor) const;
};

/// Classes by name, their fields, and places in their code.
class SlicedClasses {
public:
  /// Reads those of \p Contents that \p T declares; the others as they are
  /// asked for.
  SlicedClasses(const data::Traces &T, ClassContents Contents);

  /// The class number \p Traced of the trace. An error says that it is not
  /// there, or not the one that was traced.
  llvm::Expected<const SlicedClass *> traced(uint32_t Traced);
  /// Null if there is none, or it cannot be read.
  const SlicedClass *find(llvm::StringRef Name);
  bool isTraced(llvm::StringRef Name) const { return Names.contains(Name); }
  /// \p Name is \p Ancestor or below it, as far as classes are known.
  bool inherits(llvm::StringRef Name, llvm::StringRef Ancestor);

  /// A number for the field that pool entry \p Index of \p In names, the same
  /// for all names that it has.
  uint32_t field(const SlicedClass &In, uint32_t Index);
  /// All code that may write the field is traced.
  bool isTracedField(uint32_t Field) const { return TracedFields[Field]; }

  /// What \p Site is in; null for none.
  const SlicedMethod *method(SiteId Site) const;
  SourceLine line(SiteId Site) const;

private:
  const SlicedClass *declarer(const MemberRef &Field);

  const data::Traces &T;
  ClassContents Contents;
  /// In Contents, by the names of their paths.
  llvm::StringMap<size_t> Places;
  llvm::StringMap<std::unique_ptr<SlicedClass>> Classes;
  std::vector<const SlicedClass *> ByNumber;
  std::vector<const SlicedMethod *> BySite; ///< in the order of FirstSite
  SiteId NextSite = 1;
  llvm::StringSet<> Names; ///< of those that were traced
  llvm::StringMap<uint32_t> Fields;
  llvm::DenseMap<std::pair<const SlicedClass *, uint32_t>, uint32_t> Resolved;
  std::vector<bool> TracedFields;
};

} // namespace jopt::slice

#endif
