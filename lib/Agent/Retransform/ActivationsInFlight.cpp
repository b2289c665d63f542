//===- ActivationsInFlight.cpp - Who runs in a loop -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/ActivationsInFlight.h"
#include "jopt/Bytecode/Loops.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/DenseMap.h"

using namespace jopt;
using namespace jopt::agent;

/// Frames of a stack that are looked at; who recurses deeper is not in an
/// endless loop below.
static constexpr jint Deepest = 8192;
/// The time that is taken for virtual threads: half of it for finding them,
/// while all threads stand still.
static constexpr std::chrono::milliseconds TimeForVirtual(200);

/// In its own environment, for tags of its own. What it asks for every JVM has
/// at any time, and costs nothing.
bool ActivationsInFlight::connect(JavaVM *VM) {
  if (Jvmti || Failed)
    return Jvmti;
  jvmtiEnv *New = nullptr;
  Failed = getInterface(VM, New) != JNI_OK;
  if (Failed)
    return false;
  jvmtiCapabilities Wanted = {};
  Wanted.can_tag_objects = 1;
  Wanted.can_get_bytecodes = 1;
  Wanted.can_get_line_numbers = 1;
  Failed = New->AddCapabilities(&Wanted) != JVMTI_ERROR_NONE;
  if (Failed)
    New->DisposeEnvironment();
  else
    Jvmti = New;
  return !Failed;
}

/// The line of \p At in \p Method; 0 if it is not known.
static jint lineOf(jvmtiEnv *Jvmti, jmethodID Method, jlocation At) {
  jint Count = 0, Line = 0;
  JvmtiMemory<jvmtiLineNumberEntry> Table(Jvmti);
  if (Jvmti->GetLineNumberTable(Method, &Count, &Table) != JVMTI_ERROR_NONE)
    return 0;
  jlocation Best = -1;
  for (const jvmtiLineNumberEntry &E :
       llvm::ArrayRef(Table.get(), size_t(Count)))
    if (E.start_location <= At && E.start_location > Best) {
      Best = E.start_location;
      Line = E.line_number;
    }
  return Line;
}

namespace {
/// One look; its answers about methods hold for as long.
class StackScan {
public:
  StackScan(jvmtiEnv *Jvmti, JNIEnv *Jni) : Jvmti(Jvmti), Jni(Jni) {}

  void addStack(jthread Thread, llvm::ArrayRef<jvmtiFrameInfo> Frames);

  StackView View;

private:
  struct Known {
    size_t Class = 0; ///< one more than its number; 0: not asked about
    bool IsOld = false;
  };
  Known &know(jmethodID Method);
  bool loops(jmethodID Method, jlocation At);
  LoopingActivation describe(jthread Thread, const jvmtiFrameInfo &Frame);

  jvmtiEnv *Jvmti;
  JNIEnv *Jni;
  llvm::DenseMap<jmethodID, Known> Methods;
  llvm::DenseMap<std::pair<jmethodID, jlocation>, bool> Places;
};
} // namespace

StackScan::Known &StackScan::know(jmethodID Method) {
  auto [At, IsNew] = Methods.try_emplace(Method);
  Known &K = At->second;
  if (!IsNew)
    return K;
  jclass Class = nullptr;
  jlong Tag = 0;
  jboolean IsOld = false;
  if (Jvmti->IsMethodObsolete(Method, &IsOld) == JVMTI_ERROR_NONE)
    K.IsOld = IsOld;
  if (Jvmti->GetMethodDeclaringClass(Method, &Class) != JVMTI_ERROR_NONE)
    return K;
  if (Jvmti->GetTag(Class, &Tag) == JVMTI_ERROR_NONE && Tag > 0)
    K.Class = size_t(Tag);
  Jni->DeleteLocalRef(Class);
  return K;
}

bool StackScan::loops(jmethodID Method, jlocation At) {
  auto [Place, IsNew] = Places.try_emplace({Method, At}, false);
  if (!IsNew || At < 0) // a native method
    return Place->second;
  jint Size = 0;
  JvmtiMemory<unsigned char> Code(Jvmti);
  if (Jvmti->GetBytecodes(Method, &Size, &Code) == JVMTI_ERROR_NONE)
    Place->second = isInLoop(Bytes(Code.get(), size_t(Size)), uint32_t(At));
  return Place->second;
}

LoopingActivation StackScan::describe(jthread Thread,
                                      const jvmtiFrameInfo &Frame) {
  LoopingActivation A;
  A.Id = Frame.method;
  A.Line = lineOf(Jvmti, Frame.method, Frame.location);
  JvmtiMemory<char> Method(Jvmti);
  if (Jvmti->GetMethodName(Frame.method, &Method, nullptr, nullptr) ==
      JVMTI_ERROR_NONE)
    A.Method = Method.get();
  LocalFrame References(Jni, 16);
  jclass Class = nullptr;
  if (Jvmti->GetMethodDeclaringClass(Frame.method, &Class) == JVMTI_ERROR_NONE)
    A.ClassName = className(Jvmti, Class);
  jvmtiThreadInfo Info = {};
  if (Jvmti->GetThreadInfo(Thread, &Info) == JVMTI_ERROR_NONE && Info.name) {
    A.Name = toSafeLine(toDisplayUTF8(Info.name));
    Jvmti->Deallocate(reinterpret_cast<unsigned char *>(Info.name));
  }
  jclass Base = Jni->FindClass("java/lang/Thread");
  jmethodID GetId = Base ? Jni->GetMethodID(Base, "getId", "()J") : nullptr;
  if (GetId)
    A.Thread = Jni->CallNonvirtualLongMethod(Thread, Base, GetId);
  Jni->ExceptionClear();
  return A;
}

void StackScan::addStack(jthread Thread,
                         llvm::ArrayRef<jvmtiFrameInfo> Frames) {
  for (size_t I = 0; I < Frames.size(); ++I) {
    const jvmtiFrameInfo &F = Frames[I];
    Known K = know(F.method);
    View.Old += K.IsOld;
    if ((!K.IsOld && !K.Class) || !loops(F.method, F.location))
      continue;
    LoopingActivation A = describe(Thread, F);
    A.Class = K.Class - 1;
    A.Depth = Frames.size() < size_t(Deepest) ? jint(Frames.size() - I) : 0;
    (K.IsOld ? View.OldLoops : View.Loops).push_back(std::move(A));
  }
}

/// All threads that JVMTI lists, in one stop.
static void addPlatform(jvmtiEnv *Jvmti, JNIEnv *Jni, StackScan &L) {
  jint Count = 0;
  JvmtiMemory<jvmtiStackInfo> Stacks(Jvmti);
  if (Jvmti->GetAllStackTraces(Deepest, &Stacks, &Count) != JVMTI_ERROR_NONE)
    return;
  // They are all there already; -Xcheck:jni wants to be told.
  if (Jni->EnsureLocalCapacity(Count + 64) != 0)
    Jni->ExceptionClear();
  for (const jvmtiStackInfo &S : llvm::ArrayRef(Stacks.get(), size_t(Count)))
    L.addStack(S.thread, llvm::ArrayRef(S.frame_buffer, size_t(S.frame_count)));
}

/// Those of \p Threads that there is time for, one by one.
static void addVirtual(jvmtiEnv *Jvmti, llvm::ArrayRef<jthread> Threads,
                       VirtualThreads::Clock::time_point End, StackScan &L) {
  std::vector<jvmtiFrameInfo> Frames(Threads.empty() ? 0 : Deepest);
  for (jthread T : Threads) {
    if (VirtualThreads::Clock::now() >= End) {
      L.View.Complete = false;
      return;
    }
    jint Count = 0;
    // It has none if it has ended.
    if (Jvmti->GetStackTrace(T, 0, Deepest, Frames.data(), &Count) ==
        JVMTI_ERROR_NONE)
      L.addStack(T, llvm::ArrayRef(Frames).take_front(size_t(Count)));
  }
}

StackView ActivationsInFlight::look(JavaVM *VM, JNIEnv *Jni,
                                    llvm::ArrayRef<jclass> Classes,
                                    Threads Which) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!connect(VM))
    return {};
  LocalFrame Frame(Jni, 64);
  for (size_t I = 0; I < Classes.size(); ++I)
    Jvmti->SetTag(Classes[I], jlong(I) + 1);
  StackScan L(Jvmti, Jni);
  addPlatform(Jvmti, Jni, L);
  if (Which == Threads::All) {
    auto Begin = VirtualThreads::Clock::now();
    std::vector<jthread> Found =
        Virtual.find(Jvmti, Jni, Begin + TimeForVirtual / 2, L.View.Complete);
    addVirtual(Jvmti, Found, Begin + TimeForVirtual, L);
  }
  for (jclass C : Classes)
    Jvmti->SetTag(C, 0);
  return std::move(L.View);
}
