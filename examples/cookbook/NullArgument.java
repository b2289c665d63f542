/** A null comes from somewhere. */
public class NullArgument {
  static void add(String article) {}

  static void fromShop() {
    add("pear");
  }

  static void fromImport() {
    add(null);
  }

  static void turn() {
    fromShop();
    fromImport();
  }
}
