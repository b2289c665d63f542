"""How many classes are changed when a one-liner comes beside coverage, and leaves."""
from client import *

AGENT = sys.argv[2]
p = start(options=[AGENT + "=coverage=pos,include=Main*,data=run,probes=p.xml"])
pid = p.pid


def status():
    shown = jopt("status", pid, pid=pid, quiet=True).stdout
    return dict(row.split(": ", 1) for row in shown.splitlines() if ": " in row)


# The thread is in its loop.
wait_for(lambda: status()["changed"] == "3")
ran = jopt("count", pid, "Main$Work#step", "--for=1s", pid=pid, quiet=True)
print("count:", ran.returncode, ran.stdout.count("left for later"))
wait_for(lambda: status()["names"] == "Steps")
now = status()
print("changed:", now["changed"], "postponed:", now["postponed"], "unmatched:", now["problems"])
# What was counted of the probe that stays is not forgotten, and it is not done again.
shown = jopt("report", pid, pid=pid, quiet=True).stdout
print(re.search(r"probe 'Steps'.*", shown).group(0))
# A thread is in a loop of this class: its probe comes later, and the client says so.
ran = jopt("count", pid, "Main$Loop#run", "--for=1s", pid=pid, quiet=True)
print("count:", ran.returncode, ran.stdout.count("Main$Loop: left for later"))
stop(p)
