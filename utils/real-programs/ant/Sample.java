/** What the Ant build compiles and runs. */
public class Sample {
  interface Shape {
    double area();
  }

  public static void main(String[] args) {
    Shape shape = () -> 6.25;
    System.out.println("sample " + String.join(" ", args) + shape.area());
  }
}
