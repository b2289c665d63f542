#!/usr/bin/env python3
"""Recorded data as tables of DuckDB, for `jopt-data sql` and `-format=parquet`.

jopt-data calls it; docs/SQL.md names the tables and their columns. What a table has is
read from what `jopt-data export`, `print`, `callgraph` and `report` write, so all of
them tell the same."""
import argparse
import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NULL = "\\N"
# The columns of each table, which only grow at their end: a name stays what it is.
TABLES = {
    "runs": "run VARCHAR, start TIMESTAMP, folder VARCHAR, java VARCHAR, jvm VARCHAR, "
            "jopt VARCHAR, command VARCHAR",
    "events": "run VARCHAR, event BIGINT, thread BIGINT, time BIGINT, depth BIGINT, host VARCHAR, "
              "declared BIGINT, type VARCHAR",
    "declared": "run VARCHAR, declared BIGINT, type VARCHAR, class VARCHAR, method VARCHAR, "
                "descriptor VARCHAR, line INTEGER, code_offset INTEGER, opcode INTEGER, "
                "operand1 VARCHAR, operand2 VARCHAR, operand3 VARCHAR",
    "calls": "run VARCHAR, caller VARCHAR, callee VARCHAR, calls BIGINT, through BIGINT",
    "methods": "run VARCHAR, method VARCHAR, calls BIGINT, roots BIGINT, events BIGINT",
    "lines": "module VARCHAR, package VARCHAR, file VARCHAR, line INTEGER, "
             "missed_instructions INTEGER, covered_instructions INTEGER, "
             "missed_branches INTEGER, covered_branches INTEGER, times BIGINT",
    "covered_methods": "module VARCHAR, package VARCHAR, class VARCHAR, method VARCHAR, "
                       "descriptor VARCHAR, line INTEGER, missed_instructions INTEGER, "
                       "covered_instructions INTEGER, missed_branches INTEGER, "
                       "covered_branches INTEGER, missed_lines INTEGER, "
                       "covered_lines INTEGER",
    "edges": "class VARCHAR, method VARCHAR, descriptor VARCHAR, from_offset INTEGER, "
             "to_offset INTEGER, kind VARCHAR, count BIGINT",
    "probes": "run VARCHAR, class VARCHAR, id VARCHAR, probes INTEGER, word INTEGER, bits BIGINT",
    "paths": "class VARCHAR, method VARCHAR, descriptor VARCHAR, path VARCHAR, "
             "count BIGINT",
}
VIEWS = {
    "branches": "SELECT module, package, file, line, covered_branches AS covered, "
                "missed_branches AS missed, times FROM lines "
                "WHERE covered_branches + missed_branches > 0",
    "allocations": "SELECT run, replace(d.operand1, '/', '.') AS type, "
                   "CAST(d.operand2 AS INTEGER) AS dimensions, d.class, d.method, "
                   "d.descriptor, d.line, count(*) AS count "
                   "FROM events e JOIN declared d USING (run, declared) "
                   "WHERE d.opcode IN (187, 188, 189, 197) GROUP BY ALL",
}
# Which loader fills a table; the views need what they select from.
NEEDS = {"branches": ["lines"], "allocations": ["events"]}


class Failure(Exception):
    """A message for the user."""


def quoted(path):
    """A path as it stands between apostrophes in a statement."""
    return path.replace("'", "''")


class Store:
    """The tables, each filled when it is asked for."""

    def __init__(self, duckdb, args, folder):
        self.args, self.temporary = args, folder
        self.database = duckdb.connect()
        self.database.execute("SET enable_progress_bar = false")
        self.database.execute("CREATE SCHEMA recorded")
        self.status, self.number = 0, 0
        self.loaded = set()
        for name, columns in TABLES.items():
            self.database.execute(f"CREATE TABLE {name} ({columns})")
        for name, select in VIEWS.items():
            self.database.execute(f"CREATE VIEW {name} AS {select}")
        self.database.execute("SET search_path = 'main,recorded'")
        self.input = None

    def path(self, ending):
        self.number += 1
        return os.path.join(self.temporary, f"{self.number}{ending}")

    def tool(self, *arguments, may_fail=False):
        """Runs jopt-data; False if it found nothing to do."""
        run = subprocess.run([self.args.jopt_data, *arguments], stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True, errors="replace")
        if run.returncode == 1 and not may_fail:
            raise Failure(run.stderr.strip().replace("jopt-data: error: ", ""))
        if run.returncode == 2:
            # A folder with other records is not one with something missing.
            lines = [line for line in run.stderr.splitlines()
                     if "no run has a table" not in line and "has no coverage" not in line]
            if lines:
                print("\n".join(lines), file=sys.stderr)
                self.status = 2
        return run.returncode != 1

    def one_folder(self):
        """A folder with the runs of all: several are merged."""
        if self.input is None:
            folders = self.args.folders
            if len(folders) == 1:
                self.input = folders[0]
            else:
                self.input = self.path("")
                self.tool("merge", *folders, "-o=" + self.input)
        return self.input

    def runs(self):
        """Each run once: its run.txt as a dictionary and as pairs, and its folder."""
        taken = set()
        for folder in self.args.folders:
            for at in [folder] + sorted(e.path for e in os.scandir(folder) if e.is_dir()):
                path = os.path.join(at, "run.txt")
                if not os.path.isfile(path):
                    continue
                with open(path, encoding="utf-8", errors="replace") as f:
                    found = [line.rstrip("\n").partition("=")[::2] for line in f]
                one = dict(found)
                id_ = one.get("run", "")
                # Ids become parts of statements, and folders may be anybody's.
                if (re.fullmatch("[0-9a-f]{32}", id_) and id_ not in taken
                        and id_.startswith(self.args.run or "")):
                    taken.add(id_)
                    yield one, found, at

    def run_option(self):
        return ["-run=" + self.args.run] if self.args.run else []

    def fill(self, table, rows):
        """Fills a table from rows of Python, by way of a file: that is quick."""
        path = self.path(".csv")
        with open(path, "w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f, quoting=csv.QUOTE_ALL)
            for row in rows:
                writer.writerow([NULL if v is None else v for v in row])
        if os.path.getsize(path):
            self.database.execute(
                f"COPY {table} FROM '{quoted(path)}' (FORMAT csv, HEADER false, NULLSTR '{NULL}', "
                "QUOTE '\"', ESCAPE '\"', DELIMITER ',', AUTO_DETECT false, "
                "MAX_LINE_SIZE 67108864)")
        os.unlink(path)

    def load(self, name):
        for own in NEEDS.get(name, [name]):
            loader = LOADERS[own]
            if loader not in self.loaded:
                self.loaded.add(loader)
                loader(self)


def load_runs(store):
    def rows():
        for one, found, at in store.runs():
            millis = int(one.get("start", 0))
            yield (one.get("run"), f"{millis // 1000}.{millis % 1000:03}", at,
                   one.get("java"), one.get("jvm"), one.get("jopt"),
                   " ".join(v for k, v in found if k == "argument"))
    store.database.execute("CREATE TEMP TABLE run_texts AS SELECT * REPLACE "
                           "(CAST(NULL AS DOUBLE) AS start) FROM runs")
    store.fill("run_texts", rows())
    store.database.execute("INSERT INTO runs SELECT * REPLACE "
                           "(make_timestamp(CAST(round(start * 1000000) AS BIGINT)) AS start) "
                           "FROM run_texts")
    store.database.execute("DROP TABLE run_texts")


def load_recorded(store):
    path = store.path(".db")
    store.tool("export", store.one_folder(), "-kind=tables", "-format=sqlite",
               "-o=" + path, *store.run_option())
    if not os.path.exists(path):
        return
    source = sqlite3.connect(path)
    names = [n for n, in source.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
    for name in names:
        table = '"' + name.replace('"', '""') + '"'
        columns = source.execute(f"PRAGMA table_info({table})").fetchall()
        types = ", ".join('"' + c[1].replace('"', '""') + '" ' +
                          ("BIGINT" if c[2] == "INTEGER" else "VARCHAR") for c in columns)
        store.database.execute(f"CREATE TABLE recorded.{table} ({types})")
        store.fill(f"recorded.{table}", source.execute(f"SELECT * FROM {table}"))
    source.close()
    os.unlink(path)


def declared_rows(path, run):
    """The declarations of a trace. Only the names of methods may have a comma."""
    methods = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            parts = line.rstrip("\n").split(",")
            if parts[0] == "$$method$$":
                name, paren, rest = ",".join(parts[2:-2]).partition("(")
                methods[parts[1]] = parts[-2].replace("/", "."), name, paren + rest
            elif len(parts) >= 9 and parts[0] != "$flow$":
                owner, name, descriptor = methods.get(parts[2], (None, None, None))
                line_, at, opcode = (int(n) for n in parts[3:6])
                operands = parts[6:8] + [",".join(parts[8:])]
                yield (run, parts[1], parts[0].strip("$"), owner, name, descriptor,
                       line_ if line_ > 0 else None, at if at >= 0 else None, opcode,
                       *(o or None for o in operands))


def load_events(store):
    for one, _, folder in store.runs():
        run, path = one["run"], store.path(".txt")
        store.tool("print", folder, "-kind=traces", "-only=static", "-o=" + path)
        store.fill("declared", declared_rows(path, run))
        store.tool("print", folder, "-kind=traces", "-only=executions", "-o=" + path)
        if os.path.getsize(path):
            # Lines of arguments have another number in the place of the event's.
            store.database.execute(
                f"INSERT INTO events SELECT '{run}', event, thread, time, "
                "nullif(depth, -1), replace(host, '/', '.'), declared, trim(type, '$') "
                f"FROM read_csv('{quoted(path)}', header = false, auto_detect = false, "
                "delim = ',', quote = '', escape = '', columns = {'mark': 'VARCHAR', "
                "'event': 'BIGINT', 'thread': 'BIGINT', 'time': 'BIGINT', "
                "'depth': 'BIGINT', 'host': 'VARCHAR', 'declared': 'BIGINT', "
                "'type': 'VARCHAR'}) WHERE type NOT LIKE '%argtype$'")
        os.unlink(path)


def load_calls(store):
    for one, _, folder in store.runs():
        run, path = one["run"], store.path(".json")
        store.tool("callgraph", folder, "-format=json", "-o=" + path)
        with open(path, encoding="utf-8") as f:
            graph = json.load(f)
        store.fill("calls", ((run, c["from"], c["to"], c["calls"], c["through"])
                             for c in graph["calls"]))
        store.fill("methods", ((run, m["name"], m["calls"], m["roots"], m["events"])
                               for m in graph["methods"]))
        os.unlink(path)


def load_probes(store):
    """A row for each 64 probes of a class of a run: engines merge these by `bit_or`."""
    path = store.path(".probes")
    store.tool("export", *store.args.folders, "-format=probes", "-o=" + path,
               *store.run_option())
    with open(path, encoding="utf-8") as f:
        store.fill("probes", ((c["run"], c["class"].replace("/", "."), c["id"], c["probes"], n, word)
                              for c in map(json.loads, f) if "class" in c
                              for n, word in enumerate(c["bits"])))
    os.unlink(path)


def has_classes(store):
    return any(o.startswith("-classes=") for o in store.args.option)


def want_classes(store, name):
    if not has_classes(store):
        raise Failure(f"{name} wants -classes=, the classes as they were before they were "
                      "woven")


def load_coverage(store):
    want_classes(store, "a table of coverage")
    path = store.path(".xml")
    store.tool("report", *store.args.folders, "-xml=" + path, "-groups",
               *store.args.option, *store.run_option())
    lines, methods = [], []
    root = xml.etree.ElementTree.parse(path).getroot()

    def counters(element):
        found = {c.get("type"): (c.get("missed"), c.get("covered"))
                 for c in element.findall("counter")}
        return [n for kind in ("INSTRUCTION", "BRANCH", "LINE")
                for n in found.get(kind, (0, 0))]

    for group in root.findall("group") or [root]:
        module = None if group is root else group.get("name")
        for package in group.findall("package"):
            name = package.get("name").replace("/", ".")
            for source in package.findall("sourcefile"):
                lines += [(module, name, source.get("name"),
                           *(line.get(k) for k in ("nr", "mi", "ci", "mb", "cb", "count")))
                          for line in source.findall("line")]
            for owner in package.findall("class"):
                methods += [(module, name, owner.get("name").replace("/", "."),
                             m.get("name"), m.get("desc"), m.get("line"), *counters(m))
                            for m in owner.findall("method")]
    store.fill("lines", lines)
    store.fill("covered_methods", methods)
    os.unlink(path)


def load_counts(store):
    want_classes(store, "a table of edges or paths")
    folder = store.path("")
    store.tool("export", store.one_folder(), "-format=csv", "-o=" + folder,
               *(o for o in store.args.option if o.startswith("-classes=")),
               *store.run_option())
    for table in ("edges", "paths"):
        path = os.path.join(folder, table + ".csv")
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as f:
                rows = csv.reader(f)
                next(rows, None)
                store.fill(table, ([plain(v) for v in row] for row in rows))


def plain(text):
    """Without the apostrophe before what a spreadsheet would run."""
    return text[1:] if re.match(r"'[=+\-@\t\r]", text) else text


LOADERS = {"runs": load_runs, "events": load_events, "declared": load_events,
           "calls": load_calls, "methods": load_calls, "lines": load_coverage,
           "covered_methods": load_coverage, "edges": load_counts, "paths": load_counts,
           "probes": load_probes}


def write_rows(rows, names, form, to):
    if form == "csv":
        writer = csv.writer(to, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(["" if v is None else v for v in row] for row in rows)
    elif form == "json":
        for row in rows:
            json.dump(dict(zip(names, row)), to, default=str, ensure_ascii=False)
            to.write("\n")
    else:
        texts = [["" if v is None else safe(str(v)) for v in row] for row in rows]
        numbers = [all(isinstance(row[i], (int, float)) or row[i] is None for row in rows)
                   for i in range(len(names))]
        widths = [max([len(n)] + [len(row[i]) for row in texts])
                  for i, n in enumerate(names)]
        for row in [names] + texts:
            cells = [c.rjust(w) if right else c.ljust(w)
                     for c, w, right in zip(row, widths, numbers)]
            to.write("  ".join(cells).rstrip() + "\n")


def safe(text):
    """On one line, and without what a terminal would obey."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", text)


def run_query(store, query):
    words = {w.lower() for w in re.findall(r"\w+", query)}
    load_recorded(store)
    for name in (*TABLES, *VIEWS):
        if name in words:
            store.load(name)
    result = store.database.execute(query)
    if result is None:
        raise Failure("there is no statement in '%s'" % query.strip())
    names = [d[0] for d in result.description or []]
    rows = result.fetchall() if names else []
    if store.args.out:
        with open(store.args.out, "w", encoding="utf-8") as to:
            write_rows(rows, names, store.args.format, to)
    else:
        write_rows(rows, names, store.args.format, sys.stdout)


def write_parquet(store, folder):
    """Writes each table that has rows. Tables of probes are in a folder of their own."""
    load_recorded(store)
    for name in TABLES:
        if has_classes(store) or LOADERS[name] not in (load_coverage, load_counts):
            store.load(name)
    os.makedirs(folder, exist_ok=True)

    def write(source, path):
        if store.database.execute(f"SELECT 1 FROM {source} LIMIT 1").fetchone():
            store.database.execute(f"COPY (FROM {source}) TO '{quoted(path)}' "
                                   "(FORMAT parquet, COMPRESSION zstd)")

    for name in (*TABLES, *VIEWS):
        write(name, os.path.join(folder, name + ".parquet"))
    recorded = store.database.execute(
        "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'recorded' "
        "ORDER BY table_oid").fetchall()
    taken = set()
    for title, in recorded:
        os.makedirs(os.path.join(folder, "recorded"), exist_ok=True)
        stem = re.sub(r"[^\w.-]", "_", title)[:100] or "_"
        name, number = stem, 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.lower())
        source = 'recorded."' + title.replace('"', '""') + '"'
        write(source, os.path.join(folder, "recorded", name + ".parquet"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jopt-data", required=True)
    parser.add_argument("--query")
    parser.add_argument("--out")
    parser.add_argument("--format", default="text")
    parser.add_argument("--run")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    try:
        import duckdb
    except ImportError:
        raise Failure("sql and -format=parquet want DuckDB for "
                      f"{sys.executable}: python3 -m pip install duckdb")
    for folder in args.folders:
        if not os.path.isdir(folder):
            raise Failure(f"{folder} is no data folder")
    with tempfile.TemporaryDirectory(prefix="jopt-sql-") as temporary:
        store = Store(duckdb, args, temporary)
        try:
            if args.query is not None:
                run_query(store, args.query)
            else:
                write_parquet(store, args.out)
        except duckdb.Error as e:
            raise Failure(" ".join(str(e).split("\n\n")[0].split()))
        except OSError as e:
            raise Failure(f"{e.filename or temporary}: {e.strerror}")
        return store.status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as e:
        print(f"jopt-data: error: {e}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
