#!/bin/sh
# In a system in which jopt was installed: a probe off-line, by attach, and as the
# agent loads classes.
set -eu
cd /tmp/program
try() { echo "\$ $*"; "$@"; }
# until FILE TEXT: waits, for a minute at most, until the text is in the file.
until_said() {
  n=0
  until grep -q "$2" "$1"; do
    n=$((n + 1))
    [ $n -le 600 ] || { echo "never said: $2"; cat "$1"; exit 1; }
    sleep 0.1
  done
}
# A program runs until the file "on" is gone.
start() { touch on; java "$@" Waits on >said 2>&1 & pid=$!; }
stop() { rm on; wait $pid; }
trap 'rm -f on' EXIT

try jopt --version
try jopt-data --version
test -s /usr/share/man/man1/jopt.1
test -s /usr/share/bash-completion/completions/jopt
try jopt -q -probes=probe.xml classes -o out
start -cp out:/usr/share/java/jopt-runtime.jar
until_said said 'probe in next'
stop
start -cp classes
until_said said begun
try jopt ps
try jopt attach $pid -probes=probe.xml
until_said said 'probe in next'
try jopt status $pid
try jopt off $pid
stop
start -agentlib:jopt-agent=probes=probe.xml -cp classes
until_said said 'probe in next'
stop
