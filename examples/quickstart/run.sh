#!/usr/bin/env bash
# The main job on a program that nobody wrote for jopt: javac's own parser is
# too well known, so a jar of Debian's is probed at entry and exit of one of its
# packages, run, and its report shown. Called by utils/quickstart.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/build/bin:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
