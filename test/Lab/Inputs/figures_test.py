"""Arithmetic of jopt-lab, against values by hand: figures_test.py LAB-FOLDER."""

import os
import sys
import unittest

lab = sys.argv.pop(1)
sys.path[:0] = [lab, os.path.dirname(lab)]

import classfile
import execfile
import figures
import goals
import pairs
import plots
import programs
import strategies
import table


def figure(median, low, high):
    return {"median": median, "interval": (low, high), "n": 30}


class Intervals(unittest.TestCase):
    def test_thirty_pairs(self):
        # The 10th to the 21st: 95.7 %.
        self.assertEqual(pairs.interval(list(range(30, 0, -1))), (10, 21))

    def test_few_pairs(self):
        self.assertIsNone(pairs.interval([1, 2, 3, 4, 5]))
        self.assertEqual(pairs.interval([3, 1, 2, 6, 5, 4]), (1, 6))
        self.assertEqual(pairs.interval(list(range(1, 10))), (2, 8))

    def test_figure(self):
        self.assertEqual(figures.figure([1.0, 3.0, 2.0]),
                         {"median": 2.0, "interval": None, "n": 3})
        self.assertIsNone(figures.figure([]))


class Means(unittest.TestCase):
    def test_geometric(self):
        self.assertAlmostEqual(figures.geometric_mean([1, 2, 4]), 2)

    def test_worst(self):
        mean, worst, value = figures.mean_and_worst({
            "a": figure(1.0, 0.5, 2.0), "b": figure(4.0, 2.0, 8.0), "c": None})
        self.assertAlmostEqual(mean["median"], 2)
        self.assertAlmostEqual(mean["interval"][0], 1)
        self.assertAlmostEqual(mean["interval"][1], 4)
        self.assertEqual((worst, value), ("b", 4.0))

    def test_none(self):
        self.assertIsNone(figures.mean_and_worst({"a": None}))


class Runs(unittest.TestCase):
    def test_last_third(self):
        turns = [(n, 10 * n, 100 * n) for n in range(1, 10)]
        self.assertEqual(figures.last_third(turns), turns[6:])
        self.assertEqual(figures.steady(turns, 0), 8)
        self.assertEqual(figures.steady(turns, 1), 80)
        self.assertEqual(figures.steady(turns[:1], 1), 10)

    def test_buckets(self):
        second = int(1e9)
        turns = [(0, 5, second // 2), (0, 7, second // 2 + 1),
                 (0, 9, second + 1)]
        self.assertEqual(figures.buckets(turns, 4, 4), [(0.5, 6.0), (1.5, 9)])
        # It took longer than it was to.
        turns.append((0, 1, 8 * second))
        self.assertEqual(figures.buckets(turns, 4, 4), [(1, 7), (7, 1)])


class Verdicts(unittest.TestCase):
    def test_worse_end_meets_the_bound(self):
        self.assertEqual(figures.verdict(figure(1.0, 0.9, 1.04), 1.05), "holds")
        self.assertEqual(figures.verdict(figure(1.0, 0.9, 1.06), 1.05), "open")
        self.assertEqual(figures.verdict(figure(1.1, 1.06, 1.2), 1.05), "fails")
        self.assertEqual(figures.verdict(figure(1.1, 1.04, 1.2), 1.05), "open")
        self.assertEqual(figures.verdict(figures.figure([2.0]), 1.05), "open")

    def test_nothing_is_claimed_within_noise(self):
        noise = figure(1.0, 0.8, 1.2)
        self.assertEqual(figures.verdict(figure(1.1, 1.06, 1.2), 1.05, noise),
                         "open")
        self.assertTrue(figures.is_noise(figure(1.1, 1.06, 1.2), noise))
        self.assertFalse(figures.is_noise(figure(1.3, 1.06, 1.4), noise))
        self.assertFalse(figures.is_noise(figure(1.0, 1, 1), None))

    def test_removal_where_the_machine_is_not_quiet(self):
        row = {"removed": figure(1.015, 1.0, 1.02), "same": None}
        self.assertEqual(goals.of_removal(row)[2], "open")
        row["same"] = {"removed": figure(1.0, 0.97, 1.03)}
        self.assertEqual(goals.of_removal(row)[2], "holds")

    def test_wrong_values(self):
        right = {"min": "all", "pos": "finished ones"}
        def of(name, wrong):
            return [v for _, _, v in goals.of_values(
                {"strategy": name, "facts": {"wrong": wrong}}, right)]
        self.assertEqual(of("min", [0, 0, 9]), ["holds"])
        self.assertEqual(of("min", [1, 0, 9]), ["fails"])
        self.assertEqual(of("pos+remove", [1, 0, 9]), ["open"])
        self.assertEqual(of("pos", [0, 1, 9]), ["fails"])
        self.assertEqual(of("other", [5, 5, 9]), [])


class Tables(unittest.TestCase):
    FACTS = {"p": {"rows": {strategies.SAME: {},
                            "pos": {"code": [10, 15], "sites": {"stores": 3}}}}}

    def pair(self, name, kind, row, plain):
        return {"program": "p", "name": name, "kind": kind, "row": row,
                "plain": plain}

    def test_ratios_are_of_pairs(self):
        def run(start, steady, cpu):
            return {"start": [start, start], "steady": [steady, 2 * steady],
                    "cpu": cpu}
        found = [self.pair("pos", "run", run(3, 20, 2), run(1, 10, 1)),
                 self.pair("pos", "run", run(4, 60, 2), run(2, 20, 4)),
                 self.pair("pos", "load", {"load": [5e6, 3e6]},
                           {"load": [1e6, 1e6]})]
        rows = {r["strategy"]: r for r in table.rows(self.FACTS, found, 1)}
        self.assertEqual(rows["pos"]["steady"]["median"], 2.5)
        self.assertEqual(rows["pos"]["start"]["median"], 2.5)
        self.assertEqual(rows["pos"]["cpu"]["median"], 1.25)
        self.assertEqual(rows["pos"]["load"], 2)
        self.assertEqual(rows["pos"]["code"], 1.5)
        self.assertEqual(rows["pos"]["pairs"], 2)

    def test_text(self):
        same = {"steady": figure(1.0, 0.9, 1.1)}
        row = {"program": "p", "steady": figure(1.05, 1.0, 1.2), "same": same}
        self.assertEqual(table.ratio_text(row, "steady"),
                         "(1.050 [1.000, 1.200])")
        row["steady"] = figure(1.15, 1.0, 1.2)
        self.assertEqual(table.ratio_text(row, "steady"), "1.150 [1.000, 1.200]")


class Files(unittest.TestCase):
    def test_exec(self):
        a = {"1": ("A", [1, 0, 1]), "2": ("B", [1])}
        self.assertEqual(execfile.differences(a, a), [0, 0, 4])
        self.assertEqual(execfile.differences(a, {"1": ("A", [1, 1, 0])}),
                         [2, 1, 4])

    def test_growth(self):
        before = {"A": (9, {"m": 30, "n": 325, "gone": 5}), "B": (9, {"m": 7})}
        after = {"A": (9, {"m": 36, "n": 330})}
        self.assertEqual(classfile.growth(before, after),
                         {"code": [355, 366], "over": [1, 1, 0]})

    def test_sizes_are_just_below(self):
        for limit in programs.SIZES:
            lines = programs.size_source(limit).count("if (")
            self.assertTrue(limit - 10 < 10 * lines + 2 <= limit)


class Overlap(unittest.TestCase):
    def test_of_profiles(self):
        exact = {"a": 60, "b": 30, "c": 10}
        self.assertAlmostEqual(figures.overlap(exact, exact), 1)
        # 0.5 of a, 0.3 of b, nothing of c; d was not taken.
        self.assertAlmostEqual(
            figures.overlap(exact, {"a": 500, "b": 400, "d": 100}), 0.8)
        self.assertEqual(figures.overlap(exact, {}), 0)


class Ticks(unittest.TestCase):
    def test_round(self):
        self.assertEqual(plots.ticks(0, 10), [0, 2, 4, 6, 8, 10])
        self.assertEqual(plots.ticks(0.97, 1.12), [1.0, 1.05, 1.1])


unittest.main()
