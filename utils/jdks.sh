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
look: the variable JOPT_JDK<FEATURE>, JAVA_HOME, /usr/lib/jvm, /opt, and what
utils/get-jdk fetched. Of several with one feature number the first in the order
of names is taken.
HELP
  exit 0
fi

feature_of() { # HOME -> feature number, nothing if this is no JDK
  [[ -x $1/bin/javac ]] || return 0
  # Debian's 8 has no such file.
  { cat "$1/release" 2>/dev/null || "$1/bin/javac" -version 2>&1; } |
    sed -n 's/^\(JAVA_VERSION="\|javac \)\(1\.\)\?\([0-9]*\).*/\3/p'
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
fetched=${XDG_CACHE_HOME:-${HOME-}/.cache}/jopt/jdks
for home in /usr/lib/jvm/* /opt/* "$fetched"/*; do add "$home"; done

if [[ $# -gt 0 ]]; then
  [[ -n ${homes[$1]-} ]] || exit 1
  echo "${homes[$1]}"
else
  for feature in "${!homes[@]}"; do echo "$feature ${homes[$feature]}"; done |
    sort -n
fi
