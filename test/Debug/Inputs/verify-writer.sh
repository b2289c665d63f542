#!/bin/sh
# verify-writer.sh JOPT CANDIDATE: it writes a class that does not verify.
"$1" -q -passes=relower -verify-output "$2" -o "$2.out" 2>&1 | grep -q VerifyError
