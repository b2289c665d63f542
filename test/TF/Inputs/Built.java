import java.lang.annotation.*;
import jopt.tf.*;
import jopt.tf.annotation.*;

@MethodMonitorGroup @Retention(RetentionPolicy.RUNTIME) @interface Built {}

@Built class Main {
  @Built int twice(int x) { return 2 * x; }
  public static void main(String[] args) {
    MethodMonitorRegistry.register(Built.class, MethodMonitorFactoryDefaults.dprint());
    new Main().twice(21);
  }
}
