//===- OtherCopies.cpp - Other copies of the agent's library --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/OtherCopies.h"
#include "jopt/Support/Diagnostics.h"
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

using namespace jopt;
using namespace jopt::agent;

static std::vector<std::string> loadedLibraries() {
  std::vector<std::string> Names;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *To) {
        if (Info->dlpi_name && *Info->dlpi_name)
          static_cast<std::vector<std::string> *>(To)->push_back(
              Info->dlpi_name);
        return 0;
      },
      &Names);
  return Names;
}

/// The file of the library that \p Address lies in.
static std::string fileOf(const void *Address) {
  Dl_info Info;
  return dladdr(Address, &Info) && Info.dli_fname ? Info.dli_fname : "";
}

llvm::Error agent::checkOtherCopies() {
  const std::string Own =
      fileOf(reinterpret_cast<const void *>(&agent::checkOtherCopies));
  for (const std::string &Name : loadedLibraries()) {
    if (Name == Own)
      continue;
    void *Library = dlopen(Name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!Library)
      continue;
    auto IsAtWork =
        reinterpret_cast<AtWorkFunction>(dlsym(Library, AtWorkName));
    // dlsym() looks into the libraries that this one needs, too.
    const std::string Other =
        IsAtWork ? fileOf(reinterpret_cast<const void *>(IsAtWork)) : Own;
    const bool IsOther = Other != Own && IsAtWork();
    dlclose(Library);
    if (IsOther)
      return makeError(llvm::Twine("probes of another copy of the agent are at "
                                   "work here, of ") +
                       Other + ", and this is " + Own +
                       "; use that one, or take its probes out first (off)");
  }
  return llvm::Error::success();
}
