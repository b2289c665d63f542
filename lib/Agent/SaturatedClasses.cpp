//===- SaturatedClasses.cpp - Covered classes without probes --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/SaturatedClasses.h"
#include "jopt/Agent/BootLibrary.h"

using namespace jopt;
using namespace jopt::agent;
using std::chrono::milliseconds;

/// Where there is more to do, and where there is not.
static constexpr milliseconds Soon(1000), Longest(60000);

/// Some class is one; until then nobody asks Java.
static std::atomic<bool> IsAny{false};

/// A static method of what knows; null if it is not there.
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

milliseconds agent::removeSaturated(Environment &Env, JNIEnv *Jni,
                                    Retransformer &Classes,
                                    milliseconds Since) {
  constexpr jint Most = Retransformer::BatchSize;
  LocalFrame Frame(Jni, Most + 8);
  auto [Coverage, Take] =
      findMethod(Jni, "takeSaturated", "(I)[Ljava/lang/Class;");
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
  const unsigned Refused = Classes.change(Jni, Batch);
  Env.TheLog.info(llvm::Twine(Batch.size() - Refused) +
                  " covered classes have nothing more to tell: their probes "
                  "leave");
  return Batch.size() == size_t(Most) ? Soon : std::min(2 * Since, Longest);
}
