#!/usr/bin/env bash
# Makes the folder that the mistakes of cases.txt are made in: a program, archives
# of it, and probe files p.xml (right) and others (wrong).
set -euo pipefail
mkdir -p "$1" && cd "$1"
cat > Demo.java <<'J'
public class Demo {
  static int parse(String s) { return Integer.parseInt(s); }
  public static void main(String[] args) throws Exception {
    System.out.println(parse(args.length > 0 ? args[0] : "5"));
    if (args.length > 1)
      Thread.sleep(60_000);
  }
}
J
cat > Inner.java <<'J'
package q;
public class Inner { public static void help() { } interface Only { void f(); } }
J
javac --release 17 -g -d demo Demo.java Inner.java
javac --release 8 -Xlint:-options -d old Demo.java
jar cfe demo.jar Demo -C demo . && jar cf old.jar -C old .
head -c 300 demo.jar > truncated.jar && : > empty.jar && echo text > text.jar
mkdir -p in && cp demo/Demo.class in/
probe() { # FILE TARGETS FRAGMENT...
  printf '<probekit>\n<probe>\n%s\n<target type="exclude"/>\n%s\n</probe>\n</probekit>\n' "$2" "$3" > "$1"
}
main='<target type="include" className="Demo" method="parse"/>'
entry() { printf '<fragment type="entry">%s<code><![CDATA[\n%s\n]]></code></fragment>' "${2:-}" "$1"; }
probe p.xml "$main" "$(entry 'System.out.println("probe");')"
probe case.xml '<target type="include" className="Demo" method="Parse"/>' "$(entry ';')"
probe package.xml '<target type="include" className="q.Inner"/>' "$(entry ';')"
probe parameters.xml '<target type="include" className="Demo" method="parse(String)"/>' "$(entry ';')"
probe signature.xml '<target type="include" className="Demo" method="parse" signature="(String)int"/>' "$(entry ';')"
probe abstract.xml '<target type="include" package="q" className="Inner$Only" method="f"/>' "$(entry ';')"
probe nobody.xml '<target type="include" className="Nobody"/>' "$(entry ';')"
probe calls.xml '<target type="include" package="java.lang" className="Runtime" method="halt"/>' '<fragment type="beforeCall"><code>;</code></fragment>'
probe type.xml "$main" "$(entry 'int n = "text";')"
probe semicolon.xml "$main" "$(entry 'int n = 1')"
probe import.xml "$main" "$(entry 'List<String> l = null;')"
probe unnamed.xml "$main" "$(entry 'Demo.parse("1");')"
probe unnamed-import.xml '<import text="Demo"/>'"$main" "$(entry ';')"
probe unknown-data.xml "$main" "$(entry 'System.out.println(metodName);' '<data type="methodName" name="methodName"/>')"
probe undeclared-data.xml "$main" "$(entry 'System.out.println(thisObject);')"
probe unused.xml "$main" "$(entry 'return 1L;')"
probe kept.xml '<invocationObject name="t" type="long"/>'"$main" "$(entry 'return 1L;')<fragment type=\"exit\"><code>System.out.println(t);</code></fragment>"
probe newer.xml "$main" "$(entry 'StackWalker.getInstance();')"
probe record.xml "$main" "$(entry 'record R(int n) { } new R(1);')"
probe no-class.xml "$main" "$(entry 'org.apache.coyote.Request r = null;')"
probe private.xml "$main" "$(entry 'new q.Inner.Only() { public void f() { } };')"
probe lambda.xml "$main" "$(entry 'Runnable r = () -> { throw new java.io.IOException(); };')"
probe entry-result.xml "$main" "$(entry ';' '<data type="returnedObject" name="r"/>')"
probe two-kinds.xml "$main" "$(entry ';')<fragment type=\"beforeCall\"><code>;</code></fragment>"
probe param.xml '<param name="limit" type="int" default="20"/>'"$main" "$(entry 'if (limit > 0) System.out.println("limit " + limit);')"
probe param-type.xml '<param name="limit" type="Integer" default="20"/>'"$main" "$(entry ';')"
probe throwable.xml '<target type="include" package="java.lang" className="Throwable" method="&lt;init&gt;"/>' "$(entry ';')"
probe throws.xml "$main" "$(entry 'throw new IllegalStateException("oops");')"
sed 's/fragment type="entry"/fragment type="enter"/' p.xml > fragment-type.xml
sed 's/className/clasName/' p.xml > attribute.xml
sed 's/<target type="exclude"\/>//' p.xml > no-exclude.xml
sed 's/<!\[CDATA\[//; s/]]>//; s/System.out.*/if (1 < 2) return;/' p.xml > cdata.xml
head -c 100 p.xml > cut.xml
printf '# options\nprobes=p.xml\nlevle=info\n' > options
jopt -q -probes=p.xml demo.jar -o woven.jar
cat > attach <<'S'
# attach OPTIONS...: what jcmd says of it, and the program.
java -cp demo Demo 5 stay > /dev/null 2>&1 &
pid=$!
for i in $(seq 300); do jcmd $pid VM.version > /dev/null 2>&1 && break; sleep 0.1; done
jcmd $pid JVMTI.agent_load "$@" | grep -v "^$pid"
jcmd $pid VM.system_properties | grep '^jopt.agent.error=.'
kill $pid
S
