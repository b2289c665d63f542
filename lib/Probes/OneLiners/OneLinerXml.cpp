//===- OneLinerXml.cpp - A one-liner as a probe file ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneLinerText.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::oneliner;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What expressions and verbs may name, and what it takes.
struct Name {
  llvm::StringLiteral Text;
  llvm::StringLiteral Items;  ///< data items by their types and names
  llvm::StringLiteral Before; ///< Java that defines it
  bool AtExit;                ///< it is known when the call is over
};

} // namespace

/// In the order in which they may be defined.
static constexpr Name Names[] = {
    {"internalName", "className:internalName", "", false},
    {"methodName", "methodName:methodName", "", false},
    {"className", "className:internalName",
     "String className = internalName.replace('/', '.');", false},
    {"method", "className:internalName methodName:methodName",
     "String method = MethodNames.of(internalName, methodName);", false},
    {"signature", "methodSig:signature", "", false},
    {"args", "args:args", "", false},
    {"parameterNames", "parameterNames:parameterNames", "", false},
    {"self", "thisObject:self", "", false},
    {"thread", "", "String thread = Thread.currentThread().getName();", false},
    {"caller", "", "String caller = Stacks.caller();", false},
    {"result", "returnedObject:result", "", true},
    {"thrown", "exceptionObject:thrown", "", true},
    {"durationNs", "duration:durationNs", "", true},
    {"durationMs", "duration:durationNs",
     "double durationMs = durationNs / 1e6;", true},
    {"begun", "invocationObject:begun", "", false},
};

/// The same at the instructions of alloc.
static constexpr Name SiteNames[] = {
    {"type", "typeName:typeName", "String type = Allocations.type(typeName);",
     false},
    {"typeName", "typeName:typeName", "", false},
    {"file", "classSourceFile:file", "", false},
    {"line", "lineNumber:line", "", false},
    {"array", "array:array", "", false},
};

std::vector<StringRef> oneliner::expressionNames() {
  std::vector<StringRef> All;
  for (const Name &N : Names)
    All.push_back(N.Text);
  return All;
}

/// The names of classes that hand each call on to another object or to the
/// class above: of the JDK, Spring (CGLIB), Guice, Quarkus, Weld, Javassist,
/// Byte Buddy, Hibernate and Micronaut.
static constexpr llvm::StringLiteral ProxyClasses[] = {
    "$Proxy*",       "*$$*CGLIB$$*",      "*$$*ByGuice$$*",   "*_ClientProxy",
    "*_Subclass",    "*$Proxy$*",         "*$$_WeldSubclass", "*_$$_*",
    "*$ByteBuddy$*", "*$HibernateProxy*", "$*$Intercepted",
};

/// \p Code has the identifier \p Word, not behind a dot.
static bool names(StringRef Code, StringRef Word) {
  for (size_t At = 0; (At = Code.find(Word, At)) != StringRef::npos; ++At)
    if ((!At || (!isIdentifierPart(Code[At - 1]) && Code[At - 1] != '.')) &&
        (At + Word.size() == Code.size() ||
         !isIdentifierPart(Code[At + Word.size()])))
      return true;
  return false;
}

std::string oneliner::javaString(StringRef Text) {
  std::string Java = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Java += '\\';
    Java += C;
  }
  return Java + '"';
}

std::string oneliner::section(std::string Java) {
  for (size_t At = 0; (At = Java.find("]]>", At)) != std::string::npos;
       At += 12)
    Java.replace(At, 3, "]]]]><![CDATA[>");
  return "<![CDATA[" + Java + "]]>";
}

namespace {

/// Writes the file of a one-liner.
class OneLinerWriter {
public:
  explicit OneLinerWriter(const OneLiner &L) : L(L), OS(Text) {}
  std::string write();

private:
  void writeCalls();
  void writeTree();
  void writeAlloc();
  void writeThrown();
  void writeRecord();
  void writeTasks();
  std::vector<TargetPattern> thrownTargets() const;
  /// A probe for \p Included, not for \p Excluded.
  void begin(StringRef Name, llvm::ArrayRef<TargetPattern> Included,
             llvm::ArrayRef<TargetPattern> Excluded = {});
  void end() { OS << "  </probe>\n"; }
  void writeTargets(StringRef Type, llvm::ArrayRef<TargetPattern> Targets);
  void writeProxies();
  void writeMembers(StringRef Members);
  void writeInvocationObject();
  /// Without data.
  void writeFragment(StringRef Type, StringRef Code);
  /// With the data items that \p Code names, which are defined first, behind
  /// \p Before. \p Attributes are further ones of the element.
  void writeFragmentWithData(StringRef Type, StringRef Code,
                             StringRef Before = "", StringRef Attributes = "");
  std::string name() const {
    return L.Verb + " " + llvm::join(L.Patterns, " ");
  }
  /// Of the class of the probe; empty if it needs none.
  std::string members() const;
  /// The metric that the verb prints as a table; empty if it has none.
  StringRef table() const;
  /// What runs when the probe is put in and when it is taken out.
  void writeMoments();
  /// The condition, in front of what it decides about. \p Leave leaves the
  /// fragment.
  std::string condition(StringRef Leave = "return;") const;
  /// The code that runs for a call, behind \p First.
  std::string action(StringRef First = "") const;
  std::string event() const;

  const OneLiner &L;
  std::string Text;
  llvm::raw_string_ostream OS;
};

} // namespace

void OneLinerWriter::writeTargets(StringRef Type,
                                  llvm::ArrayRef<TargetPattern> Targets) {
  for (const TargetPattern &T : Targets) {
    OS << "    <target type=\"" << Type << "\" ";
    if (T.Qualified.empty())
      OS << "package=\"" << toXMLText(T.Package) << "\" className=\""
         << toXMLText(T.Class);
    else
      OS << "qualifiedName=\"" << toXMLText(T.Qualified);
    OS << "\" method=\"" << toXMLText(T.Method) << "\"";
    if (T.Signature != "*")
      OS << " signature=\"" << toXMLText(T.Signature) << "\"";
    OS << "/>\n";
  }
}

/// Not for proxies, if that is asked for; there may be none.
void OneLinerWriter::writeProxies() {
  for (StringRef Class : ProxyClasses)
    if (L.NoProxies)
      OS << "    <target type=\"exclude\" optional=\"true\" className=\""
         << Class << "\"/>\n";
}

void OneLinerWriter::writeMembers(StringRef Members) {
  if (!Members.empty())
    OS << "    <fragmentAtClassScope>"
       << section(("\n      " + Members + "\n    ").str())
       << "</fragmentAtClassScope>\n";
}

void OneLinerWriter::writeInvocationObject() {
  OS << "    <invocationObject name=\"begun\" type=\"Object\"/>\n";
}

void OneLinerWriter::writeFragment(StringRef Type, StringRef Code) {
  OS << "    <fragment type=\"" << Type << "\">\n      <code>"
     << section(Code.str()) << "</code>\n    </fragment>\n";
}

void OneLinerWriter::begin(StringRef Name,
                           llvm::ArrayRef<TargetPattern> Included,
                           llvm::ArrayRef<TargetPattern> Excluded) {
  const bool Ancestors = llvm::all_of(
      L.Targets, [](const TargetPattern &T) { return T.isOneClass(); });
  OS << "  <probe" << (Ancestors ? " targetHierarchy=\"true\"" : "")
     << " interfaces=\"true\">\n    <name text=\"" << toXMLText(Name)
     << "\"/>\n"
     << "    <param name=\"json\" type=\"boolean\" default=\"false\"/>\n"
     << "    <param name=\"followed\" type=\"boolean\" default=\"false\"/>\n";
  writeProxies();
  writeTargets("exclude", Excluded);
  writeTargets("include", Included);
  OS << "    <target type=\"exclude\"/>\n"
     << "    <import text=\"jopt.probe.*\"/>\n";
}

StringRef OneLinerWriter::table() const {
  if (L.Verb == "alloc")
    return "MADE";
  return llvm::is_contained({"count", "monitor", "top"}, L.Verb) ? "CALLS" : "";
}

/// Whether \p Expression is the user's own Java, which may throw.
static bool mayThrow(StringRef Expression) {
  return !Expression.empty() && Expression != "stack" &&
         llvm::none_of(Names,
                       [&](const Name &N) { return N.Text == Expression; });
}

void OneLinerWriter::writeMoments() {
  const StringRef Table = table();
  const std::string Members = members();
  // In the JDK the class stays, and is there when the same question comes
  // again.
  const std::string Begin = L.Verb == "tt" ? "CALLS.again(); "
                            : StringRef(Members).contains(" LIMIT = ")
                                ? "LIMIT.again(); "
                                : "";
  std::string End;
  if (L.Verb == "record") {
    writeFragment("onAttach", Begin + "RECORDED.begin(json);");
    End = "RECORDED.end();\n";
  } else if (L.OfType) {
    writeFragment("onAttach", Begin + "THROWN.begin(json);");
    End = "THROWN.end(json);\n";
  } else if (Table.empty())
    writeFragment("onAttach", Begin + "Event.rehearse(json);");
  else {
    writeFragment(
        "onAttach",
        ("Output.only(" + Table + ", json ? \"json\" : \"text\", " +
         Twine(L.Interval) + ", followed);")
                .str() +
            (L.Rows ? " Output.top(" + std::to_string(L.Rows) + ");" : ""));
    End = ("Output.end(" + Table + ");\n").str();
  }
  // A client asks for the kept calls; without one, print them at the end.
  if (L.Verb == "tt")
    End += "if (!followed) CALLS.print(json);\n";
  if (L.Async)
    End += "TASKS.end();\n";
  if (mayThrow(L.When) || mayThrow(L.By) || !L.Id.empty())
    End += "Failures.tell(followed);\n";
  if (!End.empty())
    writeFragment("onDetach", StringRef(End).drop_back());
}

/// \p Statement with an expression of the user. What that throws is not for
/// the program, and the calls for which it does are said.
static std::string guarded(const Twine &Statement, StringRef Option,
                           StringRef Leave = "") {
  return ("try { " + Statement + " } catch (Throwable e) { Failures.add(\"" +
          Option + "\", e); " + Leave + "}\n")
      .str();
}

std::string OneLinerWriter::condition(StringRef Leave) const {
  return L.When.empty() ? ""
                        : guarded("if (!(" + L.When + ")) " + Leave, "--when",
                                  (Leave + " ").str());
}

std::string OneLinerWriter::members() const {
  if (L.Verb == "count")
    return "static final Keyed<Counter> CALLS = Keyed.counters(\"calls\");";
  if (L.Verb == "monitor")
    return "static final Monitor CALLS = Monitor.named(\"calls\");";
  if (L.Verb == "top")
    return "static final Times CALLS = Times.named(\"calls\");";
  if (L.Verb == "tt")
    return "static final Calls CALLS = Calls.named(\"calls\", " +
           std::to_string(L.Rows) + ");";
  if (L.Verb == "record")
    return "static final Recorded RECORDED = new Recorded(" +
           javaString(L.Folder) + ", " + std::to_string(L.Memory) +
           "L);\n      static final RateLimit LIMIT = RateLimit.first(" +
           std::to_string(L.Limit) + "L);";
  if (L.Verb == "alloc")
    return "static final Allocations MADE = "
           "Allocations.named(\"allocations\");";
  std::string Members;
  if (L.Limit)
    Members = "static final RateLimit LIMIT = RateLimit.first(" +
              std::to_string(L.Limit) + "L);";
  if (!L.Id.empty())
    Members += (Members.empty() ? "" : "\n      ") +
               ("static final Identifier ID = new Identifier(" +
                javaString(L.Id) + ");");
  if (L.OfType)
    Members += (Members.empty() ? "" : "\n      ") +
               ("static final Throws THROWN = new Throws(" +
                std::to_string(L.Stack) + ", " + (L.Locals ? "true" : "false") +
                ", " + std::to_string(L.Expand.value_or(1)) + ");");
  if (L.Verb == "throws")
    Members += (Members.empty() ? "" : "\n      ") +
               std::string("static final Once SEEN = new Once();");
  return Members;
}

/// The event that a call is, as an expression.
std::string OneLinerWriter::event() const {
  std::string Code = "Event.of(internalName, methodName)";
  if (L.Args || !L.Id.empty())
    Code += ".names(parameterNames)";
  if (L.Expand)
    Code += ".expand(" + std::to_string(*L.Expand) + ")";
  if (L.Self)
    Code += ".self(self)";
  if (L.Args)
    Code += ".args(args)";
  if (!L.Id.empty())
    Code += ".id(ID, self, args)";
  if (L.Result)
    Code += ".result(result, signature).thrown(thrown)";
  if (L.Verb == "throws")
    Code += ".thrown(thrown).stackOf(thrown, " + std::to_string(L.Stack) + ")";
  else if (L.Stack)
    Code += ".stack(Stacks.trace(" + std::to_string(L.Stack) + "))";
  if (L.Verb == "watch" || L.Verb == "tt" || L.Verb == "record")
    Code += ".took(durationNs)";
  if (L.Verb == "tree")
    Code += ".took(tree.nanos()).tree(tree)";
  return Code;
}

std::string OneLinerWriter::action(StringRef First) const {
  std::string Code = First.str();
  // Skip calls until the client is connected: nobody would see or count them.
  if (llvm::is_contained({"watch", "stack", "throws", "tree"}, L.Verb))
    Code += "if (followed && !jopt.boot.Client.isFollowed()) return;\n";
  if (L.Verb == "throws")
    Code += "if (thrown == null || !SEEN.isNew(thrown)) return;\n";
  Code += condition();
  if (L.Limit)
    Code += "if (!LIMIT.take()) return;\n";
  if (L.Verb == "count") {
    const std::string Count =
        "CALLS.of(" +
        (L.By == "stack" ? std::string("Stacks.folded(50)") : L.By) +
        ").add();";
    return Code + (mayThrow(L.By) ? guarded(Count, "--by") : Count);
  }
  if (L.Verb == "monitor")
    return Code + "CALLS.record(method, durationNs, thrown != null);";
  if (L.Async)
    return Code + "TASKS.print(" + event() + ", tree, json);";
  if (L.Verb != "tt")
    return Code + event() + ".print(json);";
  Code += "Event call = " + event() + ";\n";
  if (!L.Stack) // Where it was made says more than who called.
    Code += "if (thrown != null) call.stackOf(thrown, 20);\n";
  return Code + "CALLS.add(call);";
}

void OneLinerWriter::writeFragmentWithData(StringRef Type, StringRef Code,
                                           StringRef Before,
                                           StringRef Attributes) {
  llvm::SmallVector<StringRef, 8> Items;
  std::string Java = Before.str();
  auto Define = [&](const Name &N) {
    // The one that is made, not one that its constructor throws.
    if (!names(Code, N.Text) || (L.OfType && N.Text == "thrown"))
      return;
    llvm::SmallVector<StringRef, 2> Own;
    N.Items.split(Own, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef Item : Own)
      if (!llvm::is_contained(Items, Item))
        Items.push_back(Item);
    if (!N.Before.empty())
      Java += (N.Before + "\n").str();
  };
  llvm::for_each(Names, Define);
  if (L.Verb == "alloc")
    llvm::for_each(SiteNames, Define);
  Java += Code;
  OS << "    <fragment type=\"" << Type << "\"" << Attributes << ">\n";
  for (StringRef Item : Items)
    OS << "      <data type=\"" << Item.split(':').first << "\" name=\""
       << Item.split(':').second << "\"/>\n";
  OS << "      <code>" << section("\n" + Java + "\n      ") << "</code>\n"
     << "    </fragment>\n";
}

void OneLinerWriter::writeCalls() {
  begin(name(), L.Targets);
  const bool Times = L.Verb == "top";
  if (Times)
    writeInvocationObject();
  writeMembers(members());
  writeMoments();
  if (Times) {
    writeFragmentWithData("entry", condition("return null;") +
                                       "return CALLS.begin(method);");
    writeFragmentWithData("exit", "CALLS.end(begun);");
  } else {
    const std::string Code = action();
    const bool AtExit = llvm::any_of(
        Names, [&](const Name &N) { return N.AtExit && names(Code, N.Text); });
    writeFragmentWithData(AtExit ? "exit" : "entry", Code);
  }
  end();
}

/// The trace, which is woven beside the probe, begins with each call; at its
/// end the condition decides whether it is written.
void OneLinerWriter::writeRecord() {
  begin(name(), L.Targets);
  writeInvocationObject();
  writeMembers(members());
  writeMoments();
  writeFragmentWithData("entry", "return RECORDED.enter();");
  // Events of the condition's calls are none of the request's.
  const std::string Code =
      "jopt.boot.trace.Request request = RECORDED.end(begun);\n"
      "if (request == null) return;\n"
      "Event event = null;\n" +
      guarded("if ((!followed || jopt.boot.Client.isFollowed()) && (" + L.When +
                  ") && LIMIT.take()) event = " + event() + ";",
              "--when") +
      "RECORDED.complete(request, method, durationNs, event, " +
      (L.Letters.empty() || StringRef(L.Letters).contains('x')
           ? "thrown == null"
           : "false") +
      ");";
  writeFragmentWithData("exit", Code);
  end();
}

/// One probe for requests, and one for the calls that are shown in them. Both
/// may select a method, as the second one excludes requests by their names
/// alone; Tree counts such a call once.
void OneLinerWriter::writeTree() {
  llvm::ArrayRef<TargetPattern> Requests(L.Targets), Others;
  Others = Requests.drop_front();
  Requests = Requests.take_front();
  OS << "  <fragmentAtSharedScope>"
     << section("static final jopt.probe.Tree TREE = new jopt.probe.Tree();" +
                std::string(L.Async ? "\n    static final jopt.probe.Tasks "
                                      "TASKS = new jopt.probe.Tasks(TREE);"
                                    : ""))
     << "</fragmentAtSharedScope>\n";
  begin(name(), Requests);
  writeInvocationObject();
  writeMembers(members());
  writeMoments();
  writeFragmentWithData("entry",
                        "return TREE.request(internalName, methodName, "
                        "signature);");
  writeFragmentWithData("exit", action("Tree.Request tree = TREE.end(begun, "
                                       "thrown);\n"
                                       "if (tree == null) return;\n"));
  end();
  if (L.Async)
    writeTasks();
  if (Others.empty())
    return;
  begin(name() + " (inside)", Others, Requests);
  writeInvocationObject();
  writeFragmentWithData(
      "entry", "return TREE.call(internalName, methodName, signature);");
  writeFragmentWithData("exit", "TREE.end(begun, thrown);");
  end();
}

/// Where tasks are handed over and run: executors, fork/join and what is built
/// on it, threads, virtual threads. Versions of the JDK differ, so each target
/// may match nothing.
void OneLinerWriter::writeTasks() {
  struct JdkMethod {
    StringRef Package, Class, Method, Signature;
  };
  constexpr StringRef Concurrent = "java/util/concurrent", Lang = "java/lang";
  auto Begin = [&](StringRef What, llvm::ArrayRef<JdkMethod> Methods,
                   bool Hierarchy = false) {
    OS << "  <probe" << (Hierarchy ? " targetHierarchy=\"true\"" : "")
       << ">\n    <name text=\"" << toXMLText(name() + " (" + What.str() + ")")
       << "\"/>\n";
    for (const JdkMethod &M : Methods)
      OS << "    <target type=\"include\" optional=\"true\" package=\""
         << M.Package << "\" className=\"" << M.Class << "\" method=\""
         << M.Method << "\" signature=\"" << M.Signature << "\"/>\n";
    OS << "    <target type=\"exclude\"/>\n";
  };
  auto Fragment = [&](StringRef Type, StringRef Data, StringRef Code) {
    OS << "    <fragment type=\"" << Type << "\">\n      " << Data
       << "\n      <code>" << section(Code.str())
       << "</code>\n    </fragment>\n";
  };
  auto Runs = [&](StringRef What, const JdkMethod &Method, StringRef Task,
                  bool Hierarchy) {
    Begin(What, Method, Hierarchy);
    writeInvocationObject();
    Fragment("entry", Task, "return TASKS.runs(task);");
    Fragment("exit",
             "<data type=\"invocationObject\"/><data type=\"exceptionObject\" "
             "name=\"thrown\"/>",
             "TASKS.ran(begun, thrown);");
    end();
  };
  constexpr StringRef Self = "<data type=\"thisObject\" name=\"task\"/>",
                      Second =
                          "<data type=\"argument\" index=\"1\" name=\"task\" "
                          "javaType=\"java.lang.Runnable\"/>";
  Begin("tasks",
        {{Concurrent, "ThreadPoolExecutor", "execute", "*"},
         {Concurrent, "ScheduledThreadPoolExecutor", "delayedExecute", "*"},
         {Concurrent, "ForkJoinPool", "*Submit", "*"},
         {Concurrent, "ForkJoinTask", "fork", "*"},
         {Lang, "Thread", "start", "()V"},
         {Lang, "ThreadBuilders", "newVirtualThread", "*"}});
  Fragment("entry",
           "<data type=\"thisObject\" name=\"self\"/><data type=\"args\" "
           "name=\"args\"/>",
           "TASKS.handOver(self, args);");
  end();
  Begin("threads of pools",
        JdkMethod{Concurrent, "ThreadPoolExecutor", "addWorker", "*"});
  Fragment("entry", "", "TASKS.pause();");
  Fragment("exit", "", "TASKS.resume();");
  end();
  Begin("begins in a pool",
        JdkMethod{Concurrent, "ThreadPoolExecutor", "beforeExecute",
                  "(Ljava/lang/Thread;Ljava/lang/Runnable;)V"},
        /*Hierarchy=*/true);
  Fragment("entry", Second, "TASKS.runs(task);");
  end();
  Begin("ends in a pool",
        JdkMethod{Concurrent, "ThreadPoolExecutor", "afterExecute",
                  "(Ljava/lang/Runnable;Ljava/lang/Throwable;)V"},
        /*Hierarchy=*/true);
  Fragment("entry",
           "<data type=\"argument\" index=\"1\" name=\"thrown\" "
           "javaType=\"java.lang.Throwable\"/>",
           "TASKS.ranLast(thrown);");
  end();
  Runs("fork/join", {Concurrent, "ForkJoinTask", "doExec", "*"}, Self, false);
  Runs("threads", {Lang, "Thread", "run", "()V"}, Self, true);
  Runs("virtual threads", {Lang, "Thread", "runWith", "*"}, Second, false);
}

void OneLinerWriter::writeAlloc() {
  begin(name(), L.Targets);
  writeMembers(members());
  writeMoments();
  auto Record = [&](StringRef Array) {
    return condition() +
           ("MADE.record(typeName, internalName, methodName, file, line, " +
            Array + ");")
               .str();
  };
  auto Length = [&](StringRef Value) {
    return names(L.When, "length") ? ("int length = " + Value + ";\n").str()
                                   : "";
  };
  // At the instruction: what its constructor throws changes nothing.
  writeFragmentWithData("new", Record("null"), Length("-1"),
                        " where=\"before\"");
  writeFragmentWithData("newArray", Record("array"),
                        Length("java.lang.reflect.Array.getLength(array)"));
  end();
}

/// The types of exceptions whose own constructors take no probes; those below
/// them do.
static bool isSensitiveType(const TargetPattern &T) {
  return llvm::is_contained({"*", "java/lang"}, T.Package) &&
         llvm::is_contained({"Throwable", "Exception", "RuntimeException"},
                            T.Class);
}

/// The targets of L with classes of the JDK, which a pattern has to name.
std::vector<TargetPattern> OneLinerWriter::thrownTargets() const {
  std::vector<TargetPattern> All;
  for (const TargetPattern &T : L.Targets) {
    const bool IsBase = isSensitiveType(T);
    if (!IsBase && T.Package != "*") {
      All.push_back(T);
      continue;
    }
    TargetPattern OfJdk = T;
    OfJdk.Qualified = IsBase ? "java/*Exception" : "java/*/" + T.Class;
    All.push_back(OfJdk);
    if (IsBase)
      OfJdk = {"java/lang", T.Class, T.Method, T.Signature};
    All.push_back(IsBase ? OfJdk : T);
  }
  return All;
}

/// Where an exception has been made: all of its frames are there still.
void OneLinerWriter::writeThrown() {
  begin(name(), thrownTargets());
  writeMembers(members());
  writeMoments();
  std::string Is;
  for (const TargetPattern &T : L.Targets)
    if (isSensitiveType(T))
      Is +=
          (Is.empty() ? "" : " && ") + ("!(thrown instanceof " + T.Class) + ")";
  std::string Code =
      "Throwable thrown = (Throwable) self;\n"
      "if (followed && !jopt.boot.Client.isFollowed()) return;\n"
      "if (thrown == null || !SEEN.isNew(thrown)) return;\n" +
      (Is.empty() || L.Targets.size() > 1 ? "" : "if (" + Is + ") return;\n") +
      condition() + "if (!THROWN.isFirst(thrown)) return;\n";
  if (L.Limit)
    Code += "if (!LIMIT.take()) return;\n";
  writeFragmentWithData("exit", Code + "THROWN.print(json, thrown);");
  end();
}

std::string OneLinerWriter::write() {
  OS << "<probekit>\n";
  if (L.Verb == "tree")
    writeTree();
  else if (L.Verb == "record")
    writeRecord();
  else if (L.Verb == "alloc")
    writeAlloc();
  else if (L.OfType)
    writeThrown();
  else
    writeCalls();
  OS << "</probekit>\n";
  return Text;
}

Expected<std::string> jopt::makeOneLiner(StringRef Place) {
  auto L = oneliner::read(Place);
  if (!L)
    return L.takeError();
  if (L->Verb == "line")
    return makeError("line asks a class for its variables: `jopt line PID|FILE "
                     "CLASS:LINE ... --show` prints a probe file");
  return OneLinerWriter(*L).write();
}
