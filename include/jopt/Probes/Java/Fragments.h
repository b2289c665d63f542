//===- Fragments.h - Probes whose code is Java ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The form into which front-ends turn files that contain Java: checked, and
/// with nothing in it that would have to be parsed again. All fragments of a
/// run are compiled together, whatever front-ends they came from.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_JAVA_FRAGMENTS_H
#define JOPT_PROBES_JAVA_FRAGMENTS_H

#include "jopt/Advice/Advice.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/ProbeText.h"

namespace jopt::java {

/// A parameter of the method that a fragment becomes.
struct FragmentParameter {
  DataUse Item;
  std::string Type; ///< as written in Java
  std::string Name;
  Position Where;
  /// Not empty: the code sees it as this class, null where it is no such
  /// object.
  std::string Cast = {};

  /// The name of the parameter itself.
  std::string passedName() const {
    return Cast.empty() ? Name : "jopt$" + Name;
  }
};

/// The body of a method, which is an advice.
struct Fragment {
  AdviceKind Kind;
  std::vector<FragmentParameter> Parameters; ///< in the order of their items
  ResultUse Result = ResultUse::Ignore;
  std::string ResultType = "void"; ///< as written in Java
  bool WritesArgs = false;         ///< Advice::WritesArgs
  SiteFilter Site = {};            ///< Advice::Site
  SourceText Code;
  /// An expression over the parameters: the code runs where it is true.
  std::optional<SourceText> Condition = {};
  /// Of the times that it is, one in so many, and so many a second; 0: all.
  unsigned Every = 0, PerSecond = 0;
  /// PerSecond is held by taking one in so many as it needs.
  bool Adapts = false;
  Position Where;
  /// How many of its kind stand in front of it in its probe.
  unsigned Number = 0;

  /// The name of the method that it becomes.
  std::string method() const;
  /// Something is asked before it runs: whether it does at all, or, where the
  /// method is to return, whether nothing keeps it from that.
  bool isConditional() const {
    return Condition || Every || PerSecond || Result == ResultUse::Return;
  }
  /// The name of the method that says whether it runs, and those of its
  /// parameters that it names.
  std::string conditionMethod() const { return method() + "$when"; }
  std::vector<const FragmentParameter *> conditionParameters() const;
};

struct Import {
  std::string Text; ///< what follows the word
  Position Where;
};

/// Probe::StaticField, as a type of Java; javac finds out what class it is.
struct StaticField {
  std::string Type;
  Position Where;
};

/// A probe runs only while it is switched on: at first as a system property
/// says, or On where that is not set.
struct Switch {
  std::string Property;
  bool On = true;
  Position Where;
};

/// A constant of a probe that is given when it is used (ProbeOptions), or when
/// the program runs, by the system property jopt.param.NAME.
struct Param {
  std::string Name;
  std::string Type;  ///< isParamType
  std::string Value; ///< where nothing is given; isParamValue
  Position Where;
};

/// Code that runs when the probe comes, or when it goes.
struct Moment {
  bool IsAttach; ///< else it goes
  SourceText Code;
  Position Where;
};

/// A probe, which becomes a class.
struct GeneratedClass {
  /// All but StaticField, which is found.
  Probe Info;
  int Order = 0; ///< Advice::Order of its advices
  std::vector<Import> Imports;
  std::optional<SourceText> Scope; ///< members of the class
  std::optional<StaticField> Static;
  std::optional<Switch> Control;
  std::vector<Param> Params;
  std::vector<Fragment> Fragments;
  std::vector<Moment> Moments; ///< at most one of each
  Position Where;

  /// Internal name of the class; nameClasses gives it.
  std::string Name = {};
  /// Its index in the advice set; appendAdvices gives it.
  unsigned Index = 0;
};

/// The properties that files of one front-end have in common.
struct Format {
  llvm::StringLiteral Name;
  /// Begins the names that jopt adds to the classes of probes, to be none of
  /// their author's.
  llvm::StringLiteral Prefix;
  /// Advice to an author about a message of javac, to stand behind it; or
  /// nothing. \p In is the fragment whose code the message is about, null if it
  /// is about something else.
  std::string (*Remedy)(llvm::StringRef Message, const Fragment *In);
};

struct SourceFile {
  const Format *Kind = nullptr;
  std::string File; ///< as the user wrote it
  /// Remarks for the head of the generated source.
  std::vector<std::string> Remarks;
  std::optional<SourceText> Scope; ///< what all its probes share
  std::vector<GeneratedClass> Probes;
  Position Where; ///< of the whole

  Location locate(Position P) const { return {File, P.Line, P.Column}; }
};

/// \name Parameters of probes
/// @{
std::vector<llvm::StringRef> getParamTypes(); ///< "boolean", "int" ...
bool isParamType(llvm::StringRef Type);
/// \p Value is one of \p Type, written in decimal.
bool isParamValue(llvm::StringRef Type, llvm::StringRef Value);
/// Fails where one of \p Given, "NAME=VALUE", names none of \p Known, or a
/// value that is none of its type.
llvm::Error checkParams(llvm::ArrayRef<ProbeBundle::Param> Known,
                        llvm::ArrayRef<std::string> Given);
/// @}

/// Advice to an author about javac's \p Message that fits every format of file;
/// or nothing.
std::string commonRemedy(llvm::StringRef Message);

} // namespace jopt::java

#endif
