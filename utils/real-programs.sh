#!/bin/bash
#===- utils/real-programs.sh - programs run before and after rewriting -----===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
inputs=$here/real-programs
corpus=${XDG_CACHE_HOME:-$HOME/.cache}/jopt/corpus
debian="ecj groovy jruby scala kotlin clojure jython ant tomcat10 h2"
today="quarkus $(awk '/^[a-z]/ && $1 !~ /^(peers|diagnosis|lab|jcstress)$/ && !seen[$1]++ { print $1 }' "$inputs/programs.txt" | tr '\n' ' ')"
jdks=
rewrite=
work=
keep=0
counts=0
methods=0
dumps=0
agent=
build=$here/../build
vm=()
tries=()
limit=900
sources=
chosen=
uses=

# On which JDKs the untouched program runs; elsewhere it is skipped. Kotlin 1.3
# does not understand the version number 25.
declare -A runs_on=([kotlin]="17")

# With --methods all objects have the same hash (HotSpot's -XX:hashCode=2), or
# are numbered (3) where the program does not start with that: Jython compares
# objects before it can.
declare -A hashes=([jython]=3)

usage() {
  cat <<HELP
usage: real-programs.sh [OPTION...] [PROGRAM...]

Runs real programs under -Xverify:all on their untouched jars (twice, to prove
that the output is stable) and, with --rewrite, on rewritten ones, or, with
--agent, under the agent, compares what they print and write, and prints the
time each took.
Programs: $debian
Programs of a Maven repository, fetched if need be: $today
"debian" (the default) and "today" are all of these.

  --corpus=FOLDER      what utils/corpus.sh made ($corpus)
  --rewrite=COMMAND    rewrites one jar; the words IN and OUT stand for its name
                       and that of the result:
                         --rewrite='jopt -passes=relower IN -o OUT'
                         --rewrite='cp IN OUT'
  --counts             the jars were rewritten with one of the files in probes:
                       check that what it counts is balanced, and that no
                       fragment threw. With all fragments everywhere:
                         --counts --timeout=3600 --rewrite='jopt
                           -isolate -probes=probes/everything.xml
                           IN -o OUT'
  --agent=OPTIONS      run the untouched jars under the agent too, with these
                       options (absolute paths)
  --uses[=LIST]        what else today's programs are run for: ready (ready probes, and
                       the rows expected of them), coverage (with a report), trace,
                       attach (probes on everything come and go while it works)
  --build=FOLDER       where bin and lib have the tools and the agent ($build)
  --same-bytes         what the agent made is what jopt makes of the same classes
                       (which needs room for both)
  --methods            the probes, of the agent and of the rewriting, are those of
                       probes/count-methods.xml: compare the counts of each
                       method under the agent with those of rewritten runs; a
                       run takes up to 6 GB
  --vm=OPTION          an option for all runs (-XX:+UseSerialGC, -Xshare:off);
                       may be repeated
  --try=OPTIONS        the runs that are compared with the untouched ones, once
                       with each of these: --try='-XX:+UseZGC -Xshare:off' --try=
                       (not with --methods)
  --jdk=FEATURE        17 or 25; may be repeated (all that are found)
  --work=FOLDER        where to run and what to keep (a temporary folder)
  --sources=FOLDER     what ecj compiles, in the place of java.xml
  --timeout=SECONDS    for one run ($limit)

Exit status: 0 if all outputs are equal (and balanced), 1 if not, 2 for wrong
usage or a program that does not run untouched. If the rewriting command ends
with status 2, jopt's "something was left undone", what it says it left as it was,
or did in part, is counted, and listed in left.txt of the folder --work.
HELP
}

for arg in "$@"; do
  case $arg in
  --help | -h) usage; exit 0 ;;
  --corpus=*) corpus=${arg#*=} ;;
  --rewrite=*) rewrite=${arg#*=} ;;
  --agent=*) agent=${arg#*=} ;;
  --uses) uses="ready coverage trace attach" ;;
  --uses=*) uses=${arg#*=} uses=${uses//,/ } ;;
  --build=*) build=$(cd "${arg#*=}" && pwd) ;;
  --same-bytes) dumps=1 ;;
  --counts) counts=1 ;;
  --methods) methods=1 ;;
  --vm=*) vm+=("${arg#*=}") ;;
  --try=*) tries+=("${arg#*=}") ;;
  --jdk=*) jdks+=" ${arg#*=}" ;;
  --work=*) work=${arg#*=}; keep=1 ;;
  --sources=*) sources=$(cd "${arg#*=}" && pwd) ;;
  --timeout=*) limit=${arg#*=} ;;
  -*) echo "real-programs.sh: unknown option $arg" >&2; exit 2 ;;
  debian) chosen+=" $debian" ;;
  today) chosen+=" $today" ;;
  *) chosen+=" $arg" ;;
  esac
done
programs=${chosen:-$debian}
for name in $programs; do
  if [[ " $debian $today " != *" $name "* ]]; then
    echo "real-programs.sh: unknown program $name" >&2
    exit 2
  fi
done
library=$build/lib/libjopt-agent.so
if [[ -z $jdks ]]; then jdks=$("$here/jdks.sh" | cut -d' ' -f1); fi
[[ ${#tries[@]} -gt 0 ]] || tries=("")
if [[ -z $work ]]; then work=$(mktemp -d); fi
mkdir -p "$work"
work=$(cd "$work" && pwd)
if [[ $methods == 1 ]]; then
  cc -O2 -Wall -Wextra -shared -fPIC -fno-builtin "$inputs/ordered_malloc.c" \
    -o "$work/ordered_malloc.so"
fi
server=
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  if [[ $keep == 0 ]]; then rm -rf "$work"; fi
}
trap cleanup EXIT

#===- What the programs share ----------------------------------------------===#
#
# Each program P has jars_P, which prints the jars to rewrite, relative to the
# folder jars of the corpus, and run_P, which runs in an empty folder with
#   $root  where the (rewritten) jars are, laid out as in the corpus
#   $home  the JDK
#   $java  an array: the JVM with its options
# and leaves everything to be compared in the folder result; what it prints
# becomes result/stdout. Standard error is kept but not compared.

# expand PATTERN...: the jars of the corpus that match.
expand() { (cd "$corpus/jars" && for p in "$@"; do ls -d $p; done); }

# class_path PATTERN...: jars of the root, as a class path.
class_path() {
  local jar path=
  for jar in $(expand "$@"); do path+=:$root/jars/$jar; done
  echo "${path#:}"
}

# deps PATTERN...: jars that are never rewritten.
deps() {
  local path=
  for jar in $(cd "$corpus/deps" && for p in "$@"; do ls -d $p; done); do
    path+=:$corpus/deps/$jar
  done
  echo "${path#:}"
}

. "$inputs/debian.sh"
. "$inputs/today.sh"
. "$inputs/uses.sh"

#===- Running and comparing ------------------------------------------------===#

# run PROGRAM FEATURE LABEL ROOT [OPTIONS]: in a fresh folder, with these options
# of the JVM; sets $seconds and fails as the program does. The run that is called
# by-agent is under the agent, and so are the uses, with $work/options.
run() {
  local program=$1 feature=$2 label=$3 folder=$work/$1/$2/$3 started status=0
  root=$4
  home=$("$here/jdks.sh" "$feature")
  rm -rf "$folder"
  mkdir -p "$folder/result"
  # One folder for all programs' own caches and temporary files.
  local most=$limit
  # Three attaches, each with as much time as a run.
  [[ $label != attach ]] || most=$((4 * limit))
  java=(timeout "$most" "$home/bin/java" -Xverify:all -Xmx2g
    -Duser.home="$folder" -Djopt.counts="$folder/counts")
  local only=
  if [[ $methods == 1 ]]; then
    # The same under the agent and without: the classes of the probes are the
    # boot loader's, there are as many system properties, and the same classes
    # have probes: none that the program makes (Tomcat's parts are renamed).
    # What programs do depends on hashes that the JVM gives to objects, on where
    # its names are, by which it sorts methods, on which thread comes first, and
    # on when it collects garbage: hashes are fixed, names lie in the order in
    # which they were made, the programs' inputs let their threads run one by
    # one, and there is room enough. There are several off-line runs,
    # one with an agent that changes no class; what still differs between them
    # does not count.
    java=("${java[@]:0:2}" env "LD_PRELOAD=$work/ordered_malloc.so"
      JOPT_ONE_BY_ONE=1 "${java[@]:2}" -XX:+UnlockExperimentalVMOptions
      "-XX:hashCode=${hashes[$program]-2}" -Xmx6g -Xmn5g -XX:MetaspaceSize=1g)
    [[ $label != offline? ]] || java+=("-Xbootclasspath/a:$work/boot")
    if [[ $label == offline3 ]]; then
      java+=("-agentpath:$library=probes=$here/probes/count-everything.xml,exclude=*")
    elif [[ $label == offline? ]]; then
      java+=(-Djopt.agent.{state,probes,seen,changed,traced,failed,problems,error}=)
    fi
    only=',loader=*AppClassLoader,loader=java.net.URLClassLoader'
    only+=$(printf ',source=*/%s' tomcat-juli.jar \
      $("jars_$program" | sed 's,.*/,,'))
  fi
  java+=(${vm[@]+"${vm[@]}"} ${5-})
  if [[ $label == by-agent ]]; then
    [[ $dumps == 0 ]] || mkdir "$folder/dump"
    java+=("-agentpath:$library=$agent$only,stats=$folder/stats$(
      [[ $dumps == 0 ]] || echo ",dump=$folder/dump")")
  fi
  case $label in
  attach) java+=(-Dreal.until="$folder/until") ;;
  ready | coverage | trace) java+=("-agentpath:$library=@$work/options") ;;
  esac
  [[ $feature -lt 24 ]] || java+=(--sun-misc-unsafe-memory-access=allow
    --enable-native-access=ALL-UNNAMED)
  [[ $1 != tomcat10 ]] || java=("${java[@]:2}")
  started=$(date +%s%N)
  (
    cd "$folder"
    set +e
    "run_$program" >result/stdout 2>stderr
    echo $? >result/status
  ) || status=$?
  seconds=$(($(date +%s%N) - started))
  seconds=$(printf '%d.%02d' $((seconds / 1000000000)) \
    $((seconds / 10000000 % 100)))
  # Where it ran is not part of the output.
  sed -i "s,$folder,FOLDER,g" "$folder/result/stdout"
  [[ $(<"$folder/result/status") == 0 ]]
}

show() { tail -n 5 "$1/stderr" "$1/result/stdout" | sed 's/^/    /' >&2; }

# same_as_original FOLDER: whether the run there printed and wrote what "original" did.
same_as_original() {
  diff -r "${1%/*}/original/result" "$1/result" >"${1%/*}/diff" 2>&1
}

# tell LABEL RESULT: a line of the table. What is wrong is in capitals.
tell() {
  local folder=$work/$program/$feature
  printf '%-11s %-4s %-10s %10s %10s  %s\n' "$program" "$feature" "$1" \
    "$original_seconds" "$seconds" "$2"
  if grep -qE '(^|, |; | )(DIFFERENT|NOT |FRAGMENTS|NO |METHODS|OTHER|FEW|[A-Z]* FAILED)' \
    <<<"$2"; then
    failures=$((failures + 1))
  fi
  if [[ $2 == DIFFERENT* ]]; then
    head -n 10 "$folder/diff" | cut -c1-200 | sed 's/^/    /' >&2
    show "$folder/$1"
  fi
}

# check PROGRAM FEATURE LABEL ROOT [OPTIONS]: runs it, compares it with the run
# "original", and prints a line.
check() {
  local program=$1 feature=$2 label=$3 folder=$work/$1/$2 result=same said
  local -a archives=()
  run "$program" "$feature" "$label" "$4" "${5-}" || true
  same_as_original "$folder/$label" || result=DIFFERENT
  [[ -z ${5-} ]] || result+=" with $5"
  if [[ $counts == 1 ]]; then
    said=$(python3 "$here/probes/check_counts.py" "$folder/$label/counts") ||
      result+=", NOT BALANCED"
    result+="; $said"
  fi
  if grep -hs '^jopt: .* threw ' "$folder/$label/stderr" \
    "$folder/$label/log" >&2; then
    result+=", FRAGMENTS THREW"
  fi
  if [[ $label == by-agent ]]; then
    said=$(sed -n 's/^  "\(classes.changed\|classes.failed\|problems\)": /\1=/p' \
      "$folder/by-agent/stats" | tr -d '\n')
    result+="; ${said:-NO STATS}"
    if [[ $methods == 1 ]]; then
      for jar in $("jars_$program"); do
        archives+=("--jar=$corpus/jars/$jar")
      done
      said=$(python3 "$here/probes/compare_counts.py" "${archives[@]}" \
        "$folder/by-agent/counts" "$folder/offline1/counts" \
        "$folder/offline2/counts" "$folder/offline3/counts") || result+=", METHODS DIFFER"
      result+="; $said"
    fi
    if [[ $dumps == 1 ]]; then
      said=$("$here/agent/same-bytes" "$folder/by-agent/dump" 2>&1) ||
        result+=", OTHER BYTES"
      result+="; $(tail -n 5 <<<"$said")"
      rm -rf "$folder/by-agent/dump"
    fi
  fi
  tell "$label" "$result"
}

# use PROGRAM FEATURE USE: runs it for that, compares it with the run "original", and
# prints a line.
use() {
  local program=$1 feature=$2 folder=$work/$1/$2/$3 result=same beside=
  options_of_"$3" "$folder" >"$work/options" || return 0
  rm -rf "$folder"
  if [[ $3 == attach ]]; then
    attach "$folder" >"$work/attached" 2>&1 &
    beside=$!
  fi
  run "$program" "$feature" "$3" "$corpus" || true
  if [[ -n $beside ]]; then
    kill "$beside" 2>/dev/null || true
    wait "$beside" || true
    cp "$work/attached" "$work/attach.log" "$folder/"
  fi
  same_as_original "$folder" || result=DIFFERENT
  tell "$3" "$result; $(look_"$3" "$folder" 2>&1 | tr '\n' ' ')"
}

failures=0
broken=0
debian_corpus=$(cd "$corpus" 2>/dev/null && pwd || echo "$corpus")
today_corpus=${XDG_CACHE_HOME:-$HOME/.cache}/jopt/programs
printf '%-11s %-4s %-10s %10s %10s  %s\n' program JDK run 'original s' seconds \
  result
for program in $programs; do
  corpus=$debian_corpus
  if [[ " $today " == *" $program "* ]]; then
    corpus=$today_corpus
    status=0
    "$inputs/fetch" "$program" || status=$?
    if [[ $status != 0 ]]; then
      echo "$program: skipped: it cannot be fetched"
      [[ $status == 2 ]] || broken=1
      continue
    fi
  fi
  if [[ -n $rewrite ]]; then
    for jar in $("jars_$program"); do
      target=$work/root/jars/$jar
      mkdir -p "$(dirname "$target")"
      [[ ! -e $target ]] || continue
      command=()
      read -r -a words <<<"$rewrite"
      for word in "${words[@]}"; do
        case $word in
        IN) command+=("$corpus/jars/$jar") ;;
        OUT) command+=("$target") ;;
        *) command+=("$word") ;;
        esac
      done
      status=0
      "${command[@]}" >"$work/rewrite.log" 2>&1 || status=$?
      if [[ $status -eq 2 && -e $target ]]; then
        # "M and N more methods of it left as they were" stands for all of them.
        left=$(sed -n -e '/ left as \(it was\|they were\): /p' -e '/ has no coverage, /p' \
          -e '/ no static fields: /p' -e '/ only what makes its static fields/p' \
          "$work/rewrite.log" | tee -a "$work/left.txt" |
          sed 's/.* and \([0-9]*\) more methods of it left .*/\1 1/; t; s/.*/1/' |
          awk '{ n += $1 + $2 } END { print n + 0 }')
        echo "$jar: $left left as they were, or in part" >&2
      elif [[ $status -ne 0 ]]; then
        echo "rewriting $jar: exit status $status" >&2
        tail -n 5 "$work/rewrite.log" | sed 's/^/    /' >&2
        failures=$((failures + 1))
        continue 2
      fi
      if [[ $methods == 1 ]]; then
        # One without methods has no probes.
        if unzip -l "$target" 'jopt/*' >/dev/null; then
          unzip -q -o "$target" 'jopt/*' -d "$work/boot"
          zip -q -d "$target" 'jopt/*'
        fi
        # A path as long as that of the others.
        mkdir -p "$work/same/jars/$(dirname "$jar")"
        cp "$corpus/jars/$jar" "$work/same/jars/$jar"
      fi
    done
  fi
  for feature in $jdks; do
    if [[ " ${runs_on[$program]-$feature} " != *" $feature "* ]]; then
      printf '%-11s %-4s %s\n' "$program" "$feature" \
        'skipped: does not run untouched'
      continue
    fi
    [[ $corpus == "$debian_corpus" ]] || driver "$program" "$feature"
    if ! run "$program" "$feature" original "$corpus"; then
      printf '%-11s %-4s %-10s %10s %10s  %s\n' "$program" "$feature" original \
        "$seconds" - 'BROKEN untouched'
      show "$work/$program/$feature/original"
      broken=1
      continue
    fi
    original_seconds=$seconds
    for options in "${tries[@]}"; do
      if [[ -n $rewrite ]]; then
        check "$program" "$feature" offline1 "$work/root" "$options"
        if [[ $methods == 1 ]]; then
          check "$program" "$feature" offline2 "$work/root"
          check "$program" "$feature" offline3 "$work/root"
        fi
      elif [[ -z $agent && -z $uses ]]; then
        check "$program" "$feature" original2 "$corpus" "$options"
      fi
      same=$corpus
      [[ $methods == 0 ]] || same=$work/same
      [[ -z $agent ]] || check "$program" "$feature" by-agent "$same" "$options"
    done
    for name in $uses; do use "$program" "$feature" "$name"; done
  done
done
if [[ $broken == 1 ]]; then exit 2; fi
[[ $failures -eq 0 ]]
