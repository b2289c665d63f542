# The lit suite: every folder is one subject. Tools on the path: jopt, javac and
# java of the default JDK, FileCheck, not, split-file.
import glob
import os
import shutil
import stat
import subprocess
import sys

import lit.formats

config.name = "jopt"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".jir", ".java", ".test", ".xml"]
config.excludes = ["Inputs", "Unit", "CMakeLists.txt"]
# What takes long begins first: lit remembers the times of its last run, and in a
# new folder those of .lit_test_times.txt here, in seconds.
config.test_source_root = os.path.join(config.jopt_source_dir, "test")
config.test_exec_root = os.path.join(config.jopt_build_dir, "test")

# The javac there is the default JDK's, and starts quickly. With --param jdk=HOME
# and jdk-version=N (utils/check-jdks) all tests are of that JDK, and have a folder
# beside it.
bin_dir = os.path.join(config.jopt_build_dir, "bin")
quick_dir = os.path.join(config.jopt_build_dir, "test", "jdk", "bin")
other_jdk = lit_config.params.get("jdk")
if other_jdk:
    quick_dir = os.path.join(other_jdk, "bin")
    config.test_exec_root = os.path.join(os.path.dirname(other_jdk), "test")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, quick_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
for name in ("HOME", "JAVA_HOME", "LANG", "TMPDIR", "ASAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if other_jdk:
    config.environment["JAVA_HOME"] = other_jdk

# Compiled probes are kept between runs, apart from the user's own.
config.environment["XDG_CACHE_HOME"] = os.path.join(
    config.test_exec_root, "cache"
)

config.substitutions.append(("%{python}", __import__("sys").executable))
# lit itself, for tests of other people's tests.
config.substitutions.append(
    ("%{lit}", "%s %s" % (sys.executable, os.path.abspath(sys.argv[0])))
)
config.substitutions.append(("%jopt_src", config.jopt_source_dir))
config.substitutions.append(("%jopt_build", config.jopt_build_dir))

# `java %agent=OPTIONS ...`
config.substitutions.append(
    (
        "%agent",
        "-agentpath:"
        + os.path.join(config.jopt_build_dir, "lib", "libjopt-agent.so"),
    )
)

# Other JDKs, where they are found, and not where tests run on another JDK
# themselves: `REQUIRES: jdk25`, `%jdk25/bin/java`.
jdks = subprocess.run(
    [os.path.join(config.jopt_source_dir, "utils", "jdks.sh")],
    stdout=subprocess.PIPE,
    universal_newlines=True,
).stdout.splitlines()
for line in [] if other_jdk else jdks:
    release, home = line.split(" ", 1)
    config.available_features.add("jdk" + release)
    config.substitutions.append(("%jdk" + release + r"\b", home))
    if release == "25":
        config.available_features.add("aot")
        config.substitutions.append(("%aot", home))

# Of the JDK on the path: `modules`, `cds` (-XX:ArchiveClassesAtExit), and `javac17`,
# whose code pages show; `aot`, `%aot/bin/java` (-XX:AOTCache) of that one, or of
# Java 25.
jdk_version = int(lit_config.params.get("jdk-version", 17))
if jdk_version >= 9:
    config.available_features.add("modules")
if jdk_version >= 17:
    config.available_features.add("javac17")
if jdk_version >= 13:
    config.available_features.add("cds")
if other_jdk and jdk_version >= 25:
    config.available_features.add("aot")
    config.substitutions.append(("%aot", other_jdk))

# What takes long on a slow machine: `./utils/check -all`.
if os.environ.get("JOPT_SETUP_ALL") and not other_jdk:
    config.available_features.add("all")

# A device that is always full, where nobody put a file in its place.
if os.path.exists("/dev/full") and stat.S_ISCHR(os.stat("/dev/full").st_mode):
    config.available_features.add("dev-full")

# Eclipse's compiler writes class files of every old version.
if shutil.which("ecj"):
    config.available_features.add("ecj")

# The original tracing facility: `REQUIRES: pfl`, `-cp %pfl`.
pfl = [
    "/usr/share/java/glassfish-pfl-%s.jar" % part
    for part in ("asm", "basic", "basic-tools", "dynamic", "tf", "tf-tools")
]
if all(os.path.exists(jar) for jar in pfl):
    config.available_features.add("pfl")
    config.substitutions.append(("%pfl", os.pathsep.join(pfl)))

# Runs the script of a page: `REQUIRES: node`.
if shutil.which("node"):
    config.available_features.add("node")

# utils/site, with Debian's own Python.
if all(
    os.path.isdir("/usr/lib/python3/dist-packages/" + part)
    for part in ("sphinx", "myst_parser", "furo")
):
    config.available_features.add("sphinx")

# Vale, on PATH or where utils/get-vale builds it.
for vale in [shutil.which("vale")] + glob.glob(os.path.expanduser("~/.cache/jopt/tools/vale-*/vale")):
    if vale:
        config.available_features.add("vale")
        config.environment["PATH"] += os.pathsep + os.path.dirname(vale)
        break
if shutil.which("vim"):
    config.available_features.add("vim")

# Reads profiles of pprof: `REQUIRES: go`.
if shutil.which("go"):
    config.available_features.add("go")

# Opens a page: `REQUIRES: chromium`.
if shutil.which("chromium"):
    config.available_features.add("chromium")

# Reads traces of the Common Trace Format: `REQUIRES: babeltrace2`.
if shutil.which("babeltrace2"):
    config.available_features.add("babeltrace2")

# The module of the python3 on the path: `REQUIRES: duckdb`.
if not subprocess.run(
    ["python3", "-c", "import duckdb"], stderr=subprocess.DEVNULL
).returncode:
    config.available_features.add("duckdb")

# pandas and polars, likewise: `REQUIRES: frames`.
if not subprocess.run(
    ["python3", "-c", "import pandas, polars, pyarrow"], stderr=subprocess.DEVNULL
).returncode:
    config.available_features.add("frames")

# OpenTelemetry's definitions, likewise: `REQUIRES: opentelemetry`.
if not subprocess.run(
    ["python3", "-c", "import opentelemetry.proto.metrics.v1.metrics_pb2"],
    stderr=subprocess.DEVNULL,
).returncode:
    config.available_features.add("opentelemetry")

if shutil.which("sqlite3"):
    config.available_features.add("sqlite3")

# Build tools: `REQUIRES: ant`; Maven with what it needs to run a program.
if shutil.which("ant"):
    config.available_features.add("ant")
if shutil.which("mvn") and os.path.isdir(
    "/usr/share/maven-repo/org/codehaus/mojo/exec-maven-plugin/3.1.0"
):
    config.available_features.add("maven")

# Maven's tests: `REQUIRES: surefire`; bazel.
if shutil.which("mvn") and os.path.isdir(
    "/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin"
):
    config.available_features.add("surefire")
# The Maven repository of the build: `REQUIRES: repository`, `%jopt_version`.
versions = sorted(
    os.path.basename(os.path.dirname(path))
    for path in glob.glob(
        os.path.join(
            config.jopt_build_dir, "repository/io/github/jopt/jopt-maven-plugin/*/*.pom"
        )
    )
)
if versions:
    config.available_features.add("repository")
    config.substitutions.append(("%jopt_version", versions[-1]))
if shutil.which("bazel"):
    config.available_features.add("bazel")
# The worker of Bazel's remote execution, as source.
if os.path.isdir("/usr/src/bazel-bootstrap/src/tools/remote"):
    config.available_features.add("bazel-worker")

# JUnit 4 and 5: `REQUIRES: junit`, `-cp %junit`.
junit = [
    "/usr/share/java/%s.jar" % part
    for part in (
        "junit4 hamcrest-core junit-jupiter-api junit-jupiter-engine "
        "junit-jupiter-params junit-vintage-engine junit-platform-console "
        "junit-platform-launcher junit-platform-engine junit-platform-commons "
        "junit-platform-reporting opentest4j opentest4j-reporting-events "
        "opentest4j-reporting-schema apiguardian-api univocity-parsers picocli"
    ).split()
]
if all(os.path.exists(jar) for jar in junit) and os.path.exists(
    os.path.join(config.jopt_build_dir, "lib", "jopt-junit.jar")
):
    config.available_features.add("junit")
    config.substitutions.append(("%junit", os.pathsep.join(junit)))

# A library to test: `REQUIRES: commons-lang3`, `-cp %lang3`.
lang3 = "/usr/share/java/commons-lang3.jar"
if os.path.exists(lang3):
    config.available_features.add("commons-lang3")
    config.substitutions.append(("%lang3", lang3))

# A framework of OSGi: `REQUIRES: felix`, `-cp %felix`.
felix = "/usr/share/java/org.apache.felix.framework.jar"
if os.path.exists(felix):
    config.available_features.add("felix")
    config.substitutions.append(("%felix", felix))

# JaCoCo, as Debian has it in parts: `REQUIRES: jacoco`, `-cp %jacoco`.
jacoco = [
    "/usr/share/java/%s.jar" % part
    for part in (
        "org.jacoco.agent.rt",
        "org.jacoco.core",
        "asm",
        "asm-analysis",
        "asm-commons",
        "asm-tree",
    )
]
if all(os.path.exists(jar) for jar in jacoco):
    config.available_features.add("jacoco")
    config.substitutions.append(("%jacoco", os.pathsep.join(jacoco)))

# Programs that nobody wrote for jopt, as Debian has them: `REQUIRES: hsqldb`,
# `-cp %hsqldb`.
for name, jar in (
    ("antjar", "ant"),
    ("derby", "derby"),
    ("clojure", "clojure"),
    ("antlaunch", "ant-launcher"),
    ("groovyjar", "groovy-all"),
    ("h2jar", "h2"),
    ("hsqldb", "hsqldb"),
    ("jdtcore", "eclipse-jdt-core"),
    ("jbossmodules", "jboss-modules"),
):
    if os.path.exists("/usr/share/java/%s.jar" % jar):
        config.available_features.add(name)
        config.substitutions.append(("%" + name, "/usr/share/java/%s.jar" % jar))


# Servers that utils/agent/try-servers starts.
for name, file in (
    ("tomcat10", "tomcat10/bin/bootstrap.jar"),
    ("jetty9", "java/jetty9-webapp.jar"),
    ("activemq", "activemq/bin/activemq.jar"),
):
    if os.path.exists("/usr/share/" + file):
        config.available_features.add(name)

# `-cp %jetty`: what a program with Jetty in it needs.
config.substitutions.append(
    (
        "%jetty",
        os.pathsep.join(
            ["/usr/share/java/servlet-api.jar"]
            + [
                "/usr/share/java/jetty9-%s.jar" % part
                for part in ("server", "servlet", "http", "io", "util", "security")
            ]
        ),
    )
)

# `REQUIRES: netty`, `-cp %netty`; Tomcat as a library.
for name, prefix, parts in (
    ("netty", "netty-", "buffer codec codec-http codec-http2 common handler resolver transport"),
    (
        "tomcat9",
        "tomcat9-",
        "annotations-api api catalina coyote el-api jaspic-api jni jsp-api juli servlet-api util util-scan",
    ),
    (
        "tomcat10",
        "tomcat10-",
        "annotations-api api catalina coyote el-api jaspic-api jni jsp-api juli servlet-api util util-scan",
    ),
    ("junit4", "", "junit4 hamcrest"),
    (
        "junit5",
        "",
        "junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons junit-platform-console"
        " junit-platform-engine junit-platform-launcher junit-platform-reporting junit-vintage-engine junit4 hamcrest"
        " opentest4j apiguardian-api",
    ),
):
    jars = ["/usr/share/java/%s%s.jar" % (prefix, part) for part in parts.split()]
    if all(os.path.exists(jar) for jar in jars):
        config.available_features.add(name)
        config.substitutions.append(("%" + name, os.pathsep.join(jars)))

# The run-time libraries, which a build without a JDK lacks.
# Programs of other users, for who may start them.
if os.geteuid() == 0 and shutil.which("setpriv"):
    config.available_features.add("root")
# Processes with numbers and files of their own.
if shutil.which("unshare") and subprocess.run(
    ["unshare", "-pfm", "--mount-proc", "mount", "-t", "tmpfs", "none", "/mnt"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("pid-namespace")
# A file system of its own, for who may have one.
if shutil.which("unshare") and subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"],
                                              stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("tmpfs")
if os.path.exists(os.path.join(config.jopt_build_dir, "lib/jopt-tf.jar")):
    config.available_features.add("tf-runtime")
if os.path.exists(os.path.join(config.jopt_build_dir, "lib/jopt-probes.jar")):
    config.available_features.add("probes-runtime")

# Debian's LLVMSupport is not instrumented, so poisoning that one side does and
# the other does not undo would be reported.
config.environment.setdefault("ASAN_OPTIONS", "allow_user_poisoning=0")
