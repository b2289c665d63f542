"""usage: trace-seed.py FOLDER JOPT LIBRARIES

Writes inputs of TraceFuzzer: what a small program recorded, as it was, and cut in
two."""
import glob
import os
import subprocess
import sys
import tempfile

SLOT, HEADER = 65536, 48
PROGRAM = """
public class Seed {
  int n; Object[] all = new Object[3]; static Object last;
  int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
  void put(int i) { all[i] = this; last = all[0]; n++; }
  public static void main(String[] args) throws Exception {
    Seed s = new Seed();
    for (int i = 0; i < 4; i++) {
      try { s.put(i); } catch (RuntimeException e) { s.n = 0; }
    }
    Thread t = new Thread(() -> s.fact(5), "other");
    t.start();
    t.join();
    s.fact(3);
  }
}
"""


def record(folder, jopt, runtime, letters):
    with open(folder + "/Seed.java", "w") as f:
        f.write(PROGRAM)
    run = lambda *command: subprocess.run(command, cwd=folder, check=True)
    run("javac", "-nowarn", "--release", "8", "-Xlint:-options", "-g", "-d", "in", "Seed.java")
    run(jopt, "-q", "-trace=" + letters, "in", "-o", "out")
    run("java", "-Djopt.data=d", "-cp", "out:" + runtime, "Seed")
    chunks = {1: b"", 3: b""}
    for name in glob.glob(folder + "/d/*/live-*.jopt"):
        data = open(name, "rb").read()
        for at in range(0, len(data), SLOT):
            slot = data[at:at + SLOT]
            if slot[:4] == b"JOPC" and slot[6] in chunks:
                length = int.from_bytes(slot[32:36], "big") if slot[6] == 1 else SLOT - HEADER
                chunks[slot[6]] += slot[HEADER:HEADER + length].rstrip(b"\0" if slot[6] == 3 else b"")
    return chunks[1], chunks[3]


def main():
    target, jopt, libraries = sys.argv[1], *map(os.path.abspath, sys.argv[2:])
    for letters in "exi", "A", "exfzI,exceptional,calldepth", "exl,stop-app-ins,negative":
        with tempfile.TemporaryDirectory() as folder:
            defined, told = record(folder, jopt, libraries + "/jopt-runtime.jar", letters)
        for name, first in ("whole", len(told)), ("half", len(told) // 2):
            with open("%s/%s-%s" % (target, letters, name), "wb") as f:
                f.write(len(defined).to_bytes(2, "big") + first.to_bytes(2, "big") + defined + told)


main()
