# rebuilt.sh JOPT_BUILD LETTERS FOLDER MAIN JAVA...: runs the program in FOLDER traced with all
# events, and with those that the others are rebuilt from, on each Java, off-line and
# under the agent; compares what it prints, and the events.
set -eu
here=$(dirname "$0") build=$1 letters=$2 in=$3 main=$4
shift 4
"$build/bin/jopt" -q "-trace=$letters" "$in" -o "$in-full"
"$build/bin/jopt" -q "-trace=$letters" -trace-reconstruct "$in" -o "$in-few"
commas=$(echo "$letters" | sed 's/,/,,/g')
for java; do
  rm -rf d-full d-few d-agent
  for kind in full few; do
    "$java" -Xverify:all -Djopt.data=d-$kind -cp "$in-$kind:$build/lib/jopt-runtime.jar" "$main" >$kind.txt
    "$build/bin/jopt-data" print d-$kind -o $kind.lines
  done
  "$java" -Xverify:all "-agentpath:$build/lib/libjopt-agent.so=trace=$commas,trace_reconstruct,data=d-agent" \
    -cp "$in" "$main" >agent.txt
  "$build/bin/jopt-data" print d-agent -o agent.lines
  diff full.txt few.txt
  diff full.txt agent.txt
  echo "$in $main: $(python3 "$here/rebuilt.py" full.lines few.lines)"
  echo "$in $main agent: $(python3 "$here/rebuilt.py" full.lines agent.lines)"
done
