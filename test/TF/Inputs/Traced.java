// What the enhancer makes of a class with two annotations, written by hand. The
// packages are replaced to run it with the original library.
import jopt.tf.*;
import jopt.tf.annotation.*;

@Read
@Write
public class Traced {
  // Sorted: Read, Write.
  private static SynchronizedHolder<MethodMonitor> __$mm$__0;
  private static SynchronizedHolder<MethodMonitor> __$mm$__1;

  static {
    MethodMonitorRegistry.registerClass(Traced.class);
  }

  // Identifiers: begin 0, end 1, fail 2, note 3, read 4, write 5.
  @Read
  int read(int a, long b) {
    int result = 0;
    MethodMonitor mm = __$mm$__0.content();
    if (mm != null) mm.enter(4, a, b);
    try {
      note("seen", null, mm, 4);
      return result = a + (int) b;
    } finally {
      if (mm != null) mm.exit(4, result);
    }
  }

  @Write
  void write(Object value) {
    MethodMonitor mm = __$mm$__1.content();
    if (mm != null) mm.enter(5, value);
    try {
      begin(mm, 5);
      end(1.5, mm, 5);
    } finally {
      if (mm != null) mm.exit(5);
    }
  }

  @Write
  void fail() {
    MethodMonitor mm = __$mm$__1.content();
    if (mm != null) mm.enter(2);
    try {
      RuntimeException e = new IllegalStateException("no");
      if (mm != null) mm.exception(2, e);
      throw e;
    } finally {
      if (mm != null) mm.exit(2);
    }
  }

  @InfoMethod
  private void note(String s, int[] n, MethodMonitor mm, int caller) {
    if (mm != null) mm.info(new Object[] {s, n}, caller, 3);
  }

  @InfoMethod(tpType = TimingPointType.ENTER, tpName = "middle")
  private void begin(MethodMonitor mm, int caller) {
    if (mm != null) mm.info(new Object[0], caller, 0);
  }

  @InfoMethod(tpType = TimingPointType.EXIT, tpName = "middle")
  private void end(double d, MethodMonitor mm, int caller) {
    if (mm != null) mm.info(new Object[] {d}, caller, 1);
  }

  void run() {
    read(1, 2L);
    write(new Object[] {"a", null, new int[0].length});
    write(new int[] {3, 4});
    write(new boolean[] {true});
    write(null);
    try {
      fail();
    } catch (IllegalStateException e) {
    }
  }
}
