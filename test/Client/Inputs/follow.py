from client import *


def follow(p, *more, **how):
    f = subprocess.Popen(["jopt", "attach", str(p.pid), "-probes=p.xml", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
    return f


def first(f):
    print(f.stdout.readline(), end="")
    line = f.stdout.readline()
    print(line, end="")


def finish(f, pid):
    lines = f.stdout.read().splitlines()
    print("more lines:", len(lines) > 0, set(lines))
    print("status", f.wait(), mask(f.stderr.read(), pid), end="")
    sys.stdout.flush()


p = start()
pid = p.pid
# The time is over.
f = follow(p, "--for", "3s")
first(f)
finish(f, pid)
print("ps:", state(p))
# Ctrl-C.
f = follow(p, "--follow")
first(f)
print("left while it follows:", leftovers(pid))
wait_for(lambda: f.stdout.readline() == "step\n")
f.send_signal(signal.SIGINT)
finish(f, pid)
print("ps:", state(p))
# Killed: nobody has said goodbye.
f = follow(p, "--follow")
first(f)
f.kill()
took = wait_for(lambda: state(p) == "off")
print("gone after a kill:", took < 60)
f.communicate()
# Others come.
f = follow(p, "--follow")
first(f)
jopt("attach", pid, "-probes=p.xml", pid=pid)
finish(f, pid)
print("ps:", state(p).split()[0])
f = follow(p, "--follow", "-param.text=again")
first(f)
jopt("off", pid, pid=pid)
finish(f, pid)
# The program ends.
f = follow(p, "--follow")
first(f)
print(stop(p).replace("jopt: ", "").strip())
finish(f, pid)
print("left:", leftovers(pid))
