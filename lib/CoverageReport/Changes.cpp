//===- Changes.cpp - What a diff changes ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Changes.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Whether nothing is compiled of that line, as far as it says.
static bool isBare(StringRef Line) {
  const StringRef Text = Line.trim();
  return Text.find_first_not_of("{}()[];,") == StringRef::npos ||
         Text.starts_with("//") || Text.starts_with("/*") ||
         Text.starts_with("*") || Text.starts_with("import ") ||
         Text.starts_with("package ");
}

/// Whether a type may be declared on that line.
static bool isType(StringRef Line) {
  llvm::SmallVector<StringRef> Words;
  llvm::SplitString(Line, Words, " \t(){}@;");
  return llvm::any_of(Words, [](StringRef W) {
    return W == "class" || W == "interface" || W == "enum" || W == "record" ||
           W == "object" || W == "trait";
  });
}

/// A path as git quotes it: in quotes, with octal digits of bytes.
static std::string unquote(StringRef Text) {
  if (Text.size() < 2 || Text.front() != '"' || Text.back() != '"')
    return Text.str();
  std::string Path;
  for (StringRef Rest = Text.drop_front().drop_back(); !Rest.empty();) {
    char C = Rest.front();
    Rest = Rest.drop_front();
    unsigned Octal = 0;
    if (C == '\\' && Rest.size() >= 3 &&
        !Rest.take_front(3).getAsInteger(8, Octal)) {
      C = char(Octal);
      Rest = Rest.drop_front(3);
    } else if (C == '\\' && !Rest.empty()) {
      C = Rest.front() == 't'   ? '\t'
          : Rest.front() == 'n' ? '\n'
                                : Rest.front();
      Rest = Rest.drop_front();
    }
    Path += C;
  }
  return Path;
}

namespace {
/// Goes through the lines of a diff.
class DiffReader {
public:
  explicit DiffReader(StringRef Text) : Rest(Text) {}

  Expected<std::vector<ChangedFile>> read() {
    bool IsEmpty = true;
    while (next()) {
      IsEmpty &= Line.trim().empty();
      if (Error E = readLine())
        return E;
    }
    if (!IsEmpty && Files.empty())
      return makeError("it is no unified diff");
    for (ChangedFile &F : Files)
      dropPrefixes(F);
    return std::move(Files);
  }

private:
  /// Takes the next line; false at the end.
  bool next() {
    if (Rest.empty())
      return false;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    return true;
  }
  Error wrong(const Twine &What) const {
    return makeError("line " + Twine(Number) + ": " + What);
  }

  ChangedFile &begin() {
    HasPaths = false;
    return Files.emplace_back();
  }

  Error readLine() {
    const StringRef Text = Line.rtrim('\r');
    if (Text.starts_with("@@@") || Text.starts_with("diff --cc ") ||
        Text.starts_with("diff --combined "))
      return wrong("a diff of a merge has no one old side: use one against the "
                   "first parent");
    if (StringRef Paths = Text; Paths.consume_front("diff --git ")) {
      InGit = true;
      ChangedFile &F = begin();
      takeBoth(Paths, F);
    } else if (Text.starts_with("--- ") && Rest.starts_with("+++ ")) {
      ChangedFile &F =
          Files.empty() || !InGit || HasPaths ? begin() : Files.back();
      HasPaths = true;
      F.Old = pathOf(Text.drop_front(4));
      next();
      F.New = pathOf(Line.rtrim('\r').drop_front(4));
    } else if (Text.starts_with("@@ ")) {
      if (!HasPaths)
        return wrong("a hunk without the names of its files");
      return readHunk(Text);
    } else if (InGit && !HasPaths && !Files.empty()) {
      readExtended(Text, Files.back());
    }
    return Error::success();
  }

  /// `a/p/A.java b/p/A.java`, which is all that is said where there are no
  /// hunks; the names are equal then, or others follow.
  static void takeBoth(StringRef Paths, ChangedFile &F) {
    if (Paths.starts_with("\"")) {
      const size_t End = Paths.find("\" ");
      if (End == StringRef::npos)
        return;
      F.Old = unquote(Paths.take_front(End + 1));
      F.New = unquote(Paths.drop_front(End + 2));
      return;
    }
    const size_t Half = Paths.size() / 2;
    if (Paths.size() % 2 && Paths[Half] == ' ') {
      F.Old = Paths.take_front(Half).str();
      F.New = Paths.drop_front(Half + 1).str();
    }
  }

  static void readExtended(StringRef Text, ChangedFile &F) {
    StringRef Path = Text;
    // These have no prefix.
    if (Path.consume_front("rename from ") || Path.consume_front("copy from "))
      F.Old = unquote(Path);
    else if (Path.consume_front("rename to ") || Path.consume_front("copy to "))
      F.New = unquote(Path);
    else if (Text.starts_with("new file mode "))
      F.Old.clear();
    else if (Text.starts_with("deleted file mode "))
      F.New.clear();
  }

  /// Behind `--- ` and `+++ `, where a time or a revision follows a tab.
  static std::string pathOf(StringRef Text) {
    auto [Path, What] = Text.split('\t');
    if (Path == "/dev/null" || What.starts_with("(nonexistent)") ||
        What.starts_with("(revision 0)"))
      return {};
    return unquote(Path);
  }

  /// `12,3` or `12`.
  static bool parseRange(StringRef Text, uint32_t &First, uint32_t &Count) {
    auto [Start, Length] = Text.split(',');
    Count = 1;
    return !Start.getAsInteger(10, First) &&
           (Length.empty() || !Length.getAsInteger(10, Count));
  }

  Error readHunk(StringRef Head) {
    llvm::SmallVector<StringRef, 6> Words;
    Head.split(Words, ' ');
    uint32_t Old = 0, New = 0, OldLeft = 0, NewLeft = 0;
    if (Words.size() < 4 || !Words[1].consume_front("-") ||
        !Words[2].consume_front("+") || !parseRange(Words[1], Old, OldLeft) ||
        !parseRange(Words[2], New, NewLeft))
      return wrong("'" + Head + "' begins no hunk");
    // Where there are none the number is that of the line before.
    Old -= OldLeft && Old ? 1 : 0;
    New -= NewLeft && New ? 1 : 0;
    ChangedFile &F = Files.back();
    while (OldLeft || NewLeft) {
      if (!next())
        return wrong("the diff ends within a hunk");
      const char Kind = Line.empty() || Line == "\r" ? ' ' : Line.front();
      if (Kind == '\\')
        continue;
      const bool InOld = Kind != '+', InNew = Kind != '-';
      if (!StringRef(" +-").contains(Kind) || (InOld && !OldLeft) ||
          (InNew && !NewLeft))
        return wrong("the hunk has other lines than it says");
      Old += InOld;
      OldLeft -= InOld;
      New += InNew;
      NewLeft -= InNew;
      if (Kind != ' ')
        F.Lines.push_back({Kind == '+', isBare(Line.drop_front()),
                           isType(Line.drop_front()), Old, New});
    }
    return Error::success();
  }

  /// `a/` and `b/`, as git and others write them; `c/`, `i/`, `o/`, `w/` if
  /// git is asked to.
  static void dropPrefixes(ChangedFile &F) {
    auto Has = [](StringRef Path, StringRef Letters) {
      return Path.empty() ||
             (Path.size() > 2 && Path[1] == '/' && Letters.contains(Path[0]));
    };
    if (!Has(F.Old, "aciow") || !Has(F.New, "bciow") ||
        (!F.Old.empty() && !F.New.empty() && F.Old[0] == F.New[0]))
      return;
    for (std::string *Path : {&F.Old, &F.New})
      if (!Path->empty())
        Path->erase(0, 2);
  }

  StringRef Rest, Line;
  unsigned Number = 0;
  std::vector<ChangedFile> Files;
  bool InGit = false;
  bool HasPaths = false; ///< of the last file: as hunks need them
};
} // namespace

Expected<std::vector<ChangedFile>> coverage::readDiff(StringRef Diff) {
  return DiffReader(Diff).read();
}

bool coverage::isSource(StringRef Path) {
  const StringRef End = Path.rsplit('.').second;
  return End == "java" || End == "kt" || End == "groovy" || End == "scala";
}

StringRef coverage::matchSource(StringRef Path,
                                llvm::function_ref<bool(StringRef)> Exists) {
  while (!Path.empty() && !Exists(Path)) {
    const size_t Slash = Path.find_first_of("/\\");
    Path = Slash == StringRef::npos ? StringRef() : Path.drop_front(Slash + 1);
  }
  return Path;
}
