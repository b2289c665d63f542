//===- Pattern.cpp - Patterns of probe classes ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pattern.h"
#include "jopt/Support/JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::classes;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Dots become slashes.
static std::string toInternal(StringRef Name) {
  std::string Internal = Name.str();
  std::replace(Internal.begin(), Internal.end(), '.', '/');
  return Internal;
}

/// Parts of a Java name, or of a pattern for one.
static bool isNamePattern(StringRef Name, StringRef Extra) {
  return !Name.empty() && llvm::all_of(Name, [&](char C) {
    return uint8_t(C) >= 0x80 || llvm::isAlnum(C) || Extra.contains(C);
  });
}

/// Takes an annotation and the blank behind it from the start of \p Text.
static llvm::Error takeAnnotation(StringRef &Text, std::string &Annotation) {
  Text = Text.ltrim();
  if (!Text.consume_front("@"))
    return llvm::Error::success();
  StringRef Name =
      Text.take_until([](char C) { return llvm::isSpace(C) || C == ':'; });
  if (!isNamePattern(Name, ".$_*"))
    return makeError("'@" + Name +
                     "' is not the name of an annotation, which "
                     "follows without a blank");
  Annotation = toInternal(Name);
  Text = Text.drop_front(Name.size()).ltrim();
  return llvm::Error::success();
}

/// The pattern of descriptors that \p Type stands for.
static Expected<std::string> typePattern(StringRef Type) {
  if (Type == "*")
    return "*";
  StringRef Element = Type;
  while (Element.consume_back("[]"))
    Element = Element.rtrim();
  const bool IsArray = Element.size() != Type.size();
  if (Type.ends_with("...") || Type.contains('<'))
    return makeError("the type '" + Type + "' must be written as " +
                     (Type.contains('<')
                          ? Twine("its class alone, without type arguments")
                          : "'" + Type.drop_back(3) + "[]'"));
  if (!isNamePattern(Element, ".$_*") || Element == "void")
    return makeError("'" + Type + "' is not the type of a parameter");
  std::string Name = Type.str();
  llvm::erase_if(Name, [](char C) { return llvm::isSpace(C); });
  if (Element == "Object" || Element == "String")
    Name = "java.lang." + Name;
  // The element type of the array is open.
  if (IsArray && Element == "*")
    return std::string((Type.size() - 1) / 2, '[') + "*";
  return guessDescriptor(Name);
}

/// Reads what stands between the parentheses.
static llvm::Error readParameters(StringRef Text, TargetRule &R) {
  Text = Text.trim();
  if (Text == "*")
    return llvm::Error::success();
  R.Parameters.emplace();
  if (Text.empty())
    return llvm::Error::success();
  llvm::SmallVector<StringRef> Types;
  Text.split(Types, ',');
  if (Types.back().trim() == "*") {
    R.MoreParameters = true;
    Types.pop_back();
  }
  for (StringRef Type : Types) {
    if (Type.trim().empty())
      return makeError("a type is missing beside a comma");
    auto Pattern = typePattern(Type.trim());
    if (!Pattern)
      return Pattern.takeError();
    R.Parameters->push_back(std::move(*Pattern));
  }
  return llvm::Error::success();
}

/// Reads `name(parameters) result`.
static llvm::Error readMethod(StringRef Text, TargetRule &R) {
  size_t Open = Text.find('('), Close = Text.find(')');
  if (Open == StringRef::npos || Close == StringRef::npos || Close < Open)
    return makeError("behind the method '" + Text.trim() +
                     "' its parameters are missing: (*) stands for any");
  StringRef Name = Text.take_front(Open).trim();
  if (Name.contains('<') ? Name != "<init>" && Name != "<clinit>"
                         : !isNamePattern(Name, "$_*"))
    return makeError("'" + Name +
                     "' is not the name of a method; constructors "
                     "are <init>");
  R.Method = Name.str();
  if (llvm::Error E = readParameters(Text.slice(Open + 1, Close), R))
    return E;
  StringRef Result = Text.drop_front(Close + 1).trim();
  if (Result.empty() || Result == "*")
    return llvm::Error::success();
  auto Pattern =
      Result == "void" ? Expected<std::string>("V") : typePattern(Result);
  if (!Pattern)
    return Pattern.takeError();
  R.Signature = "*)" + *Pattern;
  return llvm::Error::success();
}

Expected<TargetRule> classes::parsePattern(StringRef Text) {
  TargetRule R;
  R.Text = Text.trim().str();
  StringRef Rest = Text.trim();
  R.Include = !Rest.consume_front("-");
  if (llvm::Error E = takeAnnotation(Rest, R.ClassAnnotation))
    return E;
  if (!Rest.contains(':'))
    return makeError("it has no ':' between class and method, as in "
                     "'com.example.Service:call(*)'");
  auto [Class, Method] = Rest.split(':');
  Class = Class.trim();
  if (!isNamePattern(Class, ".$_*-"))
    return makeError(
        "'" + Class + "' is not the name of a class" +
        (Class.contains('/') ? "; '.' stands between packages" : ""));
  R.Type = toInternal(Class);
  if (llvm::Error E = takeAnnotation(Method, R.MethodAnnotation))
    return E;
  if (llvm::Error E = readMethod(Method, R))
    return E;
  return R;
}

static TargetRule excludeAll(StringRef Type, StringRef Method) {
  TargetRule R;
  R.Type = Type.str();
  R.Method = Method.str();
  R.Include = false;
  return R;
}

std::vector<TargetRule> classes::toRules(llvm::ArrayRef<TargetRule> Patterns) {
  std::vector<TargetRule> Rules;
  auto Take = [&](bool Include, bool Initialisers, bool Anywhere) {
    // What begins with `*` does not include the JDK.
    bool First = Include && Anywhere;
    for (const TargetRule &R : Patterns) {
      if (R.Include != Include ||
          (Include && ((R.Method == "<clinit>") != Initialisers ||
                       StringRef(R.Type).starts_with("*") != Anywhere)))
        continue;
      if (First)
        for (StringRef Core : {"java/*", "jdk/*", "sun/*"})
          Rules.push_back(excludeAll(Core, Initialisers ? "<clinit>" : "*"));
      First = false;
      Rules.push_back(R);
    }
  };
  Take(false, false, false);
  for (bool Initialisers : {true, false}) {
    Take(true, Initialisers, false);
    Take(true, Initialisers, true);
    Rules.push_back(excludeAll("*", Initialisers ? "<clinit>" : "*"));
  }
  return Rules;
}
