import jopt.probes.FieldWrite;
import jopt.probes.MethodName;
import jopt.probes.MethodPattern;
import jopt.probes.OldValue;
import jopt.probes.Value;

/** From what to what a field is changed. */
@MethodPattern("Shop:*(*)")
public class FieldWriteProbe {
  @FieldWrite(owner = "Shop", name = "stock")
  public static void stock(@MethodName String method, @OldValue int from, @Value int to) {
    System.out.println("[FieldWrite] " + method + ": " + from + " to " + to);
  }
}
