//===- ClassVerbs.cpp - jopt classes, methods -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassVerbs.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Support/JavaNames.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

namespace json = llvm::json;

namespace {
struct ClassRequest {
  StringRef Verb;
  pid_t Pid = 0;
  std::string Pattern;
  uint64_t Limit = 1000;
  bool HasLimit = false;
  bool AsJson = false;
  bool AsNames = false; ///< for shells: what completes a word
};
} // namespace

static llvm::Expected<ClassRequest>
readClassRequest(llvm::ArrayRef<const char *> Arguments) {
  ClassRequest R;
  R.Verb = Arguments[0];
  R.AsJson = !llvm::outs().is_displayed();
  llvm::SmallVector<StringRef, 2> Words;
  for (size_t N = 1; N < Arguments.size(); ++N) {
    StringRef Word = Arguments[N];
    if (!Word.starts_with("-")) {
      Words.push_back(Word);
      continue;
    }
    auto [Name, Value] = Word.ltrim('-').split('=');
    if (Name != "limit" && Name != "format")
      return makeError("'" + Word + "': jopt " + R.Verb +
                       " takes no such option; it has --limit and --format");
    if (!Word.contains('=') && N + 1 < Arguments.size())
      Value = Arguments[++N];
    if (Name == "format") {
      if (Value != "text" && Value != "json" && Value != "names")
        return makeError("--format: '" + Value +
                         "': there are text, json and names");
      R.AsJson = Value == "json";
      R.AsNames = Value == "names";
      continue;
    }
    if (!llvm::to_integer(Value, R.Limit, 10) || !R.Limit)
      return makeError("--limit: '" + Value + "' is no number from 1 on");
    R.HasLimit = true;
  }
  const StringRef What = R.Verb == "classes" ? "a pattern, as 'com.shop.*'"
                                             : "a class, as com.shop.Cart";
  if (Words.size() != 2 || !llvm::to_integer(Words[0], R.Pid, 10) || R.Pid <= 0)
    return makeError("jopt " + R.Verb +
                     " needs the number of a process, which 'jopt ps' lists, "
                     "and " +
                     What);
  // `com.shop.Cart#add` is its class, too.
  R.Pattern = Words[1].split('#').first.str();
  return R;
}

static std::string textOf(const json::Object &O, StringRef Name) {
  return O.getString(Name).value_or("").str();
}

static std::string classLine(const json::Object &O) {
  std::string Text = textOf(O, "class") + "  " + textOf(O, "kind") + "  " +
                     textOf(O, "loader");
  if (auto Id = O.getString("loaderId"))
    Text += "@" + Id->str();
  if (auto Version = O.getInteger("version"))
    Text += llvm::formatv("  version {0} (Java {1})", *Version, *Version - 44)
                .str();
  if (O.getBoolean("woven").value_or(false))
    Text += "  woven";
  if (O.getBoolean("hidden").value_or(false))
    Text += "  hidden: the JVM lets nobody change it";
  return Text;
}

/// `add(java.lang.String, int) boolean`
static std::string signatureOf(const json::Object &O) {
  const std::string Descriptor = textOf(O, "descriptor");
  std::string Text = textOf(O, "method") + "(";
  llvm::ListSeparator Comma;
  MethodDescriptor D(Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Text += (StringRef(Comma) + javaTypeName(P)).str();
  const StringRef Returned = returnDescriptor(Descriptor);
  return Text + ") " + (Returned == "V" ? "void" : javaTypeName(Returned));
}

static std::string methodLine(const json::Object &O) {
  std::string Lines = "-";
  if (auto First = O.getInteger("firstLine"))
    Lines = std::to_string(*First) + "-" +
            std::to_string(O.getInteger("lastLine").value_or(*First));
  std::string Flags;
  if (const json::Array *All = O.getArray("flags"))
    for (const json::Value &F : *All)
      Flags += F.getAsString().value_or("").str() + " ";
  return llvm::formatv("{0,7}  {1,-11}  {2}{3}",
                       O.getInteger("codeSize").value_or(0), Lines, Flags,
                       signatureOf(O))
      .str();
}

/// Prints \p Lines, objects of JSON; how many there are besides.
static uint64_t print(StringRef Lines, const ClassRequest &R) {
  std::string Class;
  uint64_t More = 0;
  for (StringRef Line : llvm::split(Lines.trim('\n'), '\n')) {
    auto Read = json::parse(Line);
    const json::Object *O = Read ? Read->getAsObject() : nullptr;
    if (!O) {
      llvm::consumeError(Read.takeError());
      continue;
    }
    if (auto Rest = O->getInteger("more")) {
      More = uint64_t(*Rest);
      continue;
    }
    if (R.AsJson) {
      llvm::outs() << Line << '\n';
      continue;
    }
    if (R.AsNames) {
      std::string Name = textOf(*O, "class");
      if (R.Verb == "methods")
        Name += "#" + textOf(*O, "method");
      if (Name != Class) // methods of one name, one behind the other
        safeOuts() << Name << '\n';
      Class = std::move(Name);
      continue;
    }
    const std::string Of = classLine(*O);
    if (R.Verb == "classes" || Of != Class)
      safeOuts() << (Class.empty() || R.Verb == "classes" ? "" : "\n") << Of
                 << '\n';
    if (R.Verb == "methods") {
      if (Of != Class)
        safeOuts() << "   code  lines        method\n";
      safeOuts() << methodLine(*O) << '\n';
    }
    Class = Of;
  }
  return More;
}

int jopt::runClassVerb(llvm::ArrayRef<const char *> Arguments, AskAgent Ask,
                       DiagnosticEngine &Diags) {
  auto Fail = [&](Error E) {
    Diags.report(std::move(E));
    return 1;
  };
  auto R = readClassRequest(Arguments);
  if (!R)
    return Fail(R.takeError());
  auto Reply = Ask(R->Pid, ("list-" + R->Verb + "=" + llvm::Twine(R->Limit) +
                            " " + R->Pattern)
                               .str());
  if (!Reply)
    return Fail(Reply.takeError());
  if (Reply->Printed.empty()) {
    safeErrs() << "jopt: no loaded class matches '" << R->Pattern << "'"
               << (R->Verb == "methods" ? ", or it is not linked yet, or it "
                                          "has no methods"
                                        : "")
               << "; a class is loaded when it is first used\n";
    return 2;
  }
  const uint64_t More = print(Reply->Printed, *R);
  llvm::outs().flush();
  if (!More)
    return 0;
  safeErrs() << "jopt: there are " << More << " more; --limit "
             << R->Limit + More << " shows all\n";
  return R->HasLimit ? 0 : 2;
}
