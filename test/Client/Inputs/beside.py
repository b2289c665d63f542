"""Probes come beside others and leave one by one, with a round of the program
behind each."""
from client import *

p = start()
pid = p.pid
printed = open("printed", "w")
printed.write("ready\n")


def round():
    p.stdin.write("x")
    p.stdin.flush()
    while True:
        line = p.stdout.readline()
        if " jopt: " not in line:  # of the agent's log
            printed.write(line)
        if line.startswith("round") or not line:
            return


def then(*args):
    jopt(*args[:1], pid, *args[1:], pid=pid)
    round()


then("attach", "-probes=two.xml", "-dump=dump")
then("attach", "-add", "-probes=third.xml")
then("set", "text=new")
then("off", "Others")
with open("third.xml") as third, open("changed.xml", "w") as changed:
    changed.write(third.read().replace("n % 2 == 0", "n % 2 == 1"))
then("attach", "-add", "-probes=changed.xml")
status = jopt("status", pid, pid=pid, quiet=True).stdout.splitlines()
print([l for l in status if l.startswith("names:")][0])
files = [l for l in status if l.startswith("probes:")][0].split(": ")[1].split(":")
print("files: [%s]" % ", ".join(os.path.basename(f) for f in files))
jopt("attach", pid, "-add", "-probes=third.xml", "-dispatch=direct", pid=pid)
jopt("off", pid, "Sleeps", pid=pid)
then("attach", "-add", "-probes=two.xml")
then("off", "Ot*", "Steps")
then("off", "Third")
jopt("off", pid, "Third", pid=pid)
round()
then("attach", "-add", "-probes=third.xml")
jopt("off", pid, pid=pid)
printed.write(stop(p))
printed.close()
