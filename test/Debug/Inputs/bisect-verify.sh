#!/bin/sh
# bisect-verify.sh PLUGIN PASS LIMIT: the program verifies.
jopt "-load-pass-plugin=$1" "-passes=adce,$2,adce" "$3" \
  -verify-output Ledger.class -o bisected.class
