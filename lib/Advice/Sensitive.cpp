//===- Sensitive.cpp - Methods of the JDK that take no probe --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Sensitive.h"
#include "jopt/Advice/Matcher.h"

using namespace jopt;
using llvm::StringRef;

namespace {
/// Patterns over class and method.
struct Entry {
  StringRef Class, Method;
};
} // namespace

static constexpr Entry Table[] = {
    // What every constructor calls.
    {"java/lang/Object", "*"},
    // The guard against recursion.
    {"java/lang/ThreadLocal*", "*"},
    {"java/lang/InheritableThreadLocal", "*"},
    {"java/lang/Thread", "current*"},
    {"java/lang/Thread", "setCurrentThread"},
    {"java/lang/Thread", "*ThreadLocal*"},
    {"java/lang/Thread", "*threadLocal*"},
    {"java/lang/Thread", "*coped*"},
    {"java/lang/Thread", "isVirtual"},
    {"java/lang/Thread", "isTerminated"},
    {"java/lang/Thread", "threadState"},
    {"java/lang/Thread", "exit"},
    {"java/lang/Thread", "clearReferences"},
    {"java/lang/Thread", "<clinit>"},
    {"java/lang/ref/*", "*"},
    {"java/util/concurrent/atomic/AtomicInteger", "*"},
    // What switches are made of, and side storage.
    {"java/lang/invoke/*", "*"},
    {"java/lang/ClassValue*", "*"},
    {"sun/invoke/*", "*"},
    // Data of fragments.
    {"java/lang/Number", "*"},
    {"java/lang/Integer*", "*"},
    {"java/lang/Long*", "*"},
    {"java/lang/Short*", "*"},
    {"java/lang/Byte*", "*"},
    {"java/lang/Character*", "*"},
    {"java/lang/Boolean*", "*"},
    {"java/lang/Float*", "*"},
    {"java/lang/Double*", "*"},
    // What the JVM makes and throws where the stack has ended.
    {"java/lang/Throwable*", "*"},
    {"java/lang/Exception", "*"},
    {"java/lang/RuntimeException", "*"},
    {"java/lang/*Error", "*"},
    {"java/lang/StackTraceElement*", "*"},
    // Mounting of virtual threads.
    {"java/lang/VirtualThread*", "*"},
    {"java/lang/BaseVirtualThread", "*"},
    {"java/lang/System$2", "*"},
    {"jdk/internal/vm/*", "*"},
    {"jdk/internal/event/*", "*"},
    {"jdk/jfr/*", "*"},
    // The JVM's own entries, and what runs below them.
    {"jdk/internal/misc/*", "*"},
    {"jdk/internal/reflect/*", "*"},
    {"jdk/internal/access/*", "*"},
    {"jdk/internal/util/*", "*"},
    {"jdk/internal/org/objectweb/*", "*"},
    {"jdk/internal/classfile/*", "*"},
    {"jdk/internal/foreign/*", "*"},
    {"java/lang/classfile/*", "*"},
    {"java/lang/Module*", "*"},
    {"java/lang/Shutdown", "*"},
    {"java/lang/StringConcatHelper", "*"},
    {"java/lang/AssertionStatusDirectives", "*"},
    {"java/lang/Class", "*"},
    {"java/security/AccessControl*", "*"},
    {"java/security/ProtectionDomain*", "*"},
    {"java/security/CodeSource", "*"},
};

bool jopt::isSensitiveMethod(StringRef ClassName, StringRef Method) {
  if (!ClassName.starts_with("j") && !ClassName.starts_with("sun/"))
    return false;
  for (const Entry &E : Table)
    if (matchesWildcard(E.Class, ClassName) &&
        matchesWildcard(E.Method, Method))
      return true;
  return false;
}
