#!/bin/sh
# bisect-run.sh PLUGIN PASS LIMIT: the class does what it should.
mkdir -p bisected || exit 1
jopt "-load-pass-plugin=$1" "-passes=adce,$2,adce" "$3" \
  Ledger.class -o bisected/Ledger.class || exit 1
java -Xshare:auto -XX:TieredStopAtLevel=1 Compare . bisected
