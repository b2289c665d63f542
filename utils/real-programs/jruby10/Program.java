import java.io.FileReader;
import java.io.StringWriter;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import real.Rounds;

/** Runs a script of Ruby, which is compiled at the first calls. */
public class Program {
  public static void main(String[] args) throws Exception {
    Rounds.run(() -> {
      var text = new StringWriter();
      var ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
      ruby.setOutput(text);
      try (var script = new FileReader(args[0])) {
        ruby.runScriptlet(script, args[0]);
      } finally {
        ruby.terminate();
      }
      return text.toString();
    });
  }
}
