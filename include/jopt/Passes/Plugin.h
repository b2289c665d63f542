//===- Plugin.h - Passes in shared objects ----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface between jopt and a pass plugin (`-load-pass-plugin=X.so`). A
/// plugin links neither jopt nor LLVM: the tool exports the symbols of both.
/// docs/WritingAPass.md and examples/plugin show one.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PLUGIN_H
#define JOPT_PASSES_PLUGIN_H

#include "jopt/Passes/PassRegistry.h"

/// Increases with every change of a header a plugin can see that is not
/// compatible in source or binary form.
#define JOPT_PLUGIN_API_VERSION 2

namespace jopt {

/// The result of the entry point of a plugin.
struct PluginInfo {
  uint32_t APIVersion; ///< JOPT_PLUGIN_API_VERSION, checked before the rest
  const char *Name;    ///< for messages
  const char *Version; ///< for messages
  llvm::Error (*RegisterPasses)(PassRegistry &);
};

} // namespace jopt

/// Every plugin defines this function.
extern "C" __attribute__((visibility("default"))) jopt::PluginInfo
joptGetPluginInfo();

#endif
