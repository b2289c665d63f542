#!/usr/bin/env python3
# Makes of Passes.td, dumped as JSON by llvm-tblgen, what C++ and docs need.
"""usage: gen_passes.py Passes.json --inc Passes.inc | --docs Passes.md"""
import json
import sys

import gen_advice
from narrow import wrap

FIELD = {"flag": "bool", "integer": "int64_t", "choice": "unsigned"}
READ = {"flag": "flag", "integer": "integer"}


def camel(name):
    return "".join(p[:1].upper() + p[1:] for p in name.split("-"))


def quoted(text):
    return json.dumps(" ".join(text.split()))


def unplaced(phase):
    return "Unplaced" + camel(phase["Sites"])


class Table:
    def __init__(self, path):
        self.db = json.load(open(path))
        names = self.db["!instanceof"]
        self.passes = sorted(
            (self.db[n] for n in names.get("Pass", [])), key=lambda p: p["Argument"])
        self.aliases = sorted(
            (self.db[n] for n in names.get("Alias", [])), key=lambda p: p["Argument"])
        self.advice = gen_advice.Table(self.db)
        # By name of the record: the text. Those of the table, then one a phase.
        self.properties = {n: self.db[n]["Text"] for n in names["Property"]}
        self.properties.update(
            (unplaced(p), "unplaced-" + p["Sites"]) for p in self.advice.phases)
        self.derive()

    def derive(self):
        """Requires and Loses of each pass, and the pipeline of PlacingPasses, by
        what they place."""
        by_phase = {}
        for p in self.passes:
            p["Requires"] = [r["def"] for r in p["Requires"]]
            p["Establishes"] = [r["def"] for r in p["Establishes"]]
            p["Loses"] = [r["def"] for r in p.get("Loses", [])]
            of = {self.db[k["def"]]["Placed"]["def"] for k in p["Places"]}
            if not of:
                continue
            if len(of) > 1 or of & by_phase.keys():
                sys.exit(f"Passes.td: {p['Argument']} is not the pass of one phase")
            phase = self.db[of.pop()]
            by_phase[phase["!name"]] = p["Argument"]
            p["Requires"] += ["OriginalCode"]
            p["Requires"] += [unplaced(o) for o in self.advice.phases
                              if o["Order"] >= phase["Order"]]
            p["Loses"] = ["NoAdvice"] + [unplaced(o) for o in self.advice.phases
                                         if o["Order"] <= phase["Order"]]
        placed = {k["def"] for p in self.passes for k in p["Places"]}
        for kind in self.advice.kinds:
            if kind["!name"] not in placed:
                sys.exit(f"Passes.td: no pass places {kind['!name']}")
        for a in self.aliases:
            if "PlacingPasses" in a["!superclasses"]:
                a["Pipeline"] = ",".join(by_phase[p["!name"]]
                                         for p in self.advice.phases)

    def refs(self, p, field):
        return [self.db[r["def"]] for r in p[field]]


def default(o):
    return "0" if o["Type"] == "choice" else o["Default"]


def options_inc(t, p, w):
    name = p["!name"] + "Options"
    opts = t.refs(p, "Options")
    w(f"struct {name} {{")
    for o in opts:
        w(f"  /// {o['Help']}")
        if o["Choices"]:
            w(f"  enum : unsigned {{ "
              + ", ".join(camel(o["Name"]) + camel(c) for c in o["Choices"])
              + " };")
        w(f"  {FIELD[o['Type']]} {camel(o['Name'])} = {default(o)};")
    for o in opts:
        if o["Choices"]:
            w(f"  llvm::StringRef nameOf{camel(o['Name'])}() const;")
    w(f"  static llvm::Expected<{name}> parse(OptionText T);")
    w("  void print(llvm::raw_ostream &OS) const;")
    w("};")


def options_impl(t, p, w):
    name = p["!name"] + "Options"
    opts = t.refs(p, "Options")
    w(f"llvm::Expected<{name}> {name}::parse(OptionText T) {{")
    w(f"  {name} O;")
    w("  OptionReader R(T);")
    w("  while (R.next()) {")
    for o in opts:
        field, key = "O." + camel(o["Name"]), f'"{o["Name"]}"'
        if o["Choices"]:
            choices = ", ".join(f'"{c}"' for c in o["Choices"])
            w(f"    if (R.choice({key}, {field}, {{{choices}}})) continue;")
        else:
            w(f"    if (R.{READ[o['Type']]}({key}, {field})) continue;")
    w("    R.unknown();")
    w("  }")
    w("  return R.finish(std::move(O));")
    w("}")
    for o in opts:
        if o["Choices"]:
            field = camel(o["Name"])
            choices = ", ".join(f'"{c}"' for c in o["Choices"])
            w(f"llvm::StringRef {name}::nameOf{field}() const {{")
            w(f"  return llvm::ArrayRef<const char *>({{{choices}}})[{field}];")
            w("}")
    w(f"void {name}::print(llvm::raw_ostream &OS) const {{")
    if opts:
        w("  llvm::ListSeparator Semicolon(\";\");")
    for o in opts:
        field, key = camel(o["Name"]), o["Name"]
        w(f"  if ({field} != {default(o)})")
        if o["Type"] == "flag":
            w(f"    OS << Semicolon << ({field} ? \"{key}\" : \"no-{key}\");")
        elif o["Choices"]:
            w(f"    OS << Semicolon << \"{key}=\" << nameOf{field}();")
        else:
            w(f"    OS << Semicolon << \"{key}=\" << {field};")
    w("}")


def declaration(p, w):
    unit = "Body &B" if p["IRUnit"] == "method" else "ClassFile &F"
    w(f"/// {p['Summary']}.")
    w(f"struct {p['!name']}Pass {{")
    w(f"  {p['!name']}Options Options;")
    if p["Begin"]:
        w("  bool begin(PassContext &C) const;")
    if p["Wants"] == "own":
        w("  bool wants(const Method &M, PassContext &C) const;")
    w(f"  llvm::Expected<PreservedAnalyses> run({unit}, PassContext &C) const;")
    w("  void printOptions(llvm::raw_ostream &OS) const { Options.print(OS); }")
    w("};")


def registry(t, w):
    for p in t.passes:
        w("{")
        w("  PassInfo I;")
        w(f"  I.Argument = \"{p['Argument']}\";")
        w(f"  I.Summary = {quoted(p['Summary'])};")
        w(f"  I.Description = {quoted(p['Description'])};")
        for o in t.refs(p, "Options"):
            kind = "|".join(o["Choices"]) or o["Type"]
            w(f"  I.Options.push_back({{\"{o['Name']}\", \"{kind}\", "
              f"\"{o['Default']}\", {quoted(o['Help'])}}});")
        for s in t.refs(p, "Statistics"):
            w(f"  I.Statistics.push_back({{\"{s['Name']}\", "
              f"{quoted(s['Help'])}}});")
        if p["Raw"] != "no":
            w(f"  I.Raw = KeepRaw::{p['Raw'].capitalize()};")
        if p["Patched"]:
            w("  I.TakesPatched = true;")
        if p["Wants"] in ("kinds", "lifted", "optimizable"):
            w(f"  I.Wants = PassInfo::{p['Wants'].capitalize()};")
        if "OptimizingPass" in p["!superclasses"]:
            w("  I.Optimizes = true;")
        if p["NeedsCallees"]:
            w("  I.NeedsCallees = true;")
        if p["Required"]:
            w("  I.Required = true;")
        for k in p["Places"]:
            w(f"  I.Places.push_back(AdviceKind::{k['def']});")
        for field in ("Requires", "Loses", "Establishes"):
            for name in p[field]:
                w(f"  I.{field}.set(unsigned(Property::{name}));")
        w(f"  I.Create = [](OptionText T) -> llvm::Expected<AnyPass> {{")
        w(f"    auto O = {p['!name']}Options::parse(T);")
        w("    if (!O)")
        w("      return O.takeError();")
        w(f"    return AnyPass({p['!name']}Pass{{std::move(*O)}});")
        w("  };")
        w("  Passes.push_back(std::move(I));")
        w("}")
    for a in t.aliases:
        w("{")
        w("  PassInfo I;")
        w(f"  I.Argument = \"{a['Argument']}\";")
        w(f"  I.Summary = {quoted(a['Summary'])};")
        w(f"  I.Description = {quoted(a['Summary'])};")
        w(f"  I.Pipeline = \"{a['Pipeline']}\";")
        w("  Passes.push_back(std::move(I));")
        w("}")


def inc(t, out):
    def w(line):
        out.append(line)

    def section(macro, body):
        w(f"#ifdef {macro}")
        body()
        w(f"#undef {macro}")
        w("#endif\n")

    w("// Generated by utils/gen_passes.py from Passes.td.\n")

    def declarations():
        for p in t.passes:
            options_inc(t, p, w)
            declaration(p, w)
    def property_enum():
        w("enum class Property : uint8_t {")
        for name, text in t.properties.items():
            w(f"  {name}, ///< \"{text}\"")
        w("};")
        w(f"constexpr unsigned NumProperties = {len(t.properties)};")
    section("GET_PROPERTIES", property_enum)
    section("GET_PROPERTY_NAMES",
            lambda: [w(f"\"{text}\",") for text in t.properties.values()])
    section("GET_PASS_DECLS", declarations)
    section("GET_PASS_OPTIONS_IMPL",
            lambda: [options_impl(t, p, w) for p in t.passes])
    section("GET_PASS_REGISTRY", lambda: registry(t, w))
    for p in t.passes:
        section(f"GET_STATISTICS_{p['!name']}", lambda: [
            w(f"JOPT_STATISTIC({s['Var']}, \"{p['Argument']}\", "
              f"\"{s['Name']}\", {quoted(s['Help'])});")
            for s in t.refs(p, "Statistics")])


def paragraphs(text):
    for block in text.strip().split("\n\n"):
        yield from wrap(" ".join(block.split()))
        yield ""


def docs(t, out):
    def w(line=""):
        out.append(line)

    w("<!-- Generated from include/jopt/Passes/Passes.td; see "
      "utils/gen_passes.py. -->")
    w("# Passes")
    w()
    for line in paragraphs(
            "A pipeline is a list of passes with their options. `-passes=` runs "
            "it over methods or classes; consecutive passes over methods run on "
            "one method before the next:"):
        w(line)
    w("```")
    w("jopt -passes='place-coverage<strategy=min>,relower' app.jar -o out.jar")
    w("jopt -O2 -stats app.jar -o out.jar          # what each pass did")
    w("```")
    w()
    for line in paragraphs(
            "`jopt help options` lists them too, with the passes of plugins "
            "([Writing a pass](WritingAPass.md))."):
        w(line)
    for line in paragraphs(
            "jopt refuses a pipeline in which a pass lacks its requirements. Passes that "
            "optimise, and passes over finished classes, want no `advice` left: `lower-advice` "
            "makes code of it. Passes that place code, and those of the tracing facility, want "
            "code that no pass has optimised. Advices go in in the order of `place-advice`. "
            + ", ".join(f"`{p['Argument']}`" for p in t.passes if p["IRUnit"] == "class")
            + " are passes over classes; all others are over methods."):
        w(line)
    w("These names stand for several passes:")
    w()
    for a in t.aliases:
        # Those of the levels change often; -print-pipeline-passes prints them.
        pipeline = "" if a["Argument"].startswith("default<") else f": `{a['Pipeline']}`"
        out += wrap(f"`{a['Argument']}`: {a['Summary']}{pipeline}", "- ", "  ")
    w()
    for p in t.passes:
        # '<' would begin a tag.
        name = p["Argument"]
        w(f"## `{name}`" if "<" in name else f"## {name}")
        w()
        for line in paragraphs(p["Description"]):
            w(line)
        opts = t.refs(p, "Options")
        if opts:
            w("| option | values | default | |")
            w("|---|---|---|---|")
            for o in opts:
                kind = ", ".join(f"`{c}`" for c in o["Choices"])
                if o["Type"] == "flag":
                    kind = f"`{o['Name']}`, `no-{o['Name']}`"
                shown = o["Default"]
                if o["Type"] == "flag":
                    shown = ("" if shown == "true" else "no-") + o["Name"]
                w(f"| `{o['Name']}` | {kind or o['Type']} | `{shown}` "
                  f"| {o['Help']} |")
            w()
    while out and not out[-1]:
        out.pop()


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("--inc", "--docs"):
        sys.exit(__doc__)
    table, out = Table(sys.argv[1]), []
    (inc if sys.argv[2] == "--inc" else docs)(table, out)
    with open(sys.argv[3], "w") as f:
        f.write("\n".join(out) + "\n")


main()
