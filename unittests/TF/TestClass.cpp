//===- TestClass.cpp - Classes with annotations, made by hand -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestClass.h"

using namespace jopt;
using namespace jopt::test;

TestClass::TestClass(const std::string &Name, uint16_t Access) {
  Class.Major = 52;
  Class.Access = Access;
  Class.ThisIndex = Class.Pool.addClass(Name);
  Class.SuperIndex = Class.Pool.addClass("java/lang/Object");
}

Attribute TestClass::annotations(const std::vector<Note> &Notes, bool Visible) {
  ByteWriter W;
  W.u2(uint16_t(Notes.size()));
  for (const Note &N : Notes) {
    W.u2(Class.Pool.addUtf8("L" + N.Type + ";"));
    W.u2(uint16_t(N.Elements.size()));
    for (const auto &[Name, Values] : N.Elements) {
      W.u2(Class.Pool.addUtf8(Name));
      if (Name == "tpType" || Name == "stage") {
        W.u1('e');
        W.u2(Class.Pool.addUtf8("Lp/Enum;"));
        W.u2(Class.Pool.addUtf8(Values[0]));
      } else if (N.Type.find("MethodMonitorGroup") != std::string::npos &&
                 Name == "value") {
        W.u1('[');
        W.u2(uint16_t(Values.size()));
        for (const std::string &V : Values) {
          W.u1('c');
          W.u2(Class.Pool.addUtf8("L" + V + ";"));
        }
      } else if (Name == "nested") {
        W.u1('[');
        W.u2(1);
        W.u1('@');
        W.u2(Class.Pool.addUtf8("Lp/Other;"));
        W.u2(0);
      } else {
        W.u1('s');
        W.u2(Class.Pool.addUtf8(Values[0]));
      }
    }
  }
  Attribute A;
  A.NameIndex = Class.Pool.addUtf8(Visible ? "RuntimeVisibleAnnotations"
                                           : "RuntimeInvisibleAnnotations");
  A.Data = Class.save(W.data());
  return A;
}

TestClass &TestClass::annotate(std::vector<Note> Notes, bool Visible) {
  Class.Attributes.push_back(annotations(Notes, Visible));
  return *this;
}

TestClass &TestClass::method(const std::string &Name,
                             const std::string &Descriptor,
                             std::vector<Note> Notes, uint16_t Access,
                             const std::vector<uint8_t> *Code) {
  Method &M = Class.Methods.emplace_back();
  M.Access = Access;
  M.NameIndex = Class.Pool.addUtf8(Name);
  M.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
  if (!Notes.empty())
    M.Attributes.push_back(annotations(Notes, true));
  if (Code && Code->empty())
    return *this;
  static const std::vector<uint8_t> Return{0xb1};
  const std::vector<uint8_t> &Body = Code ? *Code : Return;
  ByteWriter W;
  W.u2(2);
  W.u2(2);
  W.u4(uint32_t(Body.size()));
  W.bytes(Bytes(Body));
  W.u2(0);
  W.u2(0);
  Attribute A;
  A.NameIndex = Class.Pool.addUtf8("Code");
  A.Data = Class.save(W.data());
  M.Attributes.push_back(A);
  return *this;
}

static std::string type(const char *Simple) {
  return std::string("jopt/tf/annotation/") + Simple;
}

Note test::info(std::string Type, std::string Name) {
  Note N{type("InfoMethod"), {}};
  if (!Type.empty())
    N.Elements.push_back({"tpType", {Type}});
  if (!Name.empty())
    N.Elements.push_back({"tpName", {Name}});
  return N;
}

Note test::tracingName(std::string Name) {
  return {type("TracingName"), {{"value", {Name}}}};
}

Note test::description(std::string Text) {
  return {type("Description"), {{"key", {"k"}}, {"value", {Text}}}};
}

Note test::group(std::vector<std::string> SubGroups, std::string Text) {
  Note N{type("MethodMonitorGroup"), {{"nested", {}}}};
  if (!SubGroups.empty())
    N.Elements.push_back({"value", SubGroups});
  if (!Text.empty())
    N.Elements.push_back({"description", {Text}});
  return N;
}
