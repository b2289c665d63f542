#!/usr/bin/env python3
"""usage: spark-submit jopt_fleet.py merge --out=OUT IN...
       spark-submit jopt_fleet.py report IN [--probes=FILE] [--calls=FOLDER]

Merges what many JVMs recorded, as a job of Spark over Parquet: coverage and calls.

An IN is a folder with tables of `jopt-data export -format=parquet`, or a pattern of
such folders, `s3a://shards/2026-12-01/*`, in any file system that Spark reads; what
merge wrote is one, too. Merging is exact, in whatever order and steps. A run counts
once, however often it is there: of several copies the one with the most data counts.

merge writes the tables `runs`, `probes` and `calls`. report writes the probes as lines
that `jopt-data report`, `check` and `merge` read as a file, and the sums of calls as
CSV. docs/Fleet.md shows both."""
import argparse
import collections
import json
import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

# The columns of tables that this job reads; docs/SQL.md has all.
RUNS = "run STRING, start TIMESTAMP"
PROBES = "class STRING, id STRING, probes INT, word INT, bits BIGINT"
CALLS = "run STRING, caller STRING, callee STRING, calls BIGINT, through BIGINT"


class Failure(Exception):
    """A message for the user."""


def exists(spark, pattern):
    path = spark._jvm.org.apache.hadoop.fs.Path(pattern)
    files = path.getFileSystem(spark._jsc.hadoopConfiguration()).globStatus(path)
    return files is not None and len(files) > 0


def read(spark, inputs, name, schema):
    """A table of all inputs; None if no input has it."""
    found = None
    for path in inputs:
        path = f"{path.rstrip('/')}/{name}.parquet"
        if not exists(spark, path):
            continue
        one = spark.read.parquet(path)
        # The folder in which a table is, be the table a file or a folder of parts.
        folder = f.regexp_replace(f.input_file_name(), rf"/{name}\.parquet(/[^/]*)?$", "")
        one = one.select(*(f.col(c.split()[0]) for c in schema.split(", ")),
                         folder.alias("folder"))
        found = one if found is None else found.unionByName(one)
    return found


def merge_runs(runs):
    return runs.groupBy("run").agg(f.min("start").alias("start"))


def merge_probes(probes):
    """A probe is passed if it is in any shard."""
    wrong = (probes.select("id", "class", "probes").distinct().groupBy("id").count()
             .where("count > 1").select("id").limit(3).collect())
    if wrong:
        raise Failure("classes with one id differ in name or number of probes: "
                      + ", ".join(row.id for row in wrong))
    return (probes.groupBy("class", "id", "probes", "word")
            .agg(f.bit_or("bits").alias("bits")))


def merge_calls(calls):
    """The rows of each run, by the copy of it with the most calls."""
    copies = calls.groupBy("run", "folder").agg(f.sum("calls").alias("size"))
    order = Window.partitionBy("run").orderBy(f.desc("size"), "folder")
    best = (copies.withColumn("place", f.row_number().over(order)).where("place = 1")
            .select("run", "folder"))
    return calls.join(best, ["run", "folder"]).drop("folder")


TABLES = {"runs": (RUNS, merge_runs, ["run"]),
          "probes": (PROBES, merge_probes, ["class", "id", "word"]),
          "calls": (CALLS, merge_calls, ["run", "caller", "callee"])}


def merge(spark, args):
    written = []
    for name, (schema, merged, order) in TABLES.items():
        table = read(spark, args.inputs, name, schema)
        if table is not None:
            merged(table).sort(*order).write.mode("overwrite").parquet(
                f"{args.out.rstrip('/')}/{name}.parquet")
            written.append(name)
    if not written:
        raise Failure("no input has one of the tables " + ", ".join(TABLES))
    print(f"{args.out}: {', '.join(written)}")


def write_lines(runs, probes, path):
    """The lines of `jopt-data export -format=probes`, without runs of classes."""
    with open(path, "w", encoding="utf-8") as to:
        for row in runs.select("run", f.unix_millis("start").alias("start")).sort(
                "start", "run").toLocalIterator():
            to.write(json.dumps({"probes": 0, "run": row.run, "start": row.start}) + "\n")
        classes = (probes.groupBy("class", "id", "probes")
                   .agg(f.collect_list(f.struct("word", "bits")).alias("words"))
                   .sort("class", "id"))
        for row in classes.toLocalIterator():
            words = collections.defaultdict(int, row.words)
            bits = [words[n] for n in range((row.probes + 63) // 64)]
            to.write(json.dumps({"probes": row.probes, "class": row["class"].replace(".", "/"), "id": row.id,
                                 "bits": bits}, ensure_ascii=False) + "\n")


def report(spark, args):
    def table(name):
        schema, merged, _ = TABLES[name]
        found = read(spark, args.inputs, name, schema)
        if found is None:
            raise Failure(f"{args.inputs[0]} has no table {name}")
        return merged(found)
    if args.probes:
        write_lines(table("runs"), table("probes"), args.probes)
    if args.calls:
        sums = (table("calls").groupBy("caller", "callee")
                .agg(f.sum("calls").alias("calls"), f.countDistinct("run").alias("runs"))
                .sort(f.desc("calls"), "caller", "callee"))
        sums.coalesce(1).write.mode("overwrite").csv(args.calls, header=True, quoteAll=True,
                                                     escape='"')


def main():
    parser = argparse.ArgumentParser(
        usage=__doc__[len("usage: "):], formatter_class=argparse.RawTextHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("merge")
    one.add_argument("--out", required=True)
    one.add_argument("inputs", nargs="+")
    one = verbs.add_parser("report")
    one.add_argument("--probes")
    one.add_argument("--calls")
    one.add_argument("inputs", nargs=1)
    args = parser.parse_args()
    spark = SparkSession.builder.appName("jopt fleet").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        {"merge": merge, "report": report}[args.verb](spark, args)
    finally:
        spark.stop()


if __name__ == "__main__":
    try:
        main()
    except Failure as e:
        print(f"jopt_fleet: error: {e}", file=sys.stderr)
        sys.exit(1)
