#!/usr/bin/env bash
# The main job on a program that nobody wrote for jopt: the H2 database as Debian
# ships it. Its jar is probed, runs SQL under the strictest verification, and the
# probe prints each statement. Called by utils/quickstart.
set -euo pipefail
cd "$(dirname "$0")"
jopt=$PWD/../../build/bin/jopt
h2=/usr/share/java/h2.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n$ %s\n' "$*"; }

say "jopt -probes=sql.xml h2.jar -o h2-probed.jar"
"$jopt" -probes=sql.xml "$h2" -o "$work/h2-probed.jar" \
  -probes-report=text -report-file="$work/report.txt"
cat "$work/report.txt"

say "java -Xverify:all -cp h2-probed.jar org.h2.tools.Shell ..."
java -Xverify:all -cp "$work/h2-probed.jar" org.h2.tools.Shell \
  -url jdbc:h2:mem: -sql "create table t(x int) as select x from system_range(1, 100000);select sum(x) from t;select * from nowhere" || true
