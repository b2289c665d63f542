// An agent that writes the classes of the package "work" to a folder, as one
// agent more is given them, and changes nothing.
import java.lang.instrument.*;
import java.nio.file.*;
import java.security.ProtectionDomain;

public class Spy {
  public static void agentmain(String folder, Instrumentation inst) throws Exception {
    ClassFileTransformer writer = new ClassFileTransformer() {
      @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined,
                                        ProtectionDomain d, byte[] data) {
        try {
          if (name.startsWith("work/")) {
            Path file = Path.of(folder, name + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, data);
          }
        } catch (java.io.IOException e) {
          e.printStackTrace();
        }
        return null;
      }
    };
    inst.addTransformer(writer, true);
    for (Class<?> c : inst.getAllLoadedClasses())
      if (c.getName().startsWith("work."))
        inst.retransformClasses(c);
    inst.removeTransformer(writer);
  }
}
