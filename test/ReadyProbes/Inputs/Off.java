import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.*;
import java.nio.file.*;
import java.security.ProtectionDomain;
import java.util.*;

/**
 * Attaches a library of jopt to this JVM, runs a program, takes the probes out again, and writes the classes as they were before,
 * meanwhile and afterwards into folders of these names: Off LIBRARY OPTIONS CLASSES MAIN [ARGUMENT...], with CLASSES a regular
 * expression.
 */
public class Off {
  static Instrumentation inst;

  public static void agentmain(String options, Instrumentation inst) { Off.inst = inst; }

  static void look(String names, String folder) throws Exception {
    ClassFileTransformer looker = new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined, ProtectionDomain d, byte[] data) {
        try {
          if (redefined != null) {
            Path file = Paths.get(folder, name + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, data);
          }
        } catch (java.io.IOException e) {
          e.printStackTrace();
        }
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
  }

  public static void main(String[] args) throws Exception {
    VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    String[] rest = Arrays.copyOfRange(args, 4, args.length);
    java.lang.reflect.Method main = Class.forName(args[3]).getMethod("main", String[].class);
    vm.loadAgentPath(args[0], "off"); // first, so that what looks sees what it makes
    vm.loadAgent("off.jar");
    main.invoke(null, (Object) rest);
    look(args[2], "before");
    vm.loadAgentPath(args[0], args[1]);
    if (rest.length > 0)
      rest[0] += "2";
    main.invoke(null, (Object) rest);
    look(args[2], "probed");
    vm.loadAgentPath(args[0], "off");
    look(args[2], "after");
    vm.detach();
    System.exit(0);
  }
}
