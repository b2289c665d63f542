# Runs the GoogleTest executables of unittests/ as lit tests.
import os

import lit.formats

config.name = "jopt-unit"
config.test_format = lit.formats.GoogleTest(
    ".", "Tests", run_under=[part for part in config.emulator.split(";") if part]
)
config.suffixes = []
config.test_source_root = os.path.join(config.jopt_build_dir, "unittests")
config.test_exec_root = config.test_source_root
for name in ("HOME", "JAVA_HOME", "PATH", "TMPDIR", "ASAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# qemu starts no program again, and with -L it shows another folder as the root.
if config.emulator:
    config.environment["GTEST_FILTER"] = (
        "-WalkTest.AnInterruptLeavesNothing:SharedPlaces.FindsWhatIsNamedOverOwnLinks"
    )
