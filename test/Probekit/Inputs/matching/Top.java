package p;
interface Top {
  default void hello() { System.out.println("hello"); }
  static void stat() { System.out.println("stat"); }
  void abs();
}
interface Deep extends Top {
  default void abs() { }
}
