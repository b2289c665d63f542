//===- ClassMaker.h - Class files for tests ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes class files byte by byte, wrong ones as well.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_VERIFY_CLASSMAKER_H
#define JOPT_UNITTESTS_VERIFY_CLASSMAKER_H

#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Verify/ClassVerifier.h"
#include "jopt/Verify/TypeHierarchy.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace jopt::test {

using Code = std::vector<int>;

/// A constant pool that grows on demand.
class PoolMaker {
public:
  uint16_t raw(uint8_t Tag, llvm::ArrayRef<uint8_t> Data, unsigned Slots = 1) {
    std::string Key(1, char(Tag));
    Key.append(Data.begin(), Data.end());
    auto [It, New] = Known.try_emplace(Key, Next);
    if (New) {
      W.u1(Tag);
      W.bytes(Data);
      Next = uint16_t(Next + Slots);
    }
    return It->second;
  }
  uint16_t utf8(llvm::StringRef S) {
    ByteWriter D;
    D.u2(uint16_t(S.size()));
    D.bytes(S);
    return raw(1, D.data());
  }
  uint16_t one(uint8_t Tag, uint16_t A) {
    return raw(Tag, {uint8_t(A >> 8), uint8_t(A)});
  }
  uint16_t two(uint8_t Tag, uint16_t A, uint16_t B) {
    return raw(Tag, {uint8_t(A >> 8), uint8_t(A), uint8_t(B >> 8), uint8_t(B)});
  }
  uint16_t cls(llvm::StringRef Name) { return one(7, utf8(Name)); }
  uint16_t string(llvm::StringRef S) { return one(8, utf8(S)); }
  uint16_t integer(uint32_t V) {
    return two(3, uint16_t(V >> 16), uint16_t(V));
  }
  uint16_t longOf(uint8_t V) { return raw(5, {0, 0, 0, 0, 0, 0, 0, V}, 2); }
  uint16_t nameAndType(llvm::StringRef Name, llvm::StringRef Type) {
    uint16_t N = utf8(Name);
    return two(12, N, utf8(Type));
  }
  uint16_t ref(uint8_t Tag, llvm::StringRef Class, llvm::StringRef Name,
               llvm::StringRef Type) {
    uint16_t C = cls(Class);
    return two(Tag, C, nameAndType(Name, Type));
  }
  uint16_t field(llvm::StringRef C, llvm::StringRef N, llvm::StringRef T) {
    return ref(9, C, N, T);
  }
  uint16_t method(llvm::StringRef C, llvm::StringRef N, llvm::StringRef T) {
    return ref(10, C, N, T);
  }

  ByteWriter W;
  uint16_t Next = 1;

private:
  std::map<std::string, uint16_t> Known;
};

struct Attribute {
  std::string Name;
  std::vector<uint8_t> Data;
};

struct Member {
  uint16_t Flags = ACC_PUBLIC | ACC_STATIC;
  std::string Name = "m";
  std::string Descriptor = "()V";
  std::vector<Attribute> Attributes;
};

/// A public class T that extends Object, until told otherwise.
class ClassMaker {
public:
  PoolMaker Pool;
  uint16_t Major = 61, Minor = 0;
  uint16_t Flags = ACC_PUBLIC | ACC_SUPER;
  std::string Name = "p/T", Super = "java/lang/Object";
  std::vector<std::string> Interfaces;
  std::vector<Member> Fields, Methods;
  std::vector<Attribute> Attributes;

  /// Both bytes of an index, to be put into code.
  static int hi(unsigned V) { return int(V >> 8 & 255); }
  static int lo(unsigned V) { return int(V & 255); }

  struct Body {
    unsigned Stack = 4, Locals = 4;
    Code Bytes = {};
    /// start, end, handler, class constant
    std::vector<std::array<uint16_t, 4>> Handlers = {};
    /// The frames after their number; none: no attribute.
    unsigned NumFrames = 0;
    Code Frames = {};
    std::vector<Attribute> Attributes = {};
  };

  static void put(ByteWriter &W, const Code &C) {
    for (int B : C)
      W.u1(uint8_t(B));
  }
  static std::vector<uint8_t> bytes(const ByteWriter &W) {
    return {W.data().begin(), W.data().end()};
  }

  Attribute code(const Body &B) {
    ByteWriter W;
    W.u2(uint16_t(B.Stack));
    W.u2(uint16_t(B.Locals));
    W.u4(uint32_t(B.Bytes.size()));
    put(W, B.Bytes);
    W.u2(uint16_t(B.Handlers.size()));
    for (const auto &H : B.Handlers)
      for (uint16_t V : H)
        W.u2(V);
    std::vector<Attribute> Inner = B.Attributes;
    if (B.NumFrames) {
      ByteWriter F;
      F.u2(uint16_t(B.NumFrames));
      put(F, B.Frames);
      Inner.push_back({"StackMapTable", bytes(F)});
    }
    writeAttributes(W, Inner);
    return {"Code", bytes(W)};
  }
  /// Adds a method with code; static m()V unless told otherwise.
  Member &method(const Body &B, uint16_t MethodFlags = ACC_PUBLIC | ACC_STATIC,
                 std::string MethodName = "m", std::string Type = "()V") {
    Methods.push_back({MethodFlags, MethodName, Type, {code(B)}});
    return Methods.back();
  }

  std::vector<uint8_t> make() {
    ByteWriter Rest;
    Rest.u2(Flags);
    Rest.u2(Pool.cls(Name));
    Rest.u2(Super.empty() ? 0 : Pool.cls(Super));
    Rest.u2(uint16_t(Interfaces.size()));
    for (const std::string &I : Interfaces)
      Rest.u2(Pool.cls(I));
    for (const auto *Members : {&Fields, &Methods}) {
      Rest.u2(uint16_t(Members->size()));
      for (const Member &M : *Members) {
        Rest.u2(M.Flags);
        Rest.u2(Pool.utf8(M.Name));
        Rest.u2(Pool.utf8(M.Descriptor));
        writeAttributes(Rest, M.Attributes);
      }
    }
    writeAttributes(Rest, Attributes);
    ByteWriter W;
    W.u4(0xcafebabe);
    W.u2(Minor);
    W.u2(Major);
    W.u2(Pool.Next);
    W.bytes(Pool.W.data());
    W.bytes(Rest.data());
    return bytes(W);
  }

private:
  void writeAttributes(ByteWriter &W, const std::vector<Attribute> &List) {
    W.u2(uint16_t(List.size()));
    for (const Attribute &A : List) {
      W.u2(Pool.utf8(A.Name));
      W.u4(uint32_t(A.Data.size()));
      W.bytes(A.Data);
    }
  }
};

/// With JOPT_VERIFY_PACK=FILE in the environment every class that a test makes
/// is written to that pack too, with the verdict the test expects in its name:
/// utils/mutants/Judge.java then says what a JVM thinks of it.
inline void recordClass(llvm::StringRef Verdict, Bytes Class) {
  const char *Path = std::getenv("JOPT_VERIFY_PACK");
  if (!Path)
    return;
  const auto *Info = testing::UnitTest::GetInstance()->current_test_info();
  static std::FILE *Out = std::fopen(Path, "wb");
  // HotSpot needs gigabytes and minutes for the largest methods.
  if (!Out || llvm::StringRef(Info->test_suite_name()) == "Extreme")
    return;
  std::string Name =
      (Verdict + " " + Info->test_suite_name() + "." + Info->name()).str();
  ByteWriter W;
  W.u2(uint16_t(Name.size()));
  W.bytes(Name);
  W.u4(uint32_t(Class.size()));
  W.bytes(Class);
  std::fwrite(W.data().data(), 1, W.size(), Out);
  std::fflush(Out);
}

inline std::string printed(const std::vector<Finding> &Findings) {
  std::string Text;
  for (const Finding &F : Findings)
    Text += F.str() + '\n';
  return Text;
}

/// A hierarchy of a few classes of java.lang, related as in a JDK.
inline VerifyOptions someClasses() {
  static const MemoryHierarchy *Hierarchy = [] {
    auto *H = new MemoryHierarchy;
    auto Add = [&](const char *Name, const char *Super, uint16_t Flags) {
      ClassMaker C;
      C.Name = Name;
      C.Super = Super;
      C.Flags = Flags;
      if (C.Name == "java/lang/Object")
        C.Methods = {
            {ACC_PROTECTED | ACC_NATIVE, "clone", "()Ljava/lang/Object;", {}}};
      if (C.Name == "java/lang/Thread")
        C.Methods = {{ACC_PUBLIC | ACC_FINAL, "join", "()V", {}}};
      llvm::cantFail(H->addClass(C.make()));
    };
    constexpr const char *Object = "java/lang/Object";
    constexpr uint16_t Interface = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
    Add(Object, "", ACC_PUBLIC);
    Add("java/lang/String", Object, ACC_PUBLIC | ACC_FINAL);
    Add("java/lang/Throwable", Object, ACC_PUBLIC);
    Add("java/lang/Number", Object, ACC_PUBLIC | ACC_ABSTRACT);
    Add("java/lang/Integer", "java/lang/Number", ACC_PUBLIC | ACC_FINAL);
    Add("java/lang/Long", "java/lang/Number", ACC_PUBLIC | ACC_FINAL);
    Add("java/lang/Thread", Object, ACC_PUBLIC);
    Add("java/lang/Runnable", Object, Interface);
    Add("java/lang/Cloneable", Object, Interface);
    return H;
  }();
  VerifyOptions Options;
  Options.Hierarchy = Hierarchy;
  return Options;
}

/// Expects that the class has no finding.
inline void accepted(ClassMaker &C,
                     const VerifyOptions &Options = someClasses()) {
  std::vector<uint8_t> Class = C.make();
  recordClass("OK", Class);
  EXPECT_EQ(printed(verifyClass(Class, Options)), "");
}

/// Expects that the first finding is of \p Kind and has \p Part in its text.
inline void refused(ClassMaker &C, FindingKind Kind, llvm::StringRef Part,
                    const VerifyOptions &Options = someClasses()) {
  std::vector<uint8_t> Class = C.make();
  recordClass(getErrorName(Kind), Class);
  std::vector<Finding> Findings = verifyClass(Class, Options);
  ASSERT_FALSE(Findings.empty()) << "accepted, not: " << Part.str();
  std::string Text = printed({Findings[0]});
  EXPECT_EQ(Findings[0].Kind, Kind) << Text;
  EXPECT_NE(Text.find(Part.str()), std::string::npos) << Text;
}

inline void refusedFormat(ClassMaker &C, llvm::StringRef Part) {
  refused(C, FindingKind::ClassFormat, Part);
}
inline void refusedVerify(ClassMaker &C, llvm::StringRef Part) {
  refused(C, FindingKind::Verify, Part);
}

/// Checks one body that needs no constants: refused by a finding that has
/// \p Part in it, or accepted if that is null.
inline void checkBody(const ClassMaker::Body &B, const char *Part,
                      const char *Type, unsigned Major) {
  ClassMaker C;
  C.Major = uint16_t(Major);
  C.method(B, ACC_PUBLIC | ACC_STATIC, "m", Type);
  if (Part)
    refusedVerify(C, Part);
  else
    accepted(C);
}

} // namespace jopt::test

#endif
