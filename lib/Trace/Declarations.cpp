//===- Declarations.cpp - What a traced class declares --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers are characters of one byte in class files, so a declaration is as
/// long in the pool as it is here.
///
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Declarations.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace jopt;
using namespace jopt::trace;
using llvm::StringRef;

static constexpr char Format = '1';

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

std::optional<StringRef> ClassDeclarations::option(StringRef Name) const {
  StringRef Rest = StringRef(Options).split(',').second;
  while (!Rest.empty()) {
    auto [Option, Others] = Rest.split(',');
    auto [Given, Value] = Option.split('=');
    if (Given == Name)
      return Value;
    Rest = Others;
  }
  return std::nullopt;
}

bool ClassDeclarations::asksForAll() const {
  return StringRef(Options).split(',').first == "A";
}

std::string ClassDeclarations::letters() const {
  return asksForAll() ? AllLetters.str()
                      : StringRef(Options).split(',').first.str();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Characters of \p S as Java counts them.
static size_t javaLength(StringRef S) {
  return size_t(
      llvm::count_if(S, [](char C) { return (uint8_t(C) & 0xc0) != 0x80; }));
}

namespace {

class DeclarationWriter {
public:
  static constexpr size_t MostOfNumber = 6; ///< characters

  /// Makes room for so many characters, without which none is written.
  void reserve(size_t Count) {
    const size_t Used = size();
    if (Buffer.size() - Used < Count)
      Buffer.resize_for_overwrite(std::max(Used + Count, 2 * Buffer.size()));
    P = Buffer.data() + Used;
  }
  void number(uint32_t N) {
    for (; N > 62; N >>= 6)
      *P++ = char(64 + (N & 63));
    *P++ = char(1 + N);
  }
  void signedNumber(int32_t N) { number(uint32_t(N) << 1 ^ uint32_t(N >> 31)); }
  void text(StringRef S) {
    reserve(MostOfNumber + S.size());
    number(uint32_t(javaLength(S)));
    P = std::copy(S.begin(), S.end(), P);
  }
  void character(char C) { *P++ = C; }
  std::string str() const { return std::string(Buffer.data(), size()); }

private:
  size_t size() const { return P ? size_t(P - Buffer.data()) : 0; }

  llvm::SmallVector<char, 0> Buffer;
  char *P = nullptr; ///< where to write next
};

/// Reads forward. What is past the end is 0, and a failure.
class Reader {
public:
  explicit Reader(StringRef Text) : Text(Text) {}

  uint32_t number() {
    uint32_t N = 0;
    for (unsigned Shift = 0; Shift < 36; Shift += 6) {
      unsigned C = take();
      if (C < 64) {
        Failed |= C == 0 || (Shift == 30 && C > 4);
        return N | (C - 1) << std::min(Shift, 30u);
      }
      Failed |= C > 127;
      N |= Shift < 32 ? (C & 63) << Shift : 0;
    }
    Failed = true;
    return 0;
  }
  int32_t signedNumber() {
    uint32_t N = number();
    return int32_t(N >> 1 ^ (0 - (N & 1)));
  }
  /// A number of things that follow, of one character each at least.
  uint32_t count() {
    uint32_t N = number();
    Failed |= N > Text.size();
    return Failed ? 0 : N;
  }
  std::string text() {
    uint32_t Left = count();
    size_t End = 0;
    while (Left-- && End < Text.size())
      do
        ++End;
      while (End < Text.size() && (uint8_t(Text[End]) & 0xc0) == 0x80);
    std::string S = Text.take_front(End).str();
    Text = Text.drop_front(End);
    return S;
  }
  /// A number below \p Bound.
  uint32_t index(size_t Bound) {
    uint32_t N = number();
    if (N < Bound)
      return N;
    Failed = true;
    return 0;
  }
  uint8_t take() {
    if (Text.empty()) {
      Failed = true;
      return 1;
    }
    uint8_t C = uint8_t(Text.front());
    Text = Text.drop_front();
    return C;
  }
  bool atEnd() const { return Text.empty(); }
  bool Failed = false;

private:
  StringRef Text;
};

} // namespace

/// What a segment is, as a number.
static constexpr uint32_t ThrowsFlag = 1, ReturnsFlag = 2, BeginsFlag = 4,
                          AllFlags = 7;

static void encodeSegments(DeclarationWriter &W,
                           llvm::ArrayRef<Segment> Segments) {
  W.reserve(DeclarationWriter::MostOfNumber);
  W.number(uint32_t(Segments.size()));
  for (uint32_t I = 0; I < Segments.size(); ++I) {
    const Segment &S = Segments[I];
    W.reserve((3 + S.Next.size()) * DeclarationWriter::MostOfNumber);
    W.number(S.Events);
    W.number((S.MayThrow ? ThrowsFlag : 0) | (S.Returns ? ReturnsFlag : 0) |
             (S.Begins ? BeginsFlag : 0));
    W.number(uint32_t(S.Next.size()));
    for (uint32_t To : S.Next)
      W.signedNumber(int32_t(To - I));
  }
}

static void encodeMethod(DeclarationWriter &W, const ClassDeclarations &D,
                         const MethodDeclaration &M) {
  constexpr size_t OfMethod = 5, OfEvent = 4, OfFlow = 5; // numbers
  W.reserve((OfMethod + M.Events.size() * OfEvent + M.Operands.size() +
             M.Flows.size() * OfFlow) *
            DeclarationWriter::MostOfNumber);
  W.number(M.Name);
  W.number(M.Descriptor);
  W.number(M.Access);
  W.number(M.HasEvents ? uint32_t(M.Events.size()) + 1 : 0);
  uint32_t BCI = 0;
  int32_t Line = 0; // 0 stands for none
  for (const Event &E : M.Events) {
    // The line of an event without one is printed as -1 by its opcode.
    if (E.Line >= 0 && E.Line + 1 != Line) {
      W.number(0);
      W.signedNumber(E.Line + 1 - Line);
      Line = E.Line + 1;
    }
    W.number(E.Kind + 1);
    W.signedNumber(int32_t(E.BCI - BCI));
    BCI = E.BCI;
    uint32_t At = E.FirstOperand;
    for (char Letter : D.Kinds[E.Kind].Operands) {
      const Operand &O = M.Operands[At++];
      if (Letter == 's')
        W.number(O.String);
      else
        W.signedNumber(O.Number);
    }
  }
  if (!M.HasEvents)
    return;
  if (D.hasOption("control")) {
    W.number(uint32_t(M.Flows.size()));
    for (const Flow &F : M.Flows) {
      W.number(uint32_t(F.FromBCI + 1));
      W.signedNumber(F.FromOpcode);
      W.number(uint32_t(F.ToBCI + 1));
      W.signedNumber(F.ToOpcode);
      W.number(F.Exceptional);
    }
  }
  if (D.hasOption(ReconstructOption))
    encodeSegments(W, M.Segments);
}

std::string trace::encode(const ClassDeclarations &D) {
  DeclarationWriter W;
  W.reserve(1);
  W.character(Format);
  W.text(D.Options);
  W.text(llvm::utohexstr(D.Id, /*LowerCase=*/true, /*Width=*/16));
  W.text(D.Name);
  W.text(D.SourceFile);
  W.reserve(DeclarationWriter::MostOfNumber);
  W.number(D.Access);

  // The texts of kinds stand among the strings, behind those of events.
  std::vector<StringRef> Strings(D.Strings.begin(), D.Strings.end());
  // Few are alike in length and first character.
  constexpr uint32_t None = ~0u;
  std::array<uint32_t, 64> First;
  First.fill(None);
  std::vector<uint32_t> Next(Strings.size());
  auto FirstLike = [&](StringRef S) -> uint32_t & {
    return First[(S.size() * 7 + (S.empty() ? 0 : uint8_t(S[0]))) % 64];
  };
  for (uint32_t I = uint32_t(Strings.size()); I-- > 0;)
    Next[I] = std::exchange(FirstLike(Strings[I]), I);
  auto Add = [&](const std::string &S) {
    uint32_t &Begin = FirstLike(S);
    for (uint32_t I = Begin; I != None; I = Next[I])
      if (Strings[I] == S)
        return I;
    Next.push_back(Begin);
    Strings.push_back(S);
    return Begin = uint32_t(Next.size() - 1);
  };
  struct Row {
    uint32_t Type, Executed, Operands, Emit, Log;
  };
  std::vector<Row> Rows;
  for (const Kind &K : D.Kinds)
    Rows.push_back({Add(K.Type), Add(K.Executed), Add(K.Operands), Add(K.Emit),
                    Add(K.Log)});
  W.reserve(DeclarationWriter::MostOfNumber);
  W.number(uint32_t(Strings.size()));
  for (StringRef S : Strings)
    W.text(S);
  constexpr size_t OfKind = 6; // numbers
  W.reserve((2 + Rows.size() * OfKind) * DeclarationWriter::MostOfNumber);
  W.number(uint32_t(D.Kinds.size()));
  for (size_t I = 0; I < Rows.size(); ++I) {
    W.number(Rows[I].Type);
    W.number(Rows[I].Executed);
    W.signedNumber(D.Kinds[I].Opcode);
    W.number(Rows[I].Operands);
    W.number(Rows[I].Emit);
    W.number(Rows[I].Log);
  }
  W.number(uint32_t(D.Methods.size()));
  for (const MethodDeclaration &M : D.Methods)
    encodeMethod(W, D, M);
  return W.str();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::vector<Segment> decodeSegments(Reader &R, size_t Events) {
  std::vector<Segment> Segments(R.count());
  for (uint32_t I = 0; I < Segments.size() && !R.Failed; ++I) {
    Segment &S = Segments[I];
    S.Events = R.index(Events + 1);
    Events -= S.Events;
    const uint32_t Flags = R.index(AllFlags + 1);
    S.MayThrow = Flags & ThrowsFlag;
    S.Returns = Flags & ReturnsFlag;
    S.Begins = Flags & BeginsFlag;
    for (uint32_t N = R.count(); N && !R.Failed; --N) {
      const uint32_t To = I + uint32_t(R.signedNumber());
      R.Failed |= To >= Segments.size();
      S.Next.push_back(To);
    }
  }
  return Segments;
}

static MethodDeclaration decodeMethod(Reader &R, const ClassDeclarations &D) {
  MethodDeclaration M;
  M.Name = R.index(D.Strings.size());
  M.Descriptor = R.index(D.Strings.size());
  M.Access = uint16_t(R.number());
  uint32_t Count = R.count();
  M.HasEvents = Count > 0;
  uint32_t BCI = 0;
  int32_t Line = 0;
  for (uint32_t N = 1; N < Count && !R.Failed;) {
    uint32_t K = R.index(D.Kinds.size() + 1);
    if (K == 0) {
      Line = int32_t(uint32_t(Line) + uint32_t(R.signedNumber()));
      continue;
    }
    ++N;
    Event E;
    E.Kind = K - 1;
    E.Line = Line - 1;
    E.BCI = BCI += uint32_t(R.signedNumber());
    E.FirstOperand = uint32_t(M.Operands.size());
    if (R.Failed)
      break;
    for (char Letter : D.Kinds[E.Kind].Operands) {
      Operand O;
      if (Letter == 's')
        O.String = R.index(D.Strings.size());
      else
        O.Number = R.signedNumber();
      M.Operands.push_back(O);
    }
    M.Events.push_back(E);
  }
  if (!M.HasEvents)
    return M;
  for (uint32_t N = D.hasOption("control") ? R.count() : 0; N && !R.Failed;
       --N) {
    Flow F;
    F.FromBCI = int32_t(R.number()) - 1;
    F.FromOpcode = R.signedNumber();
    F.ToBCI = int32_t(R.number()) - 1;
    F.ToOpcode = R.signedNumber();
    F.Exceptional = R.number() != 0;
    M.Flows.push_back(F);
  }
  if (D.hasOption(ReconstructOption))
    M.Segments = decodeSegments(R, M.Events.empty() ? 0 : M.Events.size() - 1);
  return M;
}

llvm::Expected<ClassDeclarations> trace::decode(StringRef Text) {
  ClassDeclarations D;
  Reader R(Text);
  if (R.take() != Format)
    return makeError(
        "the declarations of a traced class are of another format");
  D.Options = R.text();
  if (StringRef(R.text()).getAsInteger(16, D.Id))
    return makeError("the declarations of a traced class have no id");
  D.Name = R.text();
  D.SourceFile = R.text();
  D.Access = uint16_t(R.number());
  for (uint32_t N = R.count(); N && !R.Failed; --N)
    D.Strings.push_back(R.text());
  for (uint32_t N = R.count(); N && !R.Failed; --N) {
    auto String = [&] {
      uint32_t I = R.index(D.Strings.size());
      return R.Failed ? std::string() : D.Strings[I];
    };
    Kind K;
    K.Type = String();
    K.Executed = String();
    K.Opcode = R.signedNumber();
    K.Operands = String();
    K.Emit = String();
    K.Log = String();
    D.Kinds.push_back(std::move(K));
  }
  for (uint32_t N = R.count(); N && !R.Failed; --N)
    D.Methods.push_back(decodeMethod(R, D));
  if (R.Failed || !R.atEnd())
    return makeError("the declarations of class " + D.Name + " are broken");
  return D;
}

std::vector<StringRef> trace::cutIntoConstants(StringRef Text) {
  constexpr size_t Most = 65535;
  std::vector<StringRef> Parts;
  while (!Text.empty()) {
    size_t Length = std::min(Text.size(), Most);
    while (Length < Text.size() && (uint8_t(Text[Length]) & 0xc0) == 0x80)
      --Length;
    Parts.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Parts;
}
