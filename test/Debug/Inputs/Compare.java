import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;

/// Compare A B: calls the static methods of the Ledger in the folders A and B with
/// some arguments, and ends with 3 if the two do not do the same.
public class Compare {
  static final Object[] INTS = {0, 1, 7, 100};
  static final Object[] LONGS = {0L, 13L, 1234L};
  static final Object[] STRINGS = {"12", "x", null};
  static final Object[] ARRAYS = {new int[] {1, 2}, new int[0]};

  static Object[] valuesOf(Class<?> type) {
    return type == int.class      ? INTS
           : type == long.class   ? LONGS
           : type == String.class ? STRINGS
           : type == int[].class  ? ARRAYS
                                  : new Object[0];
  }

  /// What the call does; how many activations it leaves is part of it.
  static String outcome(Method m, Object[] arguments, Class<?> activations)
      throws ReflectiveOperationException {
    activations.getField("depth").setInt(null, 0);
    String result;
    try {
      result = String.valueOf(m.invoke(null, arguments));
    } catch (InvocationTargetException e) {
      result = e.getCause().getClass().getName();
    }
    return result + " " + activations.getField("depth").getInt(null);
  }

  static void callAll(Method m, Object[] arguments, int next,
                      Class<?> activations, StringBuilder all)
      throws ReflectiveOperationException {
    if (next == arguments.length) {
      all.append(m).append(Arrays.toString(arguments)).append(": ");
      all.append(outcome(m, arguments, activations)).append('\n');
      return;
    }
    for (Object value : valuesOf(m.getParameterTypes()[next])) {
      arguments[next] = value;
      callAll(m, arguments, next + 1, activations, all);
    }
  }

  static String run(String folder) throws Exception {
    URL[] path = {Path.of(folder).toUri().toURL(), Path.of(".").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      Class<?> activations = loader.loadClass("Activations");
      Method[] methods = loader.loadClass("Ledger").getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::toString));
      StringBuilder all = new StringBuilder();
      for (Method m : methods) {
        if (!Modifier.isStatic(m.getModifiers()))
          continue;
        m.setAccessible(true);
        callAll(m, new Object[m.getParameterCount()], 0, activations, all);
      }
      // Arrays print differently each time.
      return all.toString().replaceAll("\\[I@[0-9a-f]+", "int[]");
    }
  }

  public static void main(String[] args) throws Exception {
    System.exit(run(args[0]).equals(run(args[1])) ? 0 : 3);
  }
}
