//===- SettingOptions.h - Settings on a command line ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The settings of jopt/Weave/Settings.td as options of a tool.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_SETTINGOPTIONS_H
#define JOPT_TOOLS_SETTINGOPTIONS_H

#include "jopt/Weave/Settings.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace jopt {

/// Made before the command line is parsed, lives as long as options are asked
/// about. Those that are given several times add up if they are lists; else the
/// last counts.
class SettingOptions {
public:
  /// Those that \p Tool takes, by all names that it takes them by; they fill
  /// \p S when the command line is parsed.
  SettingOptions(SettingTool Tool, WeaveSettings &S,
                 llvm::cl::OptionCategory &Cat);
  ~SettingOptions();

  /// The name by which the setting \p Name was given; its own if it was not.
  llvm::StringRef spelling(llvm::StringRef Name) const;

private:
  class Option;
  std::vector<std::unique_ptr<Option>> Options;
};

} // namespace jopt

#endif
