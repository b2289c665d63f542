# rebuilt.py FULL REBUILT: the lines of executions in two files of `jopt-data print` are the
# same, thread by thread, once what differs from run to run is left out: ids, times, and
# hashes of hosts, which are the places where they first come.
import sys


def threads(path):
    names, found, hosts = {}, {}, {}
    for line in open(path, encoding="utf-8", errors="replace"):
        f = line.rstrip("\n").split(",")
        if f[0] == "$$method$$":
            names[f[1]] = f[3] + "." + f[2]
        elif line.startswith("$") and f[0] != "$$$" and f[0] != "$flow$":
            # Classes may be declared in another order.
            names["event " + f[1]] = " ".join([names[f[2]], f[0]] + f[3:])
    for line in open(path, encoding="utf-8", errors="replace"):
        if not line.startswith("$$$,"):
            continue
        f = line.rstrip("\n").split(",")
        events = found.setdefault(int(f[2]), [])
        seen = hosts.setdefault(f[2], {})
        host = f[5]
        if host.lstrip("-").isdigit():
            host = seen.setdefault(host, "host %d" % len(seen))
        events.append((f[4], host, names["event " + f[6]], f[7]))
    return [found[t] for t in sorted(found)]


full, rebuilt = threads(sys.argv[1]), threads(sys.argv[2])
differ = abs(len(full) - len(rebuilt))
for number, (a, b) in enumerate(zip(full, rebuilt)):
    if a == b:
        continue
    differ += 1
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    print("thread %d parts at %d of %d and %d" % (number, at, len(a), len(b)))
    for what, lines in ("full", a), ("rebuilt", b):
        for i in range(max(0, at - 3), min(at + 4, len(lines))):
            print("  %s %s%s" % (what, "> " if i == at else "  ", " ".join(lines[i])))
print("%d threads, %d lines, %d threads differ" % (len(full), sum(map(len, full)), differ))
sys.exit(1 if differ or not full else 0)
