"""usage: kill.py COUNT COMMAND...

Runs COMMAND, a java with Kill, as often, and kills each run at a random moment:
every other one while rows are written, else from the start of the JVM on. Then
one that ends with halt. All rows that were closed have to be there."""
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


def check():
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
        if len(rows) < counts[odd]:
            return "%d of %d rows" % (len(rows), counts[odd])
        for i, (n, s) in enumerate(rows, 1):
            if n != i * 2 + odd or s != ("third" if i % 3 == 0 else "s%d" % i):
                return "row %d is %s" % (i, (n, s))
        total += len(rows)
    return total


def main():
    random.seed(os.environ.get("SEED"))
    wrong = with_rows = most = 0
    for turn in range(int(sys.argv[1]) + 1):
        fresh()
        killed = turn > 0
        p = subprocess.Popen(sys.argv[2:] + ["closed"] + ([] if killed else ["halt"]))
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


main()
