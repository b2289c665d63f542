"""usage: kill.py stops|COUNT COMMAND...

Runs COMMAND, a java with Kill, and kills it: where its threads stop, or as often as
COUNT says at random moments, every other time while rows are written, else from the
start of the JVM on. Then one that ends with halt. All rows that were closed have to
be there, and at stops no others."""
import glob
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import time


def closed():
    with open("closed", "rb") as f:
        return struct.unpack(">qq", f.read(16))


def fresh():
    shutil.rmtree("d", ignore_errors=True)
    if os.path.exists("out.db"):
        os.remove("out.db")
    with open("closed", "wb") as f:
        f.write(bytes(16))


def check(is_exact=False):
    """How many rows are there, or what is wrong."""
    counts = closed()
    done = subprocess.run(["jopt-data", "export", "d", "-format=sqlite", "-o",
                           "out.db"], stderr=subprocess.PIPE, text=True)
    if done.returncode == 1 and sum(counts) == 0:
        return 0  # it was killed before the first row
    if done.returncode:
        return "status %d: %s" % (done.returncode, done.stderr)
    db = sqlite3.connect("out.db")
    if not db.execute("select 1 from sqlite_master where name = 'T'").fetchall():
        return 0 if sum(counts) == 0 else "no table, but %s" % (counts,)
    total = 0
    for odd in 0, 1:
        rows = db.execute('select n, s from T where "duration (ns)" is not null'
                          " and n % 2 = ? order by n", (odd,)).fetchall()
        if len(rows) < counts[odd] or is_exact and len(rows) > counts[odd]:
            return "%d of %d rows" % (len(rows), counts[odd])
        for i, (n, s) in enumerate(rows, 1):
            if n != i * 2 + odd or s != ("third" if i % 3 == 0 else "s%d" % i):
                return "row %d is %s" % (i, (n, s))
        total += len(rows)
    return total


def start(*how):
    fresh()
    return subprocess.Popen(sys.argv[2:] + ["closed", *how], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)


def full_chunks():
    return sum(os.path.getsize(f) for f in glob.glob("d/*/events-*.jopt"))


# The rows between two stops: few, and so many that some stops are near the end of a
# chunk and others near the beginning of one.
STOPS = [1, 1, 2, 3] + [97] * 36 + [1, 1]


def stops():
    p = start("stops")
    seen = wrong = 0
    for rows in STOPS + [0]:
        if p.stdout.readline() != "stopped\n":
            sys.exit("the program ended")
        found = check(is_exact=True)
        wanted = 2 * sum(STOPS[:seen])
        seen += 1
        if found != wanted:
            wrong += 1
            print("stop %d: %s, not %d" % (seen, found, wanted))
        if rows:
            p.stdin.write("%d\n" % rows)
            p.stdin.flush()
    p.kill()
    p.wait()
    print("%d stops, %d wrong" % (seen, wrong))
    print("%d rows after the kill, of %d" % (check(is_exact=True), wanted))
    print("a chunk was filled:", full_chunks() >= 2 << 16)
    start("halt").wait()
    print("%d rows after halt" % check(is_exact=True))


def at_random():
    random.seed(os.environ.get("SEED"))
    wrong = with_rows = most = 0
    for turn in range(int(sys.argv[1]) + 1):
        killed = turn > 0
        p = start(*([] if killed else ["halt"]))
        if killed:
            while turn % 2 and sum(closed()) < 100:
                time.sleep(0.01)
            time.sleep(random.random() * (0.3 if turn % 2 else 1.5))
            p.kill()
        p.wait()
        found = check()
        if isinstance(found, str):
            wrong += 1
            print("turn %d: %s" % (turn, found))
        else:
            with_rows += found > 0
            most = max(most, found)
    print("%d runs, %d with rows, %d wrong" % (turn + 1, with_rows, wrong))
    print("up to %d rows" % most)


stops() if sys.argv[1] == "stops" else at_random()
