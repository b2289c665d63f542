import os
import lit.formats

config.name = "PlaceAtNew"
config.test_format = lit.formats.ShTest()
config.suffixes = [".jir", ".java"]
config.environment["PATH"] = os.environ["PATH"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
build = os.path.join(config.test_source_root, "build")
config.test_exec_root = os.path.join(build, "tests")
config.excludes = ["build"]
config.substitutions.append(("%plugin", os.path.join(build, "PlaceAtNew.so")))
