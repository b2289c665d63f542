# shellcheck shell=bash
#===- utils/real-programs/debian.sh - the programs of Debian ------------- ===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

jars_ecj() { expand 'ecj/eclipse-jdt-core-*.jar'; }
run_ecj() {
  # The class library is that of 17 on each JDK, so the class files are too.
  find "${sources:-$corpus/src/openjdk-17/java.xml}" -name '*.java' | sort >files
  "${java[@]}" -cp "$(class_path 'ecj/eclipse-jdt-core-*.jar')" \
    org.eclipse.jdt.internal.compiler.batch.Main -17 -proc:none -nowarn \
    --system "$("$here/jdks.sh" 17)" --limit-modules java.base \
    -d result/classes @files
}

groovy_jar='groovy/groovy-[2-9]*[0-9].jar'
jars_groovy() { expand "$groovy_jar" 'groovy/groovy-xml-[2-9]*[0-9].jar'; }
run_groovy() {
  local path
  path=$(class_path "$groovy_jar" 'groovy/groovy-xml-[2-9]*[0-9].jar')
  path+=:$(deps 'antlr-2*.jar' 'asm-[0-9]*.jar' 'asm-[atu]*.jar' commons-cli.jar)
  "${java[@]}" -cp "$path" groovy.ui.GroovyMain "$inputs/groovy/script.groovy"
}

jruby_jars="jruby/jruby-base.jar jruby/jruby-core.jar jruby/jruby-stdlib-*.jar"
jars_jruby() { expand $jruby_jars; }
run_jruby() {
  # Compiled at the first call, so that generated code is run as well.
  "${java[@]}" -Djruby.home="$corpus/root/jruby/usr/share/jruby" \
    -Djruby.native.enabled=false -Djruby.jit.threshold=2 \
    -Djruby.jit.background=false \
    -cp "$(class_path $jruby_jars):$(deps '*.jar')" \
    org.jruby.Main "$inputs/jruby/script.rb"
}

scala_jars="scala/scala-compiler-*.jar scala/scala-library-*.jar"
scala_jars+=" scala/scala-reflect-*.jar scala/scala-xml_*.jar"
scala_jars+=" scala/scala-parser-combinators_*.jar"
jars_scala() { expand $scala_jars; }
run_scala() {
  local path
  path=$(class_path $scala_jars)
  mkdir result/classes
  "${java[@]}" -cp "$path" scala.tools.nsc.Main -usejavacp -d result/classes \
    "$inputs/scala/Program.scala"
  "${java[@]}" -cp "result/classes:$path" Program
}

kotlin_jars="kotlin/kotlin-compiler-[0-9]*.jar kotlin/kotlin-reflect-[0-9]*.jar"
kotlin_jars+=" kotlin/kotlin-stdlib-[0-9]*.jar"
kotlin_jars+=" kotlin/kotlin-script-runtime-*.jar"
jars_kotlin() { expand $kotlin_jars; }
run_kotlin() {
  # kotlinc's own script turns verification off. What it compiles against is
  # the untouched library: it copies bodies of inline functions out of there,
  # and does not expect probes in them. The program runs on the rewritten one.
  local path library untouched
  path=$(class_path $kotlin_jars):$(deps 'libtrove-intellij-*.jar' \
    'jdom1-*.jar' 'jna-*.jar' 'org.jetbrains.annotations-java8*.jar')
  library=$(class_path 'kotlin/kotlin-stdlib-[0-9]*.jar')
  untouched=$corpus/jars/$(expand 'kotlin/kotlin-stdlib-[0-9]*.jar')
  "${java[@]}" -cp "$path:$(deps '*.jar')" \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -nowarn \
    -cp "$untouched" -d result/classes "$inputs/kotlin/Program.kt"
  "${java[@]}" -cp "result/classes:$library" ProgramKt
}

jars_clojure() { expand 'clojure/*.jar'; }
run_clojure() {
  "${java[@]}" -cp "$(class_path 'clojure/*.jar')" clojure.main \
    "$inputs/clojure/script.clj"
}

jars_jython() { expand 'jython/*.jar'; }
run_jython() {
  "${java[@]}" -Dpython.home="$corpus/root/jython/usr/share/jython" \
    -Dpython.cachedir.skip=true -cp "$(class_path 'jython/*.jar'):$(deps '*.jar')" \
    org.python.util.jython "$inputs/jython/script.py"
}

ant_jars="ant/ant-[0-9]*.jar ant/ant-launcher-*.jar"
jars_ant() { expand $ant_jars; }
run_ant() {
  cp "$inputs/ant/build.xml" "$inputs/ant/Sample.java" .
  "${java[@]}" -cp "$(class_path $ant_jars)" -Dant.home="$PWD" \
    org.apache.tools.ant.Main -noinput -f build.xml |
    sed 's/^Total time: .*/Total time/; s,'"$PWD"',.,g'
}

jars_h2() { expand 'h2/*.jar'; }
run_h2() {
  "${java[@]}" -cp "$(class_path 'h2/*.jar')" org.h2.tools.RunScript \
    -url jdbc:h2:mem:test -script "$inputs/h2/script.sql" -showResults
}

tomcat_jars="tomcat10/bootstrap.jar tomcat10/tomcat10-[a-h]*.jar"
tomcat_jars+=" tomcat10/tomcat10-j*.jar tomcat10/tomcat10-[s-w]*.jar"
jars_tomcat10() { expand $tomcat_jars; }
run_tomcat10() {
  local jar app=base/webapps/app port= tries
  mkdir -p home/lib home/bin base/{conf,logs,temp,work} "$app/WEB-INF/classes"
  for jar in $(expand $tomcat_jars); do
    ln -s "$root/jars/$jar" "home/lib/$(basename "$jar")"
  done
  mv home/lib/bootstrap.jar home/bin/
  mv home/lib/tomcat10-juli-*.jar home/bin/tomcat-juli.jar
  ln -s "$corpus"/jars/ecj/eclipse-jdt-core-*.jar home/lib/
  cp "$inputs/tomcat10/server.xml" base/conf/
  cp "$inputs/tomcat10/web.xml" base/conf/
  if [[ $methods == 1 ]]; then
    # One thread that answers, nothing that depends on the time, and no look
    # into its own archives, which are others off-line.
    sed -i -e 's/maxThreads="4" minSpareThreads="2"/maxThreads="1" minSpareThreads="1"/' \
      -e 's/<Engine /&backgroundProcessorDelay="-1" /' base/conf/server.xml
    echo '<Context><Resources cacheTtl="3600000"/>' \
      '<JarScanner scanClassPath="false"/></Context>' >base/conf/context.xml
  fi
  cp "$inputs/tomcat10/page.jsp" "$app/"
  seq 1 2000 >"$app/index.txt"
  "$home/bin/javac" --release 17 -proc:none -d "$app/WEB-INF/classes" \
    -cp "$(echo "$corpus"/jars/tomcat10/tomcat10-servlet-api-*.jar)" \
    "$inputs/tomcat10/Hello.java"
  (
    cd base
    exec timeout "$limit" "${java[@]}" -Dcatalina.home=../home \
      -Dcatalina.base=. -Djava.io.tmpdir=temp \
      -cp ../home/bin/bootstrap.jar:../home/bin/tomcat-juli.jar \
      org.apache.catalina.startup.Bootstrap start >../log 2>&1
  ) &
  server=$!
  # It chose a free port of the loopback interface; its log says which.
  for ((tries = 0; tries < 10 * limit; ++tries)); do
    port=$(sed -n 's/.*ProtocolHandler \["http-nio-127.0.0.1-auto-[0-9]*-\([0-9]*\)"\].*/\1/p' log | tail -1)
    if [[ -n $port ]] && grep -q 'Server startup in' log; then break; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  local status=0
  timeout "$limit" python3 "$inputs/tomcat10/requests.py" "${port:-1}" ||
    status=$?
  kill "$server" 2>/dev/null || true
  wait "$server" || true
  server=
  grep -E 'SEVERE|Error' log | grep -v 'as asked' |
    sed 's/^[^ ]* [^ ]* //; s/\[http-[^]]*\]/[http]/' || true
  return "$status"
}
