"""usage: repository.py REPOSITORY VERSION

Lists the artifacts, checks each checksum and POM, and what is in jars."""
import glob
import hashlib
import os
import re
import sys
import xml.etree.ElementTree
import zipfile

top, version = os.path.join(sys.argv[1], "io/github/jopt"), sys.argv[2]
KINDS = ("md5", "sha1", "sha256")
MAVEN = {"m": "http://maven.apache.org/POM/4.0.0"}


def path(artifact, rest):
    return f"{top}/{artifact}/{version}/{artifact}-{version}{rest}"


for artifact in sorted(os.listdir(top)):
    if not os.path.isdir(os.path.join(top, artifact)):
        continue
    names = [n for n in os.listdir(os.path.join(top, artifact, version))
             if not n.endswith(KINDS)]
    print(artifact + ":", *sorted(n[len(f"{artifact}-{version}") + 1:] for n in names))
    pom = xml.etree.ElementTree.parse(path(artifact, ".pom")).getroot()
    assert pom.findtext("m:artifactId", "", MAVEN) == artifact
    assert pom.findtext("m:version", "", MAVEN) == version
    for wanted in ("name", "description", "url", "licenses", "developers", "scm"):
        assert pom.find("m:" + wanted, MAVEN) is not None, wanted
for base, _, names in os.walk(top):
    for name in names:
        if name.endswith(KINDS):
            continue
        with open(os.path.join(base, name), "rb") as f:
            data = f.read()
        for kind in KINDS:
            with open(os.path.join(base, f"{name}.{kind}")) as f:
                assert f.read() == hashlib.new(kind, data).hexdigest(), name
print("all checksums are right")
found = set()
for native in glob.glob(path("jopt", "-*.jar")):
    with zipfile.ZipFile(native) as jar:
        programs = [e for e in jar.infolist() if e.filename.startswith("bin/")]
        assert all(e.external_attr >> 16 & 0o111 for e in programs)
        assert "lib/libjopt-agent.so" in jar.namelist()
        found.add(tuple(sorted(e.filename for e in programs)))
names, = found
print("programs:", *names)
with zipfile.ZipFile(path("jopt-maven-plugin", ".jar")) as jar:
    text = jar.read("META-INF/maven/plugin.xml").decode()
    for name in re.findall(r"<implementation>(.*?)</implementation>", text):
        assert name.replace(".", "/") + ".class" in jar.namelist()
print("goals:", *sorted(re.findall(r"<goal>(.*?)</goal>", text)))
with zipfile.ZipFile(path("jopt-gradle-plugin", ".jar")) as jar:
    name = jar.read("META-INF/gradle-plugins/io.github.jopt.properties").decode().split("=")[1]
    assert name.strip().replace(".", "/") + ".class" in jar.namelist()
print("plugin of Gradle:", name.strip())
for artifact in ("jopt-runtime", "jopt-probes"):
    with zipfile.ZipFile(path(artifact, "-javadoc.jar")) as jar:
        assert "index.html" in jar.namelist()
    with zipfile.ZipFile(path(artifact, ".jar")) as jar:
        classes = {n.split("$")[0][:-6] if "$" not in n else n.split("$")[0]
                   for n in jar.namelist() if n.endswith(".class") and n.startswith("jopt/probe")
                   and "/hdr/" not in n}
    with zipfile.ZipFile(path(artifact, "-sources.jar")) as jar:
        sources = {n[:-5] for n in jar.namelist()}
    missing = sorted(c for c in classes if c not in sources)
    assert len(missing) < 5, missing
