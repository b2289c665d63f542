//===- Params.cpp - Parameters of probes ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/Fragments.h"
#include "jopt/Probes/ProbeText.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

std::vector<StringRef> java::getParamTypes() {
  return {"boolean", "int", "long", "double", "String"};
}

bool java::isParamType(StringRef Type) {
  return llvm::is_contained(getParamTypes(), Type);
}

bool java::isParamValue(StringRef Type, StringRef Value) {
  int32_t Int;
  int64_t Long;
  double Double;
  if (Type == "boolean")
    return Value == "true" || Value == "false";
  if (Type == "int")
    return !Value.getAsInteger(10, Int);
  if (Type == "long")
    return !Value.getAsInteger(10, Long);
  // What Java reads too: no hexadecimal digits, no nan.
  if (Type == "double")
    return Value.find_first_not_of("0123456789.+-eE") == StringRef::npos &&
           !Value.getAsDouble(Double);
  return true;
}

llvm::Error java::checkParams(llvm::ArrayRef<ProbeBundle::Param> Known,
                              llvm::ArrayRef<std::string> Given) {
  llvm::Error Errors = llvm::Error::success();
  auto Bad = [&](const llvm::Twine &What) {
    Errors = llvm::joinErrors(std::move(Errors), makeError("param: " + What));
  };
  for (StringRef Item : Given) {
    auto [Name, Value] = Item.split('=');
    if (!Item.contains('=')) {
      Bad("'" + Item + "' is not of the form NAME=VALUE");
      continue;
    }
    std::vector<StringRef> Names;
    bool Found = false;
    for (const ProbeBundle::Param &P : Known) {
      Names.push_back(P.Name);
      if (P.Name != Name)
        continue;
      Found = true;
      if (!isParamValue(P.Type, Value))
        Bad("'" + Value + "' is no value of type " + P.Type +
            ", of which parameter '" + Name + "' of probe '" + P.Probe +
            "' is");
    }
    if (!Found)
      Bad("no probe has a parameter '" + Name + "'" + didYouMean(Name, Names));
  }
  return Errors;
}
