//===- DeclaredClasses.cpp - Traced classes, run or not -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/DeclaredClasses.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Agent/Lifetime/Jvm.h"

using namespace jopt;
using namespace jopt::agent;

void DeclaredClasses::add(llvm::StringRef Declarations) {
  if (Declarations.empty())
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  Texts.push_back(Declarations.str());
}

void DeclaredClasses::declare(JNIEnv *Jni) {
  std::vector<std::string> Now;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Now.swap(Texts);
  }
  if (Now.empty())
    return;
  LocalFrame Frame(Jni, 16);
  jclass Link = BootLibrary::find(Jni, "jopt/boot/Link");
  jmethodID Declare =
      Link ? Jni->GetStaticMethodID(Link, "declare", "([Ljava/lang/String;)V")
           : nullptr;
  jclass String = BootLibrary::find(Jni, "java/lang/String");
  for (const std::string &Text : Now) {
    if (!Declare || !String)
      break;
    LocalFrame Inner(Jni, 16);
    // Modified UTF-8 has no zero bytes.
    jstring Whole = Jni->NewStringUTF(Text.c_str());
    jobjectArray Parts =
        Whole ? Jni->NewObjectArray(1, String, Whole) : nullptr;
    if (Parts)
      Jni->CallStaticVoidMethod(Link, Declare, Parts);
    Jni->ExceptionClear();
  }
  Jni->ExceptionClear();
}
