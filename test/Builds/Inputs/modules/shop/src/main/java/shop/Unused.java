package shop;

public class Unused {
    public int f(int x) {
        try {
            return 10 / x;
        } finally {
            System.out.println(x);
        }
    }

    public int g() {
        return 1;
    }
}
