#!/usr/bin/env python3
"""usage: make-descriptor.py VERSION OUT SOURCE...

Writes META-INF/maven/plugin.xml of jopt's Maven plugin from its sources: the
annotations @Mojo, @Parameter and @Component, and the comments before them, in the
form in which these sources have them. An annotation that it cannot read is an error."""
import os
import re
import sys
from xml.sax.saxutils import escape

COMMENT = r"(?:/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*)?"
ARGUMENTS = r"(?:\((?P<args>(?:[^()\"]|\"[^\"]*\")*)\))?"
CLASS = re.compile(
    COMMENT + r"(?:@Mojo" + ARGUMENTS + r"\s*)?(?:public )?(?:final )?(?:abstract )?"
    r"class (?P<name>\w+)(?: extends (?P<base>\w+))?", re.S)
FIELD = re.compile(
    COMMENT + r"@(?P<kind>Parameter|Component)" + ARGUMENTS +
    r"\s*(?:private )?(?P<type>[\w.<>]+) (?P<name>\w+);", re.S)


def text(doc):
    """The text of a comment, as HTML without tags of javadoc."""
    doc = re.sub(r"\n\s*\*", "\n", doc or "")
    doc = re.sub(r"\{@code ([^}]*)\}", r"\1", doc)
    return " ".join(doc.split())


def arguments(given):
    found = dict(re.findall(r'(\w+)\s*=\s*("[^"]*"|[\w.]+)', given or ""))
    return {k: v.strip('"').split(".")[-1] if not v.startswith('"') else v.strip('"')
            for k, v in found.items()}


class Source:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            code = f.read()
        self.path = path
        head = CLASS.search(code)
        self.imports = dict((n.split(".")[-1], n)
                            for n in re.findall(r"^import ([\w.]+);", code, re.M))
        self.package = re.search(r"^package ([\w.]+);", code, re.M).group(1)
        self.name, self.base, self.doc = head["name"], head["base"], text(head["doc"])
        self.mojo = arguments(head["args"]) if "@Mojo" in head[0] else None
        self.fields = [(m["kind"], m["type"], m["name"], arguments(m["args"]),
                        text(m["doc"])) for m in FIELD.finditer(code)]
        annotated = len(re.findall(r"^\s*@(?:Parameter|Component)\b", code, re.M))
        if annotated != len(self.fields):
            sys.exit(f"{path}: {annotated} annotated fields, {len(self.fields)} read")

    def full(self, name):
        name = re.sub(r"<.*", "", name)
        plain = {"String": "java.lang.String", "boolean": "boolean", "int": "int"}
        return plain.get(name) or self.imports.get(name) or f"{self.package}.{name}"


def element(name, value, depth):
    return "" if value is None else f"{'  ' * depth}<{name}>{escape(value)}</{name}>\n"


def goal(source, classes):
    fields = []
    own = source
    while own:
        fields = [(own, *f) for f in own.fields] + fields
        own = classes.get(own.base)
    out = "    <mojo>\n"
    kinds = (("goal", source.mojo["name"]), ("description", source.doc))
    for name, value in kinds:
        out += element(name, value, 3)
    scope = source.mojo.get("requiresDependencyResolution")
    out += element("requiresDependencyResolution", scope and scope.lower(), 3)
    out += element("requiresDirectInvocation", "false", 3)
    out += element("requiresProject", "true", 3)
    out += element("requiresReports", "false", 3)
    out += element("aggregator", "false", 3)
    out += element("requiresOnline", "false", 3)
    out += element("inheritedByDefault", "true", 3)
    phase = source.mojo.get("defaultPhase")
    out += element("phase", phase and phase.lower().replace("_", "-"), 3)
    out += element("implementation", f"{source.package}.{source.name}", 3)
    out += element("language", "java", 3)
    out += element("instantiationStrategy", "per-lookup", 3)
    out += element("executionStrategy", "once-per-session", 3)
    out += element("threadSafe", source.mojo.get("threadSafe", "false"), 3)
    out += "      <parameters>\n"
    configuration = requirements = ""
    for own, kind, type_, name, args, doc in fields:
        full = own.full(type_)
        if kind == "Component":
            requirements += ("        <requirement>\n" + element("role", full, 5) +
                             element("field-name", name, 5) + "        </requirement>\n")
            continue
        editable = args.get("readonly") != "true"
        out += "        <parameter>\n"
        out += element("name", name, 5) + element("type", full, 5)
        out += element("required", args.get("required", "false"), 5)
        out += element("editable", "true" if editable else "false", 5)
        out += element("description", doc, 5) + "        </parameter>\n"
        default = args.get("defaultValue")
        given = f"${{{args['property']}}}" if "property" in args else ""
        if default is not None or given:
            value = "" if default is None else f' default-value="{escape(default)}"'
            configuration += (f'        <{name} implementation="{full}"{value}>'
                              f"{given}</{name}>\n")
    out += "      </parameters>\n      <configuration>\n" + configuration
    out += "      </configuration>\n"
    if requirements:
        out += f"      <requirements>\n{requirements}      </requirements>\n"
    return out + "    </mojo>\n"


def main():
    version, to, *paths = sys.argv[1:]
    classes = {s.name: s for s in map(Source, sorted(paths))
               if s.mojo or s.fields or s.base}
    goals = [goal(s, classes) for s in
             sorted((s for s in classes.values() if s.mojo),
                    key=lambda s: s.mojo["name"])]
    if not goals:
        sys.exit("make-descriptor: no goals")
    out = '<?xml version="1.0" encoding="UTF-8"?>\n<plugin>\n'
    for name, value in (("name", "jopt"),
                        ("description", "Coverage, probes and optimising of classes"),
                        ("groupId", "io.github.jopt"),
                        ("artifactId", "jopt-maven-plugin"), ("version", version),
                        ("goalPrefix", "jopt"), ("isolatedRealm", "false"),
                        ("inheritedByDefault", "true")):
        out += element(name, value, 1)
    out += "  <mojos>\n" + "".join(goals) + "  </mojos>\n  <dependencies/>\n</plugin>\n"
    os.makedirs(os.path.dirname(to), exist_ok=True)
    with open(to, "w", encoding="utf-8") as f:
        f.write(out)


main()
