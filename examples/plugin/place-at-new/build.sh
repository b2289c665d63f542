#!/bin/sh
# Builds the plugin and runs its tests: jopt_DIR=<prefix>/lib/cmake/jopt sh build.sh
set -e
cmake -S . -B build -Djopt_DIR="$jopt_DIR"
cmake --build build
${LIT:-lit} -sv .
