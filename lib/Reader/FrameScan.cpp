//===- FrameScan.cpp - Frames as bytes ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "OpcodeFacts.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace jopt;

/// Tags of verification types (JVM specification, 4.7.4).
static constexpr uint8_t SameFrame = 251, FullFrame = 255;

enum : uint8_t { TagTop = 0, TagUninitThis = 6, TagObject = 7, TagUninit = 8 };

size_t jopt::frameTypeLength(Bytes B) {
  if (B.empty() || B[0] > TagUninit)
    return 0;
  const size_t Length = B[0] >= TagObject ? 3 : 1;
  return Length <= B.size() ? Length : 0;
}

FrameStack::FrameStack(const OriginalFrame &F) {
  if ((F.Tag >= 64 && F.Tag < 128) || F.Tag == 247) {
    Count = 1;
    Types = F.Rest;
  } else if (F.Tag == 255) {
    size_t At = 2;
    for (unsigned N = readU2(F.Rest.data()); N; --N)
      At += frameTypeLength(F.Rest.drop_front(At));
    Count = readU2(F.Rest.data() + At);
    Types = F.Rest.drop_front(At + 2);
  }
}

inline bool FrameScan::enter() {
  OfConstructor = isConstructor(*Class, *Of);
  KeepsThis = !isStatic(*Class, *Of);
  const auto Parameters = countParameters(Class->descriptor(*Of));
  if (!Parameters)
    return false;
  const unsigned This = !isStatic(*Class, *Of);
  Locals.assign(Parameters->Count + This, nullptr);
  NumEntrySlots = Parameters->Slots + This;
  return true;
}

/// \p Index is the Class entry that the writer has for its name.
inline bool FrameScan::isFirst(uint16_t Index) const {
  const llvm::ArrayRef<uint16_t> Twins = Class->twinClasses();
  return !Class->Pool.className(Index).empty() &&
         (Twins.empty() || !llvm::is_contained(Twins, Index));
}

/// Passes over a type and gives where it stands; null: it is none. A class must
/// be the one that the writer would name.
inline const uint8_t *FrameScan::type(bool &HasUninit) {
  const uint8_t *At = Now;
  if (At == Last || *At > TagUninit)
    return nullptr;
  if (*At < TagObject) {
    ++Now;
    return At;
  }
  if (Last - At < 3)
    return nullptr;
  Now += 3;
  HasUninit |= *At == TagUninit;
  return *At == TagUninit || isFirst(readU2(At + 1)) ? At : nullptr;
}

/// Two bytes; enough of them are there.
inline uint16_t FrameScan::u2() {
  Now += 2;
  return readU2(Now - 2);
}

/// Passes over \p Count types, which \p Types gets where they stand.
bool FrameScan::types(unsigned Count, bool &HasUninit,
                      llvm::SmallVectorImpl<const uint8_t *> *Types) {
  for (; Count; --Count) {
    const uint8_t *At = type(HasUninit);
    if (!At)
      return false;
    if (Types)
      Types->push_back(At);
  }
  return true;
}

inline bool FrameScan::isThis(const uint8_t *Type) const {
  return Type && *Type == TagObject &&
         (readU2(Type + 1) == Class->ThisIndex ||
          Class->Pool.className(readU2(Type + 1)) == Class->name());
}

/// Both declare the same type for local \p Local.
bool FrameScan::isSame(size_t Local, const uint8_t *Old, const uint8_t *New) {
  if (Old)
    return *Old == *New &&
           (*Old < TagObject || readU2(Old + 1) == readU2(New + 1));
  if (!isStatic(*Class, *Of)) {
    if (Local == 0)
      return OfConstructor ? *New == TagUninitThis : isThis(New);
    --Local;
  }
  MethodDescriptor D(Class->descriptor(*Of));
  llvm::StringRef P = D.nextParameter();
  while (Local--)
    P = D.nextParameter();
  if (P[0] == 'L' || P[0] == '[')
    return *New == TagObject &&
           Class->Types.fromDescriptor(P) == Class->classType(readU2(New + 1));
  const char Tags[] = {0, 'I', 'F', 'D', 'J'};
  return *New < std::size(Tags) && *New &&
         (Tags[*New] == P[0] ||
          (*New == 1 && !llvm::is_contained({'F', 'D', 'J'}, P[0])));
}

/// No shorter form than full_frame says that the locals are \p New now.
bool FrameScan::isShortest(llvm::ArrayRef<const uint8_t *> New,
                           unsigned NumStack) {
  const size_t Common = std::min(Locals.size(), New.size());
  const size_t More = std::max(Locals.size(), New.size()) - Common;
  if (NumStack > 1 || More > (NumStack ? 0 : 3))
    return true;
  for (size_t I = 0; I < Common; ++I)
    if (!isSame(I, Locals[I], New[I]))
      return true;
  return false;
}

/// Reads one frame that declares something from behind its offset_delta.
inline bool FrameScan::frame(OriginalFrame &F) {
  if (F.Tag < 128 || F.Tag == 247)
    return type(F.HasUninit);
  if (F.Tag < 251) {
    const size_t Chopped = 251u - F.Tag;
    if (Locals.size() < Chopped)
      return false;
    Locals.truncate(Locals.size() - Chopped);
  } else if (F.Tag < 255) {
    if (!types(F.Tag - 251u, F.HasUninit, &Locals))
      return false;
  } else {
    Full.clear();
    if (Last - Now < 2 || !types(u2(), F.HasUninit, &Full) || Last - Now < 2)
      return false;
    const unsigned NumStack = u2();
    if (!types(NumStack, F.HasUninit, nullptr) || !isShortest(Full, NumStack))
      return false;
    Locals.swap(Full);
  }
  // Tops at the end are not written.
  return Locals.empty() || !Locals.back() || *Locals.back() != TagTop;
}

bool FrameScan::run(ClassFile &InClass, const Method &M, Bytes Payload) {
  Class = &InClass;
  Of = &M;
  Frames.clear();
  NumBeforeSuper = 0;
  if (!enter())
    return false;
  if (Payload.empty())
    return true;
  Now = Payload.begin();
  Last = Payload.end();
  if (Last - Now < 2)
    return false;
  uint32_t BCI = ~0u; // one in front of the code
  for (unsigned N = u2(); N; --N) {
    if (Now == Last)
      return false;
    OriginalFrame &F = Frames.emplace_back();
    F.Tag = *Now++;
    const bool Short = F.Tag < 128;
    if (!Short && (F.Tag < 247 || Last - Now < 2))
      return false;
    BCI += 1 + (Short ? F.Tag & 63u : u2());
    F.BCI = BCI;
    if (F.Tag < 64 || F.Tag == SameFrame) {
      F.Rest = {Now, Now};
    } else {
      const uint8_t *Rest = Now;
      if (!frame(F))
        return false;
      F.Rest = {Rest, Now};
    }
    if (OfConstructor && !Locals.empty() && !Locals[0]) {
      NumBeforeSuper = Frames.size();
      continue;
    }
    // Others keep the first local, or take it away.
    if (KeepsThis && (F.Tag == FullFrame || Locals.empty() || OfConstructor))
      KeepsThis =
          !Locals.empty() && (Locals[0] ? isThis(Locals[0]) : !OfConstructor);
  }
  return Now == Last;
}

Bytes FrameScan::firstLocal() const {
  if (Locals.empty() || !Locals[0])
    return {};
  return Bytes(Locals[0], *Locals[0] >= TagObject ? 3 : 1);
}

const OriginalFrame *FrameScan::at(uint32_t BCI) const {
  auto It = llvm::partition_point(
      Frames, [&](const OriginalFrame &F) { return F.BCI < BCI; });
  return It != Frames.end() && It->BCI == BCI ? &*It : nullptr;
}

void jopt::readFrameTypes(ClassFile &Class, Bytes &From, unsigned Count,
                          std::vector<Type> &To) {
  static constexpr Type::Kind Kinds[] = {
      Type::Top,  Type::Int,  Type::Float,     Type::Double,
      Type::Long, Type::Null, Type::UninitThis};
  for (; Count; --Count) {
    const uint8_t Tag = From[0];
    const unsigned Operand = Tag < TagObject ? 0 : readU2(&From[1]);
    To.push_back(Tag < TagObject    ? Type(Kinds[Tag])
                 : Tag == TagObject ? Class.classType(Operand)
                                    : Type(Type::Uninit, Operand));
    From = From.drop_front(frameTypeLength(From));
  }
}

/// Follows \p Locals, as frames list them, to what \p F declares.
static void follow(ClassFile &Class, const OriginalFrame &F,
                   std::vector<Type> &Locals) {
  Bytes Rest = F.Rest;
  auto Read = [&](unsigned Count) {
    const size_t Old = Locals.size();
    readFrameTypes(Class, Rest, Count, Locals);
    std::replace_if(
        Locals.begin() + ptrdiff_t(Old), Locals.end(),
        [](Type Ty) { return Ty.is(Type::Uninit); }, Type(Type::Top));
  };
  if (F.Tag < 248 || F.Tag == 251)
    return;
  if (F.Tag < 251)
    return Locals.resize(Locals.size() - (251u - F.Tag));
  if (F.Tag < FullFrame)
    return Read(F.Tag - 251u);
  Locals.clear();
  const unsigned Count = readU2(Rest.data());
  Rest = Rest.drop_front(2);
  Read(Count);
}

void jopt::noteLocals(ClassFile &Class, const Method &M, CodePatch &S) {
  std::vector<Type> &Locals = S.LastLocals;
  Locals.clear();
  S.HandlerLocals.clear();
  if (!isStatic(Class, M))
    Locals.push_back(S.SuperEnd ? Type(Type::UninitThis)
                                : Class.Types.ref(Class.name()));
  MethodDescriptor D(Class.descriptor(M));
  for (llvm::StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Locals.push_back(Class.Types.fromDescriptor(P));
  for (const OriginalFrame &F : S.Frames) {
    follow(Class, F, Locals);
    if (llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
          return H.Target == F.BCI;
        }))
      S.HandlerLocals.emplace_back(F.BCI, Locals);
  }
}
