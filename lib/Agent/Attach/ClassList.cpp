//===- ClassList.cpp - Which classes a JVM has ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/ClassList.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

namespace json = llvm::json;

namespace {
/// Facts about a loaded class.
struct ListedClass {
  std::string Name; ///< with dots; a hidden class has a slash in it
  std::string Internal;
  std::string Loader;
  jint LoaderHash = 0; ///< tells loaders of one class apart; 0: the boot loader
  jint Access = 0, Major = 0;
  bool Hidden = false, Woven = false;
};

struct ListedMethod {
  std::string Name, Descriptor;
  jint Access = 0;
  jlocation CodeSize = 0;   ///< 0: it has no code
  jint First = 0, Last = 0; ///< lines; 0: they are not known
};
} // namespace

llvm::Expected<ClassQuery> ClassQuery::read(StringRef Text) {
  auto [Most, Pattern] = Text.split(' ');
  ClassQuery Q;
  if (!llvm::to_integer(Most, Q.Most, 10) || Pattern.trim().empty())
    return makeError("'" + Text + "' is not of the form 'NUMBER PATTERN'");
  Q.Pattern = Pattern.trim().str();
  std::replace(Q.Pattern.begin(), Q.Pattern.end(), '/', '.');
  return Q;
}

bool ClassQuery::matches(StringRef Name) const {
  if (matchesWildcard(Pattern, Name))
    return true;
  return !StringRef(Pattern).contains('.') &&
         matchesWildcard(Pattern, Name.rsplit('.').second.empty()
                                      ? Name
                                      : Name.rsplit('.').second);
}

/// The name of \p Class as people write it; empty for arrays and primitive
/// types. The JVM has `Lcom/shop/Cart;`, of a hidden class
/// `Lcom/shop/Cart$$Lambda.0x7f;`.
static bool readName(jvmtiEnv *Jvmti, jclass Class, ListedClass &To) {
  JvmtiMemory<char> Signature(Jvmti);
  if (Jvmti->GetClassSignature(Class, &Signature, nullptr) != JVMTI_ERROR_NONE)
    return false;
  StringRef Name = Signature.get();
  if (!Name.consume_front("L") || !Name.consume_back(";"))
    return false;
  auto [Of, Suffix] = Name.split('.');
  To.Internal = Of.str();
  To.Name = Of.str();
  std::replace(To.Name.begin(), To.Name.end(), '/', '.');
  To.Hidden = !Suffix.empty();
  if (To.Hidden)
    To.Name += "/" + Suffix.str();
  return true;
}

/// All but the name.
static void describe(const Environment &Env, const MemberMemory &Memory,
                     JNIEnv *Jni, jclass Class, ListedClass &To) {
  LocalFrame Frame(Jni, 16);
  jobject Loader = nullptr;
  Env.Jvmti->GetClassLoader(Class, &Loader);
  To.Loader = loaderName(Env.Jvmti, Jni, Loader);
  std::replace(To.Loader.begin(), To.Loader.end(), '/', '.');
  if (Loader)
    Env.Jvmti->GetObjectHashCode(Loader, &To.LoaderHash);
  jint Minor = 0;
  Env.Jvmti->GetClassVersionNumbers(Class, &Minor, &To.Major);
  Env.Jvmti->GetClassModifiers(Class, &To.Access);
  To.Woven = !To.Hidden && Memory.hasThoseAtWork(To.Internal);
}

static StringRef kindOf(jint Access) {
  return Access & ACC_ANNOTATION  ? "annotation"
         : Access & ACC_INTERFACE ? "interface"
         : Access & ACC_ENUM      ? "enum"
                                  : "class";
}

static std::string hexOf(jint Hash) {
  return llvm::utohexstr(uint32_t(Hash), /*LowerCase=*/true);
}

static void writeClass(json::OStream &J, const ListedClass &C) {
  J.attribute("class", json::fixUTF8(C.Name));
  J.attribute("kind", kindOf(C.Access));
  J.attribute("loader", json::fixUTF8(C.Loader));
  if (C.LoaderHash)
    J.attribute("loaderId", hexOf(C.LoaderHash));
  if (C.Major)
    J.attribute("version", C.Major);
  J.attribute("hidden", C.Hidden);
  J.attribute("woven", C.Woven);
}

/// The classes that \p Query means, with what \p Use adds for each while there
/// is a reference to it; sorted.
static std::vector<ListedClass>
collect(const Environment &Env, const MemberMemory &Memory, JNIEnv *Jni,
        const ClassQuery &Query,
        llvm::function_ref<void(jclass, const ListedClass &)> Use) {
  std::vector<ListedClass> Found;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass Class) {
    ListedClass C;
    if (!readName(Env.Jvmti, Class, C) || !Query.matches(C.Name))
      return;
    describe(Env, Memory, Jni, Class, C);
    Use(Class, C);
    Found.push_back(std::move(C));
  });
  llvm::stable_sort(Found, [](const ListedClass &A, const ListedClass &B) {
    return A.Name < B.Name;
  });
  return Found;
}

/// Says in \p Text how many are not in it.
static void addRest(std::string &Text, size_t All, size_t Most) {
  if (All > Most)
    Text += "{\"more\":" + std::to_string(All - Most) + "}\n";
}

std::string agent::listClasses(const Environment &Env,
                               const MemberMemory &Memory, JNIEnv *Jni,
                               const ClassQuery &Query) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  auto All =
      collect(Env, Memory, Jni, Query, [](jclass, const ListedClass &) {});
  for (const ListedClass &C : llvm::ArrayRef(All).take_front(Query.Most)) {
    json::OStream J(OS);
    J.object([&] { writeClass(J, C); });
    OS << '\n';
  }
  addRest(Text, All.size(), Query.Most);
  return Text;
}

/// The methods that \p Class declares; of one that is not prepared the JVM
/// tells none.
static std::vector<ListedMethod> methodsOf(jvmtiEnv *Jvmti, jclass Class) {
  jint Number = 0;
  JvmtiMemory<jmethodID> Methods(Jvmti);
  if (Jvmti->GetClassMethods(Class, &Number, &Methods) != JVMTI_ERROR_NONE)
    return {};
  std::vector<ListedMethod> Found;
  for (jmethodID M : llvm::ArrayRef(Methods.get(), size_t(Number))) {
    JvmtiMemory<char> Name(Jvmti), Descriptor(Jvmti);
    if (Jvmti->GetMethodName(M, &Name, &Descriptor, nullptr) !=
        JVMTI_ERROR_NONE)
      continue;
    ListedMethod To = {Name.get(), Descriptor.get()};
    Jvmti->GetMethodModifiers(M, &To.Access);
    jlocation First = 0, Last = -1;
    if (Jvmti->GetMethodLocation(M, &First, &Last) == JVMTI_ERROR_NONE)
      To.CodeSize = Last + 1;
    jint Lines = 0;
    JvmtiMemory<jvmtiLineNumberEntry> Table(Jvmti);
    if (Jvmti->GetLineNumberTable(M, &Lines, &Table) == JVMTI_ERROR_NONE)
      for (const auto &E : llvm::ArrayRef(Table.get(), size_t(Lines))) {
        To.First = To.First ? std::min(To.First, E.line_number) : E.line_number;
        To.Last = std::max(To.Last, E.line_number);
      }
    Found.push_back(std::move(To));
  }
  llvm::stable_sort(Found, [](const ListedMethod &A, const ListedMethod &B) {
    return std::pair(A.First == 0, A.First) < std::pair(B.First == 0, B.First);
  });
  return Found;
}

/// The flags of a method as Java writes them.
static json::Array flagsOf(jint Access) {
  static constexpr std::pair<jint, StringRef> Flags[] = {
      {ACC_PUBLIC, "public"},       {ACC_PRIVATE, "private"},
      {ACC_PROTECTED, "protected"}, {ACC_STATIC, "static"},
      {ACC_FINAL, "final"},         {ACC_SYNCHRONIZED, "synchronized"},
      {ACC_NATIVE, "native"},       {ACC_ABSTRACT, "abstract"},
      {ACC_BRIDGE, "bridge"},       {ACC_VARARGS, "varargs"},
      {ACC_SYNTHETIC, "synthetic"}};
  json::Array Names;
  for (auto [Flag, Name] : Flags)
    if (Access & Flag)
      Names.push_back(Name);
  return Names;
}

std::string agent::listMethods(Environment &Env, const MemberMemory &Memory,
                               JNIEnv *Jni, const ClassQuery &Query) {
  // Every JVM has it, at any time; without it there are no lines.
  jvmtiCapabilities Lines = {};
  Lines.can_get_line_numbers = 1;
  Env.Jvmti->AddCapabilities(&Lines);
  std::vector<std::vector<ListedMethod>> Methods;
  std::vector<std::pair<ListedClass, size_t>> Found;
  size_t Held = 0;
  collect(Env, Memory, Jni, Query, [&](jclass Class, const ListedClass &C) {
    Found.push_back({C, Methods.size()});
    Methods.push_back(methodsOf(Env.Jvmti, Class));
    Held += Methods.back().size();
  });
  llvm::stable_sort(Found, [](const auto &A, const auto &B) {
    return A.first.Name < B.first.Name;
  });
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  size_t Left = Query.Most;
  for (const auto &Entry : Found)
    for (const ListedMethod &M : Methods[Entry.second]) {
      if (!Left)
        break;
      --Left;
      json::OStream J(OS);
      J.object([&] {
        writeClass(J, Entry.first);
        J.attribute("method", json::fixUTF8(M.Name));
        J.attribute("descriptor", json::fixUTF8(M.Descriptor));
        J.attribute("flags", flagsOf(M.Access));
        J.attribute("codeSize", M.CodeSize);
        if (M.First) {
          J.attribute("firstLine", M.First);
          J.attribute("lastLine", M.Last);
        }
      });
      OS << '\n';
    }
  addRest(Text, Held, Query.Most);
  return Text;
}

std::string agent::readClassFiles(Environment &Env, JNIEnv *Jni,
                                  StringRef Name) {
  std::string Text;
  ClassQuery Query = {1, Name.str()};
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass Class) {
    ListedClass C;
    if (!readName(Env.Jvmti, Class, C) || C.Hidden || !Query.matches(C.Name))
      return;
    auto Data = readResource(Jni, Class, C.Internal);
    if (!Data.empty())
      Text += llvm::toHex(Data, /*LowerCase=*/true) + "\n";
  });
  if (Text.empty() && Env.Known.system() && !Name.contains('*')) {
    std::string Internal = Query.Pattern;
    std::replace(Internal.begin(), Internal.end(), '.', '/');
    auto Data = readResource(Jni, Env.Known.system(), Internal);
    if (!Data.empty())
      Text = llvm::toHex(Data, /*LowerCase=*/true) + "\n";
  }
  return Text;
}
