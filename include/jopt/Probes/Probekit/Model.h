//===- Model.h - Probekit documents -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A Probekit XML file as read: what stands in it, where, and nothing
/// interpreted; and what its probes are.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEKIT_MODEL_H
#define JOPT_PROBES_PROBEKIT_MODEL_H

#include "jopt/Probes/Java/Fragments.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt::probekit {

/// Whether a fragment of this type returns the probe's invocation object.
inline bool isKeeper(AdviceKind K) { return getInfo(K).Begins; }
/// Objects of any class: the code may see them as one that it names.
inline bool isCast(DataItem D) {
  const DataItemInfo &Info = getInfo(D);
  return Info.TypeRule == DataTypeRule::Fixed &&
         (Info.Descriptor == "Ljava/lang/Object;" ||
          Info.Descriptor == "Ljava/lang/Throwable;");
}
/// The attributes of `data` that are DataItemInfo::Key of some type.
std::vector<llvm::StringRef> getDataKeys();

/// An element `<... text="T" xml:lang="L">`; for description, Text is content.
struct LocalText {
  std::string Text;
  std::optional<std::string> Lang;
  Position Where;
};

struct Label {
  std::optional<std::string> Name, Description, Lang;
  Position Where;
};

/// Attributes that are not given are none: they mean "*" in a pattern, but the
/// type is required.
struct TargetElement {
  std::optional<std::string> Type, Package, ClassName, Method, Signature;
  Position Where;
  std::optional<std::string> Annotation = {};
  std::optional<std::string> QualifiedName = {}; ///< package and class
  std::optional<std::string> Optional = {};      ///< it may match nothing
};

struct ImportElement {
  std::string Text; ///< empty if not given
  Position Where;
};

struct Data {
  std::string TypeName;         ///< as written; default `className`
  std::optional<DataItem> Type; ///< none: unknown
  std::string Name;             ///< empty if not given
  Position Where;
  /// Of types that DataTypeRule::Declared: the type of the parameter; none:
  /// Object.
  std::optional<std::string> JavaType = {};
  /// For `args` at entry: whether what is stored there counts.
  std::optional<std::string> Write = {};
  /// Those of getDataKeys that are given, with their values.
  std::vector<std::pair<llvm::StringRef, std::string>> Keys = {};

  /// The value of attribute \p Key; empty if it is not given.
  std::string findKey(llvm::StringRef Key) const;
};

struct FragmentElement {
  std::string TypeName;           ///< as written; default `entry`
  std::optional<AdviceKind> Type; ///< none: unknown
  std::vector<Data> Items;        ///< in the order of the file
  std::optional<SourceText> Code;
  Position Where;
  /// The use of the value that the code returns; none: it returns none.
  std::optional<std::string> Result = {}, JavaType = {};
  std::optional<SourceText> Condition = {};
  std::optional<std::string> Every = {}, PerSecond = {};
  /// Those of getSelectorNames that are given, with their values.
  std::vector<std::pair<llvm::StringRef, std::string>> Selectors = {};
};

/// Fragments of these types run when the probe comes and goes, and in no
/// method.
constexpr llvm::StringLiteral OnAttach = "onAttach", OnDetach = "onDetach";
inline bool isMoment(llvm::StringRef FragmentType) {
  return FragmentType == OnAttach || FragmentType == OnDetach;
}

struct StaticFieldElement {
  std::string Type; ///< empty if not given
  Position Where;
};

struct ControlKey {
  std::string Name; ///< of a system property; empty if not given
  std::optional<std::string> Value;
  Position Where;
};

struct ParamElement {
  std::string Name, Type; ///< as written; empty if not given
  std::optional<std::string> Default;
  Position Where;
};

struct InvocationObject {
  std::string Name; ///< of the parameters that get it; may be empty
  std::string Type; ///< as written in Java
  Position Where;
};

struct ProbeElement {
  std::vector<LocalText> Names, Descriptions, ControlNames;
  std::vector<TargetElement> Targets, Callers;
  std::vector<ImportElement> Imports;
  std::vector<FragmentElement> Fragments;
  std::vector<FragmentElement> Moments; ///< the others: see isMoment
  std::optional<SourceText> ClassScope;
  std::optional<StaticFieldElement> Static;
  std::optional<ControlKey> Control;
  std::vector<ParamElement> Params;
  std::optional<InvocationObject> Invocation;
  std::optional<std::string> Order, TargetHierarchy, Interfaces, DynamicCalls;
  Position Where;

  /// The first name in any language; empty if there is none.
  llvm::StringRef getName() const;
};

struct Document {
  std::string File; ///< as the user wrote it
  std::optional<std::string> Id, Version;
  std::vector<Label> Labels;
  std::vector<ProbeElement> Probes;
  std::optional<SourceText> SharedScope;
  Position Where; ///< of the root

  Location locate(Position P) const { return {File, P.Line, P.Column}; }
};

/// The fragments of \p Doc, which has been checked.
java::SourceFile makeFragments(const Document &Doc);

} // namespace jopt::probekit

#endif
