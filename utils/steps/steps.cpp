//===- steps.cpp - What an unmodified JVM executes, step by step ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A JVMTI agent that writes each bytecode that a thread executes in methods of
/// chosen classes: what utils/check-trace holds execution traces against.
///
///   java -Xint -XX:-RewriteFrequentPairs -XX:-RewriteBytecodes
///     -agentpath:libsteps.so=FILE,PREFIX[,PREFIX...] ...
///
/// Prefixes are of names as in class files, `a/b/`. Lines of FILE:
///
///   M number class name+descriptor access code lines pool   before the first
///   use
///       of a method; code and constant pool in hexadecimal digits, lines as
///       bci:line with commas
///   E thread method            the method is entered, on a thread
///   (Thread.getId) S thread method bci depth  an instruction is about to run,
///   that many frames C thread method bci depth  an exception arrives at its
///   handler
///
/// HotSpot reports no steps in static initialisers, and counts a frequent pair
/// of instructions as one step unless the options above forbid it. Everything
/// happens under one lock: the order of threads is that of the file, and the
/// program runs a thousand times as long.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstring>
#include <jvmti.h>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

std::mutex Lock;
FILE *Out;
std::vector<std::string> Prefixes;
/// Numbers from 1 on; 0 are methods of other classes.
std::unordered_map<jmethodID, int> Numbers;
int LastNumber;
jmethodID GetId;

/// Memory of the JVM, given back at the end.
struct Text {
  jvmtiEnv *Jvmti;
  unsigned char *Bytes = nullptr;

  explicit Text(jvmtiEnv *Jvmti) : Jvmti(Jvmti) {}
  Text(const Text &) = delete;
  ~Text() { Jvmti->Deallocate(Bytes); }
  char **chars() { return reinterpret_cast<char **>(&Bytes); }
  const char *str() const { return reinterpret_cast<const char *>(Bytes); }
};

/// Hidden classes, which have a dot, are no class files that can be traced.
bool isWanted(const std::string &Class) {
  if (Class.find('.') != std::string::npos)
    return false;
  for (const std::string &Prefix : Prefixes)
    if (Class.compare(0, Prefix.size(), Prefix) == 0)
      return true;
  return false;
}

void writeLines(jvmtiEnv *Jvmti, jmethodID Method) {
  jint Count = 0;
  jvmtiLineNumberEntry *Lines = nullptr;
  if (Jvmti->GetLineNumberTable(Method, &Count, &Lines) || Count == 0) {
    fputs(" -", Out);
    return;
  }
  for (jint I = 0; I < Count; ++I)
    fprintf(Out, "%c%d:%d", I ? ',' : ' ', int(Lines[I].start_location),
            int(Lines[I].line_number));
  Jvmti->Deallocate(reinterpret_cast<unsigned char *>(Lines));
}

void writeHex(const unsigned char *Bytes, jint Size) {
  fputc(' ', Out);
  for (jint I = 0; I < Size; ++I)
    fprintf(Out, "%02x", Bytes[I]);
}

/// The method's number; writes what it is at its first use. Under the lock.
int number(jvmtiEnv *Jvmti, jmethodID Method) {
  auto Known = Numbers.find(Method);
  if (Known != Numbers.end())
    return Known->second;
  int &Number = Numbers[Method];
  jclass Class = nullptr;
  Text Signature(Jvmti), Name(Jvmti), Descriptor(Jvmti), Code(Jvmti),
      Pool(Jvmti);
  jint Size = 0, Access = 0, Constants = 0, PoolSize = 0;
  if (Jvmti->GetMethodDeclaringClass(Method, &Class) ||
      Jvmti->GetClassSignature(Class, Signature.chars(), nullptr))
    return 0;
  std::string Internal(Signature.str() + 1, strlen(Signature.str()) - 2);
  if (!isWanted(Internal) ||
      Jvmti->GetMethodName(Method, Name.chars(), Descriptor.chars(), nullptr) ||
      Jvmti->GetMethodModifiers(Method, &Access) ||
      Jvmti->GetBytecodes(Method, &Size, &Code.Bytes) ||
      Jvmti->GetConstantPool(Class, &Constants, &PoolSize, &Pool.Bytes))
    return 0;
  Number = ++LastNumber;
  fprintf(Out, "M %d %s %s%s %d", Number, Internal.c_str(), Name.str(),
          Descriptor.str(), int(Access));
  writeHex(Code.Bytes, Size);
  writeLines(Jvmti, Method);
  writeHex(Pool.Bytes, PoolSize);
  fputc('\n', Out);
  return Number;
}

long threadId(JNIEnv *Jni, jthread Thread) {
  return long(Jni->CallLongMethod(Thread, GetId));
}

void write(char Kind, jvmtiEnv *Jvmti, JNIEnv *Jni, jthread Thread,
           jmethodID Method, jlocation Place) {
  int Number;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Number = number(Jvmti, Method);
  }
  jint Depth = 0;
  if (!Number || !GetId || Jvmti->GetFrameCount(Thread, &Depth))
    return;
  long Id = threadId(Jni, Thread);
  std::lock_guard<std::mutex> Guard(Lock);
  fprintf(Out, "%c %ld %d %d %d\n", Kind, Id, Number, int(Place), int(Depth));
}

void JNICALL onStep(jvmtiEnv *Jvmti, JNIEnv *Jni, jthread Thread,
                    jmethodID Method, jlocation Place) {
  write('S', Jvmti, Jni, Thread, Method, Place);
}

void JNICALL onEntry(jvmtiEnv *Jvmti, JNIEnv *Jni, jthread Thread,
                     jmethodID Method) {
  write('E', Jvmti, Jni, Thread, Method, 0);
}

void JNICALL onCatch(jvmtiEnv *Jvmti, JNIEnv *Jni, jthread Thread,
                     jmethodID Method, jlocation Place, jobject) {
  write('C', Jvmti, Jni, Thread, Method, Place);
}

void JNICALL onStart(jvmtiEnv *Jvmti, JNIEnv *Jni, jthread) {
  GetId = Jni->GetMethodID(Jni->FindClass("java/lang/Thread"), "getId", "()J");
  for (jvmtiEvent Event : {JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_METHOD_ENTRY,
                           JVMTI_EVENT_EXCEPTION_CATCH})
    Jvmti->SetEventNotificationMode(JVMTI_ENABLE, Event, nullptr);
}

void JNICALL onEnd(jvmtiEnv *, JNIEnv *) {
  std::lock_guard<std::mutex> Guard(Lock);
  fclose(Out);
  Out = fopen("/dev/null", "w"); // threads that still run
}

int fail(const char *Reason) {
  fprintf(stderr, "steps: %s\n", Reason);
  return JNI_ERR;
}

} // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *VM, char *Options,
                                               void *) {
  std::vector<std::string> Parts;
  for (const char *At = Options; At && *At;) {
    size_t Size = strcspn(At, ",");
    Parts.emplace_back(At, Size);
    At += Size + (At[Size] == ',');
  }
  if (Parts.size() < 2)
    return fail("-agentpath:libsteps.so=FILE,PREFIX[,PREFIX...]");
  Out = fopen(Parts[0].c_str(), "w");
  if (!Out)
    return fail("the file cannot be written");
  Prefixes.assign(Parts.begin() + 1, Parts.end());

  jvmtiEnv *Jvmti = nullptr;
  if (VM->GetEnv(reinterpret_cast<void **>(&Jvmti), JVMTI_VERSION_9) != JNI_OK)
    return fail("no JVMTI");
  jvmtiCapabilities Wanted = {};
  Wanted.can_generate_single_step_events = 1;
  Wanted.can_generate_method_entry_events = 1;
  Wanted.can_generate_exception_events = 1;
  Wanted.can_get_bytecodes = 1;
  Wanted.can_get_constant_pool = 1;
  Wanted.can_get_line_numbers = 1;
#ifdef JVMTI_VERSION_21
  jvmtiCapabilities All = {};
  if (!Jvmti->GetPotentialCapabilities(&All))
    Wanted.can_support_virtual_threads = All.can_support_virtual_threads;
#endif
  jvmtiEventCallbacks Callbacks = {};
  Callbacks.VMInit = onStart;
  Callbacks.VMDeath = onEnd;
  Callbacks.SingleStep = onStep;
  Callbacks.MethodEntry = onEntry;
  Callbacks.ExceptionCatch = onCatch;
  if (Jvmti->AddCapabilities(&Wanted) ||
      Jvmti->SetEventCallbacks(&Callbacks, sizeof(Callbacks)) ||
      Jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                                      nullptr) ||
      Jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
                                      nullptr))
    return fail("the JVM refuses what this needs");
  return JNI_OK;
}
