# ===- benchmarks/lab/table.py - the table -------------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""From raw pairs to rows, and rows as CSV and Markdown."""

import csv
import statistics

import classfile
import figures
import strategies

MEAN = "geometric mean"
RATIOS = ["start", "steady", "cpu", "removed"]


def of_pairs(found, key):
    """The figures of one program and row: ratios, each of a pair. key: 0 by the
    clock, 1 by the processor."""
    ratios = {name: [] for name in RATIOS}
    loads = []
    for p in found:
        row, plain = p["row"], p["plain"]
        if p["kind"] == "load":
            loads.append((row["load"][key] - plain["load"][key]) / 1e6)
        elif p["kind"] == "removal":
            ratios["removed"].append(row["steady"][key] / plain["steady"][key])
        else:
            ratios["start"].append(row["start"][key] / plain["start"][key])
            ratios["steady"].append(row["steady"][key] / plain["steady"][key])
            ratios["cpu"].append(row["cpu"] / plain["cpu"])
    result = {name: figures.figure(v) for name, v in ratios.items()}
    result["load"] = statistics.median(loads) if loads else None
    return result


def rows(facts, pairs, key):
    """All rows: of each program A/A first, the others as they were asked for,
    then the means over all programs."""
    found = []
    for program, known in facts.items():
        same = None
        for name, own in known["rows"].items():
            mine = [p for p in pairs
                    if p["program"] == program and p["name"] == name]
            row = of_pairs(mine, key)
            row.update(program=program, strategy=name, facts=own,
                       pairs=sum(p["kind"] == "run" for p in mine))
            if name == strategies.SAME:
                same = row
            row["same"] = same
            row["stores"] = own.get("stores")
            base = known["rows"].get(strategies.JACOCO, {}).get("stores") or \
                known["rows"].get("jacoco", {}).get("stores")
            row["stores_x"] = own["stores"] / base \
                if base and own.get("stores") is not None else None
            code = own.get("code")
            row["code"] = code[1] / code[0] if code and code[0] else None
            found.append(row)
    return found + means(found)


def means(found):
    """For each strategy the geometric means of the medians, the worst named."""
    result, same = [], None
    names = list(dict.fromkeys(r["strategy"] for r in found))
    for name in names:
        mine = {r["program"]: r for r in found if r["strategy"] == name}
        if len(mine) < 2:
            continue
        row = {"program": MEAN, "strategy": name, "facts": {}, "worst": {},
               "pairs": min(r["pairs"] for r in mine.values()), "load": None,
               "stores": None}
        for ratio in RATIOS:
            mean = figures.mean_and_worst({p: r[ratio] for p, r in mine.items()})
            row[ratio] = mean[0] if mean else None
            if mean:
                row["worst"][ratio] = mean[1:]
        for ratio in ("code", "stores_x"):
            values = [r[ratio] for r in mine.values() if r[ratio]]
            row[ratio] = figures.geometric_mean(values) if values else None
        if name == strategies.SAME:
            same = row
        row["same"] = same
        result.append(row)
    return result


# --- As text -----------------------------------------------------------------


def ratio_text(row, name):
    """1.12 [1.08, 1.20], in brackets where nothing is claimed."""
    f = row[name]
    if not f:
        return ""
    text = "%.3f" % f["median"]
    if f["interval"]:
        text += " [%.3f, %.3f]" % f["interval"]
    if row["program"] == MEAN and name in row["worst"]:
        text += ", worst %s %.3f" % row["worst"][name]
    same = row["same"]
    if same is not None and same is not row and figures.is_noise(f, same[name]):
        text = "(%s)" % text
    return text


def number(value, form):
    return "" if value is None else form % value


def sites_text(own):
    return ", ".join("%d %s" % (n, kind)
                     for kind, n in sorted(own.get("sites", {}).items()))


def wrong_text(own):
    if "wrong" not in own:
        return ""
    missing, more, probes = own["wrong"]
    return "%d - %d + of %d" % (missing, more, probes) \
        if missing or more else "0 of %d" % probes


COLUMNS = [
    ("program", lambda r: r["program"]),
    ("strategy", lambda r: r["strategy"]),
    ("pairs", lambda r: str(r["pairs"])),
    ("sites", lambda r: sites_text(r["facts"])),
    ("stores executed", lambda r: number(r["stores"], "%d")),
    ("stores / JaCoCo", lambda r: number(r["stores_x"], "%.3f")),
    ("code ×", lambda r: number(r["code"], "%.3f")),
    ("load ms", lambda r: number(r["load"], "%+.1f")),
    ("start ×", lambda r: ratio_text(r, "start")),
    ("steady × [95 %]", lambda r: ratio_text(r, "steady")),
    ("CPU ×", lambda r: ratio_text(r, "cpu")),
    ("removed ×", lambda r: ratio_text(r, "removed")),
    ("methods over " + ", ".join(map(str, classfile.LIMITS)),
     lambda r: ", ".join(map(str, r["facts"].get("over", [])))),
    ("dump bytes", lambda r: number(r["facts"].get("dump"), "%d")),
    ("wrong at exit", lambda r: wrong_text(r["facts"])),
    ("overlap", lambda r: number(r["facts"].get("overlap"), "%.3f")),
    ("note", lambda r: r["facts"].get("failed") and
     "failed: " + r["facts"]["failed"] or r["facts"].get("note", "")),
]


def markdown(found, heading):
    """The table; columns in which nothing stands are left out."""
    cells = [[text(r).replace("|", "\\|").replace("\n", " ")
              for _, text in COLUMNS] for r in found]
    used = [n for n in range(len(COLUMNS)) if n < 3 or any(c[n] for c in cells)]
    lines = [heading, ""]
    lines.append("| " + " | ".join(COLUMNS[n][0] for n in used) + " |")
    lines.append("|" + "---|" * len(used))
    lines += ["| " + " | ".join(c[n] for n in used) + " |" for c in cells]
    return "\n".join(lines) + "\n"


def write_csv(found, path):
    """One line a row, each figure in a column of its own."""
    names = ["program", "strategy", "pairs", "sites", "stores", "stores_x",
             "code_x", "load_ms"]
    for ratio in RATIOS:
        names += [ratio + "_x", ratio + "_low", ratio + "_high",
                  ratio + "_noise"]
    names += ["over_%d" % limit for limit in classfile.LIMITS]
    names += ["dump_bytes", "wrong_missing", "wrong_more", "probes", "overlap",
              "note"]

    def text(value):
        return "" if value is None else \
            "%.6g" % value if isinstance(value, float) else str(value)

    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        for r in found:
            own = r["facts"]
            cells = [r["program"], r["strategy"], r["pairs"], sites_text(own),
                     r["stores"], r["stores_x"], r["code"], r["load"]]
            for ratio in RATIOS:
                f = r[ratio]
                ends = f and f["interval"] or (None, None)
                noise = ""
                if f and r["same"] is not None and r["same"] is not r:
                    noise = int(figures.is_noise(f, r["same"][ratio]))
                cells += [f and f["median"], *ends, noise]
            cells += own.get("over", [None] * len(classfile.LIMITS))
            cells += [own.get("dump")] + own.get("wrong", [None] * 3)
            cells.append(own.get("overlap"))
            cells.append(own.get("failed", own.get("note")))
            writer.writerow([text(c) for c in cells])
