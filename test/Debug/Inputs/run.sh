#!/bin/sh
# run.sh PLUGIN PASS CANDIDATE: the pass changes what the program prints.
d=$(dirname "$3") j="java -Xshare:auto -XX:TieredStopAtLevel=1"
mkdir -p "$d/out" && cp Activations*.class "$d/out" || exit 1
jopt -q "-load-pass-plugin=$1" "-passes=$2" "$3" -o "$d/out/Ledger.class" || exit 1
! cmp -s "$3" "$d/out/Ledger.class" || exit 1
timeout 10 $j -cp "$d" Ledger >"$d/before" 2>"$d/error" || exit 1
timeout 10 $j -cp "$d/out" Ledger >"$d/after" 2>&1
! cmp -s "$d/before" "$d/after"
