#!/usr/bin/env python3
"""usage: make-repository.py --version=V --build=DIR --platform=P [--strip=PROGRAM]
                          [--sources=ID=FOLDER]... [--native=JAR]... OUT

Lays out the artifacts of artifacts.json as a Maven repository in the folder OUT:
POMs, jars, sources, javadoc, checksums and metadata. Equal inputs give equal bytes:
entries of jars are sorted and have one time.

  --build    build folder; bin/ and lib/ have the programs and jars, javadoc/ID the
             pages of an artifact. An artifact whose jar is not there is left out.
  --sources  folder with the sources of an artifact; may be repeated
  --native   jar of the artifact jopt for another platform, jopt-V-PLATFORM.jar"""
import argparse
import collections
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
TIME = (1980, 1, 1, 0, 0, 2)
CHECKSUMS = ("md5", "sha1", "sha256")
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Repository:
    def __init__(self, group, version, folder):
        self.group, self.version, self.folder = group, version, folder

    def path(self, artifact, classifier="", ending="jar"):
        name = f"{artifact}-{self.version}{classifier and '-' + classifier}.{ending}"
        return os.path.join(self.folder, *self.group.split("."), artifact, self.version,
                            name)

    def write(self, path, data):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        for kind in CHECKSUMS:
            with open(f"{path}.{kind}", "w") as f:
                f.write(hashlib.new(kind, data).hexdigest())

    def jar(self, path, entries):
        """Writes a jar of (name, bytes, mode); its manifest comes first."""
        order = {"META-INF/MANIFEST.MF": 0}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with zipfile.ZipFile(path, "w") as jar:
            for name, data, mode in sorted(
                    entries, key=lambda e: (order.get(e[0], 1), e[0])):
                entry = zipfile.ZipInfo(name, TIME)
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                jar.writestr(entry, data, compresslevel=6)
        with open(path, "rb") as f:
            self.write(path, f.read())


def of_jar(path):
    with zipfile.ZipFile(path) as jar:
        return [(n, jar.read(n), 0o644) for n in jar.namelist() if not n.endswith("/")]


def of_folder(folder, keep=lambda path: True):
    found = []
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if keep(path):
                with open(path, "rb") as f:
                    found.append((os.path.relpath(path, folder), f.read(), 0o644))
    return found


def manifest(title, version):
    return ("META-INF/MANIFEST.MF", (
        "Manifest-Version: 1.0\r\n"
        f"Implementation-Title: {title}\r\nImplementation-Version: {version}\r\n\r\n"
    ).encode(), 0o644)


def native(build, names, strip):
    """The entries of the jar of this platform. Symbols that only a debugger wants are
    left out of programs."""
    entries = []
    for name in names:
        path = os.path.join(build, name)
        if not os.path.exists(path):
            continue
        mode = 0o755 if name.startswith("bin/") or name.endswith(".so") else 0o644
        if mode == 0o755 and strip:
            with tempfile.NamedTemporaryFile() as to:
                subprocess.run([strip, "-o", to.name, path], check=True)
                with open(to.name, "rb") as f:
                    entries.append((name, f.read(), mode))
        else:
            with open(path, "rb") as f:
                entries.append((name, f.read(), mode))
    return entries


def dependency(group, artifact, version, scope):
    return ("    <dependency>\n"
            f"      <groupId>{group}</groupId>\n"
            f"      <artifactId>{artifact}</artifactId>\n"
            f"      <version>{version}</version>\n"
            f"      <scope>{scope}</scope>\n"
            "    </dependency>\n")


def pom(all_, artifact, version):
    group = all_["group"]
    depends = [dependency(group, n, version, "compile")
               for n in artifact.get("needs", ())]
    for scope in ("compile", "provided"):
        depends += [dependency(*d.split(":"), scope) for d in artifact.get(scope, ())]
    out = HEAD + '<project xmlns="http://maven.apache.org/POM/4.0.0">\n'
    out += "  <modelVersion>4.0.0</modelVersion>\n"
    for key, value in (("groupId", group), ("artifactId", artifact["id"]),
                       ("version", version),
                       ("packaging", artifact.get("packaging", "jar")),
                       ("name", artifact["name"]),
                       ("description", artifact["description"]),
                       ("url", all_["url"])):
        out += f"  <{key}>{escape(value)}</{key}>\n"
    out += ("  <licenses>\n    <license>\n"
            "      <name>Apache-2.0 WITH LLVM-exception</name>\n"
            "      <url>https://llvm.org/LICENSE.txt</url>\n"
            "    </license>\n  </licenses>\n"
            "  <developers>\n    <developer>\n      <name>The jopt developers</name>\n"
            "    </developer>\n  </developers>\n"
            f"  <scm>\n    <url>{all_['url']}</url>\n"
            f"    <connection>scm:git:{all_['url']}.git</connection>\n  </scm>\n")
    if depends:
        out += "  <dependencies>\n" + "".join(depends) + "  </dependencies>\n"
    return (out + "</project>\n").encode()


def add(repository, all_, artifact, args):
    """Adds the files of an artifact; False if its jar was not built."""
    id_, version = artifact["id"], args.version
    jar = os.path.join(args.build, "lib", id_ + ".jar")
    if "native" in artifact:
        repository.jar(repository.path(id_, args.platform),
                       native(args.build, artifact["native"], args.strip))
        for other in args.native:
            with open(other, "rb") as f:
                repository.write(os.path.join(
                    os.path.dirname(repository.path(id_)), os.path.basename(other)),
                    f.read())
    elif not os.path.exists(jar):
        return False
    else:
        repository.jar(repository.path(id_), of_jar(jar))
        sources = {e[0]: e for folder in args.sources[id_] for e in
                   of_folder(folder, lambda p: p.endswith((".java", ".xml")))}
        head = [manifest(artifact["name"], version)]
        repository.jar(repository.path(id_, "sources"), head + list(sources.values()))
        repository.jar(repository.path(id_, "javadoc"),
                       head + of_folder(os.path.join(args.build, "javadoc", id_)))
    repository.write(repository.path(id_, ending="pom"), pom(all_, artifact, version))
    return True


def add_marker(repository, all_, artifact, version):
    """The artifact by whose name Gradle finds the plugin with an id."""
    plugin = artifact["plugin"]
    marker = {"id": plugin + ".gradle.plugin", "packaging": "pom",
              "name": artifact["name"], "needs": [artifact["id"]],
              "description": "Leads from the id of the plugin to its artifact"}
    repository.write(repository.path(marker["id"], ending="pom"),
                     pom(all_, marker, version))
    return marker["id"]


def metadata(repository, ids, plugin):
    top = os.path.join(repository.folder, *repository.group.split("."))
    for id_ in ids:
        text = (HEAD + "<metadata>\n"
                f"  <groupId>{repository.group}</groupId>\n"
                f"  <artifactId>{id_}</artifactId>\n  <versioning>\n"
                f"    <latest>{repository.version}</latest>\n"
                f"    <release>{repository.version}</release>\n    <versions>\n"
                f"      <version>{repository.version}</version>\n    </versions>\n"
                "  </versioning>\n</metadata>\n")
        repository.write(os.path.join(top, id_, "maven-metadata.xml"), text.encode())
    if plugin in ids:
        text = (HEAD + "<metadata>\n  <plugins>\n    <plugin>\n      <name>jopt</name>\n"
                "      <prefix>jopt</prefix>\n"
                f"      <artifactId>{plugin}</artifactId>\n"
                "    </plugin>\n  </plugins>\n</metadata>\n")
        repository.write(os.path.join(top, "maven-metadata.xml"), text.encode())


def main():
    parser = argparse.ArgumentParser()
    for name in ("version", "build", "platform"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--strip")
    parser.add_argument("--sources", action="append", default=[])
    parser.add_argument("--native", action="append", default=[])
    parser.add_argument("out")
    args = parser.parse_args()
    folders = collections.defaultdict(list)
    for given in args.sources:
        id_, _, folder = given.partition("=")
        folders[id_].append(folder)
    args.sources = folders
    with open(os.path.join(HERE, "artifacts.json")) as f:
        all_ = json.load(f)
    for other in args.native:
        if not os.path.basename(other).startswith(f"jopt-{args.version}-"):
            sys.exit(f"{other}: the name is not jopt-{args.version}-PLATFORM.jar")
    part = args.out + ".part"
    shutil.rmtree(part, ignore_errors=True)
    repository = Repository(all_["group"], args.version, part)
    ids = []
    for artifact in all_["artifacts"]:
        if not add(repository, all_, artifact, args):
            print(f"{artifact['id']} is left out: it was not built")
            continue
        ids.append(artifact["id"])
        if "plugin" in artifact:
            ids.append(add_marker(repository, all_, artifact, args.version))
    metadata(repository, ids, "jopt-maven-plugin")
    shutil.rmtree(args.out, ignore_errors=True)
    os.rename(part, args.out)


main()
