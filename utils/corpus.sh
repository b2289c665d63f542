#!/bin/bash
#===- utils/corpus.sh - assembles the corpus of real classes ---------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/jopt
slice=all
folder=
stats=1

usage() {
  cat <<'HELP'
usage: corpus.sh [--slice=all|ci] [--no-stats] [FOLDER]

Assembles real classes that nobody here wrote, as inputs of tests and
benchmarks, and prints what they are. FOLDER is by default corpus (or
corpus-ci) in $XDG_CACHE_HOME/jopt (~/.cache/jopt). What is there is not made
again; remove FOLDER to start afresh.

  FOLDER/jdk17/MODULE/...   the classes of each module of JDK 17, unpacked
  FOLDER/jdk25/MODULE/...   and of JDK 25, where one is found (see jdks.sh)
  FOLDER/jars/NAME/*.jar    the jars of ecj, groovy, jruby, ...
  FOLDER/deps/*.jar         jars that those need to link and to run
  FOLDER/root/PACKAGE/...   the Debian packages, unpacked; nothing is installed
  FOLDER/src/openjdk-17     the source of the module java.xml of JDK 17

--slice=ci takes part of the modules and five packages: what CI has time for.
Packages that are installed are copied, others come by apt-get download.
HELP
}

for arg in "$@"; do
  case $arg in
  --help | -h) usage; exit 0 ;;
  --slice=all | --slice=ci) slice=${arg#--slice=} ;;
  --no-stats) stats=0 ;;
  -*) echo "corpus.sh: unknown option $arg" >&2; exit 1 ;;
  *) folder=$arg ;;
  esac
done
if [[ -z $folder ]]; then
  folder=$cache/corpus
  [[ $slice == all ]] || folder+=-$slice
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# Which packages make up which part. The order is the order of the table.
declare -A parts=(
  [ecj]="libeclipse-jdt-core-java ecj"
  [groovy]="groovy"
  [jruby]="jruby"
  [scala]="scala scala-library scala-parser-combinators scala-xml"
  [kotlin]="kotlin"
  [clojure]="libclojure-java libspec-alpha-clojure libcore-specs-alpha-clojure"
  [jython]="jython"
  [ant]="ant"
  [maven]="libmaven3-core-java libmaven-resolver-java maven"
  [tomcat10]="libtomcat10-java tomcat10-common"
  [h2]="libh2-java"
  [hsqldb]="libhsqldb-java"
  [lucene8]="liblucene8-java"
  [josm]="josm"
  [fop]="libfop-java fop"
  [jmeter]="jmeter"
)
names="ecj groovy jruby scala kotlin clojure jython ant maven tomcat10 h2"
names+=" hsqldb lucene8 josm fop jmeter"
modules17= # all
jdks="17 25"
if [[ $slice == ci ]]; then
  names="ecj groovy clojure h2 scala-library"
  parts[scala-library]="scala-library"
  modules17="java.base java.xml jdk.compiler"
  jdks=17
fi

#===- Modules of the JDKs --------------------------------------------------===#

for feature in $jdks; do
  target=$folder/jdk$feature
  [[ ! -d $target ]] || continue
  if ! home=$("$here/jdks.sh" "$feature"); then
    echo "corpus.sh: no JDK $feature found; left out" >&2
    continue
  fi
  echo "corpus.sh: modules of $home" >&2
  include='regex:.*\.class'
  if [[ -n $modules17 ]]; then
    include='regex:/('${modules17// /|}')/.*\.class'
  fi
  rm -rf "$target.new"
  "$home/bin/jimage" extract --dir "$target.new" --include "$include" \
    "$home/lib/modules"
  mv "$target.new" "$target"
done

#===- Debian packages ------------------------------------------------------===#

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# unpack PACKAGE...: their files, without installing them, into root/PACKAGE.
unpack() {
  local package target file missing=() options=()
  for package in "$@"; do
    if [[ ! -d $folder/root/$package ]] && ! is_installed "$package"; then
      missing+=("$package")
    fi
  done
  rm -rf "$folder/debs"
  mkdir -p "$folder/debs"
  if [[ ${#missing[@]} -gt 0 ]]; then
    # root downloads as root: the user _apt may not enter the folder.
    [[ $(id -u) -ne 0 ]] || options=(-o APT::Sandbox::User=root)
    (cd "$folder/debs" && apt-get -qq "${options[@]}" download "${missing[@]}")
  fi
  for package in "$@"; do
    target=$folder/root/$package
    [[ ! -d $target ]] || continue
    rm -rf "$target.new"
    mkdir -p "$target.new"
    if is_installed "$package"; then
      dpkg -L "$package" | while IFS= read -r file; do
        if [[ ! -d $file || -L $file ]]; then
          cp -P --parents "$file" "$target.new"
        fi
      done
    else
      dpkg-deb -x "$folder"/debs/"${package}"_*.deb "$target.new"
    fi
    mv "$target.new" "$target"
  done
  rm -rf "$folder/debs"
}

# jars OF_PACKAGE INTO: its jars; links are skipped, their targets are not.
jars() {
  local jar only='*.jar'
  # The jar of groovy with everything would be a second copy of all others.
  [[ $slice != ci || $1 != groovy ]] || only='groovy-[2-9]*[0-9].jar'
  mkdir -p "$2"
  find "$folder/root/$1" -type f -name "$only" | sort | while IFS= read -r jar
  do
    cp -n "$jar" "$2/"
  done
}

declare -A is_part=()
roots=
for name in $names; do
  for package in ${parts[$name]}; do
    is_part[$package]=1
    roots+=" $package"
  done
done

# What the packages depend on, as on a machine where nothing is installed.
# Only what holds jars is wanted: no JRE, no desktop.
dependencies() {
  local scratch
  scratch=$(mktemp -d)
  mkdir -p "$scratch/archives/partial"
  : >"$scratch/status"
  apt-get install -y --print-uris --no-install-recommends \
    -o Dir::State::status="$scratch/status" \
    -o Dir::Cache::archives="$scratch/archives" "$@" 2>/dev/null |
    sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p" |
    grep -E -- '-java$|-clojure$|^scala|^ivy$|^antlr3?$|^junit4$|^jmapviewer$|^velocity$' |
    grep -vE '^(lib)?openjfx|^openjdk|^ca-certificates|parent-java$' | sort -u
  rm -rf "$scratch"
}

others=
if [[ $slice == all ]]; then
  if [[ ! -f $folder/packages ]]; then
    # shellcheck disable=SC2086
    dependencies $roots >"$folder/packages.new"
    mv "$folder/packages.new" "$folder/packages"
  fi
  others=$(cat "$folder/packages")
fi

# shellcheck disable=SC2086
unpack $roots $others
for name in $names; do
  [[ ! -d $folder/jars/$name ]] || continue
  for package in ${parts[$name]}; do jars "$package" "$folder/jars/.$name"; done
  mv "$folder/jars/.$name" "$folder/jars/$name"
done
if [[ ! -d $folder/deps ]]; then
  rm -rf "$folder/.deps"
  mkdir -p "$folder/.deps"
  for package in $others; do
    [[ -n ${is_part[$package]-} ]] || jars "$package" "$folder/.deps"
  done
  mv "$folder/.deps" "$folder/deps"
fi

if [[ $slice == all && ! -d $folder/src/openjdk-17 ]]; then
  unpack openjdk-17-source
  mkdir -p "$folder/src/.openjdk-17"
  zip=$(find "$folder/root/openjdk-17-source" -type f -name src.zip)
  (cd "$folder/src/.openjdk-17" && "$("$here/jdks.sh" 17)/bin/jar" \
    xf "$zip" java.xml/)
  rm -rf "$folder/root/openjdk-17-source"
  mv "$folder/src/.openjdk-17" "$folder/src/openjdk-17"
fi

#===- The table ------------------------------------------------------------===#

if [[ $stats == 1 ]]; then
  java=$("$here/jdks.sh" 17 || "$here/jdks.sh" 25)/bin/java
  list=()
  for feature in $jdks; do
    [[ ! -d $folder/jdk$feature ]] || list+=("jdk$feature=$folder/jdk$feature")
  done
  for name in $names; do list+=("$name=$folder/jars/$name"); done
  "$java" "$here/corpus/CorpusStats.java" "${list[@]}"
fi
