//===- make-mutants.cpp - Wrong and not so wrong class files --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes mutants of real classes, for comparing the class-file verifier with a
/// JVM (utils/mutants). The same arguments give the same bytes.
///
///   make-mutants SEED COUNT OUT.pack LIST
///
/// LIST has a line for each original: its path, or `path@N` for the class as
/// if it were of version N. COUNT 0 packs the originals as they are. A pack is
/// a row of u2 and name, u4 and class file; the name of a mutant is its
/// number, what was done to it, and the line of LIST.
///
//===----------------------------------------------------------------------===//

#include "FormatChecker.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace jopt;
using namespace jopt::verify;
using llvm::StringRef;

namespace {

class Mutator {
public:
  Mutator(std::vector<uint8_t> &Class, std::mt19937_64 &Random)
      : Class(Class), Random(Random) {}

  /// Takes the class apart. False if it is not well-formed.
  bool parse();
  /// Changes something, and says what. Empty if there was nothing to change.
  StringRef mutate();

private:
  unsigned below(size_t N) { return N ? unsigned(Random() % N) : 0; }
  bool oneIn(unsigned N) { return below(N) == 0; }
  /// The bytes of \p B, a part of the class.
  uint8_t *at(Bytes B) { return Class.data() + (B.data() - V.Data.data()); }
  /// A random index of \p Tag; 0 if there is none.
  uint16_t poolIndex(CPTag Tag);
  /// One of the same tag, and often of the same descriptor.
  uint16_t poolIndexLike(unsigned I);
  CodeAttribute *someCode();
  void randomByte(uint8_t *P);

  StringRef opcode();
  StringRef operand();
  StringRef swap();
  StringRef codeByte();
  StringRef frames();
  StringRef handlers();
  StringRef limits();
  StringRef pool();
  StringRef text();
  StringRef flags();
  StringRef supertypes();
  StringRef tables();
  StringRef version();
  StringRef anywhere();

  std::vector<uint8_t> &Class;
  std::mt19937_64 &Random;
  ClassView V;
  std::vector<Finding> Findings;
  std::vector<uint32_t> PoolAt; ///< offset of each entry's tag
  std::vector<CodeAttribute *> Bodies;
  /// Offsets: what follows the pool, member flags.
  uint32_t AfterPool = 0;
  std::vector<uint32_t> FlagsAt;
};

} // namespace

bool Mutator::parse() {
  V.Data = Class;
  VerifyOptions Options;
  Options.EnablePreview = Class[4] == 0xff && Class[5] == 0xff;
  verify::FindingLog R(Findings, 10);
  FormatChecker(V, R, Options).run();
  if (!Findings.empty() || (V.Flags & ACC_MODULE))
    return false;
  ByteCursor C(V.Data);
  C.skip(10);
  PoolAt.push_back(0);
  for (unsigned I = 1; I < V.Pool.size(); ++I) {
    PoolAt.push_back(uint32_t(C.offset()));
    C.skip(1);
    CPTag Tag = V.tag(I);
    C.skip(Tag == CPTag::Utf8 ? C.u2() : getPoolTagInfo(Tag).Size);
    if (isWide(Tag)) {
      PoolAt.push_back(PoolAt.back());
      ++I;
    }
  }
  AfterPool = uint32_t(C.offset());
  FlagsAt.push_back(AfterPool);
  C.skip(6);
  C.skip(2 * C.u2());
  for (int Table = 0; Table < 2; ++Table)
    for (unsigned N = C.u2(); N; --N) {
      FlagsAt.push_back(uint32_t(C.offset()));
      C.skip(6);
      for (unsigned A = C.u2(); A; --A) {
        C.skip(2);
        C.skip(C.u4());
      }
    }
  for (MemberView &M : V.Methods)
    if (M.HasCode)
      Bodies.push_back(&M.Code);
  return !C.failed();
}

uint16_t Mutator::poolIndex(CPTag Tag) {
  for (unsigned Try = 0; Try < 200; ++Try)
    if (unsigned I = below(V.Pool.size()); V.tag(I) == Tag)
      return uint16_t(I);
  return 0;
}

uint16_t Mutator::poolIndexLike(unsigned I) {
  CPTag Tag = V.tag(I);
  bool IsRef = Tag == CPTag::Fieldref || Tag == CPTag::Methodref ||
               Tag == CPTag::InterfaceMethodref || Tag == CPTag::InvokeDynamic;
  if (IsRef && oneIn(2))
    for (unsigned Try = 0; Try < 500; ++Try)
      if (unsigned J = below(V.Pool.size());
          J != I && V.tag(J) == Tag && V.refDescriptor(J) == V.refDescriptor(I))
        return uint16_t(J);
  return poolIndex(Tag);
}

CodeAttribute *Mutator::someCode() {
  if (Bodies.empty())
    return nullptr;
  // Short methods are many, long ones have more to find.
  CodeAttribute *A = Bodies[below(Bodies.size())];
  CodeAttribute *B = Bodies[below(Bodies.size())];
  return A->Code.size() > B->Code.size() ? A : B;
}

void Mutator::randomByte(uint8_t *P) {
  switch (below(4)) {
  case 0:
    *P ^= uint8_t(1u << below(8));
    break;
  case 1:
    *P = uint8_t(*P + 1 - 2 * int(below(2)));
    break;
  default:
    *P = uint8_t(Random());
  }
}

/// The instructions of a body.
static std::vector<DecodedInst> instructions(Bytes Code) {
  std::vector<DecodedInst> Insts;
  DecodedInst I;
  for (uint32_t BCI = 0; BCI < Code.size() && decodeInst(Code, BCI, I);
       BCI += I.Length)
    Insts.push_back(I);
  return Insts;
}

/// The effect; the same of all that move slots or ask their operand.
static StringRef fixedEffect(const OpcodeInfo &Info) {
  StringRef Effect = Info.Effect;
  return llvm::any_of(Effect, [](char C) { return C > 'Z' || C < '>'; })
             ? "*"
             : Effect;
}

StringRef Mutator::opcode() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  auto Insts = instructions(C->Code);
  if (Insts.empty())
    return "";
  const DecodedInst &I = Insts[below(Insts.size())];
  if (I.Wide)
    return "";
  // Another opcode of the same shape; most often one that does much the same.
  unsigned Likeness = below(6);
  for (unsigned Try = 0; Try < 300; ++Try) {
    const OpcodeInfo &Info = getOpcodeTable()[below(getOpcodeTable().size())];
    const unsigned Op = Info.Encoding;
    if (Op == I.Op || Info.Fmt != I.info().Fmt ||
        (Likeness >= 1 && Info.Cat != I.info().Cat) ||
        (Likeness >= 2 && fixedEffect(Info) != fixedEffect(I.info())))
      continue;
    at(C->Code)[I.BCI] = uint8_t(Op);
    return "opcode";
  }
  return "";
}

StringRef Mutator::operand() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  auto Insts = instructions(C->Code);
  if (Insts.empty())
    return "";
  const DecodedInst *I = nullptr;
  for (unsigned Try = 0; Try < 30; ++Try) {
    I = &Insts[below(Insts.size())];
    if (I->info().Fmt != op::FmtNone)
      break;
  }
  uint8_t *P = at(C->Code) + I->BCI;
  switch (I->info().Fmt) {
  case op::FmtCP2:
  case op::FmtInvokeInterface:
  case op::FmtInvokeDynamic:
  case op::FmtMultiANewArray:
    writeU2(P + 1, oneIn(8) ? uint16_t(below(V.Pool.size() + 3))
                            : poolIndexLike(I->Index));
    return "constant";
  case op::FmtCP1:
    P[1] = uint8_t(below(std::min<size_t>(V.Pool.size() + 1, 256)));
    return "constant";
  case op::FmtLocal:
  case op::FmtIinc:
    P[1 + I->Wide] = uint8_t(below(C->MaxLocals + 1));
    return "local";
  case op::FmtBranch2:
    if (oneIn(5)) {
      randomByte(P + 1 + below(2));
    } else {
      const DecodedInst &To = Insts[below(Insts.size())];
      writeU2(P + 1, uint16_t(To.BCI - I->BCI));
    }
    return "branch";
  case op::FmtNone:
    return "";
  default:
    randomByte(P + 1 + below(I->Length - 1));
    return "operand";
  }
}

StringRef Mutator::swap() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  auto Insts = instructions(C->Code);
  if (Insts.empty())
    return "";
  for (unsigned Try = 0; Try < 30; ++Try) {
    size_t N = below(Insts.size());
    const DecodedInst &A = Insts[N];
    const DecodedInst &B = Insts[oneIn(2) ? below(Insts.size())
                                          : std::min(N + 1, Insts.size() - 1)];
    if (A.BCI == B.BCI || A.Length != B.Length || A.Length > 5)
      continue;
    std::swap_ranges(at(C->Code) + A.BCI, at(C->Code) + A.end(),
                     at(C->Code) + B.BCI);
    return "swap";
  }
  return "";
}

StringRef Mutator::codeByte() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  randomByte(at(C->Code) + below(C->Code.size()));
  return "code";
}

StringRef Mutator::frames() {
  for (unsigned Try = 0; Try < 10; ++Try) {
    CodeAttribute *C = someCode();
    if (!C || !C->StackMap || C->StackMap->size() < 3)
      continue;
    uint8_t *P = at(*C->StackMap);
    size_t Size = C->StackMap->size();
    size_t I = 2 + below(Size - 2);
    if (V.hasValueClasses() && oneIn(3)) {
      // Most often a field that an early larval frame says is unset.
      constexpr uint8_t EarlyLarval = 246;
      for (unsigned Look = 0; Look < 20 && P[I] != EarlyLarval; ++Look)
        I = 2 + below(Size - 2);
      if (P[I] == EarlyLarval && I + 4 < Size) {
        if (oneIn(3))
          randomByte(P + I + below(5));
        else
          writeU2(P + I + 3, poolIndex(CPTag::NameAndType));
        return "unset";
      }
    }
    if (oneIn(3) && I + 2 < Size) {
      // Most often the class of an object type.
      for (unsigned Look = 0; Look < 20 && P[I] != 7; ++Look)
        I = 2 + below(Size - 2);
      if (P[I] == 7 && I + 2 < Size) {
        writeU2(P + I + 1, poolIndex(CPTag::Class));
        return "frameclass";
      }
    }
    randomByte(P + (oneIn(50) ? below(2) : I));
    return "frames";
  }
  return "";
}

StringRef Mutator::handlers() {
  for (unsigned Try = 0; Try < 10; ++Try) {
    CodeAttribute *C = someCode();
    if (!C || C->Handlers.empty())
      continue;
    unsigned Field = below(4);
    uint8_t *P = at(C->Handlers) + 8 * below(C->numHandlers()) + 2 * Field;
    auto Insts = instructions(C->Code);
    if (Insts.empty())
      return "";
    if (oneIn(8))
      writeU2(P, uint16_t(below(C->Code.size() + 2)));
    else if (Field == 3)
      writeU2(P, oneIn(4) ? 0 : poolIndex(CPTag::Class));
    else
      writeU2(P, uint16_t(Insts[below(Insts.size())].BCI));
    return "handler";
  }
  return "";
}

StringRef Mutator::limits() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  uint8_t *P = at(C->Code) - (oneIn(2) ? 8 : 6);
  writeU2(P, uint16_t(readU2(P) + (oneIn(3) ? 1 : -1)));
  return "limits";
}

StringRef Mutator::pool() {
  unsigned I = 1 + below(V.Pool.size() - 1);
  const PoolEntry &E = V.Pool[I];
  uint8_t *P = Class.data() + PoolAt[I];
  if (E.Tag == CPTag::None || E.Tag == CPTag::Utf8)
    return "";
  if (oneIn(12)) {
    static constexpr uint8_t Tags[] = {3, 4, 9, 10, 11, 12, 17, 18, 7, 8, 16};
    *P = Tags[below(std::size(Tags))];
    return "tag";
  }
  bool Any = oneIn(10);
  auto Index = [&](CPTag Tag) {
    return Any ? uint16_t(below(V.Pool.size() + 1)) : poolIndex(Tag);
  };
  switch (E.Tag) {
  case CPTag::Class:
  case CPTag::String:
  case CPTag::MethodType: {
    uint16_t Other = poolIndex(E.Tag);
    writeU2(P + 1, Any || !Other ? Index(CPTag::Utf8) : V.Pool[Other].A);
    return "poolname";
  }
  case CPTag::NameAndType: {
    uint16_t Other = poolIndex(E.Tag);
    bool Name = oneIn(2);
    writeU2(P + (Name ? 1 : 3), Any    ? Index(CPTag::Utf8)
                                : Name ? V.Pool[Other].A
                                       : V.Pool[Other].B);
    return "nameandtype";
  }
  case CPTag::Fieldref:
  case CPTag::Methodref:
  case CPTag::InterfaceMethodref:
    if (oneIn(2))
      writeU2(P + 1, Index(CPTag::Class));
    else
      writeU2(P + 3, Index(CPTag::NameAndType));
    return "ref";
  default:
    randomByte(P + 1 + below(getPoolTagInfo(E.Tag).Size));
    return "pool";
  }
}

StringRef Mutator::text() {
  uint16_t I = poolIndex(CPTag::Utf8);
  if (!I || !V.Pool[I].A)
    return "";
  uint8_t *P = Class.data() + V.Pool[I].Offset + below(V.Pool[I].A);
  static constexpr char Letters[] = "IJDFZBSCV[L;/.<>()$_a1 ";
  if (oneIn(2))
    *P = uint8_t(Letters[below(sizeof(Letters) - 1)]);
  else
    randomByte(P);
  return "text";
}

StringRef Mutator::flags() {
  uint8_t *P = Class.data() + FlagsAt[below(FlagsAt.size())];
  writeU2(P, uint16_t(readU2(P) ^ 1u << below(16)));
  return "flags";
}

StringRef Mutator::supertypes() {
  uint8_t *P = Class.data() + AfterPool + 4;
  unsigned N = unsigned(V.Interfaces.size());
  if (N && oneIn(2))
    P += 4 + 2 * below(N);
  writeU2(P,
          oneIn(30) ? uint16_t(below(V.Pool.size())) : poolIndex(CPTag::Class));
  return "supertype";
}

StringRef Mutator::tables() {
  CodeAttribute *C = someCode();
  if (!C)
    return "";
  if (!C->LocalVariables.empty() && !C->LocalVariables[0].empty() && oneIn(2)) {
    randomByte(at(C->LocalVariables[0]) + below(C->LocalVariables[0].size()));
    return "variables";
  }
  // The attributes after the code.
  uint8_t *P = at(C->Handlers) + C->Handlers.size();
  size_t Left = size_t(Class.data() + Class.size() - P);
  randomByte(P + below(std::min<size_t>(Left, 60)));
  return "attributes";
}

StringRef Mutator::version() {
  if (oneIn(4))
    Class[5] = uint8_t(oneIn(2) ? 1 : Random());
  else
    Class[7] = uint8_t(44 + below(28));
  return "version";
}

StringRef Mutator::anywhere() {
  randomByte(&Class[below(Class.size())]);
  return "anywhere";
}

StringRef Mutator::mutate() {
  struct Kind {
    unsigned Weight;
    StringRef (Mutator::*Do)();
  };
  static constexpr Kind Kinds[] = {
      {18, &Mutator::opcode},    {20, &Mutator::operand},
      {3, &Mutator::swap},       {3, &Mutator::codeByte},
      {7, &Mutator::frames},     {7, &Mutator::handlers},
      {6, &Mutator::limits},     {11, &Mutator::pool},
      {8, &Mutator::text},       {10, &Mutator::flags},
      {3, &Mutator::supertypes}, {3, &Mutator::tables},
      {4, &Mutator::version},    {5, &Mutator::anywhere},
  };
  unsigned Total = 0;
  for (const Kind &K : Kinds)
    Total += K.Weight;
  unsigned Pick = below(Total);
  for (const Kind &K : Kinds) {
    if (Pick < K.Weight)
      return (this->*K.Do)();
    Pick -= K.Weight;
  }
  return "";
}

int main(int argc, char **argv) {
  uint64_t Seed, Count;
  if (argc != 5 || StringRef(argv[1]).getAsInteger(10, Seed) ||
      StringRef(argv[2]).getAsInteger(10, Count)) {
    llvm::errs() << "usage: make-mutants SEED COUNT OUT.pack LIST\n";
    return 1;
  }
  auto List = llvm::MemoryBuffer::getFile(argv[4]);
  std::error_code EC;
  llvm::raw_fd_ostream Out(argv[3], EC);
  if (!List || EC) {
    llvm::errs() << "cannot read the list or write the pack\n";
    return 1;
  }
  auto Emit = [&](const llvm::Twine &Title, Bytes Class) {
    std::string Name = Title.str();
    ByteWriter W;
    W.u2(uint16_t(Name.size()));
    W.bytes(Name);
    W.u4(uint32_t(Class.size()));
    W.bytes(Class);
    Out << jopt::toStringRef(W.data());
  };
  llvm::SmallVector<StringRef, 0> Lines;
  (*List)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  auto Load = [](StringRef Line, std::vector<uint8_t> &Class) {
    auto [Path, Version] = Line.rsplit('@');
    auto File = llvm::MemoryBuffer::getFile(Path);
    if (!File || (*File)->getBufferSize() < 10)
      return false;
    Bytes B = toBytes((*File)->getBuffer());
    Class.assign(B.begin(), B.end());
    if (unsigned Major; !Version.getAsInteger(10, Major))
      writeU2(&Class[6], uint16_t(Major));
    return true;
  };
  std::vector<uint8_t> Class;
  if (Count == 0) {
    for (StringRef Line : Lines)
      if (Load(Line, Class))
        Emit("0 original " + Line, Class);
    return 0;
  }
  std::mt19937_64 Random(Seed);
  for (uint64_t N = 0; N < Count && !Lines.empty();) {
    StringRef Line = Lines[Random() % Lines.size()];
    if (!Load(Line, Class))
      continue;
    std::vector<uint8_t> Original = Class;
    Mutator M(Class, Random);
    if (!M.parse()) {
      // A list of which nothing can be used must not run for ever.
      ++N;
      continue;
    }
    StringRef Kind = M.mutate();
    if (Kind.empty() || Class == Original)
      continue;
    Emit(llvm::Twine(N++) + " " + Kind + " " + Line, Class);
  }
  return 0;
}
