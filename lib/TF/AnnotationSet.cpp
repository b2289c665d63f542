//===- AnnotationSet.cpp - The TF annotations of a run --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/TF/AnnotationSet.h"
#include "AnnotationValues.h"

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;

std::optional<TFAnnotation> tf::readTFAnnotation(const ClassFile &Class,
                                                 const Packages &P) {
  std::optional<TFAnnotation> Found;
  std::string Group = P.annotation("MethodMonitorGroup");
  readAnnotations(Class.Pool, Class.Attributes, /*Invisible=*/true,
                  [&](const AnnotationValues &A) {
                    if (A.Type != Group || Found)
                      return;
                    Found.emplace();
                    Found->Name = Class.name().str();
                    Found->Description = A.text("description").str();
                    StringRef Simple = Class.name();
                    Simple = Simple.drop_front(Simple.rfind('/') + 1);
                    if (Found->Description.empty())
                      Found->Description =
                          ("TimerGroup for Annotation " + Simple).str();
                    if (const auto *Value = A.find("value"))
                      for (StringRef D : Value->Classes)
                        if (D.consume_front("L") && D.consume_back(";"))
                          Found->SubGroups.push_back(D.str());
                  });
  return Found;
}

std::vector<Packages> tf::librariesOf(const ClassFile &Class) {
  std::vector<Packages> Found;
  readAnnotations(Class.Pool, Class.Attributes, /*Invisible=*/true,
                  [&](const AnnotationValues &A) {
                    StringRef Package = A.Type;
                    if (!Package.consume_back("/MethodMonitorGroup"))
                      return;
                    if (auto P = Packages::ofAnnotations(Package))
                      Found.push_back(std::move(*P));
                  });
  return Found;
}

bool AnnotationSet::add(TFAnnotation A) {
  auto [It, IsNew] = ByName.try_emplace(A.Name, A);
  return IsNew || It->second == A;
}

const TFAnnotation *AnnotationSet::find(StringRef Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : &It->second;
}

std::vector<std::string> AnnotationSet::names() const {
  std::vector<std::string> Names;
  for (const auto &Entry : ByName)
    Names.push_back(Entry.first);
  return Names;
}
