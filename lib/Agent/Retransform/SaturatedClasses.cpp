//===- SaturatedClasses.cpp - Covered classes without probes --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/SaturatedClasses.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Coverage/ClassId.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::agent;
using std::chrono::milliseconds;

/// Where there is more to do, and where there is not.
static constexpr milliseconds Soon(1000), Longest(60000);

/// Some class is one; until then nobody asks Java.
static std::atomic<bool> IsAny{false};

/// A static method of jopt.boot.coverage.Coverage; null if it is not there.
static std::pair<jclass, jmethodID> findMethod(JNIEnv *Jni, const char *Name,
                                               const char *Descriptor) {
  jclass Coverage = BootLibrary::find(Jni, "jopt/boot/coverage/Coverage");
  jmethodID Method =
      Coverage ? Jni->GetStaticMethodID(Coverage, Name, Descriptor) : nullptr;
  Jni->ExceptionClear();
  return {Coverage, Method};
}

bool agent::isSaturated(JNIEnv *Jni, jclass Class) {
  if (!IsAny)
    return false;
  LocalFrame Frame(Jni, 8);
  auto [Coverage, Ask] = findMethod(Jni, "isSaturated", "(Ljava/lang/Class;)Z");
  const bool Is = Ask && Jni->CallStaticBooleanMethod(Coverage, Ask, Class);
  return takeException(Jni).empty() && Is;
}

llvm::BitVector agent::findKnown(JNIEnv *Jni, jclass Class,
                                 const std::string &Strategy, Bytes File) {
  llvm::BitVector Known;
  if (!IsAny)
    return Known;
  LocalFrame Frame(Jni, 8);
  auto [Coverage, Ask] =
      findMethod(Jni, "known", "(Ljava/lang/Class;Ljava/lang/String;J)[Z");
  jstring Name = Ask ? Jni->NewStringUTF(Strategy.c_str()) : nullptr;
  auto *Elements =
      Name ? static_cast<jbooleanArray>(Jni->CallStaticObjectMethod(
                 Coverage, Ask, Class, Name, jlong(coverage::classId(File))))
           : nullptr;
  if (!takeException(Jni).empty() || !Elements)
    return Known;
  std::vector<jboolean> All(size_t(Jni->GetArrayLength(Elements)));
  Jni->GetBooleanArrayRegion(Elements, 0, jsize(All.size()), All.data());
  Known.resize(unsigned(All.size()));
  for (unsigned I = 0; I < All.size(); ++I)
    Known[I] = All[I];
  return Known;
}

/// Names those of \p Batch that keep probes. What was left for later was said.
static void tellSettled(Environment &Env, JNIEnv *Jni,
                        llvm::ArrayRef<jclass> Batch,
                        const Retransformer &Classes) {
  std::string Names;
  llvm::ListSeparator Comma;
  unsigned Gone = 0;
  for (jclass C : Batch) {
    if (Classes.isLeft(Jni, C))
      continue;
    if (isSaturated(Jni, C))
      ++Gone;
    else
      Names += llvm::StringRef(Comma).str() + className(Env.Jvmti, C);
  }
  if (Gone)
    Env.TheLog.info(llvm::Twine(Gone) +
                    " covered classes have nothing more to tell: their probes "
                    "leave");
  if (!Names.empty())
    Env.TheLog.info("covered classes that run keep but the probes that were "
                    "not reached yet: " +
                    Names);
}

milliseconds agent::removeSaturated(Environment &Env, JNIEnv *Jni,
                                    Retransformer &Classes,
                                    milliseconds Since) {
  constexpr jint Most = Retransformer::SmallBatch;
  LocalFrame Frame(Jni, Most + 8);
  auto [Coverage, Take] =
      findMethod(Jni, "takeSettled", "(I)[Ljava/lang/Class;");
  auto *Taken = Take ? static_cast<jobjectArray>(
                           Jni->CallStaticObjectMethod(Coverage, Take, Most))
                     : nullptr;
  Jni->ExceptionClear();
  std::vector<jclass> Batch;
  for (jsize I = 0; Taken && I < Jni->GetArrayLength(Taken); ++I)
    Batch.push_back(static_cast<jclass>(Jni->GetObjectArrayElement(Taken, I)));
  if (Batch.empty())
    return std::min(2 * Since, Longest);
  IsAny = true;
  Classes.change(Jni, Batch);
  tellSettled(Env, Jni, Batch, Classes);
  return Batch.size() == size_t(Most) ? Soon : std::min(2 * Since, Longest);
}
