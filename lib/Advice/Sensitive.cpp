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
/// Patterns over class and method, and why no probe goes there.
struct Entry {
  StringRef Class, Method, Why;
};
} // namespace

/// \name Why
/// @{
static constexpr StringRef Constructors =
    "every constructor calls it, those that fragments run too";
static constexpr StringRef Guard = "the guard against recursion calls it";
static constexpr StringRef Recording =
    "tables find by it what a thread records, as does the guard against "
    "recursion";
static constexpr StringRef Linking =
    "switches, call sites and side storage are made of it";
static constexpr StringRef Data = "the data of fragments are made by it";
static constexpr StringRef Errors =
    "the JVM runs it where the stack has ended; the places that throw take "
    "fragments (type=\"throw\"), and those that catch";
static constexpr StringRef Mounting =
    "it runs while the JVM mounts a virtual thread, or records an event";
static constexpr StringRef Entries =
    "the JVM calls it where no Java may be called, or fragments need it";
/// @}

static constexpr Entry Table[] = {
    {"java/lang/Object", "*", Constructors},
    {"java/lang/ThreadLocal*", "*", Guard},
    {"java/lang/InheritableThreadLocal", "*", Guard},
    {"java/lang/Thread", "current*", Recording},
    {"java/lang/Thread", "setCurrentThread", Recording},
    {"java/lang/Thread", "*ThreadLocal*", Guard},
    {"java/lang/Thread", "*threadLocal*", Guard},
    {"java/lang/Thread", "*coped*", Guard},
    {"java/lang/Thread", "isVirtual", Guard},
    {"java/lang/Thread", "isTerminated", Guard},
    {"java/lang/Thread", "threadState", Guard},
    {"java/lang/Thread", "exit", Guard},
    {"java/lang/Thread", "clearReferences", Guard},
    {"java/lang/Thread", "<clinit>", Guard},
    {"java/lang/ref/*", "*", Guard},
    {"java/util/concurrent/atomic/AtomicInteger", "*", Guard},
    {"java/lang/invoke/*", "*", Linking},
    {"java/lang/ClassValue*", "*", Linking},
    {"sun/invoke/*", "*", Linking},
    {"java/lang/Number", "*", Data},
    {"java/lang/Integer*", "*", Data},
    {"java/lang/Long*", "*", Data},
    {"java/lang/Short*", "*", Data},
    {"java/lang/Byte*", "*", Data},
    {"java/lang/Character*", "*", Data},
    {"java/lang/Boolean*", "*", Data},
    {"java/lang/Float*", "*", Data},
    {"java/lang/Double*", "*", Data},
    {"java/lang/Throwable*", "*", Errors},
    {"java/lang/Exception", "*", Errors},
    {"java/lang/RuntimeException", "*", Errors},
    {"java/lang/*Error", "*", Errors},
    {"java/lang/StackTraceElement*", "*", Errors},
    {"java/lang/VirtualThread*", "*", Mounting},
    {"java/lang/BaseVirtualThread", "*", Mounting},
    {"java/lang/System$2", "*", Mounting},
    {"jdk/internal/vm/*", "*", Mounting},
    {"jdk/internal/event/*", "*", Mounting},
    {"jdk/jfr/*", "*", Mounting},
    {"jdk/internal/misc/*", "*", Entries},
    {"jdk/internal/reflect/*", "*", Entries},
    {"jdk/internal/access/*", "*", Entries},
    {"jdk/internal/util/*", "*", Entries},
    {"jdk/internal/org/objectweb/*", "*", Entries},
    {"jdk/internal/classfile/*", "*", Entries},
    {"jdk/internal/foreign/*", "*", Entries},
    {"java/lang/classfile/*", "*", Entries},
    {"java/lang/Module*", "*", Entries},
    {"java/lang/Shutdown", "*", Entries},
    {"java/lang/StringConcatHelper", "*", Entries},
    {"java/lang/AssertionStatusDirectives", "*", Entries},
    {"java/lang/Class", "*", Entries},
    {"java/security/AccessControl*", "*", Entries},
    {"java/security/ProtectionDomain*", "*", Entries},
    {"java/security/CodeSource", "*", Entries},
};

StringRef jopt::whySensitive(StringRef ClassName, StringRef Method,
                             bool Guarded) {
  if (!ClassName.starts_with("j") && !ClassName.starts_with("sun/"))
    return {};
  for (const Entry &E : Table)
    if ((Guarded || E.Why.data() != Guard.data()) &&
        matchesWildcard(E.Class, ClassName) &&
        matchesWildcard(E.Method, Method))
      return E.Why;
  return {};
}
