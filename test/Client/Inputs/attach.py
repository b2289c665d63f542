import re

from client import *

p = start()
pid = p.pid
jopt("status", pid, pid=pid)
jopt("set", pid, "text=x", pid=pid)
jopt("off", pid, pid=pid)
jopt("attach", pid, "-probes=none.xml", pid=pid)
jopt("attach", pid, "-probs=p.xml", pid=pid)
jopt("attach", pid, "-probes=p.xml", pid=pid)
print("ps:", state(p).replace(os.getcwd(), "HERE"))
jopt("set", pid, "text=" + "long" * 1000, pid=pid)
jopt("set", pid, "texd=x", pid=pid)
status = jopt("status", pid, pid=pid, quiet=True)
print("\n".join(l.replace(os.getcwd(), "HERE")[:60] for l in status.stdout.splitlines() if l.split(":")[0] in ("state", "params", "classes", "names", "probes")))
metrics = jopt("status", pid, "--format=prometheus", pid=pid)
numbers = dict(re.findall(r"^(\w+): (\d+)$", status.stdout, re.M))
given = dict(re.findall(r'^jopt_(\w+){pid="%d"} (\d+)$' % pid, metrics.stdout, re.M))
print("metrics:", given["active"], given["classes_probed"] == numbers["classes"],
      given["classes_seen"] >= numbers["seen"], len(given))
jopt("status", pid, "--format=xml", pid=pid)
jopt("report", pid, pid=pid)
jopt("attach", pid, "--probes", "none-matches.xml", pid=pid)
jopt("attach", pid, "-probes=bad.xml", pid=pid)
jopt("off", pid, pid=pid)
jopt("off", pid, pid=pid)
print("ps:", state(p))
print("left:", leftovers(pid))
print("wrong" in stop(p))
