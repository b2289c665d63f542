# shellcheck shell=bash
#===- utils/real-programs/today.sh - the programs of a Maven repository ----===#
#
# Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# What programs.txt names, and quarkus, fetched by utils/real-programs/fetch. The class
# Program in the folder of each is compiled, that of micronaut with its annotation
# processor, and runs in one JVM with the jars: it starts the program, gives it work,
# prints what comes of it, and ends. Those of spring-boot and quarkus come with the
# program.

declare -A runs_on+=([spring-boot]="21 25" [jetty]="21 25" [helidon]="21 25" [lucene]="21 25" [jruby10]="21 25"
  [micronaut]="21 25")

declare -A processor=([micronaut]=full) main=([micronaut]=shop.Program)

# What Program is given; options of the JVM that the program's own scripts give.
arguments_tomcat11() { echo "$inputs/tomcat11/page.jsp"; }
arguments_groovy5() { echo "$inputs/groovy/script.groovy"; }
arguments_jruby10() { echo "$inputs/jruby/script.rb"; }
arguments_clojure12() { echo "$inputs/clojure/script.clj"; }
arguments_kotlin2() { echo "$inputs/kotlin2/Shop.kt" "$corpus"/jars/kotlin2/kotlin-stdlib-[0-9]*.jar; }
arguments_scala3() { echo "$inputs/scala3/Shop.scala"; }
options_jruby10() { echo -Djruby.jit.threshold=2 -Djruby.jit.background=false; }
options_lucene() { echo --add-modules=jdk.incubator.vector; }
options_spark() {
  printf -- '--add-opens=java.base/%s=ALL-UNNAMED ' java.{io,net,nio,util} \
    java.lang{,.invoke,.reflect} java.util.concurrent{,.atomic} sun.nio.{ch,cs} \
    sun.security.action sun.util.calendar
}

# Packages whose calls are traced, and from where on, if not main.
declare -A traced_from=([quarkus]='run([Ljava/lang/String;)I')
declare -A traced=([spring-boot]="shop org.springframework.web.servlet"
  [quarkus]="shop io.quarkus.runtime"
  [kafka]="org.apache.kafka.clients.producer" [tomcat11]="org.apache.catalina.core"
  [jetty]="org.eclipse.jetty.server" [helidon]="io.helidon.webserver.http"
  [micronaut]="shop io.micronaut.http.server" [spark]="org.apache.spark.sql.execution"
  [netty]="io.netty.handler.codec.http" [lucene]="org.apache.lucene.search"
  [groovy5]="org.codehaus.groovy.control" [jruby10]="org.jruby.embed"
  [clojure12]="clojure.core" [kotlin2]="org.jetbrains.kotlin.cli"
  [scala3]="dotty.tools.dotc.transform" [flink]="org.apache.flink.client"
  [hibernate]="org.hibernate.engine.jdbc")

# Those that record rows: the ready probes, and the columns of tables that are the
# same in each run.
declare -A ready=([spring-boot]="jdbc http-server" [tomcat11]="jdbc http-server"
  [jetty]="jdbc http-server" [helidon]="jdbc http-server" [micronaut]="jdbc http-server" [hibernate]="jdbc"
  [quarkus]="jdbc http-server" [netty]="http-server")

jars_today() { (cd "$corpus/jars" && ls "$1"/*.jar); }

# driver PROGRAM FEATURE: compiles the class Program.
driver() {
  [[ $1 != spring-boot && $1 != quarkus ]] || return 0
  "$("$here/jdks.sh" "$2")/bin/javac" "-proc:${processor[$1]-none}" -nowarn -Xlint:none \
    -d "$work/$1/$2/driver" -cp "$corpus/jars/$1/*" "$inputs/Rounds.java" \
    "$inputs/$1/Program.java" 2>"$work/javac.log" || cat "$work/javac.log" >&2
}

run_today() {
  local arguments=() options=()
  ! declare -F "arguments_$program" >/dev/null || arguments=($("arguments_$program"))
  ! declare -F "options_$program" >/dev/null || options=($("options_$program"))
  "${java[@]}" ${options[@]+"${options[@]}"} \
    -cp "$work/$program/$feature/driver:$root/jars/$program/*" "${main[$program]-Program}" \
    ${arguments[@]+"${arguments[@]}"}
}

run_spring-boot() { "${java[@]}" -jar "$root/jars/spring-boot/app.jar"; }

jars_quarkus() { echo quarkus/app; }
run_quarkus() { "${java[@]}" -jar "$root/jars/quarkus/app/quarkus-run.jar"; }

for name in $today; do
  declare -F "run_$name" >/dev/null || eval "run_$name() { run_today; }"
  declare -F "jars_$name" >/dev/null || eval "jars_$name() { jars_today '$name'; }"
done
