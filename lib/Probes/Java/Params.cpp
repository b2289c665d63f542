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

llvm::Error java::setParams(llvm::MutableArrayRef<SourceFile> Files,
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
    std::vector<StringRef> Known;
    bool Found = false;
    for (SourceFile &F : Files)
      for (ProbeClass &P : F.Probes)
        for (Param &Q : P.Params) {
          Known.push_back(Q.Name);
          if (Q.Name != Name)
            continue;
          Found = true;
          if (!isParamValue(Q.Type, Value))
            Bad("'" + Value + "' is no value of type " + Q.Type +
                ", of which parameter '" + Name + "' of probe '" + P.Info.Name +
                "' is");
          Q.Value = Value.str();
        }
    if (!Found)
      Bad("no probe has a parameter '" + Name + "'" + didYouMean(Name, Known));
  }
  return Errors;
}
