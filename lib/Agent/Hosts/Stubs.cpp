//===- Stubs.cpp - How core classes reach what programs register ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hosts/Stubs.h"
#include "DefineClasses.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Support/Bytes.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// Class files of this version need no frames.
static constexpr uint16_t Version = 49;
static constexpr llvm::StringLiteral StubPrefix = "jopt/boot/Stub$";
static constexpr llvm::StringLiteral AdapterName = "jopt/registered/Adapter";

/// The method of a stub that its adapter has.
static std::string targetName(const Advice &A) { return "call$" + A.Body.Name; }

/// Its descriptor: that of the probe's method, as the stub has it, without what
/// only the stub needs.
static std::string targetDescriptor(const Advice &A) {
  MethodDescriptor Own(A.Body.Descriptor);
  const std::string Stub = stubDescriptor(A);
  MethodDescriptor Erased(Stub);
  std::string Text = "(";
  while (!Own.nextParameter().empty())
    Text += Erased.nextParameter();
  return Text + ")" + returnDescriptor(Stub).str();
}

namespace {

/// A class file that is written member by member, its code as bytes.
class StubMaker {
public:
  StubMaker(StringRef Name, StringRef Super, uint16_t Access) {
    C.Major = Version;
    C.Access = uint16_t(Access | ACC_PUBLIC | ACC_SUPER);
    C.ThisIndex = C.Pool.addClass(Name);
    C.SuperIndex = C.Pool.addClass(Super);
    C.Changed = true;
  }

  void addField(uint16_t Access, StringRef Name, StringRef Descriptor) {
    Field &F = C.Fields.emplace_back();
    F.Access = Access;
    F.NameIndex = C.Pool.addUtf8(Name);
    F.DescriptorIndex = C.Pool.addUtf8(Descriptor);
    F.Changed = true;
  }

  /// Begins a method.
  void begin(uint16_t Access, StringRef Name, StringRef Descriptor) {
    Method &M = C.Methods.emplace_back();
    M.Access = Access;
    M.NameIndex = C.Pool.addUtf8(Name);
    M.DescriptorIndex = C.Pool.addUtf8(Descriptor);
    M.Changed = true;
    Code.clear();
  }
  void op(unsigned Byte) { Code.push_back(uint8_t(Byte)); }
  void op2(unsigned Opcode, unsigned Operand) {
    op(Opcode);
    op(Operand >> 8);
    op(Operand & 0xff);
  }
  void member(unsigned Opcode, CPTag Tag, StringRef Owner, StringRef Name,
              StringRef Descriptor) {
    op2(Opcode, C.Pool.addMember(Tag, Owner, Name, Descriptor));
  }
  void cast(StringRef Descriptor) {
    StringRef Class = Descriptor;
    if (Class.consume_front("L"))
      Class = Class.drop_back();
    op2(0xc0, C.Pool.addClass(Class));
  }
  /// A local variable: xload, wide.
  void load(StringRef Descriptor, unsigned Slot) {
    op(0xc4);
    op2(0x15 + kind(Descriptor), Slot);
  }
  /// xreturn.
  void leave(StringRef Descriptor) {
    op(Descriptor == "V" ? 0xb1 : 0xac + kind(Descriptor));
  }
  void zero(StringRef Descriptor) {
    static constexpr uint8_t Constants[] = {0x03, 0x09, 0x0b, 0x0e, 0x01};
    if (Descriptor != "V")
      op(Constants[kind(Descriptor)]);
  }
  /// A branch; where it goes is said by land().
  size_t branch(unsigned Opcode) {
    op2(Opcode, 0);
    return Code.size() - 3;
  }
  void land(size_t Branch) {
    const size_t Distance = Code.size() - Branch;
    Code[Branch + 1] = uint8_t(Distance >> 8);
    Code[Branch + 2] = uint8_t(Distance);
  }
  void end(unsigned Stack, unsigned Locals) {
    ByteWriter W;
    W.u2(uint16_t(Stack));
    W.u2(uint16_t(Locals));
    W.u4(uint32_t(Code.size()));
    for (uint8_t B : Code)
      W.u1(B);
    W.u2(0); // handlers
    W.u2(0); // attributes
    Kept.push_back(std::make_unique<llvm::SmallVector<uint8_t, 0>>(
        W.data().begin(), W.data().end()));
    Attribute A;
    A.NameIndex = C.Pool.addUtf8("Code");
    A.Data = *Kept.back();
    C.Methods.back().Attributes.push_back(A);
  }
  llvm::Expected<llvm::SmallVector<uint8_t, 0>> write() {
    return writeClass(C);
  }

  /// Of the words of opcodes: int, long, float, double, reference.
  static unsigned kind(StringRef Descriptor) {
    switch (Descriptor.front()) {
    case 'J':
      return 1;
    case 'F':
      return 2;
    case 'D':
      return 3;
    case 'L':
    case '[':
      return 4;
    default:
      return 0;
    }
  }

private:
  ClassFile C;
  std::vector<uint8_t> Code;
  std::vector<std::unique_ptr<llvm::SmallVector<uint8_t, 0>>> Kept;
};

} // namespace

/// <init>(int), which hands on to that of \p Super, or to Object's and keeps
/// the token in a field of \p Own.
static void addConstructor(StubMaker &M, StringRef Super, StringRef Own) {
  M.begin(ACC_PUBLIC, "<init>", "(I)V");
  M.op(0x2a); // aload_0
  if (Own.empty())
    M.op(0x1b); // iload_1
  M.member(0xb7, CPTag::Methodref, Super, "<init>",
           Own.empty() ? "(I)V" : "()V");
  if (!Own.empty()) {
    M.op(0x2a);
    M.op(0x1b);
    M.member(0xb5, CPTag::Fieldref, Own, "token", "I");
  }
  M.op(0xb1);
  M.end(2, 2);
}

/// The stub \p Name of \p P.
static llvm::Expected<llvm::SmallVector<uint8_t, 0>>
makeStub(const RegisteredProbe &P, StringRef Name) {
  const std::string Type = ("L" + Name + ";").str();
  StubMaker M(Name, "java/lang/Object", ACC_ABSTRACT);
  M.addField(ACC_PUBLIC | ACC_STATIC | ACC_VOLATILE, "target", Type);
  M.addField(ACC_PUBLIC | ACC_FINAL, "token", "I");
  addConstructor(M, "java/lang/Object", Name);
  for (const Advice &A : P.Advices.Advices) {
    const std::string Descriptor = stubDescriptor(A),
                      Target = targetDescriptor(A);
    const StringRef Result = returnDescriptor(Descriptor);
    const unsigned Slots = parameterSlots(Descriptor),
                   Given = parameterSlots(Target);
    M.begin(ACC_PUBLIC | ACC_ABSTRACT, targetName(A), Target);
    M.begin(ACC_PUBLIC | ACC_STATIC, A.Body.Name, Descriptor);
    M.member(0xb2, CPTag::Fieldref, Name, "target", Type);
    M.op(0x59); // dup
    size_t IfNull = M.branch(0xc6);
    M.op(0x59);
    M.member(0xb4, CPTag::Fieldref, Name, "token", "I");
    M.load("I", Slots - 1);
    size_t IfOther = M.branch(0xa0);
    unsigned Slot = 0;
    MethodDescriptor D(Target);
    for (StringRef T = D.nextParameter(); !T.empty(); T = D.nextParameter()) {
      M.load(T, Slot);
      Slot += slotsOf(T);
    }
    M.member(0xb6, CPTag::Methodref, Name, targetName(A), Target);
    M.leave(Result);
    M.land(IfNull);
    M.land(IfOther);
    M.op(0x57); // pop
    if (A.Result == ResultUse::Return) {
      M.load("L", Given);
      M.op(0xbf); // athrow
    } else {
      if (A.Result == ResultUse::ReplaceValue && Result != "V")
        M.load(Result, Given);
      else
        M.zero(Result);
      M.leave(Result);
    }
    M.end(Slots + 4, Slots);
  }
  return M.write();
}

/// What extends the stub of \p P, and calls the probe.
static llvm::Expected<llvm::SmallVector<uint8_t, 0>>
makeAdapter(const RegisteredProbe &P, StringRef Class) {
  StubMaker M(AdapterName, P.Stub, 0);
  addConstructor(M, P.Stub, {});
  for (const Advice &A : P.Advices.Advices) {
    const std::string Target = targetDescriptor(A);
    M.begin(ACC_PUBLIC, targetName(A), Target);
    MethodDescriptor Own(A.Body.Descriptor), Erased(Target);
    unsigned Slot = 1;
    for (StringRef T = Own.nextParameter(); !T.empty();
         T = Own.nextParameter()) {
      StringRef Given = Erased.nextParameter();
      M.load(Given, Slot);
      if (T != Given)
        M.cast(T);
      Slot += slotsOf(T);
    }
    M.member(0xb8, CPTag::Methodref, Class, A.Body.Name, A.Body.Descriptor);
    M.leave(returnDescriptor(Target));
    M.end(Slot + 2, Slot);
  }
  return M.write();
}

Error Stubs::assign(JNIEnv *Jni, RegisteredProbe &P) {
  std::string Shape;
  for (const Advice &A : P.Advices.Advices)
    Shape += A.Body.Name + stubDescriptor(A) + char('0' + int(A.Result));
  const std::string Prefix =
      StubPrefix.str() + llvm::utohexstr(llvm::xxh3_64bits(Shape)) + "_";
  unsigned Number = 0;
  while (Taken.contains(Prefix + std::to_string(Number)))
    ++Number;
  std::string Name = Prefix + std::to_string(Number);
  if (!isOnBoot(Jni, Name)) {
    auto Data = makeStub(P, Name);
    if (!Data)
      return Data.takeError();
    LocalFrame Frame(Jni, 8);
    if (!defineClass(Jni, Name, nullptr, *Data))
      return makeError("the JVM refuses the class " + Name + ": " +
                       takeException(Jni));
  }
  Taken.insert(Name);
  P.Stub = std::move(Name);
  P.Token = ++Last;
  return Error::success();
}

/// The field that has the adapter of \p P; null if there is none.
static std::pair<jclass, jfieldID> targetOf(JNIEnv *Jni,
                                            const RegisteredProbe &P) {
  jclass Stub = BootLibrary::find(Jni, P.Stub);
  jfieldID Field =
      Stub ? Jni->GetStaticFieldID(Stub, "target", ("L" + P.Stub + ";").c_str())
           : nullptr;
  Jni->ExceptionClear();
  return {Stub, Field};
}

Error Stubs::open(jvmtiEnv *Jvmti, JNIEnv *Jni, const RegisteredProbe &P,
                  jclass Class) {
  auto Data = makeAdapter(P, className(Jvmti, Class));
  if (!Data)
    return Data.takeError();
  LocalFrame Frame(Jni, 16);
  jclass Sets = BootLibrary::find(Jni, "jopt/boot/ProbeSet");
  jmethodID Make =
      Sets ? Jni->GetStaticMethodID(Sets, "adapter",
                                    "(Ljava/lang/Class;Ljava/lang/String;[BI)"
                                    "Ljava/lang/Object;")
           : nullptr;
  std::string Dotted = AdapterName.str();
  std::replace(Dotted.begin(), Dotted.end(), '/', '.');
  jstring Name = Make ? Jni->NewStringUTF(Dotted.c_str()) : nullptr;
  jbyteArray Bytes = Name ? Jni->NewByteArray(jsize(Data->size())) : nullptr;
  if (Bytes)
    Jni->SetByteArrayRegion(Bytes, 0, jsize(Data->size()),
                            reinterpret_cast<const jbyte *>(Data->data()));
  jobject Made = Bytes ? Jni->CallStaticObjectMethod(Sets, Make, Class, Name,
                                                     Bytes, jint(P.Token))
                       : nullptr;
  std::string Thrown = takeException(Jni);
  auto [Stub, Field] = targetOf(Jni, P);
  if (!Made || !Field)
    return makeError("classes of the JDK cannot call it: " + Thrown);
  BootLibrary::exportTo(Jvmti, Jni, Class, Jni->GetObjectClass(Made));
  Jni->SetStaticObjectField(Stub, Field, Made);
  return Error::success();
}

void Stubs::close(JNIEnv *Jni, const RegisteredProbe &P) {
  LocalFrame Frame(Jni, 8);
  if (auto [Stub, Field] = targetOf(Jni, P); Field)
    Jni->SetStaticObjectField(Stub, Field, nullptr);
  Taken.erase(P.Stub);
}
