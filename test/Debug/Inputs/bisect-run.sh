#!/bin/sh
# bisect-run.sh PLUGIN PASS LIMIT: the program prints what it should.
j="java -Xshare:auto -XX:TieredStopAtLevel=1"
mkdir -p bisected && cp Activations*.class bisected || exit 1
[ -f expected ] || $j -cp . Ledger >expected
jopt "-load-pass-plugin=$1" "-passes=drop-dead-values,$2,drop-dead-values" "$3" \
  Ledger.class -o bisected/Ledger.class || exit 1
$j -cp bisected Ledger 2>/dev/null | cmp -s expected -
