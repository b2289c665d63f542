import static org.openjdk.btrace.core.BTraceUtils.println;

import org.openjdk.btrace.core.annotations.BTrace;
import org.openjdk.btrace.core.annotations.OnMethod;

@BTrace
public class Entry {
  @OnMethod(clazz = "Passes$Desk", method = "step")
  public static void at(int id, String name) {
    if (id == -1) println(name);
  }
}
