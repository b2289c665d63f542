#!/bin/bash
#===- utils/oldclasses.sh - class files as old compilers made them ---------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
folder=
rewrite=
jdks=
parts=

usage() {
  cat <<'HELP'
usage: oldclasses.sh [--rewrite=COMMAND] [--jdk=FEATURE] [--part=PART] FOLDER

Makes class files of versions 45 to 50 with subroutines (jsr, ret) in FOLDER,
each part in a folder of its own:
  ecj-TARGET/   utils/old-classes/sources by Debian's ecj, -target TARGET
  generated/    by utils/old-classes/Subroutines.java: what no compiler makes
and runs the main of each class under -Xverify:all on each JDK found (17, 25).
--jdk and --part, which may be repeated, take only those named.
With --rewrite, whose words IN and OUT stand for folders, each part is rewritten
to FOLDER/rewritten, run again, and what the programs print is compared:
  --rewrite='jopt -passes=relower IN -o OUT'

Exit status: 0 all print the same, 1 not, 2 a class does not run as it was made.
HELP
}

for arg in "$@"; do
  case $arg in
  --help | -h) usage; exit 0 ;;
  --rewrite=*) rewrite=${arg#*=} ;;
  --jdk=*) jdks+=" ${arg#*=}" ;;
  --part=*) parts+=" ${arg#*=}" ;;
  -*) echo "oldclasses.sh: unknown option $arg" >&2; exit 2 ;;
  *) folder=$arg ;;
  esac
done
if [[ -z $folder ]]; then usage >&2; exit 2; fi
if [[ -z $jdks ]]; then jdks=$("$here/jdks.sh" | cut -d' ' -f1); fi
[[ -n $parts ]] ||
  parts="ecj-1.1 ecj-1.2 ecj-1.3 ecj-1.4 ecj-1.5 ecj-1.6 generated"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
jdk=$("$here/jdks.sh" 17)

# Debian's packages, or the corpus's copy of them.
jar() {
  local found
  found=$(ls /usr/share/java/$1 \
    "${XDG_CACHE_HOME:-$HOME/.cache}"/jopt/corpus/{jars/*,deps}/$1 \
    2>/dev/null | head -n 1)
  if [[ -z $found ]]; then
    echo "oldclasses.sh: no $1; install ecj and libasm-java" >&2
    exit 2
  fi
  echo "$found"
}

make_ecj() { # TARGET FOLDER
  local source=1.3 ecj
  ecj=$(jar 'eclipse-jdt-core*.jar')
  case $1 in 1.5 | 1.6) source=$1 ;; esac
  "$jdk/bin/java" -cp "$ecj" org.eclipse.jdt.internal.compiler.batch.Main \
    -source "$source" -target "$1" -nowarn -proc:none -g \
    -d "$2" "$here/old-classes/sources"
}

make_generated() { # FOLDER
  local asm
  asm=$(jar asm-9*.jar)
  "$jdk/bin/javac" -cp "$asm" -d "$tool" "$here/old-classes/Subroutines.java"
  mkdir "$1"
  "$jdk/bin/java" -cp "$tool:$asm" Subroutines "$1"
}

tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
"$jdk/bin/javac" -d "$tool" "$here/old-classes/RunMains.java"
for part in $parts; do
  [[ ! -d $folder/$part ]] || continue
  rm -rf "$folder/$part.new"
  case $part in
  ecj-*) make_ecj "${part#ecj-}" "$folder/$part.new" ;;
  generated) make_generated "$folder/$part.new" ;;
  *) echo "oldclasses.sh: no part is named $part" >&2; exit 2 ;;
  esac
  mv "$folder/$part.new" "$folder/$part"
done

# run FEATURE FOLDER OUTPUT: the main of each class that has one.
run() {
  timeout 600 "$("$here/jdks.sh" "$1")/bin/java" -Xverify:all \
    -cp "$tool" RunMains "$2" >"$3" 2>&1 ||
    echo "exit status $?" >>"$3"
}

status=0
for part in $parts; do
  in=$folder/$part
  out=$folder/rewritten/$part
  if [[ -n $rewrite ]]; then
    rm -rf "$out"
    mkdir -p "$(dirname "$out")"
    command=()
    read -r -a words <<<"$rewrite"
    for word in "${words[@]}"; do
      case $word in
      IN) command+=("$in") ;;
      OUT) command+=("$out") ;;
      *) command+=("$word") ;;
      esac
    done
    "${command[@]}" || {
      echo "$part: the rewriting command failed" >&2
      [[ $status -ne 0 ]] || status=1
    }
  fi
  for feature in $jdks; do
    run "$feature" "$in" "$folder/$part.$feature.txt"
    if grep -n '^exit status\|VerifyError' "$folder/$part.$feature.txt" >&2; then
      echo "$part on JDK $feature: does not run as it was made" >&2
      status=2
    fi
    lines=$(wc -l <"$folder/$part.$feature.txt")
    if [[ -z $rewrite ]]; then
      echo "$part on JDK $feature: $lines lines"
    elif run "$feature" "$out" "$folder/$part.$feature.rewritten.txt" &&
      cmp -s "$folder/$part.$feature.txt" \
        "$folder/$part.$feature.rewritten.txt"; then
      echo "$part on JDK $feature: $lines lines, same"
    else
      echo "$part on JDK $feature: DIFFERENT"
      diff "$folder/$part.$feature.txt" \
        "$folder/$part.$feature.rewritten.txt" | head -n 20 | cut -c1-200
      [[ $status -ne 0 ]] || status=1
    fi
  done
done
exit $status
