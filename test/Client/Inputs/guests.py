"""One-liners come beside coverage and a probe that were there from the start, and
leave them there."""
from client import *

AGENT = sys.argv[2]
p = start(options=[AGENT + "=coverage=pos,include=Main$Work,data=run,probes=p.xml"])
pid = p.pid


def names():
    status = jopt("status", pid, pid=pid, quiet=True).stdout
    return re.search(r"^names: (.*)$", status, re.M).group(1)


print("names:", names())
ran = jopt("watch", pid, "Main$Work#step", "--limit=2", "--format=text", pid=pid, quiet=True)
print("watch:", ran.returncode, len(re.findall(r"Main\$Work\.step", ran.stdout)))
wait_for(lambda: names() == "Steps")
print("names:", names())
# Its client is killed.
f = subprocess.Popen(["jopt", "watch", str(pid), "Main$Work#step"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
f.stdout.read(100)
print("beside it: names:", names().split(", ")[0], "and", len(names().split(", ")) - 1)
f.kill()
wait_for(lambda: names() == "Steps")
print("names:", names())
# One with a time of its own.
ran = jopt("attach", pid, "-add", "-probes=guest.xml", "-for=1s", pid=pid, quiet=True)
print("attach:", ran.returncode, [l for l in ran.stdout.splitlines() if "is over" in l][-1])
print("names:", names())
# What does not come beside the others says so.
ran = jopt("attach", pid, "-probes=guest.xml", pid=pid, quiet=True)
print("attach:", ran.returncode, [l for l in ran.stdout.splitlines() if "leaves" in l])
stop(p)
