//===- OneLiner.cpp - The words of a one-liner ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneLinerText.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/StringSaver.h"

using namespace jopt;
using namespace jopt::oneliner;
using llvm::Expected;
using llvm::StringRef;

/// As Expanded.DEEPEST in the program has it.
static constexpr unsigned MaxDepth = 10;

namespace {
struct OptionRow {
  llvm::StringLiteral Name, Value, Verbs, What;
};
} // namespace

static constexpr OptionRow Options[] = {
#define ONE_LINER_OPTION(NAME, VALUE, VERBS, WHAT) {#NAME, VALUE, VERBS, WHAT},
#include "jopt/Probes/OneLiners.def"
};

static const OptionRow *findOption(StringRef Name) {
  auto At = llvm::find_if(Options,
                          [&](const OptionRow &O) { return O.Name == Name; });
  return At == std::end(Options) ? nullptr : At;
}

/// The name of the option \p Word, without dashes; empty if it is none.
static StringRef optionName(StringRef Word) {
  if (!Word.consume_front("--") && !Word.consume_front("-"))
    return "";
  return Word.split('=').first;
}

/// \p Word as one word of a place.
static std::string quoted(StringRef Word) {
  if (!Word.empty() && Word.find_first_of(" \t\"'\\") == StringRef::npos)
    return Word.str();
  std::string Text = "\"";
  for (char C : Word) {
    if (C == '"' || C == '\\')
      Text += '\\';
    Text += C;
  }
  return Text + "\"";
}

Expected<OneLinerRequest>
jopt::readOneLiner(StringRef Verb, llvm::ArrayRef<const char *> Words) {
  OneLinerRequest R;
  R.Place = (Verb + ":").str();
  bool IsFirst = true, HasType = false;
  // The word before may be an option of somebody else that takes this one.
  auto IsType = [&](size_t N) {
    const StringRef Word = Words[N], Before = N ? Words[N - 1] : "";
    return Verb == "throws" && !HasType && !Word.empty() &&
           (!Before.starts_with("-") || Before.contains('=') ||
            findOption(optionName(Before))) &&
           !llvm::isDigit(Word.front()) && isQualifiedName(Word) &&
           !llvm::sys::fs::exists(Word);
  };
  auto Add = [&](const std::string &Word) {
    R.Place += (IsFirst ? "" : " ") + quoted(Word);
    IsFirst = false;
  };
  for (size_t N = 0; N < Words.size(); ++N) {
    const StringRef Word = Words[N];
    const StringRef Name = optionName(Word);
    const OptionRow *O = findOption(Name);
    if (Name == "show") {
      R.Shows = true;
    } else if (O) {
      std::string Option = ("--" + Word.ltrim('-')).str();
      if (!O->Value.empty() && !Word.contains('=')) {
        if (N + 1 == Words.size())
          return makeError("--" + Name + " needs a value");
        Option += std::string("=") + Words[++N];
      }
      if (Name == "limit")
        llvm::to_integer(StringRef(Option).split('=').second, R.Limit, 10);
      Add(Option);
    } else if (Name.empty() && IsType(N)) {
      HasType = true;
      Add(Word.str());
    } else if (Name.empty() &&
               (Verb == "line" ? isLinePlace(Word) : Word.contains('#'))) {
      Add(Word.str());
    } else {
      R.Rest.push_back(Word.str());
    }
  }
  if (StringRef(R.Place).contains('\n'))
    return makeError("a one-liner has one line");
  return R;
}

/// Reads a number of 1 or more.
static llvm::Error readNumber(StringRef Name, StringRef Value, uint64_t &To) {
  if (llvm::to_integer(Value, To, 10) && To && To <= UINT32_MAX)
    return llvm::Error::success();
  return makeError("--" + Name + ": '" + Value + "' is no number from 1 on");
}

/// Reads how many levels of objects are shown.
static llvm::Error readDepth(StringRef Value, OneLiner &L) {
  unsigned Depth = 0;
  if (!llvm::to_integer(Value, Depth, 10) || Depth > MaxDepth)
    return makeError("--expand: '" + Value + "' is no number from 0 to " +
                     llvm::Twine(MaxDepth));
  L.Expand = Depth;
  return llvm::Error::success();
}

static llvm::Error readOption(StringRef Word, OneLiner &L) {
  auto [Name, Value] = Word.drop_front(2).split('=');
  const OptionRow *O = findOption(Name);
  if (!O)
    return makeError("'" + Word + "': there is no such option of " + L.Verb);
  if (!llvm::is_contained(llvm::split(O->Verbs, ' '), StringRef(L.Verb)))
    return makeError("--" + Name + " is not for " + L.Verb + " (" + O->Verbs +
                     ")");
  if (O->Value.empty() != !Word.contains('='))
    return makeError("--" + Name +
                     (O->Value.empty() ? " takes no value" : " needs a value"));
  if (Name == "expand")
    return readDepth(Value, L);
  if (Name == "async")
    L.Async = true;
  else if (Name == "no-proxies")
    L.NoProxies = true;
  else if (Name == "id")
    L.Id = Value.str();
  else if (Name == "text")
    L.Text = Value.str();
  else if (Name == "locals")
    L.Locals = true;
  else if (Name == "when")
    L.When = Value.str();
  else if (Name == "by")
    L.By = Value.str();
  else if (Name == "limit")
    return readNumber(Name, Value, L.Limit);
  else if (Name == "stack")
    return readNumber(Name, Value, L.Stack);
  else if (Name == "interval")
    return readNumber(Name, Value, L.Interval);
  else if (Name == "rows")
    return readNumber(Name, Value, L.Rows);
  else
    (Name == "args" ? L.Args : Name == "result" ? L.Result : L.Self) = true;
  return llvm::Error::success();
}

/// The defaults of \p L's verb where it says nothing.
static void complete(OneLiner &L) {
  L.Locals |= L.Verb == "line" && L.Text.empty();
  if (L.Verb == "tt" || (L.Verb == "watch" && !L.Args && !L.Result))
    L.Args = L.Result = true;
  if (!L.Stack)
    L.Stack = L.Verb == "stack"    ? 50
              : L.Verb != "throws" ? 0
              : L.OfType           ? 50
                                   : 5;
  if (!L.Interval)
    L.Interval = L.Verb == "monitor"                    ? 1
                 : L.Verb == "top" || L.Verb == "alloc" ? 2
                                                        : 0;
  if (!L.Rows && L.Verb == "tt")
    L.Rows = 1000;
  if (L.By.empty())
    L.By = "method";
}

Expected<OneLiner> oneliner::read(StringRef Place) {
  OneLiner L;
  auto [Verb, Text] = Place.split(':');
  L.Verb = Verb.str();
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 8> Words;
  llvm::cl::TokenizeGNUCommandLine(Text, Saver, Words);
  for (size_t N = 0; N < Words.size(); ++N) {
    const StringRef Word = Words[N];
    if (Word.starts_with("--")) {
      const OptionRow *O = findOption(Word.drop_front(2));
      std::string Option = Word.str();
      if (O && !O->Value.empty() && N + 1 < Words.size())
        Option += std::string("=") + Words[++N];
      if (llvm::Error E = readOption(Option, L))
        return E;
      continue;
    }
    if (L.Verb == "line") {
      auto Lines = readLines(Word);
      if (!Lines)
        return Lines.takeError();
      if (!L.Patterns.empty())
        return makeError("one class and its lines at a time, not '" +
                         L.Patterns.front() + "' and '" + Word + "'");
      L.Lines = std::move(*Lines);
      L.Patterns.push_back(Word.str());
      continue;
    }
    const bool IsType = L.Verb == "throws" && !Word.contains('#');
    auto T = readTarget(IsType ? (Word + "#<init>").str() : Word.str());
    if (!T)
      return T.takeError();
    if (!L.Targets.empty() && IsType != L.OfType)
      return makeError("either a type of exceptions or methods, not '" +
                       L.Patterns.front() + "' and '" + Word + "'");
    L.OfType = IsType;
    L.Targets.push_back(std::move(*T));
    L.Patterns.push_back(Word.str());
  }
  if (L.Verb == "line" && L.Patterns.empty())
    return makeError("no line: say which by class:line, as 'com.foo.Bar:42'");
  if (L.Targets.empty() && L.Verb != "line")
    return makeError(
        "no methods: say which by class#method, as 'com.foo.Bar#baz(..)'");
  if (L.Verb == "throws" && !L.OfType && (L.Locals || L.Expand))
    return makeError("--locals and --expand of throws are for a type of "
                     "exceptions: jopt throws PID TYPE --locals");
  complete(L);
  return L;
}

std::string jopt::describeOneLinerOptions(StringRef Verb) {
  std::string Text;
  auto Add = [&](StringRef Name, StringRef Value, StringRef What) {
    const std::string Given =
        ("--" + Name + (Value.empty() ? "" : " ") + Value).str();
    Text += llvm::formatv("  {0,-20} {1}\n", Given, What).str();
  };
  for (const OptionRow &O : Options)
    if (llvm::is_contained(llvm::split(O.Verbs, ' '), Verb))
      Add(O.Name, O.Value, O.What);
  Add("for", "TIME", "end after that time, as 30s");
  Add("format", "text|json", "for people or programs; on a terminal text");
  Add("html", "FILE", "make a page of it");
  Add("show", "", "print the probe file that it is");
  return Text;
}
