#!/bin/sh
# weave.sh [-p PIPELINE] ADVICE IN OUT [OPTION...]: runs insert-probes (or
# PIPELINE), with the advices of the file ADVICE, over the text form of every
# class of the folder IN.
set -e
passes=insert-probes
if [ "$1" = -p ]; then
  passes=$2
  shift 2
fi
advice=$1 in=$2 out=$3
shift 3
mkdir -p "$out"
find "$in" -name '*.class' | sort | while read -r class; do
  name=${class#"$in"/}
  mkdir -p "$out/$(dirname "$name")"
  { cat "$advice"; jopt -S "$class"; } > "$out/$name.jir"
  jopt -passes="$passes" -verify-each -verify-output "$@" \
    "$out/$name.jir" -o "$out/$name"
done
