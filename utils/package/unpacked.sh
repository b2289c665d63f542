#!/bin/sh
# Where there is neither LLVM nor a JDK, from the folder in which it was unpacked.
set -eu
cd /tmp/program
try() { echo "\$ $*"; "$@"; }
if ls -d /usr/lib/llvm* /usr/lib/*/libLLVM* 2>/dev/null; then exit 1; fi
PATH=/opt/jopt/bin:$PATH
try jopt --version
for file in /opt/jopt/bin/* /opt/jopt/lib/libjopt-agent.so; do
  if ldd "$file" 2>/dev/null | grep 'not found'; then exit 1; fi
done
try jopt -coverage=pos classes -o covered
test -s covered/Waits.class
try jopt -verify-input -S covered/Waits.class >/dev/null
try jopt ps
try jopt-data --version
try jopt-tf -help >/dev/null
# Linked to from elsewhere it finds its parts as well.
ln -s /opt/jopt/bin/jopt /usr/local/bin/jopt-elsewhere
try jopt-elsewhere lib >/dev/null
