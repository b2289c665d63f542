import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.*;
import java.security.ProtectionDomain;
import java.util.*;

/**
 * Attaches a library of jopt to this JVM, runs a program, takes the probes out again, and says how many classes had other bytes
 * while they were there and afterwards: Off LIBRARY OPTIONS CLASSES MAIN [ARGUMENT...], with CLASSES a regular expression.
 */
public class Off {
  static Instrumentation inst;

  public static void premain(String options, Instrumentation inst) { Off.inst = inst; }

  static Map<String, byte[]> look(String names) throws Exception {
    Map<String, byte[]> bytes = new TreeMap<>();
    ClassFileTransformer looker = new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined, ProtectionDomain d, byte[] data) {
        if (redefined != null)
          bytes.put(name, data);
        return null;
      }
    };
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> c : inst.getAllLoadedClasses())
      if (c.getName().matches(names) && inst.isModifiableClass(c))
        found.add(c);
    inst.addTransformer(looker, true);
    inst.retransformClasses(found.toArray(new Class<?>[0]));
    inst.removeTransformer(looker);
    return bytes;
  }

  static int differing(Map<String, byte[]> a, Map<String, byte[]> b) {
    int n = 0;
    for (Map.Entry<String, byte[]> e : a.entrySet())
      if (!Arrays.equals(e.getValue(), b.get(e.getKey())))
        n++;
    return n;
  }

  public static void main(String[] args) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    String[] rest = Arrays.copyOfRange(args, 4, args.length);
    java.lang.reflect.Method main = Class.forName(args[3]).getMethod("main", String[].class);
    vm.loadAgentPath(args[0], "off"); // first, so that the other one sees what it makes
    main.invoke(null, (Object) rest);
    Map<String, byte[]> before = look(args[2]);
    vm.loadAgentPath(args[0], args[1]);
    if (rest.length > 0)
      rest[0] += "2";
    main.invoke(null, (Object) rest);
    Map<String, byte[]> probed = look(args[2]);
    vm.loadAgentPath(args[0], "off");
    Map<String, byte[]> after = look(args[2]);
    System.out.println((differing(before, probed) > 0 ? "probed" : "not probed") + ", " + differing(before, after) + " not as before");
    vm.detach();
    System.exit(0);
  }
}
