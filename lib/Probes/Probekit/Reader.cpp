//===- Reader.cpp - Reading Probekit XML ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/Reader.h"
#include "jopt/Support/NoMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <expat.h>
#include <memory>

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;

namespace {

enum class Tag : uint8_t {
  None, // above the root
  Probekit,
  Label,
  SharedScope,
  Probe,
  Name,
  Description,
  ControlKey,
  ControlName,
  Param,
  Target,
  Caller,
  Import,
  ClassScope,
  Fragment,
  InvocationObject,
  StaticField,
  Data,
  Code,
  Condition,
};

/// The grammar: which element may stand where, and its attributes.
struct TagInfo {
  StringRef Name;
  Tag Self;
  Tag Parent;
  bool Once;    ///< at most one in its parent
  bool HasText; ///< has text, and no elements inside
  static constexpr unsigned MaxAttributes = 9;
  const char *Attributes[MaxAttributes];
};

} // namespace

static const TagInfo Tags[] = {
    {"probekit", Tag::Probekit, Tag::None, true, false, {"id", "version"}},
    {"label", Tag::Label, Tag::Probekit, false, false, {"name", "description"}},
    {"fragmentAtSharedScope", Tag::SharedScope, Tag::Probekit, true, true, {}},
    {"probe",
     Tag::Probe,
     Tag::Probekit,
     false,
     false,
     {"order", "targetHierarchy", "interfaces", "dynamicCalls"}},
    {"name", Tag::Name, Tag::Probe, false, false, {"text"}},
    {"description", Tag::Description, Tag::Probe, false, true, {}},
    {"controlKey", Tag::ControlKey, Tag::Probe, true, false, {"name", "value"}},
    {"controlName", Tag::ControlName, Tag::Probe, false, false, {"text"}},
    {"param",
     Tag::Param,
     Tag::Probe,
     false,
     false,
     {"name", "type", "default"}},
    {"target",
     Tag::Target,
     Tag::Probe,
     false,
     false,
     {"type", "package", "className", "class", "method", "signature",
      "annotation", "qualifiedName", "optional"}},
    {"caller",
     Tag::Caller,
     Tag::Probe,
     false,
     false,
     {"type", "package", "className", "class", "method", "signature",
      "annotation", "qualifiedName"}},
    {"import", Tag::Import, Tag::Probe, false, false, {"text"}},
    {"fragmentAtClassScope", Tag::ClassScope, Tag::Probe, true, true, {}},
    {"fragment",
     Tag::Fragment,
     Tag::Probe,
     false,
     false,
     {"type", "result", "javaType", "every",
      "perSecond"}}, // and what getSelectorNames says
    {"invocationObject",
     Tag::InvocationObject,
     Tag::Probe,
     true,
     false,
     {"name", "type"}},
    {"staticField", Tag::StaticField, Tag::Probe, true, false, {"type"}},
    {"data",
     Tag::Data,
     Tag::Fragment,
     false,
     false,
     {"type", "name", "javaType", "write"}}, // and what getDataKeys says
    {"code", Tag::Code, Tag::Fragment, true, true, {}},
    {"condition", Tag::Condition, Tag::Fragment, true, true, {}},
};

static const TagInfo &getInfo(Tag T) { return Tags[unsigned(T) - 1]; }

static llvm::SmallVector<StringRef, 8> getAttributes(const TagInfo &Info) {
  llvm::SmallVector<StringRef, 8> Names;
  for (const char *Name : Info.Attributes)
    if (Name)
      Names.push_back(Name);
  if (Info.Self == Tag::Data)
    for (StringRef Key : getDataKeys())
      if (!llvm::is_contained(Names, Key))
        Names.push_back(Key);
  if (Info.Self == Tag::Fragment)
    llvm::append_range(Names, getSelectorNames());
  return Names;
}

/// The name behind a namespace prefix. Prefixes are not resolved: files in the
/// wild have none, and any namespace is accepted.
static StringRef localName(StringRef Name) {
  size_t Colon = Name.find(':');
  return Colon == StringRef::npos ? Name : Name.drop_front(Colon + 1);
}

/// Whether someone who wrote \p Written probably meant \p Known.
static bool looksLike(StringRef Written, StringRef Known) {
  return !suggest(Written, {Known}).empty();
}

namespace {

/// Limits that no honest file comes near. The number of entities bounds how
/// deep they nest, since expat expands them by recursion.
constexpr unsigned MaxEntities = 200;
constexpr float MaxAmplification = 16;
constexpr unsigned long long AmplificationFrom = 1 << 20;

/// The attributes of an element, as expat gives them: names and values in turn.
struct AttributeList {
  const XML_Char **Pairs;

  std::optional<std::string> find(StringRef Name) const {
    for (const XML_Char **A = Pairs; *A; A += 2)
      if (Name == *A)
        return std::string(A[1]);
    return std::nullopt;
  }
  std::string findOr(StringRef Name, const char *Default) const {
    return find(Name).value_or(Default);
  }
};

/// One parse: expat's handlers build the document.
class Parser {
public:
  Parser(StringRef Xml, StringRef File, DiagnosticEngine &Diags)
      : Xml(Xml), Diags(Diags), Errors(llvm::Error::success()),
        Expat(XML_ParserCreate(nullptr), XML_ParserFree) {
    Doc.File = File.str();
  }

  llvm::Expected<Document> run();

private:
  void startElement(StringRef Name, const XML_Char **Attributes);
  void endElement();
  void characters(StringRef Text);

  void startKnown(const TagInfo &Info, const XML_Char **Attributes);
  void startInRoot(Tag Element, const AttributeList &A);
  void startInProbe(Tag Element, const AttributeList &A, ProbeElement &P);
  void startInFragment(Tag Element, const AttributeList &A, FragmentElement &F);
  TargetElement readTarget(const AttributeList &A);
  void checkAttributes(const TagInfo &Info, const XML_Char **Attributes);
  /// The first element of this name among those open; tracks `Once`.
  bool isSecond(const TagInfo &Info);
  SourceText *beginText(std::optional<SourceText> &Into);

  Position here() {
    return {unsigned(XML_GetCurrentLineNumber(Expat.get())),
            unsigned(XML_GetCurrentColumnNumber(Expat.get())) + 1};
  }
  void error(Position P, const llvm::Twine &Message) {
    Errors =
        llvm::joinErrors(std::move(Errors), makeError(Doc.locate(P), Message));
  }
  /// An error that ends the parse and replaces what was found so far.
  void fatal(const llvm::Twine &Message) {
    if (Fatal.empty()) {
      Fatal = Message.str();
      FatalAt = here();
    }
    XML_StopParser(Expat.get(), XML_FALSE);
  }

  llvm::Error malformed();

  StringRef Xml;
  DiagnosticEngine &Diags;
  Document Doc;
  llvm::Error Errors;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> Expat;

  struct Open {
    Tag Element;
    uint32_t Seen = 0;      ///< bit T: has had a child T
    bool StrayText = false; ///< reported once
  };
  std::vector<Open> Stack{{Tag::None}};
  unsigned Skipped = 0; ///< depth inside an element that is not in the grammar
  SourceText *Text = nullptr; ///< where characters go
  Position TextEnd;           ///< behind the last of them
  LocalText *Description = nullptr;
  bool InCData = false;
  Position CDataStart;
  unsigned Entities = 0;
  std::string Fatal;
  Position FatalAt;
};

} // namespace

bool Parser::isSecond(const TagInfo &Info) {
  uint32_t Bit = 1u << unsigned(Info.Self);
  bool Was = Stack.back().Seen & Bit;
  Stack.back().Seen |= Bit;
  return Was && Info.Once;
}

void Parser::checkAttributes(const TagInfo &Info, const XML_Char **Attributes) {
  const auto Known = getAttributes(Info);
  llvm::StringSet<> Given;
  for (const XML_Char **A = Attributes; *A; A += 2)
    Given.insert(*A);
  // What a name that is not known may have been meant for.
  llvm::SmallVector<StringRef, 8> Missing;
  llvm::copy_if(Known, std::back_inserter(Missing),
                [&](StringRef K) { return !Given.contains(K); });
  for (const XML_Char **A = Attributes; *A; A += 2) {
    StringRef Name = *A;
    // Namespace declarations, xsi:*, xml:lang.
    if (Name.contains(':') || Name == "xmlns" ||
        llvm::is_contained(Known, Name))
      continue;
    for (StringRef K : Missing)
      if (looksLike(Name, K)) {
        Diags.report(Severity::Warning, Doc.locate(here()),
                     "attribute '" + Name + "' of '" + Info.Name +
                         "' is not known and ignored; did you mean '" + K +
                         "'?");
        break;
      }
  }
}

SourceText *Parser::beginText(std::optional<SourceText> &Into) {
  Into.emplace();
  Into->Where = here();
  return &*Into;
}

void Parser::startElement(StringRef FullName, const XML_Char **Attributes) {
  if (Skipped) {
    ++Skipped;
    return;
  }
  StringRef Name = localName(FullName);
  Tag Parent = Stack.back().Element;
  for (const TagInfo &Info : Tags)
    if (Info.Parent == Parent && Info.Name == Name) {
      if (isSecond(Info))
        error(here(), "more than one '" + Name + "' in '" +
                          ::getInfo(Parent).Name + "'");
      Stack.push_back({Info.Self});
      checkAttributes(Info, Attributes);
      startKnown(Info, Attributes);
      return;
    }

  ++Skipped;
  if (Parent == Tag::None)
    return fatal("the root element is '" + FullName + "', not 'probekit'" +
                 (Name.equals_insensitive("probekit")
                      ? "; names are case-sensitive"
                      : ": this is no Probekit file"));
  const TagInfo &In = ::getInfo(Parent);
  if (In.HasText)
    return error(here(), "element '" + FullName + "' inside '" + In.Name +
                             "'; text with '<' or '&' belongs in <![CDATA[ "
                             "... ]]>");
  std::string Hint;
  for (const TagInfo &Info : Tags)
    if (Info.Name == Name && Info.Parent != Tag::None) {
      Hint = ("; it belongs in '" + ::getInfo(Info.Parent).Name + "'").str();
      break;
    } else if (Info.Parent == Parent && looksLike(Name, Info.Name)) {
      Hint = ("; did you mean '" + Info.Name + "'?").str();
    }
  error(here(),
        "unknown element '" + FullName + "' in '" + In.Name + "'" + Hint);
}

/// The one of \p P that was begun last.
static FragmentElement &lastFragment(ProbeElement &P) {
  auto Place = [](const FragmentElement &F) {
    return std::make_pair(F.Where.Line, F.Where.Column);
  };
  const bool IsMoment = !P.Moments.empty() &&
                        (P.Fragments.empty() ||
                         Place(P.Fragments.back()) < Place(P.Moments.back()));
  return (IsMoment ? P.Moments : P.Fragments).back();
}

void Parser::startKnown(const TagInfo &Info, const XML_Char **Attributes) {
  const AttributeList A{Attributes};
  switch (Info.Parent) {
  case Tag::None:
    Doc.Where = here();
    Doc.Id = A.find("id");
    Doc.Version = A.find("version");
    return;
  case Tag::Probekit:
    return startInRoot(Info.Self, A);
  case Tag::Fragment:
    return startInFragment(Info.Self, A, lastFragment(Doc.Probes.back()));
  default:
    return startInProbe(Info.Self, A, Doc.Probes.back());
  }
}

void Parser::startInRoot(Tag Element, const AttributeList &A) {
  Position Where = here();
  if (Element == Tag::Label) {
    Doc.Labels.push_back(
        {A.find("name"), A.find("description"), A.find("xml:lang"), Where});
  } else if (Element == Tag::SharedScope) {
    Text = beginText(Doc.SharedScope);
  } else {
    ProbeElement &New = Doc.Probes.emplace_back();
    New.Where = Where;
    New.Order = A.find("order");
    New.TargetHierarchy = A.find("targetHierarchy");
    New.Interfaces = A.find("interfaces");
    New.DynamicCalls = A.find("dynamicCalls");
  }
}

TargetElement Parser::readTarget(const AttributeList &A) {
  // Documents of Hyades 1.3 write `class`.
  std::optional<std::string> ClassName = A.find("className");
  if (!ClassName)
    ClassName = A.find("class");
  else if (A.find("class"))
    Diags.report(Severity::Warning, Doc.locate(here()),
                 "'class' is another name of 'className', which is given "
                 "too; 'class' is ignored");
  return {A.find("type"),       A.find("package"),       ClassName,
          A.find("method"),     A.find("signature"),     here(),
          A.find("annotation"), A.find("qualifiedName"), A.find("optional")};
}

void Parser::startInProbe(Tag Element, const AttributeList &A,
                          ProbeElement &P) {
  Position Where = here();
  auto NamedText = [&]() -> LocalText {
    return {A.findOr("text", ""), A.find("xml:lang"), Where};
  };
  switch (Element) {
  case Tag::Name:
    P.Names.push_back(NamedText());
    break;
  case Tag::Description:
    P.Descriptions.push_back({"", A.find("xml:lang"), Where});
    Description = &P.Descriptions.back();
    break;
  case Tag::ControlKey:
    P.Control = ControlKey{A.findOr("name", ""), A.find("value"), Where};
    break;
  case Tag::ControlName:
    P.ControlNames.push_back(NamedText());
    break;
  case Tag::Param:
    P.Params.push_back(
        {A.findOr("name", ""), A.findOr("type", ""), A.find("default"), Where});
    break;
  case Tag::Target:
    P.Targets.push_back(readTarget(A));
    break;
  case Tag::Caller:
    P.Callers.push_back(readTarget(A));
    break;
  case Tag::Import:
    P.Imports.push_back({A.findOr("text", ""), Where});
    break;
  case Tag::ClassScope:
    Text = beginText(P.ClassScope);
    break;
  case Tag::Fragment: {
    std::string Type = A.findOr("type", "entry");
    std::vector<FragmentElement> &Into =
        isMoment(Type) ? P.Moments : P.Fragments;
    Into.push_back(
        {Type, findFragmentKind(Type), {}, {}, Where, A.find("result")});
    Into.back().JavaType = A.find("javaType");
    Into.back().Every = A.find("every");
    Into.back().PerSecond = A.find("perSecond");
    for (StringRef Key : getSelectorNames())
      if (auto Value = A.find(Key))
        Into.back().Selectors.push_back({Key, *Value});
    break;
  }
  case Tag::InvocationObject:
    P.Invocation = InvocationObject{
        A.findOr("name", ""), A.findOr("type", "java.lang.Object"), Where};
    break;
  case Tag::StaticField:
    P.Static = StaticFieldElement{A.findOr("type", ""), Where};
    break;
  default:
    llvm_unreachable("no other element stands in a probe");
  }
}

void Parser::startInFragment(Tag Element, const AttributeList &A,
                             FragmentElement &F) {
  if (Element == Tag::Code) {
    Text = beginText(F.Code);
    return;
  }
  if (Element == Tag::Condition) {
    Text = beginText(F.Condition);
    return;
  }
  std::string Type = A.findOr("type", "className");
  Data &New =
      F.Items.emplace_back(Data{Type, findDataType(Type), A.findOr("name", ""),
                                here(), A.find("javaType"), A.find("write")});
  for (StringRef Key : getDataKeys())
    if (auto Value = A.find(Key))
      New.Keys.push_back({Key, *Value});
}

void Parser::endElement() {
  if (Skipped) {
    --Skipped;
    return;
  }
  Text = nullptr;
  Description = nullptr;
  Stack.pop_back();
}

/// A hint for text that stands in \p Element.
static const char *whereTextBelongs(Tag Element) {
  switch (Element) {
  case Tag::Probekit:
    return "; Java members of all probes belong in 'fragmentAtSharedScope'";
  case Tag::Probe:
    return "; Java members belong in 'fragmentAtClassScope', statements in the "
           "'code' of a 'fragment'";
  case Tag::Fragment:
    return "; Java text of a fragment belongs in 'code'";
  case Tag::Name:
  case Tag::ControlName:
  case Tag::Import:
    return "; it belongs in the attribute 'text'";
  default:
    return "";
  }
}

void Parser::characters(StringRef Chars) {
  if (Skipped)
    return;
  if (Description) {
    Description->Text += Chars;
    return;
  }
  if (!Text) {
    Open &Top = Stack.back();
    if (Chars.trim().empty() || Top.StrayText)
      return;
    Top.StrayText = true;
    StringRef Name = ::getInfo(Top.Element).Name;
    error(here(), "text in '" + Name + "', which has none" +
                      whereTextBelongs(Top.Element));
    return;
  }
  // A reference begins with '&'; so may literal text in CDATA.
  XML_Index At = XML_GetCurrentByteIndex(Expat.get());
  bool Literal = InCData || At < 0 || size_t(At) >= Xml.size() ||
                 (Xml[At] != '&' && Xml.substr(At, 2) != StringRef("\0&", 2));
  // expat gives each line and each line end by itself.
  Position Where = here();
  if (Text->Pieces.empty() || !Text->Pieces.back().Literal || !Literal ||
      !(Where == TextEnd))
    Text->Pieces.push_back({Text->Text.size(), Where, Literal});
  Text->Text += Chars;
  TextEnd = Where.after(Chars);
}

llvm::Error Parser::malformed() {
  Position Where = here();
  XML_Error Code = XML_GetErrorCode(Expat.get());
  std::string Message;
  switch (Code) {
  case XML_ERROR_NO_MEMORY:
    Message = NoMemory.str();
    break;
  case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
    Message = "entities expand to too much text";
    break;
  case XML_ERROR_NO_ELEMENTS:
    Message = Stack.size() == 1
                  ? "the file has no root element"
                  : "the file ends inside '" +
                        ::getInfo(Stack.back().Element).Name.str() + "'";
    break;
  case XML_ERROR_UNCLOSED_CDATA_SECTION:
    Message =
        "the file ends inside the <![CDATA[ section that begins here; its "
        "]]> is missing";
    Where = CDataStart;
    break;
  default:
    Message = std::string("not well-formed XML: ") + XML_ErrorString(Code);
    if (Code == XML_ERROR_TAG_MISMATCH && !Skipped && Stack.size() > 1)
      Message += ("; the element to be closed is '" +
                  ::getInfo(Stack.back().Element).Name + "'")
                     .str();
    if (Stack.size() > 1 && ::getInfo(Stack.back().Element).HasText &&
        (Code == XML_ERROR_TAG_MISMATCH || Code == XML_ERROR_INVALID_TOKEN ||
         Code == XML_ERROR_UNDEFINED_ENTITY))
      Message += ("; Java text with '<' or '&' in '" +
                  ::getInfo(Stack.back().Element).Name +
                  "' belongs in <![CDATA[ ... ]]>")
                     .str();
    else if (Code == XML_ERROR_INVALID_TOKEN)
      Message += "; attributes need quotes, '<' and '&' in them are written "
                 "&lt; and &amp;, and comments have no '--' inside";
    else if (Code == XML_ERROR_SYNTAX)
      Message += "; a Probekit file is XML and begins with <probekit>";
    else if (Code == XML_ERROR_JUNK_AFTER_DOC_ELEMENT)
      Message +=
          "; a file has one 'probekit' with all probes in it, and nothing "
          "after it";
  }
  return makeError(Doc.locate(Where), Message);
}

llvm::Expected<Document> Parser::run() {
  XML_Parser P = Expat.get();
  if (!P)
    return makeError(Location(Doc.File), NoMemory);
  XML_SetUserData(P, this);
  XML_SetElementHandler(
      P,
      [](void *Self, const XML_Char *Name, const XML_Char **Attributes) {
        static_cast<Parser *>(Self)->startElement(Name, Attributes);
      },
      [](void *Self, const XML_Char *) {
        static_cast<Parser *>(Self)->endElement();
      });
  XML_SetCharacterDataHandler(P, [](void *Self, const XML_Char *S, int N) {
    static_cast<Parser *>(Self)->characters(StringRef(S, N));
  });
  XML_SetCdataSectionHandler(
      P,
      [](void *Self) {
        auto *This = static_cast<Parser *>(Self);
        This->InCData = true;
        This->CDataStart = This->here();
      },
      [](void *Self) { static_cast<Parser *>(Self)->InCData = false; });
  XML_SetEntityDeclHandler(P, [](void *Self, const XML_Char *, int,
                                 const XML_Char *, int, const XML_Char *,
                                 const XML_Char *, const XML_Char *,
                                 const XML_Char *) {
    auto *This = static_cast<Parser *>(Self);
    if (++This->Entities > MaxEntities)
      This->fatal("more than " + llvm::Twine(MaxEntities) +
                  " entities are declared");
  });
  // Reached for entities of an external subset, which is never read.
  XML_SetSkippedEntityHandler(
      P, [](void *Self, const XML_Char *Name, int IsParameterEntity) {
        if (!IsParameterEntity)
          static_cast<Parser *>(Self)->fatal("undefined entity '" +
                                             StringRef(Name) + "'");
      });
  XML_SetExternalEntityRefHandler(
      P,
      [](XML_Parser Expat, const XML_Char *, const XML_Char *, const XML_Char *,
         const XML_Char *) -> int {
        auto *This = static_cast<Parser *>(XML_GetUserData(Expat));
        This->fatal("external entities are not read");
        return XML_STATUS_ERROR;
      });
  XML_SetBillionLaughsAttackProtectionMaximumAmplification(P, MaxAmplification);
  XML_SetBillionLaughsAttackProtectionActivationThreshold(P, AmplificationFrom);

  XML_Status Status = XML_Parse(P, Xml.data(), int(Xml.size()), XML_TRUE);
  if (!Fatal.empty() || Status != XML_STATUS_OK) {
    llvm::consumeError(std::move(Errors));
    if (!Fatal.empty())
      return makeError(Doc.locate(FatalAt), Fatal);
    return malformed();
  }
  if (llvm::Error E = llvm::joinErrors(std::move(Errors), validate(Doc, Diags)))
    return E;
  return std::move(Doc);
}

llvm::Expected<Document> probekit::readDocument(StringRef Xml, StringRef File,
                                                DiagnosticEngine &Diags) {
  // expat counts in int.
  if (Xml.size() > MaxProbeFileSize)
    return makeError(Location(File), "Probekit file of more than " +
                                         llvm::Twine(MaxProbeFileSize >> 20) +
                                         " MiB");
  return Parser(Xml, File, Diags).run();
}
