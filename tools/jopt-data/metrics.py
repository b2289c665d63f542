#!/usr/bin/env python3
"""Counts as metrics of OpenTelemetry, for `jopt-data export -format=otlp-metrics`, and
requests of its protocol to a collector, also those of traces.

jopt-data calls it; docs/OpenTelemetry.md names the metrics. Their values are read from
what `jopt-data callgraph`, `export` and `report` write, and from the lines that verbs
print with --format=json, so all of them tell the same. The messages are those of
OpenTelemetry's own definitions."""
import argparse
import collections
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

JSON, BINARY = "application/json", "application/x-protobuf"
POINTS = 1000  # of a request
SECONDS = 30   # until a collector has answered


class Failure(Exception):
    """A message for the user."""


def load_definitions():
    try:
        from google.protobuf import json_format
        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
        from opentelemetry.proto.metrics.v1 import metrics_pb2
    except ImportError:
        raise Failure("-format=otlp-metrics wants OpenTelemetry's definitions for "
                      f"{sys.executable}: python3 -m pip install opentelemetry-proto")
    return json_format, metrics_service_pb2, metrics_pb2


class Metric:
    """A metric, and its points: (attributes, start, time, value) with times in
    nanoseconds. A value is a number, or a dictionary of a summary."""

    def __init__(self, unit, description, kind):
        self.unit, self.description, self.kind = unit, description, kind
        self.points = []


METRICS = {
    "jopt.method.calls": ("{call}", "Calls of a method.", "sum"),
    "jopt.method.events": ("{event}", "Events of a trace in a method.", "sum"),
    "jopt.caller.calls": ("{call}", "Calls of one method by another.", "sum"),
    "jopt.table.rows": ("{row}", "Rows of a table.", "sum"),
    "jopt.coverage.covered": ("{element}", "What ran, by JaCoCo's counters.", "gauge"),
    "jopt.coverage.missed": ("{element}", "What did not run.", "gauge"),
}


class Export:
    def __init__(self, args, folder):
        self.args, self.temporary, self.status = args, folder, 0
        # By the attributes of a resource, then by name.
        self.resources = collections.defaultdict(dict)

    def path(self, name):
        return os.path.join(self.temporary, name)

    def tool(self, *arguments):
        """Runs jopt-data; False if there is no such record."""
        run = subprocess.run([self.args.jopt_data, *arguments], stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True, errors="replace")
        if run.returncode == 2:
            # A run with other records is not one with something missing.
            lines = [line for line in run.stderr.splitlines()
                     if "no run has a table" not in line and "has no trace" not in line
                     and "has no coverage" not in line]
            if lines:
                print("\n".join(lines), file=sys.stderr)
                self.status = 2
        return run.returncode != 1 and "has no coverage" not in run.stderr

    def add(self, resource, name, attributes, times, value):
        unit, description, kind = METRICS.get(name, ("", "", None))
        if kind is None:
            kind = "summary" if isinstance(value, dict) else "sum"
        metric = self.resources[tuple(sorted(resource.items()))].setdefault(
            name, Metric(unit, description, kind))
        metric.points.append((attributes, *times, value))

    # What folders have.

    def folder(self, folder):
        found = [e.path for e in os.scandir(folder) if e.is_dir()]
        runs = [p for p in [folder, *sorted(found)]
                if os.path.isfile(os.path.join(p, "run.txt"))]
        if not runs:
            raise Failure(f"{folder} is no data folder")
        for path in runs:
            self.run(path)

    def run(self, path):
        with open(os.path.join(path, "run.txt"), encoding="utf-8", errors="replace") as f:
            own = dict(line.rstrip("\n").partition("=")[::2] for line in f)
        if self.args.run and not own.get("run", "").startswith(self.args.run):
            return
        resource = {"service.name": "java", "jopt.run": own.get("run", "")}
        if "java" in own:
            resource["process.runtime.version"] = own["java"]
        start = int(own.get("start", 0)) * 10 ** 6
        end = max(os.stat(e.path).st_mtime_ns for e in os.scandir(path))
        times = start, max(start, end)
        self.calls(path, resource, times)
        self.tables(path, resource, times)
        if any(o.startswith("-classes=") for o in self.args.option):
            self.coverage(path, resource, times)

    def calls(self, path, resource, times):
        out = self.path("calls.json")
        if not self.tool("callgraph", path, "-format=json", "-o=" + out):
            return
        with open(out, encoding="utf-8") as f:
            graph = json.load(f)
        for m in graph["methods"]:
            named = {"code.function.name": m["name"]}
            self.add(resource, "jopt.method.calls", named, times, m["calls"])
            self.add(resource, "jopt.method.events", named, times, m["events"])
        for c in graph["calls"]:
            self.add(resource, "jopt.caller.calls", {"jopt.caller": c["from"],
                                              "code.function.name": c["to"]},
                     times, c["calls"])

    def tables(self, path, resource, times):
        out = self.path("tables.db")
        if not self.tool("export", path, "-kind=tables", "-format=sqlite", "-o=" + out) \
                or not os.path.exists(out):
            return
        source = sqlite3.connect(out)
        for title, in source.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall():
            quoted = '"' + title.replace('"', '""') + '"'
            count, = source.execute(f"SELECT count(*) FROM {quoted}").fetchone()
            self.add(resource, "jopt.table.rows", {"jopt.table": title}, times, count)
        source.close()
        os.unlink(out)

    def coverage(self, path, resource, times):
        out = self.path("coverage.xml")
        if not self.tool("report", path, "-xml=" + out, *self.args.option):
            return
        root = xml.etree.ElementTree.parse(out).getroot()
        for c in root.findall("counter"):
            kind = {"jopt.counter": c.get("type").lower()}
            for what in ("covered", "missed"):
                self.add(resource, "jopt.coverage." + what, kind, times, int(c.get(what)))

    # What verbs print with --format=json.

    def lines(self, path):
        """Lines of count, monitor, top and alloc: each has a time, a metric, a key."""
        found = False
        file = sys.stdin if path == "-" else open(path, encoding="utf-8")
        with file:
            for number, text in enumerate(file, 1):
                if not text.strip():
                    continue
                try:
                    row = json.loads(text)
                    if "metric" in row:
                        self.row(row)
                        found = True
                except (ValueError, KeyError, TypeError, AttributeError):
                    raise Failure(f"{path}: line {number} is no line of count, monitor, top "
                                  "or alloc with --format=json")
        if not found:
            print(f"jopt-data: left out: {path} has no counts", file=sys.stderr)
            self.status = 2

    def row(self, row):
        time = int(row["time"]) * 10 ** 6
        name = "jopt." + row["metric"]
        attributes = {"jopt.key": str(row["key"])}
        rest = {k: v for k, v in row.items() if k not in ("time", "metric", "key")}
        count = int(rest.pop("count", rest.pop("samples", 0)))
        resource = {"service.name": "java"}
        for unit in ("ms", "bytes"):
            quantiles = {q: rest[f"{k}_{unit}"] for k, q in
                         (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
                         if f"{k}_{unit}" in rest}
            if quantiles:
                total = rest.get(f"total_{unit}", rest.get(f"mean_{unit}", 0) * count
                                 if f"mean_{unit}" in rest else 0)
                self.add(resource, f"{name}.duration", attributes, (0, time),
                         {"count": count, "sum": total, "quantiles": quantiles})
        self.add(resource, name, attributes, (0, time), count)
        for key, value in rest.items():
            if key.split("_")[0] in ("total", "own", "failed", "array"):
                self.add(resource, f"{name}.{key}", attributes, (0, time), value)


def put(to, attributes):
    for key, value in attributes.items():
        own = to.add()
        own.key, own.value.string_value = key, value


def requests(resources, service_pb2, metrics_pb2):
    """Requests with no more than POINTS points each."""
    request, room = None, 0
    for attributes, metrics in resources.items():
        scope = None
        for name, metric in metrics.items():
            points = None
            for point in metric.points:
                if room == 0:
                    if request is not None:
                        yield request
                    request, room = service_pb2.ExportMetricsServiceRequest(), POINTS
                    scope = points = None
                if scope is None:
                    resource = request.resource_metrics.add()
                    put(resource.resource.attributes, dict(attributes))
                    scope = resource.scope_metrics.add()
                    scope.scope.name = "jopt"
                if points is None:
                    points = add_metric(scope, name, metric, metrics_pb2)
                add_point(points.add(), *point)
                room -= 1
    if request is not None:
        yield request


def add_metric(scope, name, metric, metrics_pb2):
    """The points of a new metric."""
    to = scope.metrics.add(name=name, unit=metric.unit, description=metric.description)
    if metric.kind == "sum":
        to.sum.is_monotonic = True
        to.sum.aggregation_temporality = metrics_pb2.AGGREGATION_TEMPORALITY_CUMULATIVE
    return getattr(to, metric.kind).data_points


def add_point(to, attributes, start, time, value):
    put(to.attributes, attributes)
    to.start_time_unix_nano, to.time_unix_nano = start, time
    if isinstance(value, dict):
        to.count, to.sum = value["count"], value["sum"]
        for at, number in value["quantiles"].items():
            to.quantile_values.add(quantile=at, value=number)
    elif isinstance(value, int):
        to.as_int = value
    else:
        to.as_double = value


def send(url, signal, kind, body):
    """Posts a request; the path of a signal is added to an address without one."""
    parts = urllib.parse.urlsplit(url)
    if parts.path in ("", "/"):
        url = parts._replace(path="/v1/" + signal).geturl()
    request = urllib.request.Request(url, body, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            answer.read()
    except (urllib.error.URLError, OSError, ValueError) as e:
        raise Failure(f"{url}: {getattr(e, 'reason', e)}")


def export_metrics(args, folder):
    json_format, service_pb2, metrics_pb2 = load_definitions()
    export = Export(args, folder)
    for path in args.inputs:
        if os.path.isdir(path):
            export.folder(path)
        elif path == "-" or os.path.isfile(path):
            export.lines(path)
        else:
            raise Failure(f"{path} is no data folder, and no file")
    all_ = requests(export.resources, service_pb2, metrics_pb2)
    if is_address(args.out):
        for request in all_:
            send(args.out, "metrics", BINARY, request.SerializeToString())
        return export.status
    part = args.out + ".part"
    with open(part, "w", encoding="utf-8") as to:
        for request in all_:
            text = json_format.MessageToJson(request, indent=None,
                                             use_integers_for_enums=True)
            to.write(text + "\n")
    os.replace(part, args.out)
    return export.status


def send_spans(args, folder):
    """Sends what -format=otlp writes, a request a line."""
    out = os.path.join(folder, "spans.json")
    command = [args.jopt_data, "export", *args.inputs, "-format=otlp", "-o=" + out]
    if args.run:
        command.append("-run=" + args.run)
    status = subprocess.run(command).returncode
    if status != 1:
        with open(out, "rb") as f:
            for line in f:
                send(args.out, "traces", JSON, line)
    return status


def is_address(out):
    return out.startswith(("http://", "https://"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jopt-data", required=True)
    parser.add_argument("--signal", choices=["metrics", "spans"], required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--run")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("inputs", nargs="+")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jopt-otlp-") as folder:
        try:
            return (export_metrics if args.signal == "metrics" else send_spans)(args, folder)
        except OSError as e:
            raise Failure(f"{e.filename or args.out}: {e.strerror}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as e:
        print(f"jopt-data: error: {e}", file=sys.stderr)
        sys.exit(1)
