//===- Packages.cpp - Where a TF library lives ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/Packages.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;

static constexpr std::pair<StringRef, StringRef> ShortNames[] = {
    {"pfl", "org/glassfish/pfl/tf/spi"},
    {"orb", "com/sun/corba/se/spi/orbutil/tf"},
    {"jopt", "jopt/tf"}};

/// The library with the registry in \p P.
static Packages inPackage(StringRef P) {
  Packages L;
  L.Runtime = P.str();
  L.Annotation = L.Runtime + "/annotation";
  L.Holder = L.Runtime + "/SynchronizedHolder";
  L.Description = L.Annotation + "/Description";
  L.Timer = L.Runtime + "/timer";
  StringRef Utilities = P;
  if (P == ShortNames[0].second) {
    L.Holder = "org/glassfish/pfl/basic/contain/SynchronizedHolder";
    L.Timer = "org/glassfish/pfl/tf/timer/spi";
    L.Original = true;
  } else if (Utilities.consume_back("/tf") &&
             Utilities.ends_with("/spi/orbutil")) {
    L.Holder = (Utilities + "/generic/SynchronizedHolder").str();
    L.Description = "org/glassfish/gmbal/Description";
    L.Timer = (Utilities + "/newtimer").str();
    L.Original = true;
  }
  return L;
}

Packages Packages::pfl() { return inPackage(ShortNames[0].second); }
Packages Packages::orb() { return inPackage(ShortNames[1].second); }
Packages Packages::jopt() { return inPackage(ShortNames[2].second); }

llvm::Expected<Packages> Packages::named(StringRef Name) {
  for (auto [Short, Package] : ShortNames)
    if (Name == Short)
      return inPackage(Package);
  llvm::SmallVector<StringRef, 8> Parts;
  Name.split(Parts, '.');
  for (StringRef Part : Parts)
    if (Part.empty() || Part.find_first_of("/;[<> ") != StringRef::npos ||
        llvm::isDigit(Part[0]))
      return makeError("'" + Name +
                       "' is neither pfl, orb or jopt nor a package");
  return inPackage(llvm::join(Parts, "/"));
}

std::optional<Packages> Packages::ofAnnotations(StringRef Package) {
  if (!Package.consume_back("/annotation"))
    return std::nullopt;
  return inPackage(Package);
}

std::string Packages::name() const {
  for (auto [Short, Package] : ShortNames)
    if (Runtime == Package)
      return Short.str();
  std::string Dotted = Runtime;
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  return Dotted;
}

std::string Packages::annotation(StringRef Simple) const {
  return Annotation + "/" + Simple.str();
}

std::string Packages::runtime(StringRef Simple) const {
  return Runtime + "/" + Simple.str();
}

std::string Packages::infoSuffix() const {
  return "L" + runtime("MethodMonitor") + ";I";
}
