"""usage: each.py TOTAL STEP COMMAND...

What each test of a program reached in one JVM is what it reaches in a JVM of its own.
The command runs all tests below TOTAL with `all TOTAL`, and one by its number; those
of its own JVM are every STEP-th."""
import glob
import os
import shutil
import subprocess
import sys

reader = os.path.join(os.path.dirname(__file__), "../../Data/Inputs/reader.py")
total, step, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]


def run(*args):
    shutil.rmtree("each", ignore_errors=True)
    subprocess.run([command[0], "-Djopt.data=each", "-XX:TieredStopAtLevel=1", *command[1:], *args], check=True)
    (folder,) = glob.glob("each/*")
    lines = subprocess.check_output([sys.executable, reader, folder], text=True).splitlines()
    reached, tests = {}, {}
    for line in lines:
        if line.startswith("test|"):
            name, how, *types = line[5:].split("|")
            assert how == "alone"
            tests[name] = {t.split(" ")[0]: t.split(" ")[1:] for t in types}
        else:
            fields = line.split("|")
            elements = [str(i) for i, v in enumerate(fields[-1].split()) if v == "1"]
            if elements:
                reached[fields[1]] = elements
    return reached, tests


union, tests = run("all", str(total))
assert len(tests) == total, len(tests)
wrong = 0
for number in range(0, total, step):
    reached, own = run(str(number))
    # Where the program begins no test, all is of it.
    wanted = own.get("t%d" % number, reached)
    if wanted != tests["t%d" % number]:
        wrong += 1
        for name in sorted(set(wanted) | set(tests["t%d" % number])):
            a, b = wanted.get(name), tests["t%d" % number].get(name)
            if a != b:
                print("t%d" % number, name, "own JVM", a, "one JVM", b)
distinct = {str(sorted(t.items())) for t in tests.values()}
print(f"{total} tests, {len(distinct)} different, {len(union)} classes; {len(range(0, total, step))} JVMs, {wrong} differences")
