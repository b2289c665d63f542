# Runs the GoogleTest executables of unittests/ as lit tests.
import os

import lit.formats

config.name = "jopt-unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_source_root = os.path.join(config.jopt_build_dir, "unittests")
config.test_exec_root = config.test_source_root
for name in ("HOME", "JAVA_HOME", "PATH", "TMPDIR", "ASAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
