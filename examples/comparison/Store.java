/** A bin with room for five, which two threads use. */
public class Store {
  interface Part {
    int size();
  }

  static class Bin implements Part {
    private final int room;
    private int count;

    Bin(int room) {
      this.room = room;
    }

    void put(int n) {
      int sum = count + n;
      if (sum > room)
        throw new IllegalStateException("full: " + sum);
      synchronized (this) {
        count = sum;
        note("put " + n);
      }
    }

    int take(int n) {
      int given = Math.min(n, count);
      count -= given;
      note("take " + given);
      return given;
    }

    void note(String what) {}

    @Override
    public int size() {
      return count;
    }

    @Override
    public String toString() {
      return "bin with " + size();
    }
  }

  public static void main(String[] args) throws Exception {
    Bin bin = new Bin(5);
    bin.put(3);
    bin.put(1);
    try {
      bin.put(4);
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
    Thread other = new Thread(() -> bin.put(1), "other");
    other.start();
    other.join(100);
    System.out.println("took " + bin.take(3));
    other.join();
    System.out.println("left " + bin.size());
  }
}
