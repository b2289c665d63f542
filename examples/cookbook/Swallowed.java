/** Something fails, and the handler is empty. */
public class Swallowed {
  static void save(String name) {
    if (name.isEmpty())
      throw new IllegalArgumentException("a name is needed");
  }

  static void turn() {
    try {
      save("");
    } catch (RuntimeException e) {
      // cannot happen
    }
  }
}
