//===- TracePrint.cpp - Events as lines of text ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/TracePrint.h"
#include "TraceArguments.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/Format.h"
#include <charconv>

using namespace jopt;
using namespace jopt::data;
using llvm::Error;
using llvm::StringRef;

namespace {
/// How the lines of a class are written.
struct ClassLines {
  int64_t FirstEvent = 0; ///< the number of the class's first one
  int Sign = 1;
  std::string Name;
  bool IsShown = true; ///< executions are
  /// The word for executions of each kind; empty if the kind has no lines.
  std::vector<std::string> Executed;
};

/// A line, put together without a stream for each number.
class LineBuffer {
public:
  explicit LineBuffer(llvm::raw_ostream &OS) : OS(OS) {
    Text.reserve(Enough * 2);
  }
  ~LineBuffer() { flush(); }

  LineBuffer &operator<<(StringRef S) {
    Text.append(S.begin(), S.end());
    return *this;
  }
  LineBuffer &operator<<(int64_t N) {
    char Digits[24];
    const auto End = std::to_chars(Digits, Digits + sizeof(Digits), N);
    Text.append(Digits, End.ptr);
    return *this;
  }
  void end() {
    Text += '\n';
    if (Text.size() > Enough)
      flush();
  }

private:
  static constexpr size_t Enough = 1 << 16;
  void flush() {
    OS << Text;
    Text.clear();
  }
  llvm::raw_ostream &OS;
  std::string Text;
};

/// The numbers of events and the words for executions, over all classes in the
/// order of declarations.
class Numbering {
public:
  Numbering(const Traces &T, trace::Flavour F) {
    int64_t Event = 1;
    for (const TracedClass &C : T.classes()) {
      const trace::ClassDeclarations &D = C.Declared;
      ClassLines L;
      L.FirstEvent = Event;
      L.Sign = D.hasOption("negative") ? -1 : 1;
      L.Name = toDisplayLine(D.Name);
      L.IsShown = L.Sign < 0 || !D.hasOption("stop-app-ins");
      const std::string Letters = D.letters();
      for (const trace::Kind &K : D.Kinds) {
        const bool IsSwitch =
            F == trace::Flavour::Blinky && K.Type == "$switch$";
        const StringRef Log = IsSwitch ? StringRef("t") : StringRef(K.Log);
        const bool IsLogged =
            Log.empty() || Log.find_first_of(Letters) != StringRef::npos;
        L.Executed.push_back(!IsLogged  ? ""
                             : IsSwitch ? "$type$"
                                        : toDisplayLine(K.Executed));
      }
      Event += int64_t(C.Methods.size());
      Classes.push_back(std::move(L));
    }
  }

  /// The word for the execution of \p E; empty if it has no line.
  StringRef executed(const TracedEvent &E) const {
    const ClassLines &L = Classes[E.Of->Class];
    return L.IsShown ? StringRef(L.Executed[E.Class->event(E.Number).Kind])
                     : StringRef();
  }

  std::vector<ClassLines> Classes;
};
} // namespace

/// What Blinky adds to the line of an event.
static void addExtras(const TracedEvent &E, StringRef Executed, LineBuffer &L) {
  if (Executed == "$enter$" || Executed == "$invoke$") {
    L << ",NA";
  } else if (Executed == "$field$") {
    L << "," << int64_t(E.HasValue ? E.Value : 0) << ",";
    if (E.HasObject) {
      L << int64_t(E.Object);
      return;
    }
    const trace::ClassDeclarations &D = E.Class->Declared;
    const trace::Event &Declared = E.Class->event(E.Number);
    if (StringRef(D.Kinds[Declared.Kind].Operands).starts_with("s"))
      L << toDisplayLine(D.Strings[D.Methods[E.Of->MethodNumber]
                                       .Operands[Declared.FirstOperand]
                                       .String]);
  } else if (E.IsArray) {
    L << "," << int64_t(E.Object) << "," << int64_t(E.Index) << ","
      << int64_t(E.HasValue ? E.Value : 0) << "," << int64_t(E.Length);
  }
}

namespace {
/// Writes the lines of executions.
class ExecutionPrinter {
public:
  ExecutionPrinter(const Traces &T, trace::Flavour F, TraceFilter &Filter,
                   llvm::raw_ostream &OS)
      : Numbers(T, F), Arguments(T, F), IsBlinky(F == trace::Flavour::Blinky),
        Filter(Filter), L(OS) {}

  void print(const TracedEvent &E) {
    const StringRef Executed = Numbers.executed(E);
    if (Executed.empty())
      return;
    const llvm::ArrayRef<TracedArgument> With = Arguments.of(E);
    const bool OfCall = !E.IsArguments && !E.IsEnter;
    if (OfCall)
      printArguments(E, With, CallArgumentType);
    if (!E.IsArguments)
      printEvent(E, Executed);
    if (!OfCall)
      printArguments(E, With, ArgumentType);
  }

private:
  void begin(const TracedEvent &E) {
    L << "$$$," << Id << "," << E.Thread->Id << "," << int64_t(timeOf(E)) << ","
      << int64_t(E.Of->Depth) << ",";
  }

  void printArguments(const TracedEvent &E, llvm::ArrayRef<TracedArgument> With,
                      StringRef Type) {
    for (const TracedArgument &A : With) {
      ++Id;
      if (!Filter.wantsArguments(E, Type))
        continue;
      begin(E);
      L << Arguments.typeOf(E, A) << "," << int64_t(A.Index) << "," << Type;
      L.end();
    }
  }

  void printEvent(const TracedEvent &E, StringRef Executed) {
    // Ids do not depend on what is chosen.
    ++Id;
    if (!Filter.wants(E))
      return;
    const ClassLines &Of = Numbers.Classes[E.Of->Class];
    begin(E);
    if (E.Of->HasHost)
      L << int64_t(E.Of->Host);
    else
      L << (IsBlinky ? StringRef("C") : StringRef(Of.Name));
    L << "," << Of.Sign * (Of.FirstEvent + int64_t(E.Number)) << ","
      << Executed;
    if (IsBlinky)
      addExtras(E, Executed, L);
    L.end();
  }

  const Numbering Numbers;
  TracedArguments Arguments;
  const bool IsBlinky;
  TraceFilter &Filter;
  LineBuffer L;
  int64_t Id = 0;
};
} // namespace

Error data::printTrace(const Traces &T, const TracePrintOptions &Options,
                       llvm::raw_ostream &OS, LeftOut Tell) {
  auto Filter = TraceFilter::make(T, Options.Filter);
  if (!Filter)
    return Filter.takeError();
  trace::LineIds Ids;
  if (Options.Declarations)
    for (const TracedClass &C : T.classes())
      trace::printDeclarations(C.Declared, Options.Flavour, Ids, OS);
  if (!Options.Executions)
    return Error::success();
  ExecutionPrinter Printer(T, Options.Flavour, *Filter, OS);
  Error Failed = T.forEachEvent(
      Tell,
      [&](const TracedEvent &E) {
        Printer.print(E);
        return true;
      },
      /*WithArguments=*/true);
  return Failed ? std::move(Failed) : Filter->finish();
}

/// What the guard of \p T, which was never opened, waited for.
static std::string awaited(const Traces &T) {
  const trace::ClassDeclarations &D = T.classes()[0].Declared;
  const StringRef Class = D.option("entry-class").value_or("");
  return (D.option("entry-method").value_or("main(String[])") +
          (Class.empty() ? "" : " of " + Class))
      .str();
}

Error data::showTrace(const Traces &T, llvm::raw_ostream &OS, LeftOut Tell) {
  if (T.empty())
    return Error::success();
  struct Counts {
    TracedThread Thread;
    uint64_t Events = 0;
    int32_t First = 0, Last = 0;
  };
  std::map<uint32_t, Counts> Threads;
  std::vector<std::vector<uint64_t>> Calls;
  for (const TracedClass &C : T.classes())
    Calls.emplace_back(C.Declared.Methods.size());
  const Numbering Numbers(T, trace::Flavour::Seed);
  uint64_t Lines = 0, Events = 0;
  TracedArguments Arguments(T, trace::Flavour::Seed);
  auto Count = [&](const TracedEvent &E) {
    if (!Numbers.executed(E).empty())
      Lines += !E.IsArguments + Arguments.of(E).size();
    if (E.IsArguments)
      return true;
    Counts &C = Threads[E.Thread->Number];
    if (C.Events++ == 0) {
      C.Thread = *E.Thread;
      C.First = E.Milliseconds;
    }
    C.Last = E.Milliseconds;
    ++Events;
    if (E.IsEnter)
      ++Calls[E.Of->Class][E.Of->MethodNumber];
    return true;
  };
  if (Error E = T.forEachEvent(Tell, Count, /*WithArguments=*/true))
    return E;
  uint64_t Methods = 0, Declared = 0;
  std::vector<std::tuple<uint64_t, std::string>> Most;
  for (size_t I = 0; I < Calls.size(); ++I) {
    const TracedClass &C = T.classes()[I];
    Declared += C.Methods.size();
    for (uint32_t M = 0; M < Calls[I].size(); ++M) {
      ++Methods;
      if (Calls[I][M])
        Most.emplace_back(Calls[I][M],
                          toDisplayUTF8(C.Declared.Name + "." + C.method(M)));
    }
  }
  OS << "trace: " << T.classes().size() << " classes, " << Methods
     << " methods, of which " << Most.size() << " were called, " << Declared
     << " events declared\n";
  if (T.isUnopened())
    OS << "trace: it never began: " << awaited(T) << " was not entered\n";
  OS << "trace: " << Events << " events of " << Threads.size() << " threads, "
     << Lines << " execution lines\n";
  for (const auto &[Number, C] : Threads) {
    const int32_t Span = C.Last - C.First;
    OS << "  thread " << C.Thread.Id << " " << C.Thread.Name
       << (C.Thread.IsVirtual ? " (virtual)" : "") << ": " << C.Events
       << " events";
    if (Span > 0)
      OS << " in " << Span << " ms, "
         << llvm::format("%.1f", double(C.Events) / Span / 1000)
         << " million a second";
    OS << '\n';
  }
  llvm::sort(Most, [](const auto &A, const auto &B) {
    return std::tuple(~std::get<0>(A), std::get<1>(A)) <
           std::tuple(~std::get<0>(B), std::get<1>(B));
  });
  if (Most.size() > 10)
    Most.resize(10);
  for (const auto &[N, Name] : Most)
    OS << "  method " << Name << ": " << N << " calls\n";
  return Error::success();
}

std::function<bool(const TracedEvent &)> data::linesOf(const Traces &T) {
  return [Numbers = Numbering(T, trace::Flavour::Seed)](const TracedEvent &E) {
    return !Numbers.executed(E).empty();
  };
}
