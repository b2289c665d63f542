//===- ClassFilterTest.cpp - Which classes are the JDK's ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/ClassFilter.h"
#include "gtest/gtest.h"

using namespace jopt::agent;

namespace {

TEST(ClassFilterTest, ToolsOfTheJdk) {
  for (const char *Name :
       {"com/sun/tools/javac/Main", "com/sun/source/tree/Tree",
        "com/sun/jdi/Bootstrap", "com/sun/jarsigner/ContentSigner",
        "com/sun/java/swing/action/Foo", "sun/tools/jar/Main",
        "jdk/jshell/JShell"})
    EXPECT_TRUE(isJdkClass(Name, LoaderKind::System)) << Name;
}

// JNA and JavaMail are libraries that programs bring.
TEST(ClassFilterTest, OthersUnderComSun) {
  for (const char *Name : {"com/sun/jna/Native", "com/sun/mail/smtp/Transport",
                           "com/sun/toolsmith/Tool"}) {
    EXPECT_FALSE(isJdkClass(Name, LoaderKind::System)) << Name;
    EXPECT_FALSE(isJdkClass(Name, LoaderKind::Other)) << Name;
    EXPECT_TRUE(isJdkClass(Name, LoaderKind::Platform)) << Name;
  }
}

// Of others not even the names of the JDK's classes are asked.
TEST(ClassFilterTest, RulesThatMayNameTheJdk) {
  for (const char *Package : {"", "*", "*/util", "java", "java/util", "j*",
                              "com/sun/net", "com/s*"}) {
    jopt::TargetRule R;
    R.Package = Package;
    EXPECT_TRUE(mayNameJdk(R)) << Package;
  }
  for (const char *Package : {"org/h2", "com/acme*", "javafx", "k*"}) {
    jopt::TargetRule R;
    R.Package = Package;
    EXPECT_FALSE(mayNameJdk(R)) << Package;
  }
}

} // namespace
