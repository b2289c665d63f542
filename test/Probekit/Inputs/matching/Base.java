package p;
public class Base {
  @Main.Traced public void run() { System.out.println("base"); }
}
class Middle extends Base { }
class Leaf extends Middle implements Deep, Comparable<Leaf> {
  public void run() { System.out.println("leaf"); }
  public int compareTo(Leaf o) { return 0; }
}
class Generated extends Middle {
  public void run() { super.run(); }
}
