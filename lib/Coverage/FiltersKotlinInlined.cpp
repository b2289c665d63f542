//===- FiltersKotlinInlined.cpp - Code of inline functions ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code of inline functions of other files has line numbers behind those of the
/// file that it was copied into; a map in the class says which (JSR 45).
///
//===----------------------------------------------------------------------===//

#include "FilterOutput.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {
/// A line of the section of lines: `1#2,3:4,5` says that three lines from line
/// 1 of file 2 on are the output's lines 4 to 8.
struct Mapping {
  int32_t Input, File, Count, Output;
};

class SourceMap {
public:
  explicit SourceMap(StringRef Text) : Rest(Text) {}

  /// Up to the files of the stratum Kotlin, which is the first.
  bool enter(StringRef Source);
  /// Calls \p Use with the number, name and path of each file.
  template <typename Fn> bool files(Fn Use);
  template <typename Fn> bool lines(Fn Use);

private:
  StringRef line() {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    return Line.rtrim('\r');
  }
  bool is(StringRef Expected) { return line() == Expected; }

  StringRef Rest;
  int32_t File = 0; ///< where a mapping says none, that of the one before
};
} // namespace

bool SourceMap::enter(StringRef Source) {
  return is("SMAP") && is(Source) && is("Kotlin") && is("*S Kotlin") &&
         is("*F");
}

template <typename Fn> bool SourceMap::files(Fn Use) {
  while (!Rest.empty()) {
    StringRef Line = line();
    if (Line == "*L")
      return true;
    int32_t Number;
    if (!Line.consume_front("+ ") || Line.consumeInteger(10, Number) ||
        !Line.consume_front(" "))
      return false;
    const StringRef Path = line();
    Use(Number, Line, Path);
  }
  return false;
}

template <typename Fn> bool SourceMap::lines(Fn Use) {
  while (!Rest.empty()) {
    StringRef Line = line();
    if (Line.starts_with("*")) // the end, or the next stratum
      return true;
    Mapping M;
    M.Count = 1;
    if (Line.consumeInteger(10, M.Input) ||
        (Line.consume_front("#") && Line.consumeInteger(10, File)) ||
        (Line.consume_front(",") && Line.consumeInteger(10, M.Count)) ||
        !Line.consume_front(":") || Line.consumeInteger(10, M.Output))
      return false;
    M.File = File;
    Use(M);
  }
  return false;
}

void coverage::readInlinedLines(const ClassFile &F, StringRef Text,
                                FilteredClass &Class) {
  const StringRef Source = sourceFile(F);
  SourceMap Map(Text);
  // The classes of files, by number. A file may be there more than once, with
  // the classes that it came by; JaCoCo 0.8.6 takes all for the class's own.
  std::map<int32_t, StringRef> Classes;
  // The lines of the class's own are the same in and out.
  llvm::SmallVector<InlinedLines, 0> Inlined;
  const bool Fine =
      Map.enter(Source) &&
      Map.files([&](int32_t N, StringRef Name, StringRef Path) {
        const bool IsOwn = Class.Rules == Filters::JaCoCo086 && Name == Source;
        Classes[N] = IsOwn ? F.name() : Path;
      }) &&
      Map.lines([&](const Mapping &M) {
        const StringRef Of = Classes[M.File];
        // Class files have lines up to UINT16_MAX.
        if ((M.Input != M.Output || Of != F.name()) && M.Input >= 0 &&
            M.Output >= 0 && M.Count >= 0 && M.Count <= UINT16_MAX &&
            M.Input <= UINT16_MAX - M.Count)
          Inlined.push_back({Of, M.Input, M.Count, M.Output});
      });
  if (!Fine)
    return;
  for (const InlinedLines &C : Inlined)
    Class.FirstInlinedLine = std::min(Class.FirstInlinedLine, C.Output);
  if (Class.Rules > Filters::JaCoCo086)
    Class.Inlined = std::move(Inlined);
}

void coverage::filterKotlinInlined(const FilterInput &In, FilterOutput &Out) {
  int32_t Line = 0;
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (In.Flow.place(I).Line >= 0)
      Line = In.Flow.place(I).Line;
    if (Line >= In.Class.FirstInlinedLine)
      Out.ignore(I, I + 1);
  }
}
