//===- TestClass.h - Classes with annotations, made by hand --- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Class files as the tests need them: members with annotations and code.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_PROBES_TF_TESTCLASS_H
#define JOPT_UNITTESTS_PROBES_TF_TESTCLASS_H

#include "jopt/TF/ClassData.h"

namespace jopt::test {

/// An annotation: `{"jopt/tf/annotation/InfoMethod", {{"tpName", "x"}}}`. The
/// name of an element says its kind: tpType, stage are enums, value of
/// MethodMonitorGroup is an array of classes, the others are strings.
struct Note {
  std::string Type;
  std::vector<std::pair<std::string, std::vector<std::string>>> Elements;
};

/// A class that grows. Methods have an empty body unless code is given.
class TestClass {
public:
  explicit TestClass(const std::string &Name, uint16_t Access = ACC_PUBLIC);

  TestClass &annotate(std::vector<Note> Notes, bool Visible = true);
  /// \p Code null: an empty body; empty: no code.
  TestClass &method(const std::string &Name, const std::string &Descriptor,
                    std::vector<Note> Notes, uint16_t Access = 0,
                    const std::vector<uint8_t> *Code = nullptr);

private:
  std::unique_ptr<ClassFile> Owned = std::make_unique<ClassFile>();

public:
  ClassFile &Class = *Owned;

private:
  Attribute annotations(const std::vector<Note> &Notes, bool Visible);
};

/// The short names of annotations of the library jopt.tf.
Note info(std::string Type = "", std::string Name = "");
Note tracingName(std::string Name);
Note description(std::string Text);
Note group(std::vector<std::string> SubGroups = {}, std::string Text = "");

} // namespace jopt::test

#endif
