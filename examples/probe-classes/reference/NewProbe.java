import jopt.probes.LineNumber;
import jopt.probes.MethodPattern;
import jopt.probes.New;
import jopt.probes.ObjectRef;

/** Prints each new exception, once it can be used. */
@MethodPattern("Shop:*(*)")
public class NewProbe {
  @New(owner = "java.lang.*Exception")
  public static void made(@ObjectRef Object thrown, @LineNumber int line) {
    System.out.println("[New] line " + line + ": " + ((Exception) thrown).getMessage());
  }
}
