# usage: run.sh LIB LETTERS EXPECTED
#
# Traces ex.Ex, which is in the folder in, in three ways, and compares each.
set -e
here=$(dirname "$0")
rm -rf out d
jopt -q "-trace=$2" in -o out
java -Djopt.data=d/1 -cp "out:$1/jopt-runtime.jar" ex.Ex >/dev/null
java "-agentpath:$1/libjopt-agent.so=trace=${2//,/,,},data=$PWD/d/2" -cp in ex.Ex >/dev/null
for n in 1 2; do
  jopt-data print "d/$n" -flavour=blinky | python3 "$here/compare.py" "$3"
done
java -Djopt.trace=stdout -Djopt.trace.flavour=blinky -cp "out:$1/jopt-runtime.jar" ex.Ex |
  grep '^[$]' | python3 "$here/compare.py" "$3"
