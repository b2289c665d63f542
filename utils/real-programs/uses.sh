# shellcheck shell=bash
#===- utils/real-programs/uses.sh - what else a program is used for --------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Each use U has options_of_U, which prints options of the agent, a line each, or fails
# if the program is not for it, and look_U, which looks at the folder of the run and
# prints what it found, or what is wrong in capitals. The runs print what they print
# without jopt.

options_of_coverage() { printf '%s\n' coverage=pos "data=$1/data"; }
look_coverage() {
  local -a classes=()
  local status=0
  for jar in $("jars_$program"); do
    classes+=("-classes=$corpus/jars/$jar")
  done
  "$build/bin/jopt-data" report "$1/data" "${classes[@]}" -xml="$1/report.xml" \
    -html="$1/pages" >"$1/report.log" 2>&1 || status=$?
  # Classes with subroutines, for one, are not covered.
  if [[ $status == 2 ]]; then
    # After some names it says "left out: N more parts".
    echo "$(awk '/left out: / { n += / more parts$/ ? $(NF - 2) : 1 } END { print n + 0 }' \
      "$1/report.log") classes left out,"
  elif [[ $status != 0 ]]; then
    echo "REPORT FAILED: $(tail -n 1 "$1/report.log")"
  fi
  python3 - "$1/report.xml" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()[-2000:]
missed, covered = re.findall(r'<counter type="LINE" missed="(\d+)" covered="(\d+)"', text)[-1]
print(f"{covered} lines covered, {missed} missed")
if int(covered) < 500:
    print("FEW LINES")
PY
}

options_of_trace() {
  [[ -n ${traced[$program]-} ]] || return 1
  printf '%s\n' "trace=exi${traced_from[$program]+,entry-method=${traced_from[$program]}}" \
    "data=$1/data" 'include=Program'
  printf 'include=%s.*\n' ${traced[$program]}
}
look_trace() {
  "$build/bin/jopt-data" show "$1/data" >"$1/show" 2>&1 || echo "SHOW FAILED: $(tail -n 1 "$1/show")"
  "$build/bin/jopt-data" export "$1/data" -format=collapsed -o "$1/stacks" >"$1/export.log" 2>&1 ||
    echo "EXPORT FAILED: $(tail -n 1 "$1/export.log")"
  echo "$(wc -l <"$1/stacks") stacks of $(awk '{ n += $NF } END { print n + 0 }' "$1/stacks") events"
  [[ -s $1/stacks ]] || echo "NO STACKS"
}

options_of_ready() {
  [[ -n ${ready[$program]-} ]] || return 1
  printf 'probes=lib:%s\n' ${ready[$program]}
  echo "data=$1/data"
}
look_ready() {
  "$build/bin/jopt-data" export "$1/data" -format=csv -o "$1/tables" >"$1/export.log" 2>&1 ||
    echo "EXPORT FAILED: $(tail -n 1 "$1/export.log")"
  python3 "$inputs/rows.py" "$1/tables" >"$1/rows"
  diff "$inputs/$program/rows" "$1/rows" >"$1/rows.diff" ||
    echo "OTHER ROWS: $(grep -c '^[<>]' "$1/rows.diff")"
  awk '{ n += $1 } END { print n + 0 " rows" }' "$1/rows"
}

# A program that is at work all the time, while probes come to everything and go
# again. What an attach leaves for later, or names, is counted.
options_of_attach() { [[ " $today " == *" $program "* ]]; }
attach() {
  local folder=$1 said=$work/attach.log try pid start status
  : >"$said"
  for ((try = 0; try < 10 * limit; ++try)); do
    [[ ! -f $folder/until.first ]] || break
    sleep 0.1
  done
  [[ -f $folder/until.first ]] || { echo "NO START"; return; }
  pid=$(<"$folder/until.first")
  for try in 1 2 3; do
    start=$(date +%s%N) status=0
    "$build/bin/jopt" attach "$pid" -timeout=600s \
      "-probes=$here/probes/count-everything.xml" >>"$said" 2>&1 || status=$?
    printf 'on %s (%d.%d s), ' "$status" $((($(date +%s%N) - start) / 1000000000)) \
      $((($(date +%s%N) - start) / 100000000 % 10))
    [[ $status == 0 || $status == 2 ]] || echo "ATTACH FAILED"
    start=$(date +%s%N) status=0
    "$build/bin/jopt" off "$pid" -timeout=120s >>"$said" 2>&1 || status=$?
    printf 'off %s (%d.%d s), ' "$status" $((($(date +%s%N) - start) / 1000000000)) \
      $((($(date +%s%N) - start) / 100000000 % 10))
    [[ $status == 0 ]] || echo "OFF FAILED"
  done
  touch "$folder/until"
}
look_attach() {
  cat "$1/attached"
  [[ -f $1/until ]] || echo "NOT ALL"
  sed -n 's/^\([0-9]* rounds\)$/\1/p' "$1/stderr"
}
