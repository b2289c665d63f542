# usage: record.sh BUILD [JAVA-OPTION...]
# Compiles T.java of the folder, traces it, and records a run: in, out, d.
set -e
build=$1
shift
javac -nowarn -g -d in T.java
jopt -trace="${LETTERS:-A}" in -o out
rm -rf d
java "$@" -Djopt.data=d -cp "out:$build/lib/jopt-runtime.jar" T
