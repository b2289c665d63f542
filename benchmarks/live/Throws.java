import static org.openjdk.btrace.core.BTraceUtils.jstack;

import org.openjdk.btrace.core.annotations.BTrace;
import org.openjdk.btrace.core.annotations.Kind;
import org.openjdk.btrace.core.annotations.Location;
import org.openjdk.btrace.core.annotations.OnMethod;

@BTrace
public class Throws {
  @OnMethod(clazz = "Passes$Desk", method = "step", location = @Location(Kind.ERROR))
  public static void at(Throwable thrown) {
    jstack(thrown);
  }
}
