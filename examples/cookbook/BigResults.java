/** A search without a limit. */
public class BigResults {
  static java.util.List<Integer> find(String what) {
    int size = what.equals("*") ? 5000 : 3;
    return new java.util.ArrayList<>(java.util.Collections.nCopies(size, 1));
  }

  static void turn() {
    find("pear");
    find("*");
  }
}
