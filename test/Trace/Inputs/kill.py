"""usage: kill.py stops|COUNT COMMAND...

Runs COMMAND, a java with K, which is killed: where its threads stop, or as often as
COUNT says at random moments."""
import glob
import os
import random
import shutil
import subprocess
import sys
import time


def events(main, has_begun=True):
    """The events of each thread that worked; or what is wrong."""
    threads, last = {}, 0
    done = subprocess.Popen(["jopt-data", "print", "d", "-only=executions"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in done.stdout:
        f = line.split(",")
        last += 1
        if len(f) != 8 or int(f[1]) != last:
            return "not a line: " + line
        threads.setdefault(f[2], []).append((f[6], f[7]))
    threads.pop(main, None)
    said = done.stderr.read()
    if done.wait() not in (0, 2) and (threads or has_begun):
        return "status %d: %s" % (done.returncode, said)
    return list(threads.values())


def run(turns):
    shutil.rmtree("d", ignore_errors=True)
    return subprocess.Popen(sys.argv[2:] + [str(turns)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def known(found):
    return found if isinstance(found, list) else sys.exit(found)


def full_chunks():
    """Bytes of the chunks that a thread filled."""
    return sum(os.path.getsize(f) for f in glob.glob("d/*/events-*.jopt"))


# The turns between two stops: few, and so many that one of them is near the end of
# a chunk and another near the beginning of the next one.
STOPS = [1, 1, 2, 3] + [160] * 36 + [1, 1]


def stop_and_go(is_killed):
    """What is there at each stop, and at the end."""
    p = run(0)
    main = p.stdout.readline().strip()
    seen = []
    for turns in STOPS + [0]:
        if p.stdout.readline() != "stopped\n":
            sys.exit("the program ended")
        if turns or not is_killed:
            seen.append([] if is_killed else known(events(main)))
            p.stdin.write("%d\n" % turns)
            p.stdin.flush()
    if is_killed:
        p.kill()
    p.wait()
    return seen, known(events(main))


def stops():
    seen, all = stop_and_go(False)
    if full_chunks() < 2 << 16:
        sys.exit("no chunk was filled")
    killed = stop_and_go(True)[1]
    if len(all) != 2 or all[0] != all[1]:
        sys.exit("the threads did not do the same")
    # In each thread all up to the call in which it stopped, and nothing else.
    wrong, stop = 0, seen[0][0][-1]
    ends = [i for i, event in enumerate(all[0], 1) if event == stop]
    for n, end in enumerate(ends):
        wanted = [all[0][:end]] * 2
        wrong += seen[n] != wanted
    print("%d stops, %d seen, %d wrong" % (len(ends), len(seen), wrong))
    print("killed:", "as when stopped" if killed == seen[-1] else "other events")


def at_random():
    # Every other run is killed while it works, the others from the start of the JVM on.
    random.seed(os.environ.get("SEED"))
    main = run(20000).communicate()[0].strip()
    all = events(main)
    assert len(all) == 2 and all[0] == all[1], all
    # Turn after turn the same: steps 0 to 2.
    turn = next(n for n in range(1, 200) if all[0][100:100 + 5 * n] == all[0][100:100 + n] * 5)
    with_events, wrong = 1, 0
    for number in range(int(sys.argv[1])):
        p = run(2000000000)
        if number % 2 == 0:
            # More than the main thread has to say.
            while sum(os.stat(f).st_blocks for f in glob.glob("d/*/events-*.jopt")) * 512 < 1 << 18:
                time.sleep(0.01)
            time.sleep(random.random() * 0.15)
        else:
            time.sleep(random.random() * 0.5)
        p.kill()
        p.wait()
        killed = events(main, number % 2 == 0)
        ok = not isinstance(killed, str) and len(killed) <= 2
        for t in killed if ok else ():
            n = min(len(t), len(all[0]) - 10)
            ok &= t[:n] == all[0][:n] and t[n:] == t[n - turn:len(t) - turn]
        with_events += ok and len(killed) > 0
        wrong += not ok
        if not ok:
            print("run %d:" % number, killed if isinstance(killed, str) else [len(t) for t in killed])
    print("%d runs, %d with events, %d wrong" % (number + 2, with_events, wrong))


stops() if sys.argv[1] == "stops" else at_random()
