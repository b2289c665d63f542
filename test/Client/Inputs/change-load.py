"""Probes come to others, change and leave one by one while 16 threads work."""
from client import *

rounds = int(sys.argv[2])
JCMD = HOME + "/bin/jcmd" if "/" in HOME else "jcmd"
with open("p.xml") as f:
    text = f.read()
# Two more, the second as it is and with another condition.
with open("more.xml", "w") as f:
    f.write(text.replace("Steps", "More"))
for name, condition in (("one.xml", "text != null"), ("other.xml", "text == null")):
    with open(name, "w") as f:
        f.write(text.replace("Steps", "Asked").replace("<code>", "<condition>%s</condition><code>" % condition))

p = start(16, 1)
pid = p.pid


def measure():
    """Classes of ours, and bytes, that are there after a collection."""
    ran = subprocess.run([JCMD, str(pid), "GC.class_histogram"], stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split() for line in ran.stdout.splitlines()]
    probes = [r[3] for r in rows if len(r) > 3 and ("jopt.probes.p" in r[3] or r[3] == "jopt.boot.ProbeSet")]
    total = [int(r[2]) for r in rows if r and r[0] == "Total"][0]
    return sorted(probes), total


requests = Requests(pid)
first = None
assert jopt("attach", pid, "-probes=p.xml", pid=pid, quiet=True).returncode == 0
for n in range(rounds):
    requests.ask("attach", "-add", "-probes=more.xml")
    requests.ask("attach", "-add", "-probes=one.xml")
    requests.ask("set", "text=%d" % n)
    requests.ask("attach", "-add", "-probes=other.xml")
    requests.ask("off", "More")
    requests.ask("off", "Asked")
    if n % 25 == 2:
        seen = measure()  # which collects, as an idle program does now and then
        first = first or seen
last = measure()
requests.count()
print("classes as after the third round:", first[0] == last[0])
print("heap after the third round and the last: %d and %d KB" % (first[1] // 1024, last[1] // 1024))
# Each round is some KB of call sites while they are there.
print("heap grows by less than 1 MB:", last[1] - first[1] < 1 << 20)
jopt("off", pid, pid=pid)
print("ps:", state(p))
print("left:", leftovers(pid))
requests.tell_times()
out = stop(p)
print("wrong results:", out.count("wrong"))
