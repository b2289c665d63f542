"""Reads class files for the checks that hold jopt against a second opinion, so it
shares nothing with jopt: its tables are those of the JVM specification, chapters 4
and 6. Names are bytes, as they stand in the file; text() makes them readable.
"""
import struct

NEW, INVOKESPECIAL, IINC, TABLESWITCH, WIDE = 0xBB, 0xB7, 0x84, 0xAA, 0xC4
SWITCHES = (TABLESWITCH, 0xAB)
JUMPS = (*range(0x99, 0xA9), 0xC6, 0xC7)  # with an offset of two bytes
WIDE_JUMPS = (0xC8, 0xC9)

# Bytes of each instruction by its opcode; 0: switches and wide.
LENGTH = [1] * 202
for low, high, length in [
    (0x10, 0x10, 2), (0x11, 0x11, 3), (0x12, 0x12, 2), (0x13, 0x14, 3),
    (0x15, 0x19, 2), (0x36, 0x3A, 2), (0x84, 0x84, 3), (0x99, 0xA8, 3),
    (0xA9, 0xA9, 2), (0xAA, 0xAB, 0), (0xB2, 0xB8, 3), (0xB9, 0xBA, 5),
    (0xBB, 0xBB, 3), (0xBC, 0xBC, 2), (0xBD, 0xBD, 3), (0xC0, 0xC1, 3),
    (0xC4, 0xC4, 0), (0xC5, 0xC5, 4), (0xC6, 0xC7, 3), (0xC8, 0xC9, 5),
]:
    for opcode in range(low, high + 1):
        LENGTH[opcode] = length

# Bytes of each constant behind its tag; texts have their own length.
SIZE = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3,
        16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def u2(data, at):
    return data[at] << 8 | data[at + 1]


def s1(data, at):
    return struct.unpack_from(">b", data, at)[0]


def s2(data, at):
    return struct.unpack_from(">h", data, at)[0]


def u4(data, at):
    return struct.unpack_from(">I", data, at)[0]


def s4(data, at):
    return struct.unpack_from(">i", data, at)[0]


def text(raw):
    """A text of modified UTF-8."""
    units = raw.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Pool:
    """The constants at AT. Without a COUNT, as the class file has it, they go on
    to the end of DATA."""

    def __init__(self, data, at=0, count=None):
        self.data = data
        self.constants = {}  # by index: the tag, and where the constant begins
        index = 1
        while index < count if count is not None else at < len(data):
            tag = data[at]
            self.constants[index] = tag, at + 1
            at += 3 + u2(data, at + 1) if tag == 1 else 1 + SIZE[tag]
            index += 2 if tag in (5, 6) else 1
        self.end = at

    def utf8(self, index):
        at = self.constants[index][1]
        return self.data[at + 2:at + 2 + u2(self.data, at)]

    def class_name(self, index):
        return self.utf8(u2(self.data, self.constants[index][1]))

    def member(self, index):
        """Owner, name and descriptor; call sites have no owner."""
        tag, at = self.constants[index]
        owner = b"" if tag in (17, 18) else self.class_name(u2(self.data, at))
        both = self.constants[u2(self.data, at + 2)][1]
        return (owner, self.utf8(u2(self.data, both)),
                self.utf8(u2(self.data, both + 2)))


class Member:
    """A field or method at AT."""

    def __init__(self, file, at):
        self.access = u2(file.data, at)
        self.name = file.pool.utf8(u2(file.data, at + 2))
        self.descriptor = file.pool.utf8(u2(file.data, at + 4))
        attributes, self.end = file.attributes(at + 6)
        code = [begin for name, begin in attributes if name == b"Code"]
        self.code = Code(file, code[0]) if code else None


class Code:
    """The content of the Code attribute at AT."""

    def __init__(self, file, at):
        data = file.data
        size = u4(data, at + 4)
        self.bytes = data[at + 8:at + 8 + size]
        at += 8 + size
        end = at + 2 + 8 * u2(data, at)
        # The range of each handler and where it begins.
        self.handlers = [(u2(data, i), u2(data, i + 2), u2(data, i + 4))
                         for i in range(at + 2, end, 8)]
        # Of all tables, in their order: where the line begins, and its number.
        self.lines = [(u2(data, i), u2(data, i + 2))
                      for name, begin in file.attributes(end)[0]
                      if name == b"LineNumberTable"
                      for i in range(begin + 2, begin + 2 + 4 * u2(data, begin), 4)]


class ClassFile:
    def __init__(self, data):
        assert data[:4] == b"\xca\xfe\xba\xbe"
        self.data = data
        self.pool = Pool(data, 10, u2(data, 8))
        at = self.pool.end
        self.access = u2(data, at)
        self.name = self.pool.class_name(u2(data, at + 2))
        at += 6
        at += 2 + 2 * u2(data, at)
        self.fields, at = self.members(at)
        self.methods, at = self.members(at)

    def members(self, at):
        """The members at AT, and their end."""
        found, count = [], u2(self.data, at)
        at += 2
        for _ in range(count):
            found.append(Member(self, at))
            at = found[-1].end
        return found, at

    def attributes(self, at):
        """The attributes at AT as pairs of the name and where the content begins,
        and their end."""
        found, count = [], u2(self.data, at)
        at += 2
        for _ in range(count):
            found.append((self.pool.utf8(u2(self.data, at)), at + 6))
            at += 6 + u4(self.data, at + 2)
        return found, at


def end_of(code, at):
    """Where the instruction at AT ends."""
    op = code[at]
    if LENGTH[op]:
        return at + LENGTH[op]
    if op == WIDE:
        return at + (6 if code[at + 1] == IINC else 4)
    body = at + 4 & ~3
    if op == TABLESWITCH:
        return body + 12 + 4 * (s4(code, body + 8) - s4(code, body + 4) + 1)
    return body + 8 + 8 * s4(code, body + 4)


def targets_of(code, at):
    """Where the instruction at AT may jump to."""
    op = code[at]
    if op in JUMPS:
        return [at + s2(code, at + 1)]
    if op in WIDE_JUMPS:
        return [at + s4(code, at + 1)]
    if op not in SWITCHES:
        return []
    body = at + 4 & ~3
    step = 4 if op == TABLESWITCH else 8
    return [at + s4(code, i)
            for i in (body, *range(body + 12, end_of(code, at), step))]


def instructions(code):
    """Of each instruction where it begins, the opcode, behind `wide` the one that
    is meant, whether it is wide, where its operands begin, and its end."""
    at = 0
    while at < len(code):
        wide = code[at] == WIDE
        operands = at + 1 + wide
        end = end_of(code, at)
        yield at, code[operands - 1], wide, operands, end
        at = end
