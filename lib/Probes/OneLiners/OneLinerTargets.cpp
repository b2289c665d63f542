//===- OneLinerTargets.cpp - class#method(parameters) ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneLinerText.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::oneliner;
using llvm::Expected;
using llvm::StringRef;

static std::string slashed(StringRef Dotted) {
  std::string Name = Dotted.str();
  std::replace(Name.begin(), Name.end(), '.', '/');
  return Name;
}

/// The descriptor of the type \p Java, as a pattern.
static std::string descriptorOf(StringRef Java) {
  std::string Arrays;
  while (Java.consume_back("[]") || Java.consume_back("..."))
    Arrays += '[';
  StringRef Primitive = llvm::StringSwitch<StringRef>(Java)
                            .Case("boolean", "Z")
                            .Case("byte", "B")
                            .Case("char", "C")
                            .Case("short", "S")
                            .Case("int", "I")
                            .Case("long", "J")
                            .Case("float", "F")
                            .Case("double", "D")
                            .Case("String", "Ljava/lang/String;")
                            .Case("Object", "Ljava/lang/Object;")
                            .Case("*", "*")
                            .Default("");
  if (!Primitive.empty())
    return Arrays + Primitive.str();
  // One without a package may be of any.
  return Arrays + "L" + (Java.contains('.') ? "" : "*") + slashed(Java) + ";";
}

/// Behind the name of the method: `(int, String, ..)`, or nothing.
static Expected<std::string> readParameters(StringRef Text, StringRef Pattern) {
  if (Text.empty())
    return "*";
  if (!Text.consume_front("(") || !Text.consume_back(")"))
    return makeError("'" + Pattern + "': parameters end with ')'");
  std::string Signature = "(";
  llvm::SmallVector<StringRef, 4> Types;
  Text.split(Types, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/!Text.trim().empty());
  for (StringRef Type : Types) {
    Type = Type.trim();
    if (Type.empty())
      return makeError("'" + Pattern + "': a parameter's type is missing");
    Signature += Type == ".." ? "*" : descriptorOf(Type);
  }
  return Signature + ")*";
}

Expected<TargetPattern> oneliner::readTarget(StringRef Pattern) {
  auto [Class, Member] = Pattern.split('#');
  const size_t Paren = std::min(Member.find('('), Member.size());
  StringRef Method = Member.take_front(Paren);
  if (Class.empty() || Method.empty() || Member.contains('#'))
    return makeError("'" + Pattern +
                     "' is not of the form class#method(parameters)");
  auto Signature = readParameters(Member.drop_front(Paren), Pattern);
  if (!Signature)
    return Signature.takeError();
  auto [Package, Name] = Class.rsplit('.');
  if (!Class.contains('.')) {
    Name = Class;
    Package = "*";
  }
  TargetPattern T = {slashed(Package), Name.str(), Method.str(), *Signature};
  // com.foo.* is com.foo.bar.Baz, too: dots are characters like others.
  if (Class.contains('.') && Name.starts_with("*"))
    T.Qualified = slashed(Class);
  return T;
}

bool oneliner::isLinePlace(StringRef Word) {
  auto [Class, Lines] = Word.rsplit(':');
  return !Class.empty() && !Class.starts_with("-") && !Lines.empty() &&
         llvm::isDigit(Lines.front());
}

Expected<LinePlace> oneliner::readLines(StringRef Word) {
  auto [Class, Lines] = Word.rsplit(':');
  auto [From, To] = Lines.split('-');
  LinePlace P;
  // The name of the file stands for the class.
  Class.consume_back(".java");
  P.Class = Class.str();
  if (!isLinePlace(Word) || !llvm::to_integer(From, P.From, 10) || !P.From ||
      (Lines.contains('-') && !llvm::to_integer(To, P.To, 10)))
    return makeError("'" + Word +
                     "' is not of the form CLASS:LINE or CLASS:LINE-LINE");
  if (!Lines.contains('-'))
    P.To = P.From;
  if (P.To < P.From)
    return makeError("'" + Word + "': the second line is before the first");
  if (P.Class.find('*') != std::string::npos)
    return makeError("'" + Word + "': lines are those of one class");
  return P;
}
