# steps.sh JOPT_SOURCES JOPT_BUILD FOLDER MAIN JAVA...: runs the program in FOLDER step by
# step, and traced, on each Java, and compares what it prints and the order of events.
set -eu
sources=$1 build=$2 in=$3 main=$4
shift 4
classes=$(cd "$in" && echo *.class | sed 's/[.]class//g; s/ /,/g')
"$build/bin/jopt" -q -trace=A,calldepth "$in" -o "$in-traced"
for java; do
  rm -rf data
  "$java" -Xint -XX:-RewriteFrequentPairs -XX:-RewriteBytecodes \
    "-agentpath:$build/lib/libsteps.so=steps.txt,$classes" -cp "$in" "$main" >plain.txt
  "$java" -Xverify:all -Djopt.data=data \
    -cp "$in-traced:$build/lib/jopt-runtime.jar" "$main" >traced.txt
  diff plain.txt traced.txt
  "$build/bin/jopt-data" print data -o trace.txt
  echo "$in $main: $("$sources/utils/check-trace" steps.txt trace.txt)"
done
