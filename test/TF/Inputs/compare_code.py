# Compares the code of two folders of class files, method by method, as javap
# shows it. Slots are numbered as they are met, small ints and constants are pushed
# somehow, and jumps go to the number of an instruction: that much may differ.
"""usage: compare_code.py FOLDER FOLDER"""
import os
import re
import subprocess
import sys

CASE = re.compile(r"^\s+(-?\d+|default): (\d+)$")
LINE = re.compile(r"^\s+(\d+): (\w+)\s*([^/]*?)\s*(?://\s*(.*))?$")
SLOT = re.compile(r"^([ilfda](?:load|store))_([0-3])$")


def instructions(lines):
    found = []
    for line in lines:
        m = CASE.match(line)
        if m:
            found.append((None, "case", m[1], m[2]))
            continue
        m = LINE.match(line)
        if m:
            found.append(m.groups())
    number = {at: i for i, (at, _, _, _) in enumerate(found)}
    slots = {}

    def slot(n, kind):
        return "v%d" % slots.setdefault((n, kind in "ld"), len(slots))

    code = []
    for _, op, operand, comment in found:
        m = SLOT.match(op)
        if m:
            op, operand = m.groups()
        if re.match(r"^[ilfda](load|store)$", op):
            code.append("%s %s" % (op, slot(int(operand), op[0])))
        elif op == "iinc":
            n, by = operand.split(",")
            code.append("iinc %s %s" % (slot(int(n), "i"), by.strip()))
        elif re.match(r"^iconst_", op):
            code.append("push " + op[7:].replace("m1", "-1"))
        elif op in ("bipush", "sipush"):
            code.append("push " + operand)
        elif op in ("ldc", "ldc_w") and comment.startswith("int "):
            code.append("push " + comment[4:])
        elif op == "case":
            code.append("%s: @%d" % (operand, number.get(comment, -1)))
        elif op.startswith("if") or op.startswith("goto"):
            code.append("%s @%d" % (op, number.get(operand, -1)))
        else:
            op = "ldc" if op == "ldc_w" else op
            code.append(("%s %s" % (op, comment or operand)).strip())
    return code


def classes(root):
    """By path: the code of each member."""
    paths = sorted(os.path.relpath(os.path.join(folder, f), root)
                   for folder, _, files in os.walk(root)
                   for f in files if f.endswith(".class"))
    text = subprocess.run(["javap", "-c", "-p"] + paths, check=True, cwd=root,
                          capture_output=True, text=True).stdout
    found, rest, lines = {}, iter(paths), []
    for line in text.splitlines():
        if line[:1].strip() and line.endswith("{"):
            members = found[next(rest)] = {}
        elif line.startswith("  ") and line[2] != " " and line.endswith(";"):
            lines = members[line.strip()] = []
        elif line.strip() == "Exception table:":
            lines = []
        else:
            lines.append(line)
    return {path: {name: instructions(ls) for name, ls in members.items()}
            for path, members in found.items()}


def main(first, second):
    compared = differ = 0
    ours, theirs = classes(second), classes(first)
    for path in sorted(set(ours) | set(theirs)):
        a, b = theirs.get(path, {}), ours.get(path, {})
        for name in sorted(set(a) | set(b)):
            compared += 1
            if a.get(name) != b.get(name):
                differ += 1
                print("differs: %s: %s" % (path, name))
                for side, m in (("<", a), (">", b)):
                    print("%s %s" % (side, "\n  ".join(
                        m.get(name, ["no such member"]))))
    print("%d members, %d differ" % (compared, differ))
    return differ != 0


sys.exit(main(*sys.argv[1:]))
