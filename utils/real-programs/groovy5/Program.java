import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import real.Rounds;

/** Compiles a script of Groovy and runs it. */
public class Program {
  public static void main(String[] args) throws Exception {
    Rounds.run(() -> {
      var text = new StringWriter();
      var binding = new Binding();
      binding.setProperty("out", new PrintWriter(text, true));
      new GroovyShell(binding).evaluate(new File(args[0]));
      return text.toString();
    });
  }
}
