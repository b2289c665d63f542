//===- JavaSource.cpp - Java of probes ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/JavaSource.h"
#include "JavaNames.h"
#include "RuntimeText.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace jopt;
using namespace jopt::java;
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

namespace {

/// Appends to a JavaSource and keeps count of lines as javac does: LF, CR and
/// CR LF end one.
class JavaWriter {
public:
  JavaWriter(JavaSource &Out, const SourceFile &File) : Out(Out), File(&File) {
    Out.LineStarts.push_back(0);
  }

  void setFile(const SourceFile &F) { File = &F; }

  JavaWriter &operator<<(const Twine &Text) {
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
    // The code that follows is generated: report its errors at the text's end.
    at(T.getEnd());
    *this << "\n";
  }

private:
  void mark(Position P, bool Literal) {
    Out.Marks.push_back({unsigned(Out.LineStarts.size()),
                         unsigned(Out.Text.size() - Out.LineStarts.back()),
                         File, P, Literal});
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
  const SourceFile *File;
  bool LastWasCR = false;
};

} // namespace

/// What a method of this result returns without one.
static StringRef returnNothing(StringRef Result) {
  return Result == "void"          ? "return;"
         : Result == "boolean"     ? "return false;"
         : isPrimitiveType(Result) ? "return 0;"
                                   : "return null;";
}

/// `Class.method(a, b)`, the call that decides whether \p F runs.
static std::string conditionCall(const Fragment &F, const Twine &Class = "") {
  std::vector<std::string> Names;
  for (const FragmentParameter *D : F.conditionParameters())
    Names.push_back(D->passedName());
  return Class.str() + F.conditionMethod() + "(" + llvm::join(Names, ", ") +
         ")";
}

static std::string parametersOfCondition(const Fragment &F) {
  std::string Text;
  llvm::ListSeparator Comma;
  for (const FragmentParameter *D : F.conditionParameters())
    Text += (StringRef(Comma) + D->Type + " " + D->passedName()).str();
  return Text;
}

/// Declares \p D as the code sees it.
static void writeCast(JavaWriter &W, const FragmentParameter &D) {
  if (D.Cast.empty())
    return;
  W.at(D.Where);
  W << "      " + D.Cast + " " + D.Name + " = " + D.passedName() +
           " instanceof " + D.Cast + "\n          ? (" + D.Cast + ") " +
           D.passedName() + " : null;\n";
}

/// The method that says whether \p F runs.
static void writeCondition(JavaWriter &W, const Fragment &F,
                           const JavaOptions &Options) {
  const std::string State = "jopt$state" + F.method();
  W.at(F.Where);
  if (F.Every || F.Adapts)
    W << "    private static final long[] " + State + " = new long[" +
             Twine(EventStripes * EventStripe) + "];\n";
  if (F.PerSecond && !F.Adapts)
    W << "    private static final java.util.concurrent.atomic.AtomicLong " +
             State + "$second =\n" +
             "        new java.util.concurrent.atomic.AtomicLong();\n";
  W << "    public static boolean " + F.conditionMethod() + "(" +
           parametersOfCondition(F) + ")" + Options.throws() + " {\n";
  for (const FragmentParameter *D : F.conditionParameters())
    writeCast(W, *D);
  W.at(F.Where);
  W << "      return (";
  if (F.Condition) {
    W << "\n";
    W.paste(*F.Condition);
  } else {
    W << "true";
  }
  W << ")";
  if (F.Every)
    W << "\n          && " + RuntimeClass + ".every(" + State + ", " +
             Twine(F.Every) + ")";
  if (F.Adapts)
    W << "\n          && " + RuntimeClass + ".adapt(" + State + ", " +
             Twine(F.PerSecond) + ")";
  else if (F.PerSecond)
    W << "\n          && " + RuntimeClass + ".perSecond(" + State +
             "$second, " + Twine(F.PerSecond) + ")";
  W << ";\n    }\n";
}

/// The condition method that probed classes call if fragments are wrapped. It
/// is false if the condition throws or would be evaluated again inside itself.
static void writeConditionWrapper(JavaWriter &W, const Fragment &F,
                                  StringRef Class, StringRef Name,
                                  const JavaOptions &Options) {
  W << "      public static boolean " + F.conditionMethod() + "(" +
           parametersOfCondition(F) + ")" + Options.throws() + " {\n";
  if (Options.GuardRecursion)
    W << "        boolean[] inside = null;\n";
  W << "        try {\n";
  if (Options.GuardRecursion)
    W << "          inside = " + RuntimeClass + ".enter();\n" +
             "          if (inside == null)\n            return false;\n";
  W << "          return " + conditionCall(F, Class + ".") + ";\n";
  if (Options.Isolate)
    W << "        } catch (java.lang.Throwable thrown) {\n          " +
             RuntimeClass + ".failed(" + FailureCount + F.method() + ", " +
             quoteJava(Name) + ", thrown);\n          return false;\n";
  W << "        } finally {\n";
  if (Options.GuardRecursion)
    W << "          if (inside != null)\n            inside[0] = false;\n";
  W << "        }\n      }\n";
}

static void writeFragment(JavaWriter &W, const GeneratedClass &P,
                          const Fragment &F, const JavaOptions &Options) {
  W.at(F.Where);
  W << "    public static " + F.ResultType + " " + F.method() + "(";
  llvm::ListSeparator Comma;
  for (const FragmentParameter &D : F.Parameters) {
    W.at(D.Where);
    W << StringRef(Comma) + D.Type + " /*" + getDataTypeName(D.Item) + "*/ " +
             D.passedName();
  }
  W << ")" + Options.throws() + " {\n";
  if (asksSwitch(P, F) && !Options.wraps())
    W << "      if (!" + SwitchGetter + "())\n        " +
             returnNothing(F.ResultType) + "\n";
  if (asksCondition(F) && !Options.wraps())
    W << "      if (!" + conditionCall(F) + ")\n        " +
             returnNothing(F.ResultType) + "\n";
  for (const FragmentParameter &D : F.Parameters)
    writeCast(W, D);
  W.paste(F.Code);
  W << "    }\n";
  if (F.isConditional())
    writeCondition(W, F, Options);
}

/// The method that probed classes call instead of a fragment's own. The
/// author's text is in neither its `try` nor its scope, so that the meaning of
/// the text does not change.
static void writeWrapper(JavaWriter &W, const SourceFile &File,
                         const GeneratedClass &P, const Fragment &F,
                         StringRef Class, const JavaOptions &Options) {
  std::string Method = F.method();
  StringRef Result = F.ResultType;
  std::string Arguments, Parameters, Value, Asked;
  llvm::ListSeparator ParameterComma, ArgumentComma;
  if (wrapperAddsValue(F)) {
    Value = "value";
    Parameters += StringRef(ParameterComma);
    Parameters += "java.lang.Object value";
  }
  unsigned Number = 0;
  for (const FragmentParameter &D : F.Parameters) {
    std::string Name = "p" + std::to_string(Number++);
    Parameters += StringRef(ParameterComma);
    Parameters += D.Type + " " + Name;
    Arguments += StringRef(ArgumentComma);
    Arguments += Name;
    if (llvm::is_contained(F.conditionParameters(), &D))
      Asked += (Asked.empty() ? "" : ", ") + Name;
    if (D.Item == DataItem::ReturnedObject)
      Value = Name;
  }
  // Where the fragment gives no value: the one that was there, or none.
  std::string Nothing = F.Result == ResultUse::ReplaceValue
                            ? "return " + Value + ";"
                            : returnNothing(Result).str();
  // Whoever calls it goes on as if it had not.
  const std::string Failed =
      F.Result == ResultUse::Return ? "throw thrown;" : Nothing;
  // Without the file's folder, so that the text does not depend on it.
  std::string Name = "fragment '" + getAdviceKindName(F.Kind).str() +
                     "' of probe '" + P.Info.Name + "' (" +
                     llvm::sys::path::filename(File.File).str() + ":" +
                     std::to_string(F.Where.Line) + ")";

  W.at(F.Where);
  if (Options.Isolate)
    W << "      private static final long[] " + FailureCount + Method +
             " = new long[2];\n";
  if (Options.CountEvents)
    W << "      private static final long[] " + EventCount + Method +
             " = new long[" + Twine(EventStripes * EventStripe) + "];\n";
  W << "      public static " + Result + " " + Method + "(" + Parameters + ")" +
           Options.throws() + " {\n";
  if (asksSwitch(P, F))
    W << "        if (!" + Class + "." + SwitchGetter + "())\n          " +
             Nothing + "\n";
  if (Options.CountEvents)
    W << "        long begin = " + RuntimeClass + ".count(" + EventCount +
             Method + ");\n";
  if (Options.GuardRecursion)
    W << "        boolean[] inside = null;\n";
  W << "        try {\n";
  if (Options.GuardRecursion)
    W << "          inside = " + RuntimeClass + ".enter();\n" +
             "          if (inside == null)\n            " + Nothing + "\n";
  if (asksCondition(F))
    W << "          if (!" + Class + "." + F.conditionMethod() + "(" + Asked +
             "))\n            " + Nothing + "\n";
  W << "          " + Twine(Result == "void" ? "" : "return ") + Class + "." +
           Method + "(" + Arguments + ");\n";
  if (Options.Isolate)
    W << "        } catch (java.lang.Throwable thrown) {\n          " +
             RuntimeClass + ".failed(" + FailureCount + Method + ", " +
             quoteJava(Name) + ", thrown);\n          " + Failed + "\n";
  if (Options.GuardRecursion || Options.CountEvents)
    W << "        } finally {\n";
  if (Options.GuardRecursion)
    W << "          if (inside != null)\n            inside[0] = false;\n";
  if (Options.CountEvents)
    W << "          if (begin != 0)\n            " + RuntimeClass + ".took(" +
             EventCount + Method + ", begin);\n";
  W << "        }\n      }\n";
  if (F.isConditional() && !asksCondition(F))
    writeConditionWrapper(W, F, Class, Name, Options);
}

/// A switch is a call site: where it is a constant, as in a static final field,
/// the JVM's compilers take its target for one too, and drop the code when it
/// is set. The field is null while the classes here are being initialised.
static void writeSwitch(JavaWriter &W, const Switch &S, StringRef Prefix) {
  std::string Field = (Prefix + "switch").str();
  W.at(S.Where);
  W << "    private static final java.lang.invoke.MutableCallSite " + Field +
           " =\n        " + RuntimeClass + ".newSwitch(" +
           quoteJava(S.Property) + ", " + (S.On ? "\"true\"" : "\"false\"") +
           ");\n";
  W << "    public static boolean " + SwitchGetter +
           "() {\n      java.lang.invoke.MutableCallSite site = " + Field +
           ";\n      return site != null && site.getTarget() == " +
           RuntimeClass + ".ON;\n    }\n";
  W << "    public static void " + SwitchSetter + "(boolean on) {\n      " +
           RuntimeClass + ".set(" + Field + ", on);\n    }\n";
}

static std::string probeClassName(unsigned Number) {
  return "Probe_" + std::to_string(Number);
}

static std::string boxName(StringRef Type) {
  return Type == "int" ? "Integer"
                       : llvm::toUpper(Type[0]) + Type.drop_front().str();
}

/// Fields that hold parameters: volatile, as others may be given at any time.
static void writeParams(JavaWriter &W, const GeneratedClass &P) {
  std::string Reads;
  for (const Param &Q : P.Params) {
    W.at(Q.Where);
    W << "    private static volatile " + Q.Type + " " + Q.Name + ";\n";
    bool IsText = Q.Type == "String";
    Reads += "      " + Q.Name + " = " +
             (IsText ? "" : "java.lang." + boxName(Q.Type) + ".valueOf(") +
             RuntimeClass.str() + ".param(" + quoteJava(Q.Name) + ", " +
             quoteJava(Q.Type) + ", " + quoteJava(Q.Value) + ")" +
             (IsText ? "" : ")") + ";\n";
  }
  if (P.Params.empty())
    return;
  W.at(P.Params.front().Where);
  W << "    static { " + ParamReader + "(); }\n";
  W << "    static void " + ParamReader + "() {\n" + Reads + "    }\n";
}

/// The class of the library that knows when the probe comes and goes.
static constexpr llvm::StringLiteral LifeClass = "jopt.probe.Life";

/// What runs when the class is initialised, and whenever the agent says: behind
/// all other initialisers.
static void writeMoments(JavaWriter &W, const GeneratedClass &P,
                         StringRef Prefix) {
  if (P.Moments.empty())
    return;
  std::string Calls;
  for (const Moment &M : P.Moments) {
    StringRef Name = M.IsAttach ? "onAttach" : "onDetach";
    W.at(M.Where);
    W << "    static void _" + Name + "() throws java.lang.Throwable {\n";
    W.paste(M.Code);
    W << "    }\n";
    Calls += ("          @Override protected void " + Name +
              "() throws java.lang.Throwable { _" + Name + "(); }\n")
                 .str();
  }
  W.at(P.Moments.front().Where);
  W << "    private static final " + LifeClass + " " + Prefix + "life =\n" +
           "        new " + LifeClass + "() {\n" + Calls + "        };\n";
}

static void writeProbe(JavaWriter &W, const SourceFile &File,
                       const GeneratedClass &P, unsigned Number,
                       const JavaOptions &Options) {
  std::string Class = probeClassName(Number);
  StringRef Prefix = File.Kind->Prefix;
  W.at(P.Where);
  W << "  // " + commentText(P.Info.Name) + "\n";
  W << "  public static class " + Class + " {\n";
  if (P.Control)
    writeSwitch(W, *P.Control, Prefix);
  writeParams(W, P);
  if (P.Scope)
    W.paste(*P.Scope);
  if (P.Static) {
    // javac finds out what class the type is, and whether it can be made.
    W.at(P.Static->Where);
    W << "    static " + P.Static->Type + " " + Prefix + StaticFieldMaker +
             "() throws java.lang.Throwable { return new " + P.Static->Type +
             "(); }\n";
  }
  for (const Fragment &F : P.Fragments)
    writeFragment(W, P, F, Options);
  if (Options.wraps() && !P.Fragments.empty()) {
    W.at(P.Where);
    W << "    public static final class " + Prefix + WrapperClass + " {\n";
    for (const Fragment &F : P.Fragments)
      writeWrapper(W, File, P, F, Class, Options);
    W << "    }\n";
  }
  writeMoments(W, P, Prefix);
  W << "  }\n";
}

/// What the class with what all probes of a package share has besides what
/// JavaOptions say.
struct Shared {
  bool Switches = false;
  bool Params = false;
  bool Samples = false;
};

static bool hasSamples(llvm::ArrayRef<SourceFile> Files) {
  return llvm::any_of(Files, [](const SourceFile &F) {
    return llvm::any_of(F.Probes, [](const GeneratedClass &P) {
      return llvm::any_of(P.Fragments, [](const Fragment &Of) {
        return Of.Every || Of.PerSecond;
      });
    });
  });
}

static bool hasSwitch(llvm::ArrayRef<SourceFile> Files) {
  return llvm::any_of(Files, [](const SourceFile &F) {
    return llvm::any_of(F.Probes, [](const GeneratedClass &P) {
      return P.Control.has_value();
    });
  });
}

static bool hasParams(llvm::ArrayRef<SourceFile> Files) {
  return llvm::any_of(Files, [](const SourceFile &F) {
    return llvm::any_of(
        F.Probes, [](const GeneratedClass &P) { return !P.Params.empty(); });
  });
}

/// What all probes of a package share. Of what is for wrappers nothing may fail
/// or call probes without end: a flag is set before anything else is called.
static JavaSource writeRuntime(const SourceFile &File,
                               const JavaOptions &Options, const Shared &Has) {
  JavaSource S;
  S.ClassName = RuntimeClass.str();
  JavaWriter W(S, File);
  W.at(File.Where);
  W << "// Generated by jopt.\n";
  if (!Options.Package.empty())
    W << "package " + Options.Package + ";\n";
  W << "final class " + RuntimeClass + " {\n";
  // The targets are never called. Handles of these methods are quickly made.
  if (Has.Switches)
    W << R"(  static final java.lang.invoke.MethodHandle ON, OFF;
  static {
    java.lang.invoke.MethodType type = java.lang.invoke.MethodType.methodType(
        java.lang.String.class, java.lang.Object.class);
    java.lang.invoke.MethodHandles.Lookup lookup =
        java.lang.invoke.MethodHandles.publicLookup();
    try {
      ON = lookup.findStatic(java.util.Objects.class, "toString", type);
      OFF = lookup.findStatic(java.lang.String.class, "valueOf", type);
    } catch (java.lang.ReflectiveOperationException e) {
      throw new java.lang.AssertionError(e);
    }
  }

  static java.lang.invoke.MutableCallSite newSwitch(java.lang.String property,
      java.lang.String value) {
    return new java.lang.invoke.MutableCallSite(java.lang.Boolean.parseBoolean(
        java.lang.System.getProperty(property, value)) ? ON : OFF);
  }

  static void set(java.lang.invoke.MutableCallSite site, boolean on) {
    site.setTarget(on ? ON : OFF);
    java.lang.invoke.MutableCallSite.syncAll(
        new java.lang.invoke.MutableCallSite[] {site});
  }
)";
  if (Has.Params)
    W << ParamRuntime;
  if (Options.GuardRecursion)
    W << GuardRuntime;
  if (Options.CountEvents || Has.Samples)
    W << "  private static final int STRIPES = " + Twine(EventStripes) +
             ", STRIPE = " + Twine(EventStripe) + ", MEASURED = 1024;\n" +
             StripeRuntime;
  if (Has.Samples)
    W << SampleRuntime;
  if (Options.CountEvents)
    W << EventRuntime;
  if (Options.Isolate)
    W << R"(  static void failed(long[] count, java.lang.String fragment,
      java.lang.Throwable thrown) {
    try {
      synchronized (count) {
        if (count[0]++ != 0)
          return;
      }
      java.lang.System.err.println("jopt: " + fragment + " threw " +
          thrown.getClass().getName() + ", which is reported once");
      thrown.printStackTrace();
    } catch (java.lang.Throwable ignored) {
    }
  }
)";
  W << "}\n";
  return S;
}

static JavaSource writeSource(llvm::ArrayRef<const SourceFile *> Files,
                              std::string ClassName,
                              const JavaOptions &Options) {
  JavaSource S;
  S.ClassName = std::move(ClassName);
  JavaWriter W(S, *Files.front());

  W << "// Generated by jopt from " + Files.front()->Kind->Name + ".\n";
  for (const SourceFile *F : Files) {
    // Without its folder, so that the text does not depend on it.
    W << "/* " + commentText(llvm::sys::path::filename(F->File)) + "\n";
    for (const std::string &Remark : F->Remarks)
      W << " * " + commentText(Remark) + "\n";
    W << " */\n";
  }
  if (!Options.Package.empty())
    W << "package " + Options.Package + ";\n";
  for (const SourceFile *F : Files) {
    llvm::StringSet<> Imported;
    W.setFile(*F);
    for (const GeneratedClass &P : F->Probes)
      for (const Import &I : P.Imports)
        if (Imported.insert(I.Text).second) {
          W.at(I.Where);
          W << "import " + I.Text + "; // from " + commentText(P.Info.Name) +
                   "\n";
        }
  }

  W << "class " + S.ClassName + " {\n";
  unsigned Number = 0;
  for (const SourceFile *F : Files) {
    W.setFile(*F);
    if (F->Scope)
      W.paste(*F->Scope);
    for (const GeneratedClass &P : F->Probes)
      writeProbe(W, *F, P, Number++, Options);
  }
  W << "}\n";
  return S;
}

namespace {
/// The files of one outer class.
struct Group {
  std::string ClassName;
  std::vector<const SourceFile *> Files;
};
} // namespace

static std::vector<Group> groupByClass(llvm::ArrayRef<SourceFile> Files) {
  std::vector<Group> Groups;
  for (const SourceFile &F : Files) {
    std::string Name = makeClassPrefix(F.File) + "_probe";
    auto It = llvm::find_if(
        Groups, [&](const Group &G) { return G.ClassName == Name; });
    if (It == Groups.end()) {
      Groups.push_back({Name, {}});
      It = std::prev(Groups.end());
    }
    It->Files.push_back(&F);
  }
  return Groups;
}

std::vector<JavaSource> java::generateJava(llvm::ArrayRef<SourceFile> Files,
                                           const JavaOptions &Options) {
  std::vector<JavaSource> Sources;
  for (const Group &G : groupByClass(Files))
    Sources.push_back(writeSource(G.Files, G.ClassName, Options));
  Shared Has{hasSwitch(Files), hasParams(Files), hasSamples(Files)};
  if ((Options.wraps() || Has.Switches || Has.Params || Has.Samples) &&
      !Files.empty())
    Sources.push_back(writeRuntime(Files.front(), Options, Has));
  return Sources;
}

std::string java::makePackageName(llvm::ArrayRef<SourceFile> Files,
                                  JavaOptions Options) {
  Options.Package.clear();
  Options.Named = false;
  llvm::SHA256 Hash;
  for (const JavaSource &S : generateJava(Files, Options)) {
    Hash.update(S.ClassName);
    Hash.update(StringRef("\0", 1));
    Hash.update(S.Text);
    Hash.update(StringRef("\0", 1));
  }
  std::array<uint8_t, 32> Digest = Hash.final();
  return "jopt.probes.p" +
         llvm::toHex(llvm::ArrayRef(Digest).take_front(8), /*LowerCase=*/true);
}

llvm::Error java::checkPackageName(StringRef Package) {
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

JavaSource::Place JavaSource::locate(unsigned Line, unsigned Column) const {
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
    return Marks.empty() ? Place() : Place{Marks.front().File, {}};
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
  return {M.File, P};
}
