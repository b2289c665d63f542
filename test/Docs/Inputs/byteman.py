"""Runs the program with each probe of Byteman's table in docs/Comparison.md, in its order."""
import re
import subprocess
import sys

source, java, agent = sys.argv[1:4]
page = open(source + "/docs/Comparison.md").read().split("| Byteman's guide |")[1].split("\n\n")[0]
seen = []
for name, options in re.findall(r"`(\w+\.xml)(,\w+)?`", page):
    if name in seen:
        continue
    seen.append(name)
    print("$ " + name, flush=True)
    subprocess.run([java, "%s=probes=%s/examples/comparison/byteman/%s,log=log%s" % (agent, source, name, options),
                    "-Xverify:all", "-cp", "classes", "Store"], check=True)
