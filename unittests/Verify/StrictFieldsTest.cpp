//===- StrictFieldsTest.cpp - Value classes and strict fields -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What class files of Java 28 with preview features may and must say (JEP 401,
/// JEP 539). HotSpot 28 gives each of these verdicts.
///
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;
using namespace jopt::op;

static constexpr uint16_t StrictFinal = ACC_STRICT_INIT | ACC_FINAL;

static VerifyOptions preview() {
  VerifyOptions Options = someClasses();
  Options.EnablePreview = true;
  return Options;
}

/// \p Part: the first finding has it in its text; null: there is none.
static void check(ClassMaker &C, const char *Part,
                  FindingKind Kind = FindingKind::Verify) {
  C.Major = 72;
  C.Minor = PreviewMinor;
  if (Part)
    refused(C, Kind, Part, preview());
  else
    accepted(C, preview());
}

namespace {
/// A value class with the fields x and y, whose constructor is made by hand.
class Constructor {
public:
  enum : int { UninitThis = 6, Int = 1, Early = 246, Full = 255 };

  Constructor() {
    C.Flags = ACC_FINAL;
    C.Fields = {{StrictFinal, "x", "I", {}}, {StrictFinal, "y", "I", {}}};
  }
  void code(const Code &More) {
    B.Bytes.insert(B.Bytes.end(), More.begin(), More.end());
  }
  int index16(unsigned Index, int Byte) const {
    return Byte ? ClassMaker::lo(Index) : ClassMaker::hi(Index);
  }
  void put(const char *Field) {
    const unsigned F = C.Pool.field("p/T", Field, "I");
    code({ALOAD_0, ILOAD_1, PUTFIELD, index16(F, 0), index16(F, 1)});
  }
  void call(const char *Of) {
    const bool IsThis = llvm::StringRef(Of) == "p/T";
    const unsigned M = C.Pool.method(Of, "<init>", IsThis ? "(I)V" : "()V");
    code({ALOAD_0});
    if (IsThis)
      code({ILOAD_1});
    code({INVOKESPECIAL, index16(M, 0), index16(M, 1)});
  }
  void super() { call("java/lang/Object"); }
  /// A frame here, to which a branch in front of it leads.
  void join() { code({GOTO, 0, 3}); }
  /// The fields of an early larval frame.
  void unset(std::initializer_list<const char *> Fields) {
    frames({Early, 0, int(Fields.size())});
    for (const char *Field : Fields) {
      const unsigned N = C.Pool.nameAndType(Field, "I");
      frames({index16(N, 0), index16(N, 1)});
    }
  }
  void frame(bool Initialised, bool Caught = false) {
    const unsigned Offset = unsigned(B.Bytes.size()),
                   Delta = Offset - (B.NumFrames++ ? Last + 1 : 0);
    Last = Offset;
    frames({Full, 0, int(Delta), 0, 2});
    if (Initialised)
      object("p/T");
    else
      frames({UninitThis});
    frames({Int, 0, Caught});
    if (Caught)
      object("java/lang/Throwable");
  }
  void check(const char *Part, FindingKind Kind = FindingKind::Verify) {
    C.method(B, ACC_PUBLIC, "<init>", "(I)V");
    ::check(C, Part, Kind);
  }
  void frames(const Code &More) {
    B.Frames.insert(B.Frames.end(), More.begin(), More.end());
  }

  ClassMaker C;
  ClassMaker::Body B;

private:
  void object(const char *Of) {
    const unsigned Index = C.Pool.cls(Of);
    frames({7, index16(Index, 0), index16(Index, 1)});
  }
  unsigned Last = 0;
};
} // namespace

TEST(StrictFields, SetBeforeSuper) {
  Constructor Both;
  Both.put("x");
  Both.put("x"); // a second time
  Both.put("y");
  Both.super();
  Both.code({RETURN});
  Both.check(nullptr);
  Constructor One;
  One.put("x");
  One.super();
  One.code({RETURN});
  One.check("before all strict fields are set");
  // The other constructor sets them.
  Constructor Other;
  Other.call("p/T");
  Other.code({RETURN});
  Other.check(nullptr);
}

TEST(StrictFields, SetTooLate) {
  Constructor Final;
  Final.put("x");
  Final.put("y");
  Final.super();
  Final.put("y");
  Final.code({RETURN});
  Final.check("sets the strict field y of an initialised object");
  Constructor Open;
  Open.C.Flags = ACC_IDENTITY;
  for (Member &F : Open.C.Fields)
    F.Flags = ACC_STRICT_INIT;
  Open.put("x");
  Open.put("y");
  Open.super();
  Open.put("y");
  Open.code({RETURN});
  Open.check(nullptr);
}

/// x is set in front of the frame and y behind it; \p Unset gives the frame.
static void
checkUnset(const char *Part, llvm::function_ref<void(Constructor &)> Unset,
           llvm::function_ref<void(Constructor &)> Behind = nullptr) {
  Constructor C;
  C.put("x");
  C.join();
  Unset(C);
  C.frame(/*Initialised=*/false);
  C.put("y");
  C.super();
  C.join();
  if (Behind)
    Behind(C);
  C.frame(/*Initialised=*/true);
  C.code({RETURN});
  C.check(Part);
}

TEST(StrictFields, Frames) {
  checkUnset(nullptr, [](Constructor &C) { C.unset({"y"}); });
  checkUnset(nullptr, [](Constructor &C) { C.unset({"y", "y"}); });
  // What a frame says counts, not what the code in front of it did.
  checkUnset("before all strict fields are set",
             [](Constructor &C) { C.unset({"x", "y"}); });
  checkUnset("before all strict fields are set", [](Constructor &) {});
  checkUnset("forgets strict fields", [](Constructor &C) { C.unset({}); });
  checkUnset("no strict field", [](Constructor &C) { C.unset({"y", "z"}); });
  checkUnset("no name and type", [](Constructor &C) {
    C.frames({Constructor::Early, 0, 1, 0, 0});
  });
  checkUnset("in another", [](Constructor &C) {
    C.unset({"y"});
    C.unset({"y"});
  });
  checkUnset(
      "initialised", [](Constructor &C) { C.unset({"y"}); },
      [](Constructor &C) { C.unset({}); });
}

/// The handler covers the code in front of super(); its frame is behind one
/// behind super(), if there \p IsLate.
static void checkHandler(const char *Part, bool IsLate,
                         llvm::function_ref<void(Constructor &)> Unset) {
  Constructor C;
  C.put("x");
  C.put("y");
  const auto End = uint16_t(C.B.Bytes.size());
  C.super();
  if (IsLate) {
    C.join();
    C.frame(/*Initialised=*/true);
  }
  C.code({RETURN});
  C.B.Handlers = {{0, End, uint16_t(C.B.Bytes.size()), 0}};
  Unset(C);
  C.frame(/*Initialised=*/false, /*Caught=*/true);
  C.code({ATHROW});
  C.check(Part);
}

TEST(StrictFields, Handlers) {
  auto Nothing = [](Constructor &) {};
  auto Both = [](Constructor &C) { C.unset({"x", "y"}); };
  auto One = [](Constructor &C) { C.unset({"y"}); };
  checkHandler(nullptr, false, Nothing);
  checkHandler(nullptr, false, Both);
  checkHandler("forgets strict fields", false, One);
  // A frame behind super() has no unset fields, nor have those behind it that
  // say nothing.
  checkHandler("forgets strict fields", true, Nothing);
  checkHandler(nullptr, true, Both);
  checkHandler("forgets strict fields", true, One);
}

TEST(StrictFields, HandlersSeeTheFieldSet) {
  auto Check = [](unsigned Start, const char *Part) {
    Constructor C;
    C.put("x");
    C.put("y");
    const auto End = uint16_t(C.B.Bytes.size());
    C.super();
    C.code({RETURN});
    C.B.Handlers = {{uint16_t(Start), End, uint16_t(C.B.Bytes.size()), 0}};
    C.unset({"y"});
    C.frame(/*Initialised=*/false, /*Caught=*/true);
    C.code({ATHROW});
    C.check(Part);
  };
  Check(1, "forgets strict fields"); // iload_1
  Check(2, nullptr);                 // putfield x
  Check(5, nullptr);
}

TEST(StrictFields, ElsewhereThereAreNone) {
  // In other methods, and in class files without them.
  ClassMaker C;
  const unsigned N = C.Pool.nameAndType("f", "I");
  C.method({1,
            0,
            {ICONST_0, IFEQ, 0, 3, RETURN},
            {},
            1,
            {246, 0, 1, ClassMaker::hi(N), ClassMaker::lo(N), 4}});
  check(C, "no strict field");
  C.Minor = 0;
  refusedFormat(C, "reserved frame type 246");
}

TEST(ValueClasses, Flags) {
  auto Flags = [](unsigned Flags, const char *Part) {
    ClassMaker C;
    C.Flags = uint16_t(Flags);
    check(C, Part, FindingKind::ClassFormat);
  };
  Flags(0, "bad access flags of a class");
  Flags(ACC_FINAL, nullptr);
  Flags(ACC_ABSTRACT, nullptr);
  Flags(ACC_FINAL | ACC_ABSTRACT, "bad access flags of a class");
  Flags(ACC_IDENTITY, nullptr);
  Flags(ACC_INTERFACE | ACC_ABSTRACT, nullptr);
  Flags(ACC_INTERFACE | ACC_ABSTRACT | ACC_IDENTITY,
        "bad access flags of a class");
}

TEST(ValueClasses, Members) {
  auto Field = [](unsigned Flags, bool IsValue, const char *Part) {
    ClassMaker C;
    C.Flags = IsValue ? ACC_FINAL : ACC_IDENTITY;
    C.Fields = {{uint16_t(Flags), "f", "I", {}}};
    check(C, Part, FindingKind::ClassFormat);
  };
  constexpr const char *Bad = "bad access flags of field f";
  Field(StrictFinal, true, nullptr);
  Field(ACC_FINAL, true, Bad);
  Field(ACC_STRICT_INIT, true, Bad);
  Field(ACC_STATIC, true, nullptr);
  Field(ACC_STATIC | ACC_VOLATILE, true, nullptr);
  Field(StrictFinal | ACC_TRANSIENT, true, nullptr);
  Field(ACC_STRICT_INIT, false, nullptr);
  Field(ACC_STRICT_INIT | ACC_VOLATILE, false, nullptr);
  Field(StrictFinal | ACC_VOLATILE, false, Bad);
  auto Method = [](unsigned Flags, const char *Part) {
    ClassMaker C;
    C.Flags = ACC_FINAL;
    C.method({0, 1, {RETURN}}, uint16_t(Flags));
    check(C, Part, FindingKind::ClassFormat);
  };
  Method(ACC_SYNCHRONIZED, "bad access flags of a method");
  Method(ACC_SYNCHRONIZED | ACC_STATIC, nullptr);
}

TEST(ValueClasses, LoadableDescriptors) {
  auto With = [](std::vector<uint8_t> Data, const char *Part) {
    ClassMaker C;
    const uint16_t Index = C.Pool.utf8("Lp/P;");
    for (uint8_t &Byte : Data)
      Byte = Byte == 100 ? uint8_t(Index) : Byte;
    C.Attributes = {{"LoadableDescriptors", Data}};
    check(C, Part, FindingKind::ClassFormat);
  };
  With({0, 0}, nullptr);
  With({0, 1, 0, 100}, nullptr);
  With({0, 1, 0, 0}, "loadable descriptor 0 is none");
  With({0, 2, 0, 100}, "bad length");
}

TEST(ValueClasses, Superclasses) {
  ClassMaker C;
  C.Flags = ACC_FINAL;
  C.Super = "java/lang/Thread";
  check(C, "is a value class and extends java/lang/Thread, which is none",
        FindingKind::IncompatibleClassChange);
  // With preview features on it is one, too.
  C.Super = "java/lang/Number";
  check(C, nullptr);
}
