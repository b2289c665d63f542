//===- AttributeChecker.cpp - Attributes (4.7) ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormatChecker.h"
#include "Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;
using llvm::Twine;

bool FormatChecker::readAttributes(
    ByteCursor &From, llvm::function_ref<void(StringRef, Bytes)> Each) {
  unsigned Count = From.u2();
  for (unsigned I = 0; I < Count; ++I) {
    uint16_t Name = From.u2();
    uint32_t Length = From.u4();
    Bytes Data = From.bytes(Length);
    if (From.failed() || R.full())
      return false;
    if (!isUtf8(Name)) {
      format("an attribute has no name", "4.7");
      continue;
    }
    Each(V.utf8(Name), Data);
  }
  return !From.failed();
}

bool FormatChecker::once(SeenSet &Seen, StringRef Name, const char *Section) {
  return Seen.insert(Name) ||
         format("more than one attribute " + Name, Section);
}

void FormatChecker::checkCommon(Owner O, StringRef Name, Bytes Data,
                                SeenSet &Seen) {
  if (O != Owner::Component && O != Owner::Code &&
      (Name == "Synthetic" || Name == "Deprecated")) {
    if (!Data.empty())
      format("attribute " + Name + " is not empty",
             Name == "Synthetic" ? "4.7.8" : "4.7.15");
    return;
  }
  if (O == Owner::Code) {
    if (V.Major >= 52 && (Name == "RuntimeVisibleTypeAnnotations" ||
                          Name == "RuntimeInvisibleTypeAnnotations"))
      once(Seen, Name, "4.7.20");
    return;
  }
  if (V.Major < 49)
    return;
  if (Name == "Signature") {
    once(Seen, Name, "4.7.9");
    if (Data.size() != 2)
      format("attribute Signature has a bad length", "4.7.9");
    else if (!isUtf8(readU2(Data.data())))
      format("attribute Signature refers to no text", "4.7.9");
  } else if (Name == "RuntimeVisibleAnnotations" ||
             Name == "RuntimeInvisibleAnnotations") {
    once(Seen, Name, "4.7.16");
  } else if (O == Owner::Method &&
             (Name == "RuntimeVisibleParameterAnnotations" ||
              Name == "RuntimeInvisibleParameterAnnotations")) {
    once(Seen, Name, "4.7.18");
  } else if (O == Owner::Method && Name == "AnnotationDefault") {
    once(Seen, Name, "4.7.22");
  } else if (V.Major >= 52 && (Name == "RuntimeVisibleTypeAnnotations" ||
                               Name == "RuntimeInvisibleTypeAnnotations")) {
    once(Seen, Name, "4.7.20");
  }
}

void FormatChecker::checkFieldAttribute(MemberView &F, StringRef Name,
                                        Bytes Data, SeenSet &Seen) {
  if (Name != "ConstantValue")
    return checkCommon(Owner::Field, Name, Data, Seen);
  if (!F.isStatic())
    return; // silently ignored, says 4.7.2
  once(Seen, Name, "4.7.2");
  if (Data.size() != 2) {
    format("attribute ConstantValue has a bad length", "4.7.2");
    return;
  }
  CPTag Tag = V.tag(readU2(Data.data()));
  StringRef Descriptor = V.utf8(F.Descriptor);
  bool Ok = false;
  switch (Descriptor.empty() ? 0 : Descriptor[0]) {
  case 'J':
    Ok = Tag == CPTag::Long;
    break;
  case 'F':
    Ok = Tag == CPTag::Float;
    break;
  case 'D':
    Ok = Tag == CPTag::Double;
    break;
  case 'B':
  case 'C':
  case 'Z':
  case 'S':
  case 'I':
    Ok = Tag == CPTag::Integer;
    break;
  case 'L':
    Ok = Descriptor == "Ljava/lang/String;" && Tag == CPTag::String;
    break;
  default:
    break;
  }
  if (!Ok)
    format("the constant of field " + V.utf8(F.Name) + " is of another type",
           "4.7.2");
}

void FormatChecker::checkMethodAttribute(MemberView &M, StringRef Name,
                                         Bytes Data, SeenSet &Seen) {
  if (Name == "Code") {
    if (once(Seen, Name, "4.7.3"))
      checkCode(M, Data);
    M.HasCode = true;
  } else if (Name == "Exceptions") {
    once(Seen, Name, "4.7.5");
    checkClassList(Data, Name, "4.7.5");
  } else if (Name == "MethodParameters") {
    once(Seen, Name, "4.7.24");
    if (Data.empty() || Data.size() != 1 + 4u * Data[0])
      format("attribute MethodParameters has a bad length", "4.7.24");
  } else {
    checkCommon(Owner::Method, Name, Data, Seen);
  }
}

void FormatChecker::checkClassList(Bytes Data, StringRef What,
                                   const char *Section) {
  ByteCursor C(Data);
  unsigned Count = C.u2();
  if (Data.size() != 2 + 2 * size_t(Count)) {
    format("attribute " + What + " has a bad length", Section);
    return;
  }
  for (unsigned I = 0; I < Count; ++I)
    if (!isClass(C.u2())) {
      format("attribute " + What + " names what is no class", Section);
      return;
    }
}

void FormatChecker::checkCode(MemberView &M, Bytes Data) {
  ByteCursor C(Data);
  CodeAttribute &Code = M.Code;
  Code.MaxStack = C.u2();
  Code.MaxLocals = C.u2();
  uint32_t Length = C.u4();
  StringRef Descriptor = V.utf8(M.Descriptor);
  auto BadLength = [&] { format("attribute Code has a bad length", "4.7.3"); };
  if (C.failed())
    return BadLength();
  if ((isKnown(M.Descriptor) || isMethodDescriptor(Descriptor)) &&
      parameterSlots(Descriptor) + !M.isStatic() > Code.MaxLocals)
    format("max_locals is too small for the parameters", "4.7.3");
  if (Length == 0 || Length > 65535) {
    format("the code has " + Twine(Length) + " bytes", "4.7.3");
    return;
  }
  Code.Code = C.bytes(Length);
  Code.Handlers = C.bytes(8 * size_t(C.u2()));
  if (C.failed())
    return BadLength();
  for (size_t I = 0, E = Code.numHandlers(); I < E; ++I) {
    unsigned Start = Code.handlerField(I, 0), End = Code.handlerField(I, 1);
    unsigned Type = Code.handlerField(I, 3);
    const char *What = nullptr;
    if (Start >= End || End > Length)
      What = "has a bad range";
    else if (Code.handlerField(I, 2) >= Length)
      What = "has its handler beyond the code";
    else if (Type != 0 && !isClass(Type))
      What = "catches what is no class";
    if (What) {
      format("exception table entry " + Twine(I) + " " + What, "4.7.3");
      break;
    }
  }
  SeenSet Seen;
  llvm::SmallVector<Bytes, 1> VariableTypes;
  readAttributes(C, [&](StringRef Name, Bytes Content) {
    if (Name == "LineNumberTable") {
      ByteCursor L(Content);
      unsigned Count = L.u2();
      if (Content.size() != 2 + 4 * size_t(Count)) {
        format("attribute LineNumberTable has a bad length", "4.7.12");
        return;
      }
      for (unsigned I = 0; I < Count; ++I, L.skip(2))
        if (L.u2() >= Length) {
          format("a line number lies beyond the code", "4.7.12");
          return;
        }
    } else if (Name == "LocalVariableTable" ||
               (Name == "LocalVariableTypeTable" && V.Major >= 49)) {
      bool Types = Name == "LocalVariableTypeTable";
      if (Content.size() < 2 ||
          Content.size() != 2 + 10 * size_t(readU2(Content.data()))) {
        format("attribute " + Name + " has a bad length",
               Types ? "4.7.14" : "4.7.13");
        return;
      }
      Bytes Entries = Content.drop_front(2);
      checkLocalVariables(Code, Entries, Types);
      (Types ? VariableTypes : Code.LocalVariables).push_back(Entries);
    } else if (Name == "StackMapTable" && V.Major >= 50) {
      if (once(Seen, Name, "4.7.4"))
        Code.StackMap = Content;
    } else {
      checkCommon(Owner::Code, Name, Content, Seen);
    }
  });
  if (C.failed() || !C.atEnd())
    return BadLength();
  checkLocalVariableDuplicates(Code.LocalVariables, VariableTypes);
}

void FormatChecker::checkLocalVariables(const CodeAttribute &C, Bytes Data,
                                        bool Types) {
  const char *Section = Types ? "4.7.14" : "4.7.13";
  for (const uint8_t *P = Data.begin(); P != Data.end(); P += 10) {
    unsigned Start = readU2(P), Length = readU2(P + 2);
    unsigned Name = readU2(P + 4), Descriptor = readU2(P + 6);
    unsigned Slot = readU2(P + 8);
    const char *What = nullptr;
    unsigned Slots = 1;
    if (Start >= C.Code.size() || Start + Length > C.Code.size())
      What = "lies beyond the code";
    else if (!isUtf8(Name) || !isUtf8(Descriptor))
      What = "has no name or no type";
    else if (!isKnown(Name) && !isLegalFieldName(V.utf8(Name), V.Major))
      What = "has a bad name";
    else if (!Types && !isKnown(Descriptor) &&
             !isLegalFieldDescriptor(V.utf8(Descriptor), V.Major))
      What = "has a bad descriptor";
    else if (!Types)
      Slots = slotsOf(V.utf8(Descriptor));
    if (!What && Slot + Slots > C.MaxLocals)
      What = "lies beyond max_locals";
    if (What) {
      format(Twine("a local variable ") + What, Section);
      return;
    }
  }
}

void FormatChecker::checkLocalVariableDuplicates(
    llvm::ArrayRef<Bytes> Variables, llvm::ArrayRef<Bytes> Types) {
  // Range, name and slot identify an entry; its type does not.
  using Key = std::pair<uint64_t, uint16_t>;
  llvm::SmallDenseMap<Key, bool, 16> Known;
  auto KeyOf = [](const uint8_t *P) {
    return Key(uint64_t(readU4(P)) << 16 | readU2(P + 4), readU2(P + 8));
  };
  for (Bytes Table : Variables)
    for (const uint8_t *P = Table.begin(); P != Table.end(); P += 10)
      if (!Known.try_emplace(KeyOf(P), false).second) {
        format("a local variable is listed twice", "4.7.13");
        return;
      }
  if (Known.empty())
    return; // without types there is nothing to compare
  for (Bytes Table : Types)
    for (const uint8_t *P = Table.begin(); P != Table.end(); P += 10) {
      auto It = Known.find(KeyOf(P));
      if (It == Known.end() || It->second) {
        format(It == Known.end()
                   ? "a local variable has a generic type, but no type"
                   : "the generic type of a local variable is listed twice",
               "4.7.14");
        return;
      }
      It->second = true;
    }
}

void FormatChecker::checkClassAttributes() {
  SeenSet Seen;
  readAttributes(In, [&](StringRef Name, Bytes Data) {
    checkClassAttribute(Name, Data, Seen);
  });
  if (In.failed())
    return;
  if (MaxBootstrapIndex >= 0 && !Seen.contains("BootstrapMethods"))
    format("dynamic constants without a BootstrapMethods attribute", "4.7.23");
  if (Seen.contains("NestHost") && Seen.contains("NestMembers"))
    format("both a nest host and a nest member", "4.7.28");
}

void FormatChecker::checkClassAttribute(StringRef Name, Bytes Data,
                                        SeenSet &Seen) {
  auto BadLength = [&](const char *Section) {
    format("attribute " + Name + " has a bad length", Section);
  };
  if (Name == "SourceFile") {
    once(Seen, Name, "4.7.10");
    if (Data.size() != 2)
      BadLength("4.7.10");
    else if (!isUtf8(readU2(Data.data())))
      format("attribute SourceFile refers to no text", "4.7.10");
  } else if (Name == "SourceDebugExtension") {
    once(Seen, Name, "4.7.11");
  } else if (Name == "InnerClasses") {
    if (once(Seen, Name, "4.7.6"))
      checkInnerClasses(Data);
  } else if (Name == "EnclosingMethod" && V.Major >= 49) {
    once(Seen, Name, "4.7.7");
    if (Data.size() != 4)
      return BadLength("4.7.7");
    uint16_t Method = readU2(Data.data() + 2);
    if (!isClass(readU2(Data.data())) ||
        (Method && V.tag(Method) != CPTag::NameAndType))
      format("attribute EnclosingMethod has a bad index", "4.7.7");
  } else if (Name == "BootstrapMethods" && V.Major >= 51) {
    if (once(Seen, Name, "4.7.23"))
      checkBootstrapMethods(Data);
  } else if (Name == "NestMembers" && V.Major >= 55) {
    once(Seen, Name, "4.7.29");
    checkClassList(Data, Name, "4.7.29");
  } else if (Name == "NestHost" && V.Major >= 55) {
    once(Seen, Name, "4.7.28");
    if (Data.size() != 2)
      BadLength("4.7.28");
    else if (!isClass(readU2(Data.data())))
      format("attribute NestHost names what is no class", "4.7.28");
  } else if (Name == "LoadableDescriptors" && V.hasValueClasses()) {
    once(Seen, Name, "4.7");
    checkLoadableDescriptors(Data);
  } else if (Name == "Record" && V.Major >= 60) {
    if (once(Seen, Name, "4.7.30"))
      checkRecord(Data);
  } else if (Name == "PermittedSubclasses" && V.Major >= 61) {
    once(Seen, Name, "4.7.31");
    if (V.Flags & ACC_FINAL)
      format("a final class permits subclasses", "4.7.31");
    checkClassList(Data, Name, "4.7.31");
  } else {
    checkCommon(Owner::Class, Name, Data, Seen);
  }
}

void FormatChecker::checkLoadableDescriptors(Bytes Data) {
  ByteCursor C(Data);
  const unsigned Count = C.u2();
  if (Data.size() != 2 + 2 * size_t(Count)) {
    format("attribute LoadableDescriptors has a bad length", "4.7");
    return;
  }
  for (unsigned I = 0; I < Count; ++I) {
    const unsigned Index = C.u2();
    if (!isUtf8(Index) || !isLegalFieldDescriptor(V.utf8(Index), V.Major)) {
      format("loadable descriptor " + Twine(I) + " is none", "4.7");
      return;
    }
  }
}

void FormatChecker::checkInnerClasses(Bytes Data) {
  ByteCursor C(Data);
  unsigned Count = C.u2();
  if (Data.size() != 2 + 8 * size_t(Count)) {
    format("attribute InnerClasses has a bad length", "4.7.6");
    return;
  }
  llvm::DenseSet<uint64_t> Seen;
  for (unsigned I = 0; I < Count && !R.full(); ++I) {
    uint64_t Entry = C.u8();
    unsigned Inner = Entry >> 48, Outer = Entry >> 32 & 0xffff;
    unsigned Name = Entry >> 16 & 0xffff;
    if (!isClass(Inner) || (Outer && !isClass(Outer)) ||
        (Name && !isUtf8(Name))) {
      format("inner class " + Twine(I) + " has a bad index", "4.7.6");
      return;
    }
    if (V.className(Outer).starts_with("["))
      format("inner class " + Twine(I) + " belongs to an array", "4.7.6");
    if (Inner == Outer)
      format("inner class " + Twine(I) + " is its own outer class", "4.7.6");
    checkClassFlags(uint16_t(Entry));
    if (V.Major >= 49 && !Seen.insert(Entry).second)
      format("inner class " + Twine(I) + " is listed twice", "4.7.6");
  }
}

static bool isLoadable(CPTag T) {
  switch (T) {
  case CPTag::Integer:
  case CPTag::Float:
  case CPTag::Long:
  case CPTag::Double:
  case CPTag::Class:
  case CPTag::String:
  case CPTag::MethodHandle:
  case CPTag::MethodType:
  case CPTag::Dynamic:
    return true;
  default:
    return false;
  }
}

void FormatChecker::checkBootstrapMethods(Bytes Data) {
  ByteCursor C(Data);
  int Count = C.u2();
  if (MaxBootstrapIndex >= Count)
    format("a dynamic constant has no bootstrap method", "4.7.23");
  for (int I = 0; I < Count && !C.failed(); ++I) {
    unsigned Method = C.u2(), Arguments = C.u2();
    bool Ok = V.tag(Method) == CPTag::MethodHandle;
    for (unsigned A = 0; A < Arguments && !C.failed(); ++A)
      Ok &= isLoadable(V.tag(C.u2()));
    if (!Ok && !C.failed()) {
      format("bootstrap method " + Twine(I) + " has a bad index", "4.7.23");
      return;
    }
  }
  if (C.failed() || !C.atEnd())
    format("attribute BootstrapMethods has a bad length", "4.7.23");
}

void FormatChecker::checkRecord(Bytes Data) {
  ByteCursor C(Data);
  unsigned Count = C.u2();
  for (unsigned I = 0; I < Count && !C.failed() && !R.full(); ++I) {
    uint16_t Name = C.u2(), Descriptor = C.u2();
    if (C.failed())
      break;
    if (!isUtf8(Name) || !isUtf8(Descriptor)) {
      format("record component " + Twine(I) + " has a bad index", "4.7.30");
      return;
    }
    if (!isLegalFieldName(V.utf8(Name), V.Major) ||
        !isLegalFieldDescriptor(V.utf8(Descriptor), V.Major))
      format("record component " + Twine(I) + " has a bad name or descriptor",
             "4.7.30");
    SeenSet Seen;
    readAttributes(C, [&](StringRef Attribute, Bytes Content) {
      checkCommon(Owner::Component, Attribute, Content, Seen);
    });
  }
  if (C.failed() || !C.atEnd())
    format("attribute Record has a bad length", "4.7.30");
}
