//===- SettingOptions.cpp - Settings on a command line --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SettingOptions.h"

using namespace jopt;
using llvm::StringRef;
namespace cl = llvm::cl;

/// A setting by one of its names.
class SettingOptions::Option : public cl::Option {
public:
  Option(const Setting<WeaveSettings> &Row, SettingTool Tool, std::string Name,
         WeaveSettings &S, cl::OptionCategory &Cat)
      : cl::Option(cl::ZeroOrMore,
                   Row.Name == Name ? cl::NotHidden : cl::Hidden),
        Row(Row), Tool(Tool), Name(std::move(Name)), Settings(S) {
    setArgStr(this->Name);
    setDescription(Row.Help);
    // -O1, too.
    if (this->Name.size() == 1)
      setFormattingFlag(cl::Prefix);
    setValueStr(Row.Argument.empty() ? StringRef("value") : Row.Argument);
    addCategory(Cat);
    addArgument();
  }

  const Setting<WeaveSettings> &Row;

private:
  bool handleOccurrence(unsigned, StringRef, StringRef Value) override {
    llvm::Error E = Row.apply(Settings, Value, Tool);
    return E && error(toMessage(std::move(E)));
  }
  cl::ValueExpected getValueExpectedFlagDefault() const override {
    return Row.mayStandAlone() ? cl::ValueOptional : cl::ValueRequired;
  }

  /// `  --name=<VALUE>`, or without the value where there need be none.
  std::string shown() const {
    std::string Text = "  --" + Name;
    if (!Row.mayStandAlone())
      Text += "=<" + ValueStr.str() + ">";
    return Text;
  }
  template <typename F> void forEachValue(F Do) const {
    for (const SettingValue &V : Row.Values)
      if (!V.By || V.By & unsigned(Tool))
        Do(V);
  }
  static constexpr llvm::StringLiteral Separator = " - ", BeforeValue = "    =";
  size_t getOptionWidth() const override {
    size_t Width = shown().size();
    forEachValue([&](const SettingValue &V) {
      Width = std::max(Width, BeforeValue.size() + V.Name.size());
    });
    return Width + Separator.size();
  }
  void printOptionInfo(size_t GlobalWidth) const override {
    llvm::outs() << shown();
    printHelpStr(HelpStr, GlobalWidth, shown().size() + Separator.size());
    forEachValue([&](const SettingValue &V) {
      llvm::outs() << BeforeValue << V.Name;
      printHelpStr(("  " + V.Help).str(), GlobalWidth,
                   BeforeValue.size() + V.Name.size() + Separator.size());
    });
  }
  void printOptionValue(size_t, bool) const override {}
  void setDefault() override {}

  const SettingTool Tool;
  const std::string Name;
  WeaveSettings &Settings;
};

SettingOptions::SettingOptions(SettingTool Tool, WeaveSettings &S,
                               cl::OptionCategory &Cat) {
  auto Add = [&](const Setting<WeaveSettings> &Row, StringRef Name) {
    Options.push_back(std::make_unique<Option>(Row, Tool, Name.str(), S, Cat));
  };
  for (const Setting<WeaveSettings> &Row : weaveSettings()) {
    if (!Row.isFor(Tool))
      continue;
    Add(Row, Row.Name);
    std::string Underlined = Row.Name.str();
    std::replace(Underlined.begin(), Underlined.end(), '-', '_');
    if (Underlined != Row.Name)
      Add(Row, Underlined);
    for (const OldSettingName &O : Row.OldNames)
      if (O.By == Tool)
        Add(Row, O.Name);
  }
}

SettingOptions::~SettingOptions() {
  for (const std::unique_ptr<Option> &O : Options)
    O->removeArgument();
}

StringRef SettingOptions::spelling(StringRef Name) const {
  for (const std::unique_ptr<Option> &O : Options)
    if (O->Row.Name == Name && O->getNumOccurrences())
      return O->ArgStr;
  return Name;
}
