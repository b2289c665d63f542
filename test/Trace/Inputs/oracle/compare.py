"""usage: compare.py EXPECTED < LINES

Compares lines of a trace, executions thread by thread: hashes by where they come
again."""
import sys


def read(lines):
    declarations, threads, executions = [], {}, 0
    for line in lines:
        f = line.rstrip("\n").split(",")
        if f[0] != "$$$":
            declarations.append(line)
            continue
        executions += 1
        assert int(f[1]) == executions, line
        threads.setdefault(f[2], []).append(f[4:])
    hashes = {}

    def mask(field):
        if len(field) < 5 or not field.isdigit():
            return field
        return hashes.setdefault(field, "hash %d" % len(hashes))

    return declarations, executions, [
        [[mask(x) for x in line] for line in threads[t]] for t in sorted(threads, key=int)]


expected = read(open(sys.argv[1]))
found = read(sys.stdin)
for i in 0, 2:
    for a, b in zip(expected[i], found[i]):
        assert a == b, "%s\nand not\n%s" % ([x for x, y in zip(a, b) if x != y][:3], [y for x, y in zip(a, b) if x != y][:3])
assert expected == found, (len(expected[0]), expected[1], len(found[0]), found[1])
print("%d declarations and %d executions are the same" % (len(found[0]), found[1]))
