//===- Check.cpp - Limits for coverage ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Check.h"
#include "ElementNames.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Json.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include <list>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static uint64_t powerOfTen(unsigned N) {
  uint64_t Power = 1;
  for (; N; --N)
    Power *= 10;
  return Power;
}

std::optional<Decimal> Decimal::parse(StringRef Text) {
  auto [Whole, Part] = Text.split('.');
  Decimal D;
  D.Scale = unsigned(Part.size());
  const std::string Digits = (Whole + Part).str();
  // Counters have 32 bits, so products with them fit in 64.
  if (Whole.empty() || (Part.empty() && Text.contains('.')) ||
      Part.size() > MostDigits || Digits.size() > MostDigits + 1 ||
      !llvm::all_of(Digits, llvm::isDigit) ||
      StringRef(Digits).getAsInteger(10, D.Units))
    return std::nullopt;
  return D;
}

Decimal Decimal::ratio(uint64_t Part, uint64_t Total, unsigned Scale, bool Up) {
  return {(Part * powerOfTen(Scale) + (Up ? Total - 1 : 0)) / Total, Scale};
}

std::string Decimal::text() const {
  std::string Digits = llvm::utostr(Units);
  if (Digits.size() <= Scale)
    Digits.insert(0, Scale + 1 - Digits.size(), '0');
  if (Scale)
    Digits.insert(Digits.size() - Scale, 1, '.');
  return Digits;
}

bool Decimal::isAbove(uint64_t Part, uint64_t Total) const {
  return Part * powerOfTen(Scale) < Units * Total;
}

bool Decimal::isBelow(uint64_t Part, uint64_t Total) const {
  return Part * powerOfTen(Scale) > Units * Total;
}

std::string coverage::percentText(const Counter &C) {
  const uint64_t Part = C.total() ? C.Covered : 1;
  const uint64_t Total = C.total() ? C.total() : 1;
  return Decimal::ratio(Part * 100, Total, 1, /*Up=*/false).text() + " %";
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static constexpr StringRef ElementNames[] = {"BUNDLE", "PACKAGE", "CLASS",
                                             "SOURCEFILE", "METHOD"};
static constexpr StringRef ValueNames[] = {
    "TOTALCOUNT", "COVEREDCOUNT", "MISSEDCOUNT", "COVEREDRATIO", "MISSEDRATIO"};
static constexpr StringRef CounterNames[] = {"INSTRUCTION", "BRANCH", "LINE",
                                             "COMPLEXITY",  "METHOD", "CLASS"};

namespace {
class RuleReader {
public:
  Expected<std::vector<CoverageRule>> run(const llvm::json::Value &All);

private:
  Error read(const llvm::json::Object &O, CoverageRule &R);
  Error readKey(StringRef Key, const llvm::json::Value &V, CoverageRule &R);
  Error wrong(StringRef Key, const Twine &What) const {
    return makeError("rule " + Twine(Number) + ": '" + Key + "' " + What);
  }
  template <typename T>
  Error readName(StringRef Key, const llvm::json::Value &V,
                 llvm::ArrayRef<StringRef> Names, T &To) const;
  Error readPatterns(StringRef Key, const llvm::json::Value &V,
                     std::vector<std::string> &To) const;
  Error readLimit(StringRef Key, const llvm::json::Value &V,
                  std::optional<Decimal> &To) const;

  size_t Number = 0; ///< of the rule, from 1
};
} // namespace

template <typename T>
Error RuleReader::readName(StringRef Key, const llvm::json::Value &V,
                           llvm::ArrayRef<StringRef> Names, T &To) const {
  const auto Text = V.getAsString();
  for (size_t N = 0; Text && N < Names.size(); ++N)
    if (Names[N] == *Text) {
      To = T(N);
      return Error::success();
    }
  return wrong(Key, "wants one of " + llvm::join(Names, ", "));
}

/// As JaCoCo has it, a text may have several, with `:` between them.
Error RuleReader::readPatterns(StringRef Key, const llvm::json::Value &V,
                               std::vector<std::string> &To) const {
  To.clear();
  auto Add = [&](const llvm::json::Value &Part) {
    const auto Text = Part.getAsString();
    if (!Text)
      return false;
    for (StringRef Pattern : llvm::split(*Text, ':'))
      To.push_back(Pattern.str());
    return true;
  };
  const llvm::json::Array *List = V.getAsArray();
  if (List ? llvm::all_of(*List, Add) : Add(V))
    return Error::success();
  return wrong(Key, "wants a pattern of names, or a list of them");
}

Error RuleReader::readLimit(StringRef Key, const llvm::json::Value &V,
                            std::optional<Decimal> &To) const {
  std::string Text;
  if (auto Given = V.getAsString()) {
    Text = Given->str();
  } else if (auto Whole = V.getAsInteger()) {
    Text = std::to_string(*Whole);
  } else if (auto Number = V.getAsNumber()) {
    llvm::raw_string_ostream OS(Text);
    OS << llvm::format("%.9f", *Number);
    Text.resize(StringRef(Text).rtrim('0').rtrim('.').size());
  }
  const bool IsPercent = StringRef(Text).ends_with("%");
  To = Decimal::parse(StringRef(Text).drop_back(IsPercent ? 1 : 0));
  if (To && IsPercent)
    To = To->percent();
  return To && To->Scale <= Decimal::MostDigits
             ? Error::success()
             : wrong(Key, "wants a number, as 0.8, with at most " +
                              Twine(Decimal::MostDigits) + " digits");
}

Error RuleReader::readKey(StringRef Key, const llvm::json::Value &V,
                          CoverageRule &R) {
  if (Key == "element")
    return readName(Key, V, ElementNames, R.Element);
  if (Key == "counter")
    return readName(Key, V, CounterNames, R.Counter);
  if (Key == "value")
    return readName(Key, V, ValueNames, R.Value);
  if (Key == "includes")
    return readPatterns(Key, V, R.Includes);
  if (Key == "excludes")
    return readPatterns(Key, V, R.Excludes);
  if (Key == "minimum")
    return readLimit(Key, V, R.Minimum);
  if (Key == "maximum")
    return readLimit(Key, V, R.Maximum);
  return wrong(Key, "is none of element, includes, excludes, counter, value, "
                    "minimum, maximum");
}

Error RuleReader::read(const llvm::json::Object &O, CoverageRule &R) {
  for (const auto &[Key, V] : O)
    if (Error E = readKey(Key, V, R))
      return E;
  if (!R.Minimum && !R.Maximum)
    return wrong("minimum", "or 'maximum' is missing");
  const bool IsRatio = R.Value >= CoverageRule::CoveredRatio;
  for (auto [Key, Limit] :
       {std::pair("minimum", R.Minimum), std::pair("maximum", R.Maximum)})
    if (IsRatio && Limit && Limit->isAbove(1, 1))
      return wrong(Key, "is " + Limit->text() +
                            ", and a ratio is from 0 to 1; a count has a "
                            "'value' as MISSEDCOUNT");
  return Error::success();
}

Expected<std::vector<CoverageRule>>
RuleReader::run(const llvm::json::Value &All) {
  const llvm::json::Array *List = All.getAsArray();
  if (!List)
    return makeError("rules are a list of objects");
  std::vector<CoverageRule> Rules;
  for (const llvm::json::Value &V : *List) {
    ++Number;
    const llvm::json::Object *O = V.getAsObject();
    if (!O)
      return makeError("rule " + Twine(Number) + " is no object");
    if (Error E = read(*O, Rules.emplace_back()))
      return E;
  }
  return Rules;
}

Expected<std::vector<CoverageRule>> coverage::readRules(StringRef Text) {
  auto All = parseJson(Text);
  if (!All)
    return makeError("it is no JSON: " + toMessage(All.takeError()));
  return RuleReader().run(*All);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Names with `*` and `?`.
class NamePatterns {
public:
  explicit NamePatterns(llvm::ArrayRef<std::string> Patterns);

  bool match(StringRef Name) const {
    return llvm::any_of(
        All, [&](const llvm::GlobPattern &P) { return P.match(Name); });
  }

private:
  std::list<std::string> Texts; ///< what All refers to
  std::vector<llvm::GlobPattern> All;
};

class RuleChecker {
public:
  RuleChecker(const CoverageRule &R,
              llvm::function_ref<void(const Twine &)> Violated)
      : R(R), Violated(Violated), Includes(R.Includes), Excludes(R.Excludes) {}

  void run(const Bundle &B);

private:
  void check(StringRef Kind, const std::string &Name, const CounterSet &C);
  void check(StringRef Kind, const std::string &Name, uint64_t Part,
             uint64_t Total);

  const CoverageRule &R;
  const llvm::function_ref<void(const Twine &)> Violated;
  const NamePatterns Includes, Excludes;
};
} // namespace

NamePatterns::NamePatterns(llvm::ArrayRef<std::string> Patterns) {
  for (StringRef Pattern : Patterns) {
    std::string &Text = Texts.emplace_back();
    for (char C : Pattern) {
      if (StringRef("[]{}\\").contains(C))
        Text += '\\';
      Text += C;
    }
    // Nothing that is left can be wrong.
    All.push_back(llvm::cantFail(llvm::GlobPattern::create(Text)));
  }
}

void RuleChecker::check(StringRef Kind, const std::string &Name, uint64_t Part,
                        uint64_t Total) {
  static constexpr StringRef Counters[] = {
      "instructions", "branches", "lines", "complexity", "methods", "classes"};
  static constexpr StringRef Values[] = {"total count", "covered count",
                                         "missed count", "covered ratio",
                                         "missed ratio"};
  auto Tell = [&](StringRef Which, const Decimal &Limit, bool Up) {
    Violated(Kind + " " + Name + ": " + Counters[R.Counter] + " " +
             Values[R.Value] + " is " +
             Decimal::ratio(Part, Total, Limit.Scale, Up).text() + ", the " +
             Which + " is " + Limit.text());
  };
  if (R.Minimum && R.Minimum->isAbove(Part, Total))
    Tell("minimum", *R.Minimum, /*Up=*/false);
  else if (R.Maximum && R.Maximum->isBelow(Part, Total))
    Tell("maximum", *R.Maximum, /*Up=*/true);
}

void RuleChecker::check(StringRef Kind, const std::string &Name,
                        const CounterSet &C) {
  if (!Includes.match(Name) || Excludes.match(Name))
    return;
  const Counter &Own = C[R.Counter];
  switch (R.Value) {
  case CoverageRule::TotalCount:
    return check(Kind, Name, Own.total(), 1);
  case CoverageRule::CoveredCount:
    return check(Kind, Name, Own.Covered, 1);
  case CoverageRule::MissedCount:
    return check(Kind, Name, Own.Missed, 1);
  case CoverageRule::CoveredRatio:
  case CoverageRule::MissedRatio:
    if (Own.total())
      check(Kind, Name,
            R.Value == CoverageRule::CoveredRatio ? Own.Covered : Own.Missed,
            Own.total());
  }
}

void RuleChecker::run(const Bundle &B) {
  if (R.Element == CoverageRule::Bundle)
    return check("bundle", B.Name, B.Counted);
  for (const PackageCounters &P : B.Packages) {
    const std::string Name = packageName(P.Name);
    if (R.Element == CoverageRule::Package)
      check("package", Name, P.Counted);
    if (R.Element == CoverageRule::SourceFile)
      for (const SourceCounters &S : P.Sources)
        check("source file", toDisplayUTF8(P.Name + "/" + S.Name), S.Counted);
    for (const ClassCounters &C : P.Classes) {
      // JaCoCo has rules for classes and methods with code.
      if (R.Element == CoverageRule::Class && C.Counted[Classes].total())
        check("class", dottedName(C.Name), C.Counted);
      if (R.Element == CoverageRule::Method)
        for (const MethodCounters &M : C.Methods)
          check("method",
                dottedName(C.Name) + '.' +
                    methodSignature(C.Name, M, /*IsShort=*/false),
                M.Counted);
    }
  }
}

void coverage::checkRules(const Bundle &B, llvm::ArrayRef<CoverageRule> Rules,
                          llvm::function_ref<void(const Twine &)> Violated) {
  for (const CoverageRule &R : Rules)
    RuleChecker(R, Violated).run(B);
}
