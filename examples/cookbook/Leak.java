/** Listeners are added, and some of them never removed. */
public class Leak {
  static class Bus {
    private final java.util.List<Object> listeners = new java.util.ArrayList<>();

    synchronized void add(Object listener) {
      listeners.add(listener);
    }

    synchronized void remove(Object listener) {
      listeners.remove(listener);
    }
  }

  private static final Bus BUS = new Bus();

  static void window() {
    Object listener = new Object();
    BUS.add(listener);
    BUS.remove(listener);
  }

  static void dialog() {
    BUS.add(new Object());
  }

  static void turn() {
    window();
    dialog();
  }
}
