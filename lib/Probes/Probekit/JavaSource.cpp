//===- JavaSource.cpp - Java of probes ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/JavaSource.h"
#include "JavaNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;
using llvm::Twine;

/// Text that may stand in a comment: it does not end it, and backslashes are
/// doubled, since javac reads `\u` escapes in comments too.
static std::string commentText(StringRef S) {
  std::string Out;
  for (char C : S) {
    if (uint8_t(C) < 0x20)
      C = ' ';
    if (C == '\\')
      Out += '\\';
    if (C == '/' && !Out.empty() && Out.back() == '*')
      Out += ' ';
    Out += C;
  }
  return Out;
}

/// The parameters of a fragment: its data items in canonical order.
static std::vector<const Data *> getParameters(const Fragment &F) {
  std::vector<const Data *> Items;
  for (const Data &D : F.Items)
    Items.push_back(&D);
  llvm::sort(Items,
             [](const Data *A, const Data *B) { return *A->Type < *B->Type; });
  return Items;
}

/// The type of the parameter for \p Item, as written in Java.
static StringRef getJavaType(const ProbeElement &P, DataItem Item) {
  if (Item == DataItem::StaticField)
    return P.Static->Type;
  return llvm::StringSwitch<StringRef>(getDataItemDescriptor(Item))
      .Case("Z", "boolean")
      .Case("I", "int")
      .Case("Ljava/lang/String;", "java.lang.String")
      .Case("Ljava/lang/Throwable;", "java.lang.Throwable")
      .Case("[Ljava/lang/Object;", "java.lang.Object[]")
      .Default("java.lang.Object");
}

namespace {

/// Appends to a JavaSource and keeps count of lines as javac does: LF, CR and
/// CR LF end one.
class Writer {
public:
  Writer(JavaSource &Out, const Document &Doc) : Out(Out), Doc(&Doc) {
    Out.LineStarts.push_back(0);
  }

  void setDocument(const Document &D) { Doc = &D; }

  Writer &operator<<(const Twine &Text) {
    write(Text.str());
    return *this;
  }

  /// From here on the text belongs to \p P as a whole.
  void at(Position P) { mark(P, false); }

  /// Appends user text, which ends with a line of its own.
  void paste(const SourceText &T) {
    at(T.Where);
    for (auto [Index, Piece] : llvm::enumerate(T.Pieces)) {
      size_t End = Index + 1 < T.Pieces.size() ? T.Pieces[Index + 1].Offset
                                               : T.Text.size();
      StringRef Text = StringRef(T.Text).slice(Piece.Offset, End);
      Position Where = Piece.Where;
      // A CR from a reference and this LF are one line end, for javac only.
      if (LastWasCR && Text.consume_front("\n")) {
        write("\n");
        Where = Where.after("\n");
      }
      mark(Where, Piece.Literal);
      write(Text);
    }
    // What follows is generated: for errors there, the end is the nearest.
    at(T.getEnd());
    *this << "\n";
  }

private:
  void mark(Position P, bool Literal) {
    Out.Marks.push_back({unsigned(Out.LineStarts.size()),
                         unsigned(Out.Text.size() - Out.LineStarts.back()), Doc,
                         P, Literal});
  }

  void write(StringRef S) {
    for (char C : S) {
      bool SecondOfCRLF = C == '\n' && LastWasCR;
      Out.Text += C;
      LastWasCR = C == '\r';
      if (SecondOfCRLF)
        Out.LineStarts.back() = Out.Text.size();
      else if (C == '\n' || C == '\r')
        Out.LineStarts.push_back(Out.Text.size());
    }
  }

  JavaSource &Out;
  const Document *Doc;
  bool LastWasCR = false;
};

} // namespace

static void writeProbe(Writer &W, const ProbeElement &P, unsigned Number) {
  W.at(P.Where);
  W << "  // " + commentText(P.getCommentName()) + "\n";
  W << "  public static class Probe_" + Twine(Number) + " {\n";
  if (P.ClassScope)
    W.paste(*P.ClassScope);
  if (P.Static) {
    // javac finds out what class the type is, and whether it can be made.
    W.at(P.Static->Where);
    W << "    static " + P.Static->Type + " " + StaticFieldMaker +
             "() throws java.lang.Throwable { return new " + P.Static->Type +
             "(); }\n";
  }
  for (const Fragment &F : P.Fragments) {
    W.at(F.Where);
    W << "    public static void _" + getAdviceKindName(*F.Type) + "(";
    StringRef Separator = "";
    for (const Data *D : getParameters(F)) {
      W.at(D->Where);
      W << Separator + getJavaType(P, *D->Type) + " /*" +
               getDataTypeName(*D->Type) + "*/ " + D->Name;
      Separator = ", ";
    }
    W << ") {\n";
    W.paste(*F.Code);
    W << "    }\n";
  }
  W << "  }\n";
}

static JavaSource writeSource(llvm::ArrayRef<const Document *> Docs,
                              std::string ClassName, StringRef Package) {
  JavaSource S;
  S.ClassName = std::move(ClassName);
  Writer W(S, *Docs.front());

  W << "// Generated by jopt from Probekit XML.\n";
  for (const Document *D : Docs) {
    // Without its folder, so that the text does not depend on it.
    W << "/* " + commentText(llvm::sys::path::filename(D->File)) + "\n";
    W << " * id: " + commentText(D->Id) + "\n";
    W << " * version: " + commentText(D->Version) + "\n";
    for (const Label &L : D->Labels)
      W << " * label: " + commentText(L.Name.value_or("")) + "\n";
    W << " */\n";
  }
  if (!Package.empty())
    W << "package " + Package + ";\n";
  for (const Document *D : Docs) {
    llvm::StringSet<> Imported;
    W.setDocument(*D);
    for (const ProbeElement &P : D->Probes)
      for (const Import &I : P.Imports)
        if (Imported.insert(I.Text).second) {
          W.at(I.Where);
          W << "import " + I.Text + "; // from " +
                   commentText(P.getCommentName()) + "\n";
        }
  }

  W << "class " + S.ClassName + " {\n";
  unsigned Number = 0;
  for (const Document *D : Docs) {
    W.setDocument(*D);
    if (D->SharedScope)
      W.paste(*D->SharedScope);
    for (const ProbeElement &P : D->Probes)
      writeProbe(W, P, Number++);
  }
  W << "}\n";
  return S;
}

namespace {
/// The documents of one outer class.
struct Group {
  std::string ClassName;
  std::vector<const Document *> Docs;
};
} // namespace

static std::vector<Group> groupByClass(llvm::ArrayRef<Document> Docs) {
  std::vector<Group> Groups;
  for (const Document &D : Docs) {
    std::string Name = makeClassPrefix(D.File) + "_probe";
    auto It = llvm::find_if(
        Groups, [&](const Group &G) { return G.ClassName == Name; });
    if (It == Groups.end()) {
      Groups.push_back({Name, {}});
      It = std::prev(Groups.end());
    }
    It->Docs.push_back(&D);
  }
  return Groups;
}

std::vector<JavaSource> probekit::generateJava(llvm::ArrayRef<Document> Docs,
                                               StringRef Package) {
  std::vector<JavaSource> Sources;
  for (const Group &G : groupByClass(Docs))
    Sources.push_back(writeSource(G.Docs, G.ClassName, Package));
  return Sources;
}

std::string probekit::makePackageName(llvm::ArrayRef<Document> Docs) {
  llvm::SHA256 Hash;
  for (const JavaSource &S : generateJava(Docs, "")) {
    Hash.update(S.ClassName);
    Hash.update(StringRef("\0", 1));
    Hash.update(S.Text);
    Hash.update(StringRef("\0", 1));
  }
  std::array<uint8_t, 32> Digest = Hash.final();
  return "jopt.probes.p" +
         llvm::toHex(llvm::ArrayRef(Digest).take_front(8), /*LowerCase=*/true);
}

llvm::Error probekit::checkPackageName(StringRef Package) {
  if (Package.empty())
    return llvm::Error::success();
  llvm::SmallVector<StringRef> Parts;
  Package.split(Parts, '.');
  for (StringRef Part : Parts)
    if (!isJavaIdentifier(Part) || isJavaKeyword(Part))
      return makeError("'" + Package + "' is not the name of a Java package");
  if (Parts.front() == "java")
    return makeError("package '" + Package +
                     "' is closed: the JVM loads classes of 'java.*' from the "
                     "JDK only");
  return llvm::Error::success();
}

static TargetRule makeRule(const Document &Doc, const Target &T) {
  auto Pattern = [](const std::optional<std::string> &P) {
    return P && !P->empty() ? *P : std::string("*");
  };
  TargetRule R;
  R.Package = Pattern(T.Package);
  // The pattern "." is the unnamed package.
  if (R.Package != ".")
    std::replace(R.Package.begin(), R.Package.end(), '.', '/');
  R.Class = Pattern(T.ClassName);
  R.Method = Pattern(T.Method);
  R.Signature = Pattern(T.Signature);
  R.Include = T.Type == "include";
  R.Where = Doc.locate(T.Where);
  return R;
}

std::vector<std::string>
probekit::getProbeClasses(llvm::ArrayRef<Document> Docs, StringRef Package) {
  std::string Folder = Package.str();
  std::replace(Folder.begin(), Folder.end(), '.', '/');
  if (!Folder.empty())
    Folder += '/';
  std::vector<std::string> Names;
  // The number of the next probe in each outer class.
  llvm::StringMap<unsigned> NextNumber;
  for (const Document &Doc : Docs) {
    std::string Outer = makeClassPrefix(Doc.File) + "_probe";
    for (size_t I = 0; I < Doc.Probes.size(); ++I)
      Names.push_back(Folder + Outer + "$Probe_" +
                      std::to_string(NextNumber[Outer]++));
  }
  return Names;
}

AdviceSet probekit::makeAdvices(llvm::ArrayRef<Document> Docs,
                                StringRef Package) {
  std::vector<std::string> Classes = getProbeClasses(Docs, Package);
  AdviceSet Set;
  for (const Document &Doc : Docs)
    for (const ProbeElement &P : Doc.Probes) {
      unsigned Index = Set.Probes.size();
      const std::string &Owner = Classes[Index];
      Probe &New = Set.Probes.emplace_back();
      New.Name = P.getCommentName().str();
      New.Where = Doc.locate(P.Where);
      for (const Target &T : P.Targets)
        New.Rules.push_back(makeRule(Doc, T));
      if (P.Static) {
        // Nested and imported classes are known when javac has run.
        New.StaticField = P.Static->Type;
        std::replace(New.StaticField.begin(), New.StaticField.end(), '.', '/');
      }
      for (const Fragment &F : P.Fragments) {
        Advice A;
        A.Kind = *F.Type;
        A.Probe = Index;
        A.Body.Owner = Owner;
        A.Body.Name = ("_" + getAdviceKindName(A.Kind)).str();
        A.Body.Descriptor = "(";
        for (const Data *D : getParameters(F)) {
          A.Data.push_back(*D->Type);
          if (*D->Type == DataItem::StaticField)
            A.Body.Descriptor += "L" + New.StaticField + ";";
          else
            A.Body.Descriptor += getDataItemDescriptor(*D->Type);
        }
        A.WritesArgs = A.Kind == AdviceKind::BeforeCall &&
                       llvm::is_contained(A.Data, DataItem::Args);
        A.Body.Descriptor += ")V";
        Set.Advices.push_back(std::move(A));
      }
    }
  return Set;
}

Location JavaSource::locate(unsigned Line, unsigned Column) const {
  Line = std::clamp<unsigned>(Line, 1, LineStarts.size());
  // javac counts UTF-16 units, marks count bytes, positions count characters.
  StringRef Rest = StringRef(Text).drop_front(LineStarts[Line - 1]);
  size_t Byte = 0;
  for (unsigned Unit = 0; Unit < Column && Byte < Rest.size() &&
                          Rest[Byte] != '\n' && Rest[Byte] != '\r';) {
    Unit += uint8_t(Rest[Byte]) >= 0xf0 ? 2 : 1;
    do
      ++Byte;
    while (Byte < Rest.size() && (uint8_t(Rest[Byte]) & 0xc0) == 0x80);
  }

  auto After = llvm::upper_bound(
      Marks, std::make_pair(Line, unsigned(Byte)),
      [](const std::pair<unsigned, unsigned> &At, const Mark &M) {
        return At < std::make_pair(M.Line, M.Column);
      });
  if (After == Marks.begin())
    return Marks.empty() ? Location() : Location(Marks.front().Doc->File);
  const Mark &M = *std::prev(After);
  Position P = M.Where;
  if (M.Literal) {
    unsigned From = M.Column;
    if (M.Line != Line) {
      P.Line += Line - M.Line;
      P.Column = 1;
      From = 0;
    }
    P.Column += countCharacters(Rest.slice(From, Byte));
  }
  return M.Doc->locate(P);
}
