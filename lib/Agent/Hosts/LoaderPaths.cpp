//===- LoaderPaths.cpp - Where the program's classes are from -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/LoaderPaths.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr std::chrono::seconds LongestSearch{1};

/// \p Text with each "%20" as what it stands for.
static std::string decodeURL(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    unsigned Code = 0;
    if (Text[0] == '%' && Text.size() > 2 &&
        llvm::to_integer(Text.substr(1, 2), Code, 16)) {
      Out += char(Code);
      Text = Text.drop_front(3);
      continue;
    }
    Out += Text[0];
    Text = Text.drop_front();
  }
  return Out;
}

std::string agent::fileOfURL(StringRef URL) {
  bool IsFile = false;
  for (bool Any = true; Any;) {
    Any = URL.consume_front("jar:") || URL.consume_front("war:") ||
          URL.consume_front("zip:") || URL.consume_front("reference:");
    IsFile |= URL.consume_front("file:") || URL.consume_front("nested:");
  }
  if (!IsFile)
    return {};
  if (URL.starts_with("///"))
    URL = URL.drop_front(2);
  for (StringRef Inside : {"!/", "/!", "*/", "^/"})
    URL = URL.take_front(URL.find(Inside));
  std::string File = decodeURL(URL.rtrim('/'));
  return path::is_absolute(File) && fs::exists(File) ? File : std::string();
}

namespace {

class LoaderSearch {
public:
  LoaderSearch(Environment &Env, JNIEnv *Jni);
  /// Adds where \p Class and the others of its loader are from.
  void add(jclass Class);

  std::set<std::string> Found;

private:
  void addURL(StringRef URL);
  void addURLsOf(jobject Loader);
  /// Whether \p O is not known yet; of two objects with the same hash one may
  /// be taken for the other.
  bool isNew(jobject O);

  Environment &Env;
  JNIEnv *Jni;
  jclass URLLoader = nullptr;
  jmethodID GetURLs = nullptr, GetDomain = nullptr;
  llvm::DenseSet<jint> Known;
};

} // namespace

LoaderSearch::LoaderSearch(Environment &Env, JNIEnv *Jni) : Env(Env), Jni(Jni) {
  URLLoader = Jni->FindClass("java/net/URLClassLoader");
  if (URLLoader)
    GetURLs = Jni->GetMethodID(URLLoader, "getURLs", "()[Ljava/net/URL;");
  if (jclass Class = Jni->FindClass("java/lang/Class"))
    GetDomain = Jni->GetMethodID(Class, "getProtectionDomain",
                                 "()Ljava/security/ProtectionDomain;");
  Jni->ExceptionClear();
}

bool LoaderSearch::isNew(jobject O) {
  jint Hash = 0;
  return Env.Jvmti->GetObjectHashCode(O, &Hash) == JVMTI_ERROR_NONE &&
         Known.insert(Hash).second;
}

void LoaderSearch::addURL(StringRef URL) {
  std::string File = fileOfURL(URL);
  if (File.empty() || !Found.insert(File).second)
    return;
  StringRef Folder = File;
  if (!Folder.consume_back("/WEB-INF/classes"))
    return;
  std::error_code EC;
  for (fs::directory_iterator It(Folder + "/WEB-INF/lib", EC), End;
       !EC && It != End; It.increment(EC))
    if (path::extension(It->path()).equals_insensitive(".jar"))
      Found.insert(It->path());
}

void LoaderSearch::addURLsOf(jobject Loader) {
  if (!GetURLs || !Jni->IsInstanceOf(Loader, URLLoader))
    return;
  auto *URLs = static_cast<jobjectArray>(
      Jni->CallNonvirtualObjectMethod(Loader, URLLoader, GetURLs));
  if (!takeException(Jni).empty() || !URLs)
    return;
  jclass Class = Jni->FindClass("java/net/URL");
  jmethodID Print =
      Class ? Jni->GetMethodID(Class, "toString", "()Ljava/lang/String;")
            : nullptr;
  for (jsize I = 0; Print && I < Jni->GetArrayLength(URLs); ++I) {
    LocalFrame Frame(Jni, 8);
    jobject URL = Jni->GetObjectArrayElement(URLs, I);
    jobject Text = URL ? Jni->CallObjectMethod(URL, Print) : nullptr;
    if (takeException(Jni).empty() && Text)
      addURL(toString(Jni, static_cast<jstring>(Text)));
  }
}

void LoaderSearch::add(jclass Class) {
  LocalFrame Frame(Jni, 16);
  jobject Loader = nullptr;
  if (!GetDomain ||
      Env.Jvmti->GetClassLoader(Class, &Loader) != JVMTI_ERROR_NONE ||
      !Loader || Jni->IsSameObject(Loader, Env.Known.platform()))
    return;
  if (isNew(Loader))
    addURLsOf(Loader);
  jobject Domain = Jni->CallObjectMethod(Class, GetDomain);
  if (takeException(Jni).empty() && Domain && isNew(Domain))
    addURL(codeSource(Jni, Domain));
}

std::vector<std::string> agent::findLoaderPaths(Environment &Env, JNIEnv *Jni) {
  LocalFrame Frame(Jni, 64);
  LoaderSearch S(Env, Jni);
  const auto Until = std::chrono::steady_clock::now() + LongestSearch;
  bool InTime = true;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass Class) {
    if (InTime && (InTime = std::chrono::steady_clock::now() < Until))
      S.add(Class);
  });
  if (!InTime)
    Env.TheLog.warning("not all loaders were asked where their classes are "
                       "from: that took too long; classpath= names more");
  return {S.Found.begin(), S.Found.end()};
}
