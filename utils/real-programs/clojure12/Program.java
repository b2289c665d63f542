import clojure.lang.Agent;
import clojure.lang.Compiler;
import clojure.lang.RT;
import clojure.lang.Var;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import real.Rounds;

/** Compiles a script of Clojure and runs it. */
public class Program {
  public static void main(String[] args) throws Exception {
    String script = Files.readString(Path.of(args[0])).replace("(shutdown-agents)", "");
    Rounds.run(() -> {
      var text = new StringWriter();
      Var.pushThreadBindings(RT.map(RT.OUT, text, RT.CURRENT_NS, RT.CURRENT_NS.deref()));
      try {
        Compiler.load(new StringReader(script));
      } finally {
        Var.popThreadBindings();
      }
      return text.toString();
    });
    Agent.shutdown();
  }
}
