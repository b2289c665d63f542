#!/bin/bash
#===- utils/jdks.sh - the JDKs of this machine -----------------------------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
set -euo pipefail

if [[ "${1-}" == --help || "${1-}" == -h ]]; then
  cat <<'HELP'
usage: jdks.sh [FEATURE]

Prints one line "FEATURE HOME" for each JDK (17, 25, ...) that is found, or,
with FEATURE, the home of that one (exit status 1 if there is none). Where to
look: the variable JOPT_JDK<FEATURE>, JAVA_HOME, /usr/lib/jvm, /opt. Of
several with one feature number the first in the order of names is taken.
HELP
  exit 0
fi

feature_of() { # HOME -> feature number, nothing if this is no JDK
  [[ -x $1/bin/javac && -f $1/release ]] || return 0
  sed -n 's/^JAVA_VERSION="\(1\.\)\?\([0-9]*\).*/\2/p' "$1/release"
}

declare -A homes=()
add() {
  local feature
  feature=$(feature_of "$1")
  if [[ -n $feature && -z ${homes[$feature]-} ]]; then
    homes[$feature]=$(readlink -f "$1")
  fi
}

for variable in $(compgen -v JOPT_JDK); do
  if [[ -n ${!variable} ]]; then add "${!variable}"; fi
done
[[ -z ${JAVA_HOME-} ]] || add "$JAVA_HOME"
for home in /usr/lib/jvm/* /opt/*; do add "$home"; done

if [[ $# -gt 0 ]]; then
  [[ -n ${homes[$1]-} ]] || exit 1
  echo "${homes[$1]}"
else
  for feature in "${!homes[@]}"; do echo "$feature ${homes[$feature]}"; done |
    sort -n
fi
