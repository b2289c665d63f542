"""usage: reader.py FOLDER-OF-A-RUN | PAGE.md

A reader of docs/DataFormat.md that shares nothing with jopt's: prints tables and
rows, covered classes, and what tests reached of them. Of a page it reads the chunks that stand in it as hexadecimal digits."""
import glob
import re
import struct
import sys
import zlib

SLOT, HEADER = 65536, 48


def text(data):
    out = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return out.encode("utf-16", "surrogatepass").decode("utf-16")


def slots(source):
    if source.endswith(".md"):
        image = {}
        for at, words in re.findall(r"^([0-9a-f]{8}):((?: [0-9a-f]{8})+)$", open(source).read(), re.M):
            image[int(at, 16)] = bytes.fromhex(words.replace(" ", ""))
        for base in sorted({at // SLOT * SLOT for at in image}):
            yield b"".join(image[at] for at in sorted(image) if base <= at < base + SLOT)
        return
    files = glob.glob(source + "/*.jopt")
    for name in sorted(files, key=lambda f: ("/live-" in f, int(re.search(r"-(\d+)\.", f).group(1)))):
        data = open(name, "rb").read()
        for at in range(0, len(data) // SLOT * SLOT, SLOT):
            yield data[at:at + SLOT]


def chunks(source):
    seen = set()
    for slot in slots(source):
        magic, form, kind, full, thread, number, size, time, length, crc = struct.unpack_from(">4sHBBQIIqII", slot)
        if magic != b"JOPC" or number in seen:
            continue
        seen.add(number)
        events = slot[HEADER:HEADER + length]
        assert form == 1 and size == SLOT and (not full or zlib.crc32(events) == crc)
        yield kind, time, events


def events(data):
    while data:
        event, argument, length = struct.unpack_from(">BBH", data)
        yield event, argument, data[4:length]
        data = data[length:]


strings, tables, columns, rows, rules, covered, tests = {}, {}, {}, {}, {}, {}, {}
everything = list(chunks(sys.argv[1]))
for kind, _, data in everything:
    for event, argument, p in events(data) if kind == 1 else ():
        if event == 1:
            strings[struct.unpack_from(">I", p)[0]] = text(p[4:])
        elif event == 4:
            number, mask, above, shortest, holder = struct.unpack_from(">IQIII", p)
            tables[number] = text(p[24:24 + holder]), text(p[24 + holder:])
        elif event == 5:
            table, number, other = struct.unpack_from(">III", p)
            columns[table, number] = text(p[12:])
        elif event == 18:
            number, key, count, length = struct.unpack_from(">IQII", p)
            names = text(p[20:20 + length]), text(p[20 + length:])
            covered[number] = [*names, "%x" % key, rules.get(number, ""), count], []
        elif event == 19:
            number = struct.unpack_from(">I", p)[0]
            rules[number] = rules.get(number, "") + text(p[4:])
        elif event == 20:
            tests[struct.unpack_from(">I", p)[0]] = [text(p[4:])] + ["around"] * argument, {}, []
for kind, time, data in everything:
    thread = ""
    for event, argument, p in events(data) if kind == 2 else ():
        if event == 9:
            thread = "%s (%d)" % (text(p[8:]), struct.unpack_from(">Q", p)[0])
            continue
        table, row = struct.unpack_from(">II", p)
        r = rows.setdefault((table, row), [])
        p = p[8:]
        at = {1: 4, 2: 4, 3: 8, 4: 4}.get(event, 0)
        if len(p) >= at + 8:
            time = max(time, struct.unpack_from(">q", p, at)[0])
        key = -1 if event == 1 else time
        r.append((key, len(r), event, argument, p, thread))
for kind, _, data in everything:
    for event, argument, p in events(data) if kind == 4 else ():
        number, first, count = struct.unpack_from(">III", p)
        values = covered[number][1]
        assert first == len(values)
        if event == 1:
            values += [p[12 + i // 8] >> i % 8 & 1 for i in range(count)]
        else:
            values += struct.unpack_from(">%dQ" % count, p, 12)
for kind, _, data in everything:
    for event, argument, p in events(data) if kind == 5 else ():
        said, reached, ends = tests[struct.unpack_from(">I", p)[0]]
        if event == 2:
            begin, end, pieces = struct.unpack_from(">qqI", p, 4)
            assert begin <= end and pieces == len(ends)
            said.append("beside others" if argument else "alone")
        at = 4
        while event == 1 and at < len(p):
            number, first, count = struct.unpack_from(">IIH", p, at)
            name = covered[number][0][1]
            bits = p[at + 10:at + 10 + count]
            reached.setdefault(name, []).extend(first + i for i in range(8 * count) if bits[i // 8] >> i % 8 & 1)
            ends.append(name)
            at += 10 + count
for said, reached, _ in sorted(tests.values()):
    print("test", *said, *("%s %s" % (n, " ".join(map(str, e))) for n, e in sorted(reached.items())), sep="|")
for said, values in sorted(covered.values()):
    print(*said, " ".join(map(str, values)), sep="|")
for (table, row), happened in sorted(rows.items()):
    values, begin, end, gone, above = {}, None, None, False, 0
    for _, _, event, argument, p, thread in sorted(happened):
        if event == 1:
            above, begin = struct.unpack_from(">Iq", p)
            values["thread"] = thread
        elif event == 2:
            values[argument] = struct.unpack_from(">i", p)[0]
        elif event == 3:
            values[argument] = struct.unpack_from(">q", p)[0]
        elif event == 4:
            values[argument] = strings.get(struct.unpack_from(">I", p)[0])
        elif event in (5, 6):
            values[argument] = (values[argument] if event == 6 else "") + text(p[8:])
        elif event == 7:
            end = struct.unpack_from(">q", p)[0]
        elif event == 8:
            gone = True
    if begin is None or gone:
        continue
    named = ["%s=%s" % (columns.get((table, k), k), v) for k, v in sorted(values.items(), key=lambda v: str(v[0])) if k != 254]
    print(tables[table][1], row, above, *named, end - begin if end is not None else "open", sep="|")
