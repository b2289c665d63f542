//===- TraceArguments.cpp - Lines about arguments -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceArguments.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

TracedArguments::TracedArguments(const Traces &T, trace::Flavour F) : T(T) {
  for (const TracedClass &Class : T.classes()) {
    const trace::ClassDeclarations &D = Class.Declared;
    const std::string Letters = D.letters();
    ClassArguments &C = Classes.emplace_back();
    // What the seed's flavour has no type for is there if it is asked for.
    C.TellsEnter = StringRef(Letters).contains('E') &&
                   (F == trace::Flavour::Blinky || !D.asksForAll());
    C.Calls.resize(unsigned(D.Kinds.size()));
    if (StringRef(Letters).contains('I'))
      for (unsigned K = 0; K < D.Kinds.size(); ++K)
        if (D.Kinds[K].Type == "$invoke$" && D.Kinds[K].Operands == "sss")
          C.Calls.set(K);
    C.Tells = C.TellsEnter || C.Calls.any();
  }
}

/// Takes the first parameter of \p Rest off; empty if there is none.
static StringRef takeParameter(StringRef &Rest) {
  size_t End = Rest.find_first_not_of('[');
  if (End == StringRef::npos || Rest[End] == ')')
    return "";
  if (Rest[End] == 'L')
    End = Rest.find(';', End);
  const StringRef Taken = Rest.take_front(End == StringRef::npos ? 0 : End + 1);
  Rest = Rest.drop_front(Taken.size());
  return Taken;
}

const TracedArguments::List &
TracedArguments::list(uint32_t First, StringRef Descriptor, bool OfCall) {
  const std::string Key =
      std::to_string(First) + (OfCall ? "i" : "e") + Descriptor.str();
  auto [I, IsNew] = Lists.try_emplace(Key);
  List &L = I->second;
  if (!IsNew || !Descriptor.consume_front("("))
    return L;
  int32_t References = 0;
  for (StringRef P; !(P = takeParameter(Descriptor)).empty();) {
    TracedArgument &A = L.All.emplace_back();
    A.Descriptor = toDisplayLine(P);
    A.Index = First;
    if (P[0] == 'L' || P[0] == '[')
      A.Reference = References++;
    First += !OfCall && (P == "J" || P == "D") ? 2 : 1;
  }
  L.HasReferences = References > 0;
  return L;
}

llvm::ArrayRef<TracedArgument> TracedArguments::find(const TracedEvent &E) {
  const ClassArguments &C = Classes[E.Of->Class];
  const trace::ClassDeclarations &D = E.Class->Declared;
  const trace::MethodDeclaration &M = D.Methods[E.Of->MethodNumber];
  if (E.IsArguments || E.IsEnter) {
    constexpr uint16_t Static = 0x0008;
    if (!C.TellsEnter)
      return {};
    const List &L =
        list(M.Access & Static ? 0 : 1, D.Strings[M.Descriptor], false);
    // Without a reference nothing follows the enter event.
    return E.IsArguments || !L.HasReferences
               ? llvm::ArrayRef<TracedArgument>(L.All)
               : llvm::ArrayRef<TracedArgument>();
  }
  const trace::Event &Declared = E.Class->event(E.Number);
  if (!C.Calls.test(Declared.Kind))
    return {};
  const int32_t Opcode = D.Kinds[Declared.Kind].Opcode;
  const bool HasReceiver = Opcode != 184 && Opcode != 186;
  return list(HasReceiver,
              D.Strings[M.Operands[Declared.FirstOperand + 2].String], true)
      .All;
}

StringRef TracedArguments::typeOf(const TracedEvent &E,
                                  const TracedArgument &A) const {
  if (A.Reference < 0)
    return A.Descriptor;
  if (size_t(A.Reference) >= E.Types.size())
    return "?";
  const StringRef Name = T.typeName(E.Types[size_t(A.Reference)]);
  return Name.empty() ? StringRef(A.Descriptor) : Name;
}
