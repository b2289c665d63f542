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
  int32_t Input, File, Output;
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
    int32_t Count;
    if (Line.consumeInteger(10, M.Input) ||
        (Line.consume_front("#") && Line.consumeInteger(10, File)) ||
        (Line.consume_front(",") && Line.consumeInteger(10, Count)) ||
        !Line.consume_front(":") || Line.consumeInteger(10, M.Output))
      return false;
    M.File = File;
    Use(M);
  }
  return false;
}

int32_t coverage::firstInlinedLine(const ClassFile &F, StringRef Text,
                                   Filters Rules) {
  const StringRef Source = sourceFile(F);
  SourceMap Map(Text);
  // A file may be there more than once, with the classes that it came by. Its
  // lines are the same in and out if they are the class's own.
  llvm::SmallVector<int32_t> Own;
  auto IsOwn = [&](StringRef Name, StringRef Path) {
    return Rules == Filters::JaCoCo086 ? Name == Source : Path == F.name();
  };
  int32_t First = INT32_MAX;
  const bool Fine =
      Map.enter(Source) &&
      Map.files([&](int32_t N, StringRef Name, StringRef Path) {
        if (IsOwn(Name, Path))
          Own.push_back(N);
      }) &&
      Map.lines([&](const Mapping &M) {
        if (M.Input != M.Output || !llvm::is_contained(Own, M.File))
          First = std::min(First, M.Output);
      });
  return Fine ? First : INT32_MAX;
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
