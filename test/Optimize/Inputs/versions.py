"""usage: versions.py FROM TO: what stands between /*OLD*/ and /*NEW gives way to
what stands behind that, in all Java sources of a folder."""
import os
import re
import sys

source, target = sys.argv[1:]
for name in os.listdir(source):
    with open(os.path.join(source, name)) as f:
        text = f.read()
    with open(os.path.join(target, name), "w") as f:
        f.write(re.sub(r"/\*OLD\*/.*?/\*NEW(.*?)\*/", r"\1", text, flags=re.S))
