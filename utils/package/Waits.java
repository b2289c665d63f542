/** Does the same again and again, until its file is gone. */
class Waits {
    public static void main(String... args) throws Exception {
        java.io.File file = new java.io.File(args[0]);
        System.out.println("begun");
        for (int n = 0; file.exists(); n = Turn.next(n)) Thread.sleep(20);
    }
}

/** Not the class whose loop runs: that one an attach leaves for later. */
class Turn {
    static int next(int n) { return n + 1; }
}
