#!/bin/sh
# bisect-verify.sh PLUGIN PASS LIMIT: the program verifies.
jopt "-load-pass-plugin=$1" "-passes=drop-dead-values,$2,drop-dead-values" "$3" \
  -verify-output Ledger.class -o bisected.class
