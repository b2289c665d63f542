//===- LoaderPathsTest.cpp ------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/LoaderPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace jopt::agent;

TEST(LoaderPathsTest, filesOfURLs) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("a b", Folder));
  const std::string File = Folder.str().str();
  std::string Coded = File;
  Coded.replace(Coded.find(' '), 1, "%20");
  // Tomcat's, Spring Boot's of either kind, Equinox's.
  for (const char *Form :
       {"file:@", "file:@/", "file://@", "jar:file:@!/", "reference:file:@",
        "jar:file:@!/BOOT-INF/lib/x.jar!/", "jar:file:@!/BOOT-INF/classes/",
        "jar:nested:@/!BOOT-INF/lib/x.jar!/", "war:file:@*/WEB-INF/lib/x.jar",
        "jar:war:file:@*/WEB-INF/lib/x.jar!/"}) {
    std::string URL = Form;
    URL.replace(URL.find('@'), 1, Coded);
    EXPECT_EQ(fileOfURL(URL), File) << URL;
  }
  for (const char *None :
       {"", "http://a/b.jar", "jrt:/java.base", "file:", "file:relative",
        "file:/does/not/exist", "bundle://1.0/", "/tmp", "file:/%zz"})
    EXPECT_EQ(fileOfURL(None), "") << None;
  llvm::sys::fs::remove(Folder);
}
