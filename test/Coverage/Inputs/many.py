"""usage: many.py CLASSFILE NAME PROBES RUNS JOPT-DATA

Makes runs in which tests reached some probes of a class, merges them in several
trees, and compares what comes of it."""
import filecmp
import os
import random
import shutil
import struct
import subprocess
import sys

data = open(sys.argv[1], "rb").read()
name, probes, count, tool = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
rng = random.Random(1)
crc = 0
for b in data:
    crc ^= b
    for _ in range(8):
        crc = crc >> 1 ^ (0xD800000000000000 if crc & 1 else 0)


def event(kind, payload, argument=0):
    return struct.pack(">BBH", kind, argument, len(payload) + 4) + payload


def chunk(kind, number, events):
    head = struct.pack(">4sHBBQIIqIIQ", b"JOPC", 1, kind, 0, 1, number, 65536, 0, len(events), 0, 0)
    return (head + events).ljust(65536, b"\0")


def bits(values):
    return bytes(sum(values[i + k] << k for k in range(8) if i + k < len(values)) for i in range(0, len(values), 8))


def make(folder, number):
    defined, values, tests = b"", b"", b""
    # Numbers are of a run: equal classes and tests have others in each.
    numbers = rng.sample(range(1, 100), 9)
    own = numbers.pop()
    defined += event(18, struct.pack(">IQII", own, crc, probes, 6) + b"jacoco" + name.encode())
    total = [0] * probes
    for test in rng.sample(range(20), rng.randrange(1, 8)):
        n = numbers.pop()
        reached = [int(rng.random() < 0.3) for _ in range(probes)]
        total = [a | b for a, b in zip(total, reached)]
        defined += event(20, struct.pack(">I", n) + b"p.ATest#t%d" % test)
        if rng.random() < 0.1:
            continue
        tests += event(1, struct.pack(">IIIH", n, own, 0, len(bits(reached))) + bits(reached))
        tests += event(2, struct.pack(">IqqI", n, 1, 2, 1), int(rng.random() < 0.1))
    values += event(1, struct.pack(">III", own, 0, probes) + bits(total).ljust(8, b"\0"))
    os.makedirs(folder)
    with open(folder + "/run.txt", "w") as f:
        # Some begin in the same millisecond.
        f.write("format=1\nrun=%032x\nstart=%d\n" % (rng.getrandbits(128), 1000 + number % 10))
    with open(folder + "/live-1.jopt", "wb") as f:
        f.write(chunk(1, 1, defined) + chunk(4, 2, values) + chunk(5, 3, tests))


def merge(folders, to):
    subprocess.run([tool, "merge", *folders, "-o", to], check=True)
    return to


def tree(folders, width, to):
    level = 0
    while len(folders) > 1:
        groups = [folders[i:i + width] for i in range(0, len(folders), width)]
        folders = [merge(g, "%s-%d-%d" % (to, level, i)) for i, g in enumerate(groups)]
        level += 1
    return folders[0]


def same(a, b):
    left, right = sorted(os.listdir(a)), sorted(os.listdir(b))
    return left == right and len(left) == count and all(
        not any(filecmp.cmpfiles(f"{a}/{r}", f"{b}/{r}", sorted(set(os.listdir(f"{a}/{r}") + os.listdir(f"{b}/{r}"))), shallow=False)[1:])
        for r in left)


def reports(folders):
    classes = "-classes=" + sys.argv[1]
    made = b""
    for options in ["tests", "-csv=one"], ["tests", "-lcov=one"], ["tests"], ["export", "-format=exec", "-o", "one"]:
        if options[0] == "export" and len(folders) > 1:
            options[0:2] = ["merge"]
            subprocess.run([tool, "export", merge(folders, "for-export"), "-format=exec", "-o", "one"], check=True)
        else:
            own = [] if options[0] == "export" else [classes]
            made += subprocess.run([tool, options[0], *folders, *own, *options[1:]], check=True, stdout=subprocess.PIPE).stdout
        if os.path.exists("one"):
            made += open("one", "rb").read()
            os.remove("one")
    return made


runs = ["runs/%d" % i for i in range(count)]
for i, folder in enumerate(runs):
    make(folder, i)
first = merge(runs, "all")
wanted = reports([first])
print("bytes of reports:", len(wanted) > 1000, "\ntests:", wanted.count(b"others ran") > 0)
for width in 2, 7, 31:
    rng.shuffle(runs)
    made = tree(runs, width, "tree%d" % width)
    print(width, "the same runs:", same(first, made), "the same reports:", reports([made]) == wanted)
    for other in os.listdir("."):
        if other.startswith("tree"):
            shutil.rmtree(other)
rng.shuffle(runs)
print("without merging the same reports:", reports(runs) == wanted)
print("twice:", subprocess.run([tool, "merge", "all", runs[0], "-o", "twice"], stderr=subprocess.PIPE).returncode, os.path.exists("twice"))
