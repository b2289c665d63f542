# ===- benchmarks/lab/figures.py - what pairs say ------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Arithmetic of the lab: medians, intervals, means, noise."""

import math
import statistics

import pairs


def figure(values):
    """{median, interval, n} of ratios; the interval is None for fewer than 6."""
    if not values:
        return None
    return {"median": statistics.median(values),
            "interval": pairs.interval(values), "n": len(values)}


def last_third(turns):
    """Of a run's turns those of the last third, at least one."""
    return turns[len(turns) - max(1, len(turns) // 3):]


def steady(turns, key):
    """The median time of a turn of the last third; key: 0 clock, 1 processor."""
    return statistics.median(t[key] for t in last_third(turns))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def mean_and_worst(by_program):
    """Of {program: figure} a figure, the geometric mean of the medians, and who is
    worst. Its interval has the means of the worse and of the better ends."""
    known = {p: f for p, f in by_program.items() if f and f["median"] > 0}
    if not known:
        return None
    every = list(known.values())
    ends = None
    if all(f["interval"] for f in every):
        ends = tuple(geometric_mean([f["interval"][n] for f in every])
                     for n in (0, 1))
    worst = max(known, key=lambda p: known[p]["median"])
    mean = {"median": geometric_mean([f["median"] for f in every]),
            "interval": ends, "n": min(f["n"] for f in every)}
    return mean, worst, known[worst]["median"]


def is_noise(figure_, same):
    """Whether something beside itself (figure same) is off as far: then nothing is
    claimed. Without intervals only what is the same is noise."""
    ends = (same or {}).get("interval")
    if not figure_ or not ends:
        return False
    return ends[0] <= figure_["median"] <= ends[1]


def verdict(figure_, bound, same=None):
    """Whether a ratio is at most bound: "holds", "fails", or "open" where the
    median does and the interval's worse end does not, there are too few pairs, or
    something beside itself exceeds the bound as well."""
    if not figure_:
        return "open"
    ends = figure_["interval"]
    if ends and ends[1] <= bound:
        return "holds"
    noise = (same or {}).get("interval")
    if figure_["median"] <= bound or not ends or ends[0] <= bound:
        return "open"
    if noise and noise[1] >= figure_["median"]:
        return "open"
    return "fails"


def buckets(turns, seconds, number=60):
    """The median processor time of a turn in each of so many parts of a run:
    [(seconds, nanoseconds)...]."""
    seconds = max(seconds, turns[-1][2] / 1e9)
    parts = {}
    for _, cpu, end in turns:
        part = min(int(end / 1e9 * number / seconds), number - 1)
        parts.setdefault(part, []).append(cpu)
    return [((p + 0.5) * seconds / number, statistics.median(v))
            for p, v in sorted(parts.items())]


def overlap(exact, found):
    """Of two profiles, {what: how often}: the part that they have in common."""
    all_exact, all_found = sum(exact.values()), sum(found.values())
    if not all_exact or not all_found:
        return 0.0
    return sum(min(n / all_exact, found.get(what, 0) / all_found)
               for what, n in exact.items())
