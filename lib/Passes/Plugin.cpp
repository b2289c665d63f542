//===- Plugin.cpp - Loading pass plugins ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Plugin.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace jopt;

llvm::Error PassRegistry::loadPlugin(llvm::StringRef Path) {
  auto Fail = [&](const llvm::Twine &M) {
    return makeError(Location(Path), M);
  };
  std::string Message;
  auto Library = llvm::sys::DynamicLibrary::getPermanentLibrary(
      Path.str().c_str(), &Message);
  if (!Library.isValid())
    return Fail("cannot load the plugin: " + Message);
  void *Symbol = Library.getAddressOfSymbol("joptGetPluginInfo");
  if (!Symbol)
    return Fail("not a pass plugin: it does not define joptGetPluginInfo");
  PluginInfo Info = reinterpret_cast<decltype(&joptGetPluginInfo)>(Symbol)();
  if (Info.APIVersion != JOPT_PLUGIN_API_VERSION)
    return Fail("made for version " + llvm::Twine(Info.APIVersion) +
                " of the plugin interface; this jopt has version " +
                llvm::Twine(JOPT_PLUGIN_API_VERSION));
  if (!Info.RegisterPasses)
    return Fail("the plugin registers nothing");
  return inFile(Info.RegisterPasses(*this), Path);
}
