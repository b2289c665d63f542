# usage: run_version.sh JAVAC JAVA RELEASE PROGRAM PFL
# Compiles, enhances and runs PROGRAM, in the current folder.
set -e
case $1 in
*javac) $1 -nowarn --release $3 -g -cp $5 -d c$3 $4/demo/*.java 2>javac.log ;;
*) $1 -nowarn -source $3 -target $3 -g -cp $5 -d c$3 $4/demo ;;
esac
jopt -tf=pfl -q -verify-each -verify-output c$3 -o o$3
$2 -Xverify:all -cp o$3:$5 demo.Main | sed -E 's/@[0-9a-f]{5,}/@HASH/g' >out$3
diff out$3 $4/expected-run.txt
