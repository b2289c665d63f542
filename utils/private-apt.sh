#!/bin/bash
#===- utils/private-apt.sh - Debian's packages without installing any ------===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
# For scripts to source: packages of another suite or architecture than the
# system's, unpacked into folders. The caller sets `work`, a folder of its own,
# which it removes.

fail() { echo "${0##*/}: $2" >&2; exit "$1"; }

# private_apt ARCHITECTURE [SUITE]: apt with an index of its own, and no root; of
# that suite, or of all of Debian's that the system's sources name.
private_apt() {
  local sources keys=/usr/share/keyrings/debian-archive-keyring.gpg
  sources=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
    'Created-By: Packages' | grep -E '/debian(-security)?/* ' | sort -u)
  if [ -n "${2-}" ]; then
    sources=$(sed -n "/debian\/* /{s| .*| $2 main|p;q}" <<<"$sources")
  fi
  [ -n "$sources" ] || fail 1 "apt's sources name no mirror of Debian"
  mkdir -p "$work"/apt/{lists/partial,archives/partial}
  : >"$work/apt/status"
  sed "s|^|deb [signed-by=$keys] |" <<<"$sources" >"$work/apt/sources.list"
  cat >"$work/apt/conf" <<CONF
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$work/apt";
Dir::State::lists "$work/apt/lists";
Dir::State::status "$work/apt/status";
Dir::Cache "$work/apt";
Acquire::Languages "none";
Acquire::Retries "2";
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "$(id -un)";
CONF
  export APT_CONFIG=$work/apt/conf
  apt-get -qq update >"$work/apt.log" 2>&1 && ! grep -q '^[EW]:' "$work/apt.log" ||
    fail 2 "the mirror does not answer: $(grep -m1 '^[EW]:' "$work/apt.log")"
}

# packages FOLDER NAME...: unpacks them there.
packages() {
  local root=$1 deb; shift
  mkdir -p "$root.debs" "$root"
  if ! (cd "$root.debs" && apt-get -qq download "$@") >"$work/apt.log" 2>&1; then
    ! grep -q 'Unable to locate' "$work/apt.log" ||
      fail 1 "no such package: $(grep -m1 'Unable to locate' "$work/apt.log")"
    fail 2 "cannot download $*: $(grep -m1 '^E:' "$work/apt.log")"
  fi
  for deb in "$root.debs"/*.deb; do dpkg-deb -x "$deb" "$root"; done
  rm -rf "$root.debs"
}
