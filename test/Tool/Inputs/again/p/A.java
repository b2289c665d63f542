package p;
public class A {
  public static void main(String[] a) { System.out.println(B.text()); }
}
