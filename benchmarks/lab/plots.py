# ===- benchmarks/lab/plots.py - pictures --------------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Plots as SVG, by hand: no library is needed to draw or to look at them."""

import html
import math

COLOURS = ["#1f6fb4", "#d1495b", "#3a923a", "#8a5fbf", "#e08a1e", "#17a2a2",
           "#8c564b", "#555555", "#c2185b", "#7cb518", "#264653", "#b5838d"]
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 36, 48


def ticks(low, high, number=6):
    """Round numbers from low to high."""
    if high <= low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / number))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= number:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in
            range(first, int(math.floor(high / step + 1e-9)) + 1)]


def scale(values, log=False, least=None):
    """(low, high) of an axis with all values on it."""
    low, high = min(values), max(values)
    if least is not None:
        low, high = min(low, least), max(high, least)
    if log:
        return max(low, 1e-9) / 1.3, high * 1.3
    room = (high - low) * 0.06 or abs(high) * 0.06 or 1
    return low - room, high + room


class Plot:
    """Points and lines over two axes, a colour for each series."""

    def __init__(self, title, across, up, log_across=False, one=None):
        self.title, self.across, self.up = title, across, up
        self.log = log_across
        self.one = one  # where a line stands that means "as without"
        self.series = {}  # name: (points, joined)

    def add(self, name, points, joined):
        """points: (x, y, label, (low, high) or None)."""
        if points:
            self.series.setdefault(name, ([], joined))[0].extend(points)

    def svg(self):
        """The text of the picture; None where there is nothing to show."""
        every = [p for points, _ in self.series.values() for p in points]
        if not every:
            return None
        x_low, x_high = scale([p[0] for p in every], self.log)
        y_low, y_high = scale([v for p in every
                               for v in ((p[1],) + (p[3] or ()))],
                              least=self.one)
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

        def x(value):
            if self.log:
                part = math.log(value / x_low) / math.log(x_high / x_low)
            else:
                part = (value - x_low) / (x_high - x_low)
            return LEFT + part * wide

        def y(value):
            return TOP + (1 - (value - y_low) / (y_high - y_low)) * high

        out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
               'width="%d" height="%d" font-family="sans-serif" '
               'font-size="12">' % (WIDTH, HEIGHT, WIDTH, HEIGHT),
               '<rect width="100%" height="100%" fill="#fff"/>',
               '<text x="%d" y="20" font-size="15">%s</text>' % (
                   LEFT, html.escape(self.title)),
               '<path d="M%d %dV%dH%d" fill="none" stroke="#333"/>' % (
                   LEFT, TOP, TOP + high, LEFT + wide)]
        if self.log:
            marks = [m * 10 ** e for e in range(
                math.floor(math.log10(x_low)), math.ceil(math.log10(x_high)) + 1)
                     for m in (1, 2, 5) if x_low <= m * 10 ** e <= x_high]
        else:
            marks = [t for t in ticks(x_low, x_high) if x_low <= t <= x_high]
        for mark in marks:
            out.append('<text x="%.1f" y="%d" text-anchor="middle">%g</text>' % (
                x(mark), TOP + high + 18, mark))
            out.append('<path d="M%.1f %dv4" stroke="#333"/>' % (x(mark),
                                                                TOP + high))
        for mark in ticks(y_low, y_high):
            out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (
                LEFT - 8, y(mark) + 4, mark))
            out.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (
                LEFT, y(mark), wide))
        if self.one is not None:
            out.append('<path d="M%d %.1fh%d" stroke="#888" '
                       'stroke-dasharray="5 4"/>' % (LEFT, y(self.one), wide))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (
            LEFT + wide / 2, HEIGHT - 10, html.escape(self.across)))
        out.append('<text transform="translate(16 %.1f) rotate(-90)" '
                   'text-anchor="middle">%s</text>' % (TOP + high / 2,
                                                       html.escape(self.up)))
        for n, (name, (points, joined)) in enumerate(self.series.items()):
            out += self.one_series(n, name, points, joined, x, y)
        return "\n".join(out + ["</svg>"]) + "\n"

    def one_series(self, n, name, points, joined, x, y):
        colour = COLOURS[n % len(COLOURS)]
        out = ['<g fill="%s" stroke="%s">' % (colour, colour)]
        if joined and len(points) > 1:
            way = "L".join("%.1f %.1f" % (x(p[0]), y(p[1]))
                           for p in sorted(points, key=lambda p: p[0]))
            out.append('<path d="M%s" fill="none" stroke-width="1.5"/>' % way)
        for px, py, label, ends in points:
            if ends:
                out.append('<path d="M%.1f %.1fV%.1f" stroke-opacity="0.5"/>' % (
                    x(px), y(ends[0]), y(ends[1])))
            out.append('<circle cx="%.1f" cy="%.1f" r="3.5"><title>%s</title>'
                       '</circle>' % (x(px), y(py), html.escape(
                           "%s, %s: %.4g" % (label, name, py))))
        at = TOP + 8 + 18 * n
        out.append('<circle cx="%d" cy="%d" r="4"/>' % (WIDTH - RIGHT + 18, at))
        out.append('<text x="%d" y="%d" stroke="none" fill="#222">%s</text></g>'
                   % (WIDTH - RIGHT + 28, at + 4, html.escape(name)))
        return out


def all_plots(rows, pairs, mean):
    """{file: SVG} of what there is to be seen in a run."""
    rows = [r for r in rows if r["program"] != mean]
    result = {"sites.svg": by_sites(rows), "threads.svg": by_threads(rows),
              "removal.svg": by_time(pairs), "overlap.svg": by_rate(rows)}
    return {name: plot.svg() for name, plot in result.items() if plot.svg()}


def by_sites(rows):
    plot = Plot("Slowdown against sites", "sites in the code of the program",
                "steady time : without", log_across=True, one=1)
    for r in rows:
        sites = sum(n for kind, n in r["facts"].get("sites", {}).items()
                    if kind != "points")
        if sites and r["steady"]:
            plot.add(r["strategy"], [(sites, r["steady"]["median"], r["program"],
                                      r["steady"]["interval"])], False)
    return plot


def by_rate(rows):
    """Of samples: how much of the exact profile is in what they say."""
    plot = Plot("Overlap with the exact profile", "one event of so many is counted",
                "overlap", log_across=True, one=1)
    for r in rows:
        if r["facts"].get("overlap") is not None:
            name, _, rate = r["strategy"].partition(":")
            plot.add("%s, %s" % (r["program"], name), [
                (int(rate or 1000), r["facts"]["overlap"], r["program"], None)],
                True)
    return plot


def by_threads(rows):
    plot = Plot("Slowdown against threads", "threads in one method",
                "steady time : without", one=1)
    for r in rows:
        if r["program"].startswith("threads-") and r["steady"]:
            plot.add(r["strategy"], [(int(r["program"][8:]),
                                      r["steady"]["median"], r["program"],
                                      r["steady"]["interval"])], True)
    return plot


def by_time(pairs):
    """The first pair of each program and row."""
    plot = Plot("Time of a turn while probes are taken out",
                "seconds since the JVM's start",
                "a turn's time : the other's last third", one=1)
    for p in pairs:
        if p["kind"] != "removal" or p["pair"]:
            continue
        base = p["plain"]["steady"][1]
        plot.add("%s, %s" % (p["program"], p["name"]), [
            (second, cpu / base, p["program"], None)
            for second, cpu in p["row"]["series"]], True)
    return plot
