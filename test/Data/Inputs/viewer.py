"""What the page of `report -o` has: viewer.py PAGE [TABLE [ROWS]]. Unpacks its blocks as
columns.js does."""
import array
import base64
import json
import re
import sys
import zlib

page = open(sys.argv[1], encoding="utf-8").read()
model = json.loads(re.search(r'id="model">(.*?)</script>', page, re.S).group(1))


def block(number):
    text = re.search(r'id="block%d">([\w+/=]*)</script>' % number, page).group(1)
    return zlib.decompress(base64.b64decode(text))


def values(column):
    kind = column["array"]
    found = array.array({"Float64": "d", "BigInt64": "q"}.get(kind, "i"), block(column["block"]))
    if kind == "Text":
        words = json.loads(block(column["words"]))
        return [words[v] for v in found]
    none = {"Int32": -2**31, "BigInt64": -2**63}.get(kind)
    return [None if v == none or v != v else int(v) for v in found]


if len(sys.argv) == 2:
    print(model["about"], model["inputs"])
    for t in model["tables"]:
        print(t["group"], t["title"], t["rows"], "of", t["input"], "below",
              t.get("parent", "none"), [c["title"] for c in t["columns"]])
    for lines in model["lines"]:
        print("lines", lines["title"], block(lines["block"]).decode())
else:
    table = next(t for t in model["tables"] if t["title"] == sys.argv[2])
    rows = list(zip(*(values(c) for c in table["columns"])))
    for row in rows[:int(sys.argv[3]) if len(sys.argv) > 3 else None]:
        print("|".join("" if v is None else str(v) for v in row))
