"""Attaches, changes of parameters and offs by the client while 16 threads work."""
from client import *

rounds = int(sys.argv[2])
p = start(16, 1)
pid = p.pid
fds = None
requests = Requests(pid)
for n in range(rounds):
    requests.ask("attach", "-probes=p.xml")
    requests.ask("set", "text=%d" % n)
    requests.ask("off")
    if n == 0:
        fds = len(os.listdir("/proc/%d/fd" % pid))
requests.count()
# A connection of the last request may be there for a moment.
print("as many descriptors as after the first:", len(os.listdir("/proc/%d/fd" % pid)) - fds <= 1)
print("ps:", state(p))
print("left:", leftovers(pid))
requests.tell_times()
out = stop(p)
print("wrong results:", out.count("wrong"))
