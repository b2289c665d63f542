#!/bin/sh
# verify.sh PLUGIN PASS CANDIDATE: the pass makes a class that does not verify.
jopt -q "-load-pass-plugin=$1" "-passes=$2" -verify-output "$3" -o "$3.out" 2>&1 |
  grep -q VerifyError
