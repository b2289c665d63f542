//===- ProbeInfo.cpp - Probe files without their code ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Probekit/ProbeInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;

namespace {
class InfoWriter {
public:
  explicit InfoWriter(llvm::raw_ostream &OS) : OS(OS) {}
  void write(const Document &Doc);

private:
  using Value = std::optional<std::string>;
  void write(const ProbeElement &P);
  void writeTarget(StringRef Name, const TargetElement &T);
  void begin(unsigned Depth, StringRef Name) {
    OS << '\n';
    OS.indent(Depth * 2) << '<' << Name;
  }
  void attribute(StringRef Name, const Value &V) {
    if (!V)
      return;
    OS << ' ' << Name << "=\"";
    escape(*V, /*InAttribute=*/true);
    OS << '"';
  }
  void text(unsigned Depth, StringRef Name, const Value &Lang, StringRef Text) {
    begin(Depth, Name);
    attribute("xml:lang", Lang);
    OS << '>';
    escape(Text, /*InAttribute=*/false);
    OS << "</" << Name << '>';
  }
  void escape(StringRef Text, bool InAttribute);

  llvm::raw_ostream &OS;
};
} // namespace

void InfoWriter::escape(StringRef Text, bool InAttribute) {
  for (size_t I = 0; I < Text.size(); ++I) {
    switch (Text[I]) {
    case '&':
      OS << "&amp;";
      break;
    case '<':
      OS << "&lt;";
      break;
    case '"':
      OS << "&quot;";
      break;
    case '\r':
      OS << "&#xD;";
      break;
    case '\n':
      OS << (InAttribute ? "&#xA;" : "\n");
      break;
    case '\t':
      OS << (InAttribute ? "&#x9;" : "\t");
      break;
    case '>':
      // Only what would end a CDATA section needs it.
      OS << (Text.take_front(I).ends_with("]]") ? "&gt;" : ">");
      break;
    default:
      OS << Text[I];
    }
  }
}

void InfoWriter::writeTarget(StringRef Name, const TargetElement &T) {
  begin(2, Name);
  attribute("className", T.ClassName);
  attribute("method", T.Method);
  attribute("package", T.Package);
  attribute("signature", T.Signature);
  attribute("type", T.Type);
  OS << "/>";
}

void InfoWriter::write(const ProbeElement &P) {
  begin(1, "probe");
  attribute("order", P.Order);
  OS << '>';
  for (const LocalText &N : P.Names) {
    begin(2, "name");
    attribute("text", N.Text);
    attribute("xml:lang", N.Lang);
    OS << "/>";
  }
  for (const LocalText &D : P.Descriptions)
    text(2, "description", D.Lang, D.Text);
  if (P.Control) {
    begin(2, "controlKey");
    attribute("name", P.Control->Name);
    attribute("value", P.Control->Value);
    OS << "/>";
  }
  for (const LocalText &N : P.ControlNames) {
    begin(2, "controlName");
    attribute("text", N.Text);
    attribute("xml:lang", N.Lang);
    OS << "/>";
  }
  for (const ParamElement &Q : P.Params) {
    begin(2, "param");
    attribute("name", Q.Name);
    attribute("type", Q.Type);
    attribute("default", Q.Default);
    OS << "/>";
  }
  for (const TargetElement &T : P.Targets)
    writeTarget("target", T);
  for (const TargetElement &T : P.Callers)
    writeTarget("caller", T);
  for (const ImportElement &I : P.Imports) {
    begin(2, "import");
    attribute("text", I.Text);
    OS << "/>";
  }
  if (P.ClassScope)
    text(2, "fragmentAtClassScope", {}, P.ClassScope->Text);
  if (P.Invocation) {
    begin(2, "invocationObject");
    if (!P.Invocation->Name.empty())
      attribute("name", P.Invocation->Name);
    if (P.Invocation->Type != "java.lang.Object")
      attribute("type", P.Invocation->Type);
    OS << "/>";
  }
  if (P.Static) {
    begin(2, "staticField");
    attribute("type", P.Static->Type);
    OS << "/>";
  }
  OS << "\n  </probe>";
}

void InfoWriter::write(const Document &Doc) {
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  begin(0, "probekit");
  attribute("id", Doc.Id);
  attribute("version", Doc.Version);
  OS << '>';
  for (const Label &L : Doc.Labels) {
    begin(1, "label");
    attribute("description", L.Description);
    attribute("name", L.Name);
    attribute("xml:lang", L.Lang);
    OS << "/>";
  }
  for (const ProbeElement &P : Doc.Probes)
    write(P);
  if (Doc.SharedScope)
    text(1, "fragmentAtSharedScope", {}, Doc.SharedScope->Text);
  OS << "\n</probekit>";
}

std::string probekit::writeProbeInfo(const Document &Doc) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  InfoWriter(OS).write(Doc);
  return Text;
}
