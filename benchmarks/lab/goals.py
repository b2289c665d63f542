# ===- benchmarks/lab/goals.py - what strategies are to reach ------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Goals, and whether the rows of a run reach them."""

import statistics

import figures
import strategies
import table

# Steady time of a strategy beside none, at most.
STEADY = {"edges": 1.05, "paths": 1.10}
STORES = 0.40  # of JaCoCo's, as executed under pos
REMOVED = 1.01  # with probes taken out
PART = 0.5  # of what JaCoCo's agent costs, at most
FASTER = 1.8  # two threads in one method beside one, at least


def slowdown_bound(jacoco):
    """Half of JaCoCo's slowdown."""
    return 1 + PART * max(0, jacoco["median"] - 1)


def at_most(what, f, bound, same=None):
    """(what, text, verdict) of a ratio."""
    text = "%.3f" % f["median"]
    if f["interval"]:
        text += " [%.3f, %.3f]" % f["interval"]
    return (what, "%s, at most %.3f" % (text, bound),
            figures.verdict(f, bound, same))


def of_removal(r):
    """Where the machine is not as quiet as the bound needs, A/A's end is it."""
    noise = r["same"] and r["same"]["removed"]
    ends = noise and noise["interval"]
    bound = REMOVED
    if ends and max(ends[1], 1 / ends[0]) > 1.005:
        bound = max(bound, ends[1])
    return at_most("removed", r["removed"], bound, noise)


def of_row(r, jacoco):
    """The findings about a row; jacoco: the row of the same program by JaCoCo."""
    name, same = r["strategy"], r["same"]
    if name == "pos" and r["stores_x"]:
        yield ("stores", "%.3f of JaCoCo's, at most %.2f" % (r["stores_x"],
                                                             STORES),
               "holds" if r["stores_x"] <= STORES else "fails")
    if r["removed"] and name != strategies.SAME:
        yield of_removal(r)
    if name in STEADY and r["steady"]:
        yield at_most("steady", r["steady"], STEADY[name],
                      same and same["steady"])
    if name == "pos" and r["steady"] and jacoco and jacoco["steady"]:
        yield at_most("half of JaCoCo's slowdown", r["steady"],
                      slowdown_bound(jacoco["steady"]), same and same["steady"])
    if name == "pos" and r["load"] is not None and jacoco and \
            jacoco["load"] is not None:
        yield ("load", "%.1f ms, at most %.1f" % (r["load"],
                                                  PART * jacoco["load"]),
               "holds" if r["load"] <= PART * jacoco["load"] else "fails")


def of_values(r, right):
    """No probe may be said to be passed that was not; none may be missing where
    the strategy is right for all activations."""
    wrong = r["facts"].get("wrong")
    base = r["strategy"].replace(strategies.REMOVE, "")
    if wrong is None or base not in right:
        return
    missing, more, probes = wrong
    fails = more or missing and right[base].startswith("all")
    yield ("values", "%d missing, %d too many of %d" % (missing, more, probes),
           "fails" if fails else "open" if missing else "holds")


def of_threads(pairs, name):
    """Work of two threads beside one, by the clock."""
    def clock(program):
        found = [p["row"]["steady"][0] for p in pairs if p["kind"] == "run" and
                 p["program"] == program and p["name"] == name]
        return statistics.median(found) if found else None
    one, two = clock("threads-1"), clock("threads-2")
    if one and two:
        speed = 2 * one / two
        yield ("two threads : one", "%.2f, at least %.1f" % (speed, FASTER),
               "holds" if speed >= FASTER else "fails")


def check(rows, pairs, right):
    """[(program, strategy, what, text, verdict)...]."""
    by_jacoco = {r["program"]: r for r in rows
                 if r["strategy"] == strategies.JACOCO}
    found = []
    for r in rows:
        said = list(of_row(r, by_jacoco.get(r["program"])))
        if r["program"] != table.MEAN:
            said += of_values(r, right)
        found += [(r["program"], r["strategy"]) + s for s in said]
    for name in dict.fromkeys(r["strategy"] for r in rows):
        found += [("threads", name) + s for s in of_threads(pairs, name)]
    return found
