public class Pages {
  static int last(int first, int size) {
    return first + size - 1;
  }
  static int next(int page) {
    return page + 1 + 1;
  }
  static int before(int page) {
    return page - 3 + 1;
  }
  static int twoBehind(int page) {
    return page - 1 - 1;
  }
  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]);
    System.out.println(last(n, 10) + " " + next(n) + " " + before(n) + " " + twoBehind(n));
  }
}
