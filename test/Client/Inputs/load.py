"""Attaches, changes of parameters and offs by the client while 16 threads work."""
from client import *

rounds = int(sys.argv[2])
p = start(16, 1)
pid = p.pid
fds = None
failed = 0
times = []
for n in range(rounds):
    for request in (["attach", "-probes=p.xml"], ["set", "text=%d" % n], ["off"]):
        begin = time.monotonic()
        ran = jopt(request[0], pid, *request[1:], pid=pid, quiet=True)
        times.append(time.monotonic() - begin)
        if ran.returncode:
            failed += 1
            print("WRONG:", request, ran.returncode, mask(ran.stdout, pid))
    if n == 0:
        fds = len(os.listdir("/proc/%d/fd" % pid))
print("requests:", len(times), "failed:", failed)
# A connection of the last request may be there for a moment.
print("as many descriptors as after the first:", len(os.listdir("/proc/%d/fd" % pid)) - fds <= 1)
print("ps:", state(p))
print("left:", leftovers(pid))
times.sort()
print("median %.0f ms, longest %.0f ms" % (times[len(times) // 2] * 1000, times[-1] * 1000))
out = stop(p)
print("wrong results:", out.count("wrong"))
