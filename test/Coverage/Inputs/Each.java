package e;

import java.util.*;

/** Reads and evaluates terms; what is wrong is thrown. No class has state. */
class Terms {
    private final String text;
    private int at;

    Terms(String text) {
        if (text.isEmpty()) throw new IllegalArgumentException();
        this.text = text;
    }

    static Integer of(String text) {
        Terms t = new Terms(text);
        int n = t.sum();
        return t.at < text.length() ? null : Integer.valueOf(n);
    }

    private char next() { return at < text.length() ? text.charAt(at) : 0; }

    private int sum() {
        int n = product();
        for (;;) {
            switch (next()) {
            case '+': at++; n += product(); break;
            case '-': at++; n -= product(); break;
            case '|': at++; n |= product(); break;
            default: return n;
            }
        }
    }

    private int product() {
        int n = atom();
        while (next() == '*' || next() == '/') {
            boolean isProduct = text.charAt(at++) == '*';
            int by = atom();
            n = isProduct ? n * by : n / by;
        }
        return n;
    }

    private int atom() {
        char c = next();
        at++;
        if (c == '(') {
            int n = sum();
            if (next() != ')')
                throw new IllegalStateException(
                    "at " + at);
            at++;
            return n;
        }
        if (c == '-') return -atom();
        if (c == 'a') return new int[3][Integer.bitCount(at)].length;
        return new Numbers(c).value();
    }
}

class Numbers {
    final char c;

    Numbers(char c) { this.c = c; }

    int value() {
        try {
            return Integer.parseInt(String.valueOf(c));
        } catch (NumberFormatException e) {
            if (c >= 'x') return c;
            throw e;
        } finally {
            Integer.valueOf(c);
        }
    }
}

class Lists {
    static List<Integer> all(String... texts) {
        List<Integer> all = new ArrayList<>();
        for (String t : texts) {
            Integer n;
            try {
                n = Terms.of(t);
            } catch (ArithmeticException | IllegalStateException e) {
                n = e.getMessage() == null ? 0 : e.getMessage().length();
            }
            if (n != null && n > 1) all.add(n);
        }
        Collections.sort(all, (a, b) -> {
            return a < b ? 1 : -1;
        });
        return all;
    }
}

class Each {
    static volatile Object result;

    static void test(int number) throws Exception {
        Random random = new Random(number);
        Runnable body = () -> {
            try {
                String[] texts = new String[1 + random.nextInt(3)];
                for (int i = 0; i < texts.length; i++) {
                    StringBuilder text = new StringBuilder();
                    for (int n = random.nextInt(9); n > 0; n--) text.append("0123456789xya+-*/()|".charAt(random.nextInt(20)));
                    texts[i] = text.toString();
                }
                result = Lists.all(texts);
            } catch (RuntimeException e) {
                result = e;
            }
        };
        if (number % 10 != 0) { body.run(); return; }
        Thread other = new Thread(body);
        other.start();
        other.join();
    }
    public static void main(String[] a) throws Exception {
        if (a.length == 1) { test(Integer.parseInt(a[0])); return; }
        if (a[0].equals("print")) {
            for (int i = 0; i < Integer.parseInt(a[1]); i++) {
                test(i);
                System.out.println("t" + i + ' ' + result);
            }
            return;
        }
        for (int i = 0; i < Integer.parseInt(a[1]); i++) {
            jopt.tests.Tests.begin("t" + i);
            test(i);
            jopt.tests.Tests.end("t" + i);
        }
    }
}
