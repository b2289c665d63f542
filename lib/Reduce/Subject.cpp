//===- Subject.cpp - What is being reduced --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/IR/Text/Printer.h"
#include "jopt/IR/Verifier/Verifier.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Verify/ClassVerifier.h"
#include "jopt/Writer/ClassWriter.h"
#include "jopt/Writer/CollectPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::reduce;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The one class of \p Text.
static Expected<std::unique_ptr<ClassFile>>
parseClass(StringRef Text, StringRef Name, unsigned Line = 1) {
  auto Classes = parseIR(Text, Name, Line);
  if (!Classes)
    return Classes.takeError();
  if (Classes->size() != 1)
    return makeError(Location(Name), "an input is one class, this has " +
                                         llvm::Twine(Classes->size()));
  return std::move(Classes->front());
}

Expected<Subject> Subject::read(Bytes Input, StringRef Name, bool IsText) {
  Subject S;
  S.IsText = IsText;
  if (IsText) {
    StringRef Text = toStringRef(Input);
    unsigned Line = 1;
    auto Advices = parseAdviceSet(Text, Name, Line);
    if (!Advices)
      return Advices.takeError();
    S.Advices = std::move(*Advices);
    auto Class = parseClass(Text, Name, Line);
    if (!Class)
      return Class.takeError();
    S.Class = std::move(*Class);
    S.HasPool = Text.contains("pool {");
    return S;
  }
  auto Class = readClass(Input);
  if (!Class)
    return Class.takeError();
  S.Class = std::move(*Class);
  return S;
}

Body *Subject::body(Method &M) {
  if (!M.IR && M.codeAttribute(Class->Pool) >= 0)
    llvm::consumeError(liftMethod(*Class, M));
  return M.IR.get();
}

void Subject::keepMethods(llvm::function_ref<bool(const Method &)> Keeps) {
  std::deque<Method> Former = std::move(Class->Methods);
  Class->Methods.clear();
  for (Method &M : Former) {
    if (!Keeps(M)) {
      Class->Changed = true;
      continue;
    }
    Method &New = Class->Methods.emplace_back();
    static_cast<Member &>(New) = M;
    New.IR = std::move(M.IR);
  }
  FormerMethods.push_back(std::move(Former));
}

unsigned Subject::countInstructions() {
  unsigned N = 0;
  for (Method &M : Class->Methods)
    if (const Body *B = body(M))
      for (const Block &Blk : B->blocks())
        N += unsigned(
            llvm::count_if(Blk.instructions(), [](const Instruction &I) {
              return !I.info().NoCode;
            }));
  return N;
}

/// The first finding in \p All, as an error.
template <typename Finding>
static Error firstOf(const std::vector<Finding> &All) {
  return All.empty() ? Error::success() : makeError(All.front().str());
}

Expected<Data> Subject::write(bool Checked) {
  for (Method &M : Class->Methods)
    if (Touched.contains(&M) && M.IR) {
      tidy(*M.IR);
      M.Changed = true;
      if (Checked)
        if (Error E = firstOf(verifyBody(*M.IR)))
          return E;
    }
  return IsText ? writeText(Checked) : writeClassFile(Checked);
}

std::string Subject::print() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printAdviceSet(Advices, OS);
  PrintOptions O;
  O.Pool = HasPool;
  printClass(*Class, OS, O);
  return Text;
}

static bool hasAdvice(const ClassFile &Class) {
  for (const Method &M : Class.Methods)
    if (M.IR)
      for (const Block &B : M.IR->blocks())
        for (const Instruction &I : B.instructions())
          if (I.op() == irop::Advice)
            return true;
  return false;
}

/// Lowers what is IR in \p Class, and writes it.
static Expected<Data> encode(ClassFile &Class, bool All) {
  for (Method &M : Class.Methods)
    if (M.IR) {
      M.Changed = true;
      if (Error E = lowerMethod(Class, M))
        return E;
    }
  WriteOptions WO;
  WO.EncodeAll = All;
  if (Class.Pool.overflowed())
    return makeError("the constant pool has more than 65,535 entries");
  return writeClass(Class, WO);
}

Expected<Data> Subject::writeText(bool Checked) {
  const std::string Text = print();
  Bytes B = toBytes(Text);
  Data Written(B.begin(), B.end());
  if (!Checked)
    return Written;
  auto Again = read(Written, "candidate", true);
  if (!Again)
    return Again.takeError();
  if (Error E = firstOf(verifyClassIR(*Again->Class)))
    return E;
  if (hasAdvice(*Again->Class))
    return Written;
  auto Code = encode(*Again->Class, /*All=*/true);
  if (!Code)
    return Code.takeError();
  if (Error E = firstOf(verifyClass(*Code)))
    return E;
  return Written;
}

Expected<Data> Subject::writeClassFile(bool Checked) {
  // Methods that were only read keep their bytes.
  for (Method &M : Class->Methods)
    if (!Touched.contains(&M))
      M.IR.reset();
  auto Written = encode(*Class, /*All=*/false);
  if (Written && Unused) {
    auto Again = readClass(*Written);
    if (!Again)
      return Again.takeError();
    if (auto Less = collectPool(**Again, &*Unused))
      *Written = Data(Less->begin(), Less->end());
  }
  if (Written && Checked)
    if (Error E = firstOf(verifyClass(*Written)))
      return E;
  return Written;
}
