//===- prepared-hook.cpp - The least an agent does that changes classes ---===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For benchmarks/agent.py: a JVMTI agent that holds the final bytes of each
/// class from the start, and returns a copy of them by name. Its option
/// names a file of entries, one behind the other: the length of a name, that
/// of a class file (4 bytes each, in the machine's order), the name, the class
/// file. What the JVM itself takes for classes that are changed is the floor of
/// what ours can take.
///
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <jvmti.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

/// Filled before the JVM has classes, and only read after that.
static std::unordered_map<std::string_view, std::string_view> Prepared;

static bool readEntries(const char *Path) {
  const int FD = open(Path, O_RDONLY);
  struct stat S;
  if (FD < 0 || fstat(FD, &S))
    return false;
  void *Start = mmap(nullptr, size_t(S.st_size), PROT_READ,
                     MAP_PRIVATE | MAP_POPULATE, FD, 0);
  close(FD);
  if (Start == MAP_FAILED)
    return false;
  std::string_view Rest(static_cast<const char *>(Start), size_t(S.st_size));
  while (!Rest.empty()) {
    uint32_t Length[2];
    if (Rest.size() < sizeof(Length))
      return false;
    std::memcpy(Length, Rest.data(), sizeof(Length));
    Rest.remove_prefix(sizeof(Length));
    if (Rest.size() < size_t(Length[0]) + Length[1])
      return false;
    Prepared.emplace(Rest.substr(0, Length[0]),
                     Rest.substr(Length[0], Length[1]));
    Rest.remove_prefix(size_t(Length[0]) + Length[1]);
  }
  return true;
}

static void JNICALL onClass(jvmtiEnv *Jvmti, JNIEnv *, jclass, jobject,
                            const char *Name, jobject, jint,
                            const unsigned char *, jint *NewSize,
                            unsigned char **NewData) {
  if (!Name)
    return;
  auto At = Prepared.find(Name);
  unsigned char *Memory = nullptr;
  if (At == Prepared.end() ||
      Jvmti->Allocate(jlong(At->second.size()), &Memory))
    return;
  std::memcpy(Memory, At->second.data(), At->second.size());
  *NewData = Memory;
  *NewSize = jint(At->second.size());
}

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *VM, char *Path, void *) {
  jvmtiEnv *Jvmti = nullptr;
  if (!Path || !readEntries(Path) ||
      VM->GetEnv(reinterpret_cast<void **>(&Jvmti), JVMTI_VERSION_9) != JNI_OK)
    return JNI_ERR;
  jvmtiCapabilities Wanted = {};
  Wanted.can_generate_all_class_hook_events = 1;
  jvmtiEventCallbacks Callbacks = {};
  Callbacks.ClassFileLoadHook = onClass;
  if (Jvmti->AddCapabilities(&Wanted) ||
      Jvmti->SetEventCallbacks(&Callbacks, sizeof(Callbacks)) ||
      Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr))
    return JNI_ERR;
  return JNI_OK;
}
