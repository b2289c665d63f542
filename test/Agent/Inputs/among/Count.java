// An agent that counts calls of methods of the package "jobs", with ASM, once it
// is told "on"; at "off" it leaves them as they were.
import java.lang.instrument.*;
import java.security.ProtectionDomain;
import java.util.*;
import org.objectweb.asm.*;

public class Count implements ClassFileTransformer {
  static final Count counter = new Count();
  static Instrumentation inst;

  public static void premain(String argument, Instrumentation i) throws Exception {
    agentmain(argument, i);
  }
  public static void agentmain(String argument, Instrumentation i) throws Exception {
    // One that is loaded again is behind others again.
    if (argument.equals("on"))
      (inst = i).addTransformer(counter, true);
    else
      inst.removeTransformer(counter);
    for (Class<?> c : inst.getAllLoadedClasses())
      if (c.getName().startsWith("jobs."))
        inst.retransformClasses(c);
  }
  @SuppressWarnings("unchecked")
  public static void count(String method) {
    Object counts = System.getProperties().get("counts");
    if (counts != null)
      ((Map<String, Integer>) counts).merge(method, 1, Integer::sum);
  }
  @Override public byte[] transform(ClassLoader l, String name, Class<?> redefined,
                                    ProtectionDomain d, byte[] data) {
    if (!name.startsWith("jobs/"))
      return null;
    try {
      ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
      new ClassReader(data).accept(new ClassVisitor(Opcodes.ASM9, w) {
        @Override public MethodVisitor visitMethod(int access, String method, String type,
                                                   String signature, String[] thrown) {
          return new MethodVisitor(api, super.visitMethod(access, method, type, signature, thrown)) {
            @Override public void visitCode() {
              super.visitCode();
              visitLdcInsn(method);
              visitMethodInsn(Opcodes.INVOKESTATIC, "Count", "count", "(Ljava/lang/String;)V", false);
            }
          };
        }
      }, ClassReader.SKIP_FRAMES);
      return w.toByteArray();
    } catch (Throwable e) {
      e.printStackTrace();
      return null;
    }
  }
}
