import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/**
 * Runs a program from many archives in one JVM, each in a class loader of its own,
 * and prints a line for each whose output is not that of the first.
 *
 * Arguments: the class, and a file with the archives, a line each.
 */
public class Run {
    public static void main(String[] args) throws Exception {
        PrintStream real = System.out;
        String right = null;
        int wrong = 0;
        for (String archive : Files.readAllLines(Paths.get(args[1]))) {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            String problem = null;
            try (URLClassLoader loader = new URLClassLoader(
                     new URL[] {Paths.get(archive).toUri().toURL()}, Run.class.getClassLoader())) {
                System.setOut(new PrintStream(printed, true));
                Class.forName(args[0], true, loader).getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
            } catch (Throwable e) {
                Throwable cause = e;
                while (cause.getCause() != null)
                    cause = cause.getCause();
                problem = cause.toString().split("\n")[0];
            } finally {
                System.setOut(real);
            }
            if (right == null && problem == null)
                right = printed.toString();
            else if (problem == null && !printed.toString().equals(right))
                problem = "the program prints something else";
            if (problem == null)
                continue;
            wrong++;
            real.println(archive + ": " + problem);
        }
        System.exit(wrong == 0 ? 0 : 1);
    }
}
