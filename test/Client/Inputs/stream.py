"""Follows a program that has half a million events a second, with a reader that reads and one that is stopped meanwhile."""
import threading
from client import *

N = int(sys.argv[2])


def said(p, word):
    """What the program says behind the word; what the agent says is left out."""
    line = p.stdout.readline()
    while line and not line.startswith(word):
        line = p.stdout.readline()
    return line[len(word):]


def burst(p, stall):
    f = subprocess.Popen(["jopt", "attach", str(p.pid), "-probes=stream.xml", "--follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    f.stdout.readline()
    got = bytearray()
    reader = threading.Thread(target=lambda: [got.extend(b) for b in iter(lambda: f.stdout.read1(1 << 16), b"")], daemon=True)
    reader.start()
    if stall:
        f.send_signal(signal.SIGSTOP)
    print(N, file=p.stdin, flush=True)
    took = int(said(p, "done"))
    print("the program goes on: True")
    if stall:
        f.send_signal(signal.SIGCONT)
    said(p, "last")
    # The last event comes when there is room again. If it did not it is one of those lost.
    end = time.monotonic() + 10
    while not got.endswith(b"%d\n" % N) and time.monotonic() < end:
        time.sleep(0.01)
    f.send_signal(signal.SIGINT)
    err = f.stderr.read().decode()
    f.wait()
    reader.join()
    numbers = list(map(int, got.split()))
    lost = sum(map(int, re.findall(r"jopt: (\d+) lines were not read in time, and are lost", err)))
    print("in order: %s, all are there or counted: %s" % (numbers == sorted(set(numbers)), len(numbers) + lost == N + 1))
    print("stalled: some are lost" if stall and lost > 0 else "stalled: none are lost" if stall else "read")
    print("%d events in %d ms, %d read, %d lost" % (N, took, len(numbers), lost), file=sys.stderr)


p = start(program="Stream")
burst(p, False)
burst(p, True)
print(stop(p).splitlines()[-1])
