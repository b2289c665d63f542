"""Follows a program that prints far more than anybody reads."""
import glob

from client import *

p = start(2, 0)
f = subprocess.Popen(["jopt", "attach", str(p.pid), "-probes=p.xml", "--follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
print(f.stdout.readline(), end="")
# It is stopped: nobody reads, and the program goes on.
f.send_signal(signal.SIGSTOP)
def worked():
    return int(open("/proc/%d/stat" % p.pid).read().split()[13])


before = worked()
print("the program works on:", wait_for(lambda: worked() - before > 150) < 60)
memory = int(re.search(r"VmRSS:\s+(\d+)", open("/proc/%d/status" % p.pid).read())[1])
print("it has less than 500 MB:", memory < 500000)
f.send_signal(signal.SIGCONT)
for n in range(10000):
    f.stdout.readline()
f.send_signal(signal.SIGINT)
out, err = f.communicate()
print("status", f.returncode)
lost = re.findall(r"jopt: (\d+) lines were not read in time, and are lost", err)
print("lines are lost, and counted:", sum(map(int, lost)) > 10000)
print(err.splitlines()[-1])
# Somebody else takes the probes out while nobody reads.
f = subprocess.Popen(["jopt", "attach", str(p.pid), "-probes=p.xml", "--follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
f.stdout.readline()
f.send_signal(signal.SIGSTOP)
before = worked()
wait_for(lambda: worked() - before > 150)
subprocess.run(["jopt", "off", str(p.pid)], capture_output=True)
f.send_signal(signal.SIGCONT)
try:
    out, err = f.communicate(timeout=60)
    print("status", f.returncode)
    print(err.splitlines()[-1])
except subprocess.TimeoutExpired:
    print("the client waits for ever")
    f.kill()


def threads():
    return [open(t).read() for t in glob.glob("/proc/%d/task/*/comm" % p.pid)]


print("our thread goes:", wait_for(lambda: not any("jopt" in t for t in threads())) < 60)
# A bound ends it with a word.
f = subprocess.run(["jopt", "attach", str(p.pid), "-probes=p.xml", "--follow", "-max-rate=100"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
print("status", f.returncode)
print(f.stderr.splitlines()[-1])
print(stop(p).splitlines()[-1])
