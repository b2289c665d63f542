"""Whether two class files have the same code."""
import re
import subprocess
import sys

def ask(javap, files):
    return subprocess.run([javap, "-c", "-p", *files], check=True, text=True,
                          stdout=subprocess.PIPE).stdout if files else ""


def code(javap, files):
    """The output of javap for the files, without the parts that a JVM may change
    when it merges constant pools: indices, and the length of the ldc of a constant."""
    return strip(ask(javap, files))


def codes(javap, files):
    """The same of each of them, in a list."""
    said = re.findall(r"(?ms).*?^}\n", ask(javap, files))
    assert len(said) == len(files)
    return [strip(each) for each in said]


def strip(said):
    """One line after the other."""
    said = re.sub(r"#[0-9]+|, *[0-9]+ *(?=//)", "", said)
    said = re.sub(r"\bldc_w\b", "ldc", said)
    lines, numbers, begin = [], {}, 0

    def finish():
        for k in range(begin, len(lines)):
            lines[k] = re.sub(r"@([0-9]+)", lambda m: "@%d" % numbers.get(
                int(m.group(1)), len(numbers)), lines[k])

    for line in said.split("\n"):
        text = " ".join(line.split())
        if text == "Code:":
            finish()
            begin, numbers = len(lines), {}
        found = re.match(r"([0-9]+): ([a-z].*)", text)
        if found:
            numbers[int(found.group(1))] = len(numbers)
            text = re.sub(r"^((?:if|goto|jsr)\w*) ([0-9]+)$", r"\1 @\2",
                          found.group(2))
        else: # of a switch or of the exception table
            text = re.sub(r"^(-?[0-9]+|default): ([0-9]+)$", r"\1: @\2", text)
            text = re.sub(r"^([0-9]+) ([0-9]+) ([0-9]+) (Class|any)",
                          r"@\1 @\2 @\3 \4", text)
        lines.append(text)
    finish()
    return lines


def members(lines):
    """What the code of a class is of, in no order: the JVM has one of its own."""
    return sorted("\n".join(lines[2:-2]).split("\n\n"))

# samecode.py A.class B.class...: whether all have the code of the first.
if __name__ == "__main__":
    first, *rest = [members(c) for c in codes("javap", sys.argv[1:])]
    others = [f for f, m in zip(sys.argv[2:], rest) if m != first]
    sys.exit("other code than %s: %s" % (sys.argv[1], " ".join(others))
             if others else 0)
