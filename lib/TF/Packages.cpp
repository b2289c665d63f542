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

Packages Packages::pfl() {
  return {"org/glassfish/pfl/tf/spi/annotation", "org/glassfish/pfl/tf/spi",
          "org/glassfish/pfl/basic/contain/SynchronizedHolder",
          "org/glassfish/pfl/tf/spi/annotation/Description", Rules::PFL};
}

Packages Packages::orb() {
  return {"com/sun/corba/se/spi/orbutil/tf/annotation",
          "com/sun/corba/se/spi/orbutil/tf",
          "com/sun/corba/se/spi/orbutil/generic/SynchronizedHolder",
          "org/glassfish/gmbal/Description", Rules::PFL};
}

static Packages inPackage(const std::string &P) {
  return {P + "/annotation", P, P + "/SynchronizedHolder",
          P + "/annotation/Description", Rules::Seed};
}

Packages Packages::jopt() { return inPackage("jopt/tf"); }

llvm::Expected<Packages> Packages::named(StringRef Name) {
  if (Name == "pfl")
    return pfl();
  if (Name == "orb")
    return orb();
  if (Name == "jopt")
    return jopt();
  llvm::SmallVector<StringRef, 8> Parts;
  Name.split(Parts, '.');
  for (StringRef Part : Parts)
    if (Part.empty() || Part.find_first_of("/;[<> ") != StringRef::npos ||
        llvm::isDigit(Part[0]))
      return makeError("'" + Name +
                       "' is neither pfl, orb or jopt nor a package");
  return inPackage(llvm::join(Parts, "/"));
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
