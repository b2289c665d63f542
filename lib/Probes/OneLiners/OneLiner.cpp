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

/// Of record: so many calls, what their traces take, and what they have. Types
/// of arguments are not among it: each call would pay for them.
static constexpr uint64_t RecordLimit = 10, RecordMemory = 64 << 20,
                          LeastMemory = 1 << 20;
static constexpr StringRef RecordLetters = "exlivzjfcts";

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

/// The same for \p Verb: `-o` is another's but for record.
static const OptionRow *findOption(StringRef Name, StringRef Verb) {
  return Name == "o" && Verb != "record" ? nullptr : findOption(Name);
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
            findOption(optionName(Before), Verb)) &&
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
    const OptionRow *O = findOption(Name, Verb);
    if (Name == "show") {
      R.Shows = true;
    } else if (O) {
      std::string Option = ("--" + Word.ltrim('-')).str();
      if (!O->Value.empty() && !Word.contains('=')) {
        if (N + 1 == Words.size())
          return makeError("--" + Name + " needs a value");
        Option += std::string("=") + Words[++N];
      }
      const StringRef Value = StringRef(Option).split('=').second;
      if (Name == "limit")
        llvm::to_integer(Value, R.Limit, 10);
      if (Name == "o") { // The program has another current folder.
        llvm::SmallString<128> Folder(Value);
        if (!Folder.empty())
          llvm::sys::fs::make_absolute(Folder);
        Option = ("--o=" + Folder).str();
      }
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
  if (Verb == "record" && !R.Limit)
    R.Limit = RecordLimit;
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

/// Reads a size such as 16m.
static llvm::Error readMemory(StringRef Value, OneLiner &L) {
  StringRef Digits = Value;
  const uint64_t Unit = Digits.consume_back_insensitive("g")   ? 1 << 30
                        : Digits.consume_back_insensitive("m") ? 1 << 20
                        : Digits.consume_back_insensitive("k") ? 1 << 10
                                                               : 1;
  if (!llvm::to_integer(Digits, L.Memory, 10) || L.Memory > UINT32_MAX ||
      (L.Memory *= Unit) < LeastMemory)
    return makeError("--memory: '" + Value +
                     "' is no size of 1m or more, such as 64m");
  return llvm::Error::success();
}

/// Where the text in quotes ends that begins at \p Open, or \p Text does.
static size_t endOfQuoted(StringRef Text, size_t Open) {
  for (size_t I = Open + 1; I < Text.size(); ++I)
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Text[Open])
      return I;
  return Text.size();
}

/// Finds mistakes in an expression that javac would report at other places of
/// the fragment around it.
static llvm::Error checkExpression(StringRef Name, StringRef Java) {
  auto Wrong = [&](size_t At, const llvm::Twine &What) {
    return makeError("--" + Name + " '" + Java + "', column " +
                     llvm::Twine(At + 1) + ": " + What);
  };
  if (Java.trim().empty())
    return makeError("--" + Name + ": there is no expression");
  std::vector<size_t> Open;
  for (size_t I = 0; I < Java.size(); ++I) {
    const char C = Java[I];
    if (C == '"' || C == '\'') {
      const size_t End = endOfQuoted(Java, I);
      if (End >= Java.size())
        return Wrong(I, "no quote closes this one");
      I = End;
    } else if (Java.substr(I).starts_with("//") ||
               Java.substr(I).starts_with("/*")) {
      return Wrong(I, "a comment has no place in an expression");
    } else if (StringRef("([{").contains(C)) {
      Open.push_back(I);
    } else if (const size_t Closes = StringRef(")]}").find(C);
               Closes != StringRef::npos) {
      if (Open.empty() || Java[Open.back()] != "([{"[Closes])
        return Wrong(I, llvm::Twine("nothing opens this '") + llvm::Twine(C) +
                            "'");
      Open.pop_back();
    } else if (C == ';' && (Open.empty() || Java[Open.back()] != '{')) {
      return Wrong(I, "an expression has no ';'");
    }
  }
  if (!Open.empty())
    return Wrong(Open.back(), llvm::Twine("nothing closes this '") +
                                  llvm::Twine(Java[Open.back()]) + "'");
  return llvm::Error::success();
}

/// Finds braces of a template that are open or empty.
static llvm::Error checkTemplate(StringRef Text) {
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != '{' && Text[I] != '}')
      continue;
    if (I + 1 < Text.size() && Text[I + 1] == Text[I]) {
      ++I;
      continue;
    }
    if (Text[I] == '}')
      continue;
    size_t End = I + 1;
    while (End < Text.size() && Text[End] != '}')
      End = Text[End] == '"' || Text[End] == '\'' ? endOfQuoted(Text, End) + 1
                                                  : End + 1;
    const char *What = End >= Text.size() ? "nothing closes this '{'"
                       : Text.slice(I + 1, End).trim().empty()
                           ? "there is no expression in the braces"
                           : nullptr;
    if (What)
      return makeError("--text '" + Text + "', column " + llvm::Twine(I + 1) +
                       ": " + What + "; '{{' is a brace");
    I = End;
  }
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
  if (Name == "when" || Name == "by" || Name == "id")
    if (llvm::Error E = checkExpression(Name, Value))
      return E;
  if (Name == "text")
    if (llvm::Error E = checkTemplate(Value))
      return E;
  if (Name == "expand")
    return readDepth(Value, L);
  if (Name == "memory")
    return readMemory(Value, L);
  if (Name == "letters") {
    if (Value.empty() || Value.find_first_not_of(RecordLetters) != Value.npos)
      return makeError("--letters: '" + Value + "': record takes " +
                       RecordLetters);
    L.Letters = Value.str();
    return llvm::Error::success();
  }
  if (Name == "o")
    L.Folder = Value.str();
  else if (Name == "classes")
    L.Classes = Value.str();
  else if (Name == "async")
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
  if (L.Verb == "tt" || L.Verb == "record" ||
      (L.Verb == "watch" && !L.Args && !L.Result))
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
  if (L.Verb == "record") {
    L.Limit = L.Limit ? L.Limit : RecordLimit;
    L.Memory = L.Memory ? L.Memory : RecordMemory;
  }
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
  if (L.Verb == "record" && (L.When.empty() || L.Folder.empty()))
    return makeError("record needs --when JAVA, such as 'durationMs > 50', and "
                     "-o FOLDER");
  complete(L);
  return L;
}

/// The packages of the methods of \p L, as patterns of internal names.
static llvm::Expected<std::vector<std::string>> packages(const OneLiner &L) {
  std::vector<std::string> All;
  for (const TargetPattern &T : L.Targets) {
    if (T.Package == "*")
      return makeError("--classes: say which classes to trace, as com.shop.*, "
                       "or name the methods with their package");
    All.push_back(T.Package.empty() ? T.Class : T.Package + "/*");
  }
  return All;
}

Expected<std::string> jopt::oneLinerTrace(StringRef Place) {
  if (!Place.starts_with("record:"))
    return std::string();
  auto L = oneliner::read(Place);
  if (!L)
    return L.takeError();
  std::vector<std::string> Classes;
  for (StringRef Glob : llvm::split(L->Classes, ','))
    if (!Glob.empty())
      Classes.push_back(Glob.str());
  if (Classes.empty()) {
    auto Own = packages(*L);
    if (!Own)
      return Own.takeError();
    Classes = std::move(*Own);
  }
  for (std::string &C : Classes)
    std::replace(C.begin(), C.end(), '.', '/');
  return ((L->Letters.empty() ? RecordLetters : StringRef(L->Letters)) +
          ",requests,only=" + llvm::join(Classes, ":"))
      .str();
}

std::string jopt::describeOneLinerOptions(StringRef Verb) {
  std::string Text;
  auto Add = [&](StringRef Name, StringRef Value, StringRef What) {
    const std::string Given =
        ("--" + Name + (Value.empty() || Value.starts_with("[") ? "" : " ") +
         Value)
            .str();
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
