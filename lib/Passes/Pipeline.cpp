//===- Pipeline.cpp - The text form of pipelines --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PassManager.h"
#include "jopt/Support/Nearest.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

/// The registered name that \p Name was probably meant to be; empty if none is
/// near.
static StringRef nearest(StringRef Name, const PassRegistry &R) {
  return nearestName(Name, llvm::map_range(R.passes(), [](const PassInfo &I) {
                       return StringRef(I.Argument);
                     }));
}

/// The registered names `NAME<...>` with \p Name, in their order.
static std::string levels(StringRef Name, const PassRegistry &R) {
  llvm::SmallVector<StringRef, 4> Levels;
  for (const PassInfo &I : R.passes())
    if (StringRef(I.Argument).starts_with((Name + "<").str()))
      Levels.push_back(I.Argument);
  return llvm::join(Levels, ", ");
}

static std::string names(PropertySet S) {
  std::string Text;
  for (unsigned P = 0; P < NumProperties; ++P)
    if (S.test(P))
      Text += (Text.empty() ? "'" : ", '") +
              getPropertyName(Property(P)).str() + "'";
  return Text;
}

namespace {

/// Parses one text. Names of pipelines are parsed by a nested parser, whose
/// columns are all that of the name.
class PipelineParser {
public:
  PipelineParser(StringRef Text, const PassRegistry &R,
                 std::vector<Pipeline::Element> &Elements,
                 unsigned FixedColumn = 0)
      : Text(Text), R(R), Elements(Elements), FixedColumn(FixedColumn) {}

  llvm::Error parse() {
    if (Text.empty())
      return llvm::Error::success();
    for (size_t Pos = 0;;) {
      if (llvm::Error E = parseElement(Pos))
        return E;
      if (Pos == Text.size())
        return llvm::Error::success();
      if (Text[Pos] != ',')
        return fail(Pos, "expected ',' after a pass");
      ++Pos;
    }
  }

private:
  llvm::Error fail(size_t Pos, const llvm::Twine &M) {
    unsigned Column = FixedColumn ? FixedColumn : unsigned(Pos) + 1;
    return makeError(Location("<passes>", 1, Column), M);
  }

  llvm::Error parseElement(size_t &Pos) {
    size_t Start = Pos;
    Pos = std::min(Text.find_first_of(",<>", Pos), Text.size());
    StringRef Name = Text.slice(Start, Pos);
    if (Name.empty())
      return fail(Start, "expected the name of a pass");
    const PassInfo *I = R.find(Name);
    if (const PassInfo *Level = findLevel(Start, Pos)) {
      I = Level;
      Pos = Start + I->Argument.size();
    }
    if (!I) {
      std::string Message = ("unknown pass '" + Name + "'").str();
      StringRef Near = nearest(Name, R);
      if (const std::string Levels = levels(Name, R); !Levels.empty())
        Message =
            ("'" + Name + "' stands for passes only with its level: ").str() +
            Levels;
      else if (!Near.empty())
        Message += (", did you mean '" + Near + "'?").str();
      else if (Name.find_first_of("()") != StringRef::npos)
        Message += "; passes are parted by commas, without parentheses, and "
                   "the options of one stand in '<' and '>'";
      return fail(Start, Message);
    }
    OptionText Options;
    if (Pos < Text.size() && Text[Pos] == '<') {
      size_t Close = Text.find('>', Pos);
      if (Close == StringRef::npos)
        return fail(Pos, "'<' without '>'");
      Options.Text = Text.slice(Pos + 1, Close);
      Options.Column = unsigned(Pos) + 2;
      if (Options.Text.empty())
        return fail(Pos + 1, "expected an option");
      Pos = Close + 1;
    }
    if (!I->Pipeline.empty()) {
      if (!Options.Text.empty())
        return fail(Options.Column - 2,
                    "'" + Name + "' is a pipeline and has no options");
      return PipelineParser(I->Pipeline, R, Elements,
                            FixedColumn ? FixedColumn : unsigned(Start) + 1)
          .parse();
    }
    llvm::Expected<AnyPass> P = I->Create(Options);
    if (!P)
      return P.takeError();
    return add(std::move(*P), I, Start);
  }

  /// The pipeline `NAME<LEVEL>` at \p Start, whose name ends at \p End; null if
  /// there is none.
  const PassInfo *findLevel(size_t Start, size_t End) const {
    const size_t Close = Text.find('>', End);
    if (Close == StringRef::npos || Text[End] != '<')
      return nullptr;
    return R.find(Text.slice(Start, Close + 1));
  }

  llvm::Error add(AnyPass P, const PassInfo *I, size_t Start) {
    PropertySet State;
    State.set();
    std::string LostBy;
    for (const Pipeline::Element &E : Elements) {
      PropertySet Next = (State & ~E.Info->Loses) | E.Info->Establishes;
      if ((State & ~Next & I->Requires).any())
        LostBy = E.Info->Argument;
      State = Next;
    }
    if (PropertySet Missing = I->Requires & ~State; Missing.any())
      return fail(Start, "pass '" + I->Argument + "' requires " +
                             names(Missing) + ", which '" + LostBy +
                             "' before it does not preserve");
    Elements.push_back({std::move(P), I});
    return llvm::Error::success();
  }

  StringRef Text;
  const PassRegistry &R;
  std::vector<Pipeline::Element> &Elements;
  const unsigned FixedColumn;
};

} // namespace

llvm::Expected<Pipeline> Pipeline::parse(StringRef Text,
                                         const PassRegistry &R) {
  Pipeline P;
  if (llvm::Error E = PipelineParser(Text, R, P.Elements).parse())
    return E;
  return P;
}

void Pipeline::print(llvm::raw_ostream &OS) const {
  llvm::ListSeparator Comma(",");
  for (const Element &E : Elements) {
    std::string Options;
    llvm::raw_string_ostream Stream(Options);
    E.Pass.printOptions(Stream);
    OS << Comma << E.Info->Argument;
    if (!Options.empty())
      OS << '<' << Options << '>';
  }
}

llvm::Error Pipeline::checkWritable() const {
  StringRef LostBy;
  for (const Element &E : Elements) {
    if (E.Info->Loses.test(unsigned(Property::NoAdvice)))
      LostBy = E.Info->Argument;
    if (E.Info->Establishes.test(unsigned(Property::NoAdvice)))
      LostBy = StringRef();
  }
  if (LostBy.empty())
    return llvm::Error::success();
  return makeError("the pipeline leaves advice instructions in the IR, which "
                   "no class can hold: 'lower-advice' must follow '" +
                   LostBy + "'");
}

bool Pipeline::places(AdviceKind K) const {
  return llvm::any_of(Elements, [&](const Element &E) {
    return llvm::is_contained(E.Info->Places, K);
  });
}

bool Pipeline::hasClassPass() const {
  return llvm::any_of(Elements,
                      [](const Element &E) { return !E.Pass.isMethodPass(); });
}

bool Pipeline::lowers() const {
  return llvm::any_of(Elements, [](const Element &E) {
    return E.Info->Establishes.test(unsigned(Property::NoAdvice));
  });
}
