//===- PrinterClass.cpp - Classes as text ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPrinter.h"
#include "TextWriter.h"
#include "jopt/IR/Text/Printer.h"

using namespace jopt;

static void printEntry(TextWriter &W, unsigned I) {
  const CPEntry &E = W.Pool[I];
  const PoolTagInfo &T = getPoolTagInfo(E.Tag);
  W.OS << "    #" << I << " = " << T.Name << ' ';
  if (!T.A && !T.B) {
    W.contents(I, false);
    W.OS << '\n';
    return;
  }
  W.OS << (T.A ? "#" : "") << E.A;
  if (T.hasB())
    W.OS << " #" << E.B;
  // For the reader of the text; the parser skips it.
  if (!W.malformed(I)) {
    W.OS << " ; ";
    W.contents(I, false);
  }
  W.OS << '\n';
}

static void printPool(TextWriter &W) {
  W.OS << "  pool {\n";
  for (unsigned I = 1; I < W.Pool.size(); ++I)
    if (W.Pool[I].Tag != CPTag::None)
      printEntry(W, I);
  W.OS << "  }\n";
}

static void printMethodTo(const ClassFile &Class, const Method &M,
                          TextWriter &W) {
  W.OS << "  method ";
  W.flags("method", M.Access, true);
  W.nameEntry(M.NameIndex);
  W.OS << ':';
  W.descriptorEntry(M.DescriptorIndex);
  int Code = M.codeAttribute(Class.Pool);
  if (M.Attributes.empty() && !M.IR) {
    W.OS << '\n';
    return;
  }
  W.OS << " {\n";
  auto PrintBody = [&] {
    W.OS << "    code ";
    if (Code >= 0 && M.IR) {
      unsigned Name = M.Attributes[unsigned(Code)].NameIndex;
      if (W.canonical(Name) != Name)
        W.OS << '#' << Name << ' ';
    }
    BodyPrinter(*M.IR, W).print(4);
  };
  for (unsigned I = 0; I < M.Attributes.size(); ++I) {
    if (M.IR && int(I) == Code)
      PrintBody();
    else
      W.attribute(M.Attributes[I], InMethod, 4);
  }
  if (M.IR && Code < 0)
    PrintBody();
  W.OS << "  }\n";
}

static void printField(const Field &F, TextWriter &W) {
  W.OS << "  field ";
  W.flags("field", F.Access, true);
  W.nameEntry(F.NameIndex);
  W.OS << ':';
  W.descriptorEntry(F.DescriptorIndex);
  if (F.Attributes.empty()) {
    W.OS << '\n';
    return;
  }
  W.OS << " {\n";
  for (const Attribute &A : F.Attributes)
    W.attribute(A, InField, 4);
  W.OS << "  }\n";
}

void jopt::printClass(const ClassFile &Class, llvm::raw_ostream &OS,
                      const PrintOptions &O) {
  TextWriter W(OS, Class);
  constexpr uint32_t ClassTag = tagBit(CPTag::Class);
  OS << "class ";
  W.flags("class", Class.Access, true);
  W.entry(Class.ThisIndex, ClassTag);
  if (Class.SuperIndex) {
    OS << " extends ";
    W.entry(Class.SuperIndex, ClassTag);
  }
  const char *Separator = " implements ";
  for (uint16_t I : Class.Interfaces) {
    OS << Separator;
    W.entry(I, ClassTag);
    Separator = ", ";
  }
  OS << " version " << Class.Major << '.' << Class.Minor << " {\n";
  if (O.Pool)
    printPool(W);
  for (const Field &F : Class.Fields)
    printField(F, W);
  for (const Method &M : Class.Methods)
    printMethodTo(Class, M, W);
  for (const Attribute &A : Class.Attributes)
    W.attribute(A, InClass, 2);
  OS << "}\n";
}

void jopt::printMethod(const ClassFile &Class, const Method &M,
                       llvm::raw_ostream &OS) {
  TextWriter W(OS, Class);
  printMethodTo(Class, M, W);
}

void jopt::printBody(const Body &B, llvm::raw_ostream &OS) {
  TextWriter W(OS, B.classFile());
  OS << "code ";
  BodyPrinter(B, W).print(0);
}

std::string jopt::toString(const Instruction &I) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  if (!I.block()) {
    OS << "instruction outside of any block";
    return S;
  }
  const Body &B = I.block()->body();
  TextWriter W(OS, B.classFile());
  BodyPrinter(B, W).instruction(I);
  return S;
}

std::string jopt::blockName(const Block &B) {
  unsigned N = BodyNames(B.body()).block(&B);
  return N == BodyNames::None ? "b?" : "b" + std::to_string(N);
}
