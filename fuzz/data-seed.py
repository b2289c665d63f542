"""usage: data-seed.py FOLDER

Writes an input of DataFuzzer: the example of docs/DataFormat.md."""
import os
import re
import sys

page = open(os.path.join(os.path.dirname(__file__), "../docs/DataFormat.md")).read()
image = bytearray(1 << 17)
for at, words in re.findall(r"^([0-9a-f]{8}):((?: [0-9a-f]{8})+)$", page, re.M):
    data = bytes.fromhex(words.replace(" ", ""))
    image[int(at, 16):int(at, 16) + len(data)] = data
parts = []
for base in 0, 65536:
    length = int.from_bytes(image[base + 32:base + 36], "big")
    parts.append(bytes(image[base + 48:base + 48 + length]))
with open(os.path.join(sys.argv[1], "example"), "wb") as f:
    f.write(len(parts[0]).to_bytes(2, "big") + parts[0] + parts[1])
