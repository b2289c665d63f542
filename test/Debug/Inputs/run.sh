#!/bin/sh
# run.sh PLUGIN PASS CANDIDATE: the pass changes what the class does.
d=$(dirname "$3")
mkdir -p "$d/out" || exit 1
jopt -q "-load-pass-plugin=$1" "-passes=$2" "$3" -o "$d/out/Ledger.class" || exit 1
! cmp -s "$3" "$d/out/Ledger.class" || exit 1
timeout 20 java -Xshare:auto -XX:TieredStopAtLevel=1 Compare "$d" "$d/out" 2>/dev/null
test $? = 3
