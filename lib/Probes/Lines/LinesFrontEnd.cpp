//===- LinesFrontEnd.cpp - Lines as probes --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads `.probes` files (docs/Lines.md): each line is a probe,
/// \code
///   com.foo.Bar.baz entry: System.err.println(methodName + " of " +
///   thisObject)
/// \endcode
/// The data items of a line are those that its code names.
///
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

static std::string remedy(StringRef Message, const java::Fragment *) {
  if (std::string Common = java::commonRemedy(Message); !Common.empty())
    return Common;
  StringRef Symbol = Message;
  if (Symbol.consume_front("cannot find symbol; symbol: ") &&
      (Symbol.starts_with("class ") ||
       (Symbol.consume_front("variable ") && llvm::isUpper(Symbol[0]))))
    return "; there are no imports: write its name in full";
  if (Message.contains("unexpected return value"))
    return "; the code of a line returns no value";
  return "";
}

static constexpr java::Format LinesFormat = {"lines", "jopt$", remedy};

static constexpr StringRef Form = "package.Class.method kind: code";

//===----------------------------------------------------------------------===//
// Data items that code names
//===----------------------------------------------------------------------===//

/// The item that \p Name in code means: its own name or, where an advice may
/// have several, that and a number (`argument0`) or a name behind `_`
/// (`local_x`). Items that come from other parts of a probe are none.
static std::optional<DataUse> findItem(StringRef Name) {
  for (unsigned I = 0; I < NumDataItems; ++I) {
    const DataItemInfo &Info = getInfo(DataItem(I));
    StringRef Key = Name;
    if (Info.FileName.empty() || Info.TypeRule == DataTypeRule::Field ||
        Info.TypeRule == DataTypeRule::Kept ||
        !Key.consume_front(Info.FileName))
      continue;
    if (!Info.hasKey()) {
      if (Key.empty())
        return DataUse(DataItem(I));
      continue;
    }
    if (!Info.NumericKey && !Key.consume_front("_"))
      continue;
    DataUse Use(DataItem(I), Key.str());
    if (!Key.empty() && (!Info.NumericKey || Use.number()))
      return Use;
  }
  return std::nullopt;
}

static bool isIdentifierPart(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' || uint8_t(C) >= 0x80;
}

/// The size of the literal or comment that \p Code begins with; 0: none.
static size_t skipQuoted(StringRef Code) {
  if (Code.starts_with("//"))
    return Code.size();
  if (Code.starts_with("/*"))
    return std::min(Code.find("*/", 2), Code.size() - 2) + 2;
  if (Code[0] != '"' && Code[0] != '\'')
    return 0;
  for (size_t I = 1; I < Code.size(); ++I)
    if (Code[I] == '\\')
      ++I;
    else if (Code[I] == Code[0])
      return I + 1;
  return Code.size();
}

namespace {
/// The result of scanning a line of code.
struct ScannedCode {
  /// Names that are not those of members, and where each begins.
  std::vector<std::pair<StringRef, size_t>> Names;
  char Last = 0; ///< the last character that means something
};
} // namespace

static ScannedCode scan(StringRef Code) {
  ScannedCode S;
  for (size_t At = 0, End; At < Code.size(); At = End) {
    End = At + 1;
    if (llvm::isSpace(Code[At]))
      continue;
    if (size_t Size = skipQuoted(Code.substr(At))) {
      End = At + Size;
      if (Code[At] != '/')
        S.Last = Code[At];
      continue;
    }
    if (Code.substr(At).starts_with("::")) {
      End = At + 2;
      S.Last = '.'; // The name of a member follows.
      continue;
    }
    if (isIdentifierPart(Code[At])) {
      End = Code.size() - Code.substr(At).drop_while(isIdentifierPart).size();
      if (S.Last != '.' && !llvm::isDigit(Code[At]))
        S.Names.emplace_back(Code.slice(At, End), At);
    }
    S.Last = Code[End - 1];
  }
  return S;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {
class LinesReader {
public:
  explicit LinesReader(StringRef File) : Errors(llvm::Error::success()) {
    Out.Kind = &LinesFormat;
    Out.File = File.str();
    Out.Where = {1, 1};
  }
  llvm::Expected<java::SourceFile> read(StringRef Text);

private:
  void readLine(StringRef Text);
  std::optional<TargetRule> readTarget(StringRef Pattern);
  std::optional<java::Fragment> readFragment(StringRef Kind, StringRef Code);

  /// That of \p Part, which lies in the line.
  Position at(StringRef Part) const {
    return Position{Number, 1}.after(
        Line.take_front(size_t(Part.data() - Line.data())));
  }
  void error(StringRef Part, const Twine &Message) {
    Errors = llvm::joinErrors(std::move(Errors),
                              makeError(Out.locate(at(Part)), Message));
  }

  java::SourceFile Out;
  llvm::Error Errors;
  StringRef Line;      ///< the one that is read, without its end
  unsigned Number = 0; ///< its own
};
} // namespace

/// `package.Class.method`, and perhaps a descriptor.
std::optional<TargetRule> LinesReader::readTarget(StringRef Pattern) {
  TargetRule R;
  R.Where = Out.locate(at(Pattern));
  StringRef Names = Pattern;
  if (size_t Paren = Names.find('('); Paren != StringRef::npos) {
    R.Signature = Names.drop_front(Paren).str();
    Names = Names.take_front(Paren);
    if (size_t Dot = Pattern.find('.', Paren); Dot != StringRef::npos) {
      error(Pattern.drop_front(Dot),
            "in descriptors packages are written with '/', as "
            "(Ljava/lang/String;)V");
      return std::nullopt;
    }
  }
  llvm::SmallVector<StringRef, 8> Parts;
  Names.split(Parts, '.');
  for (StringRef Part : Parts)
    if (Part.empty()) {
      error(Part, "a name is missing; a target is package.Class.method");
      return std::nullopt;
    }
  if (Parts.size() < 2) {
    error(Pattern,
          "'" + Pattern + "' has no class; a target is package.Class.method");
    return std::nullopt;
  }
  R.Method = Parts.pop_back_val().str();
  R.Class = Parts.pop_back_val().str();
  // Every class is one of every package.
  R.Package = !Parts.empty()   ? llvm::join(Parts, "/")
              : R.Class == "*" ? "*"
                               : ".";
  return R;
}

std::optional<java::Fragment> LinesReader::readFragment(StringRef Kind,
                                                        StringRef Code) {
  auto Found = findFragmentKind(Kind);
  if (!Found) {
    error(Kind, "unknown kind '" + Kind + "'" +
                    didYouMean(Kind, getAdviceKindNames()));
    return std::nullopt;
  }
  java::Fragment F;
  F.Kind = *Found;
  F.Where = at(Kind);
  F.Code.Where = at(Code);
  F.Code.Text = Code.str();
  F.Code.Pieces.push_back({0, F.Code.Where});
  ScannedCode Scanned = scan(Code);
  for (auto [Name, Offset] : Scanned.Names) {
    auto Item = findItem(Name);
    if (!Item ||
        llvm::any_of(F.Parameters, [N = Name](auto &P) { return P.Name == N; }))
      continue;
    StringRef Part = Code.substr(Offset, Name.size());
    if (!isAllowedAt(F.Kind, *Item)) {
      error(Part, "data item '" + Name + "' is not available at '" + Kind +
                      "'" + whereAvailable(*Item));
      return std::nullopt;
    }
    F.Parameters.push_back(
        {*Item, getInfo(*Item).JavaType.str(), Name.str(), at(Part)});
  }
  llvm::stable_sort(F.Parameters,
                    [](auto &A, auto &B) { return A.Item.Item < B.Item.Item; });
  // Behind a comment, too.
  if (Scanned.Last != ';' && Scanned.Last != '}') {
    Position End = F.Code.getEnd();
    F.Code.Pieces.push_back({F.Code.Text.size(), End, /*Literal=*/false});
    F.Code.Text += "\n;";
  }
  return F;
}

void LinesReader::readLine(StringRef Text) {
  Line = Text.rtrim("\r");
  ++Number;
  StringRef Rest = Line.ltrim(" \t");
  if (Rest.empty() || Rest.starts_with("#"))
    return;
  StringRef Pattern = Rest.take_until([](char C) { return llvm::isSpace(C); });
  Rest = Rest.drop_front(Pattern.size()).ltrim(" \t");
  StringRef Kind =
      Rest.take_until([](char C) { return C == ':' || llvm::isSpace(C); });
  if (Kind.empty())
    return error(Rest, "there is no kind; a line has the form '" + Form + "'");
  Rest = Rest.drop_front(Kind.size()).ltrim(" \t");
  if (!Rest.starts_with(":"))
    return error(Rest,
                 "there is no ':' behind the kind; a line has the form '" +
                     Form + "'");
  StringRef Code = Rest.drop_front().ltrim(" \t").rtrim(" \t");
  if (Code.empty())
    return error(Rest.drop_front(), "there is no code");
  auto Target = readTarget(Pattern);
  auto Fragment = readFragment(Kind, Code);
  if (!Target || !Fragment)
    return;
  java::GeneratedClass P;
  P.Where = at(Pattern);
  P.Info.Name = (Pattern + " " + Kind).str();
  P.Info.Where = Target->Where;
  TargetRule Others;
  Others.Include = false;
  Others.Where = Target->Where;
  P.Info.Rules = {std::move(*Target), std::move(Others)};
  P.Fragments.push_back(std::move(*Fragment));
  Out.Probes.push_back(std::move(P));
}

llvm::Expected<java::SourceFile> LinesReader::read(StringRef Text) {
  Text.consume_front("\xef\xbb\xbf"); // a byte-order mark
  while (!Text.empty()) {
    auto [First, Rest] = Text.split('\n');
    readLine(First);
    Text = Rest;
  }
  if (Errors)
    return std::move(Errors);
  if (Out.Probes.empty())
    return makeError(Location(Out.File), "the file has no line with a probe");
  return std::move(Out);
}

static bool recognises(const ProbeInput &In) {
  return In.hasExtension(".probes");
}

static llvm::Expected<ProbePart>
read(const ProbeInput &In, const ProbeOptions &, DiagnosticEngine &) {
  if (In.isTooLarge())
    return makeError(Location(In.Path), "file of more than " +
                                            Twine(MaxProbeFileSize >> 20) +
                                            " MiB");
  auto File = LinesReader(In.Path).read(In.Content);
  if (!File)
    return File.takeError();
  ProbePart P;
  P.Fragments = std::move(*File);
  return P;
}

const FrontEnd jopt::LinesFrontEnd = {recognises, read};
