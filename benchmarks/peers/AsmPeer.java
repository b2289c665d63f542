//===- benchmarks/peers/AsmPeer.java - the same work done with ASM --------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   AsmPeer WORK [-warmup=N] [-passes=N] PATH...   MB/s in memory, one thread
//   AsmPeer WORK -o OUT IN                         rewrites a class file, a
//                                                  folder or an archive
// WORK:
//   copypool   parse and write with a shared pool; nothing is looked at
//   visitor    every instruction through the library, new pool
//   frames     and COMPUTE_FRAMES
//   advice     entry and every exit of every method by AdviceAdapter, frames
//              recomputed: static calls without arguments
//   advice-data  the same with the data of probes/count-everything.xml: its
//              probe class is what -probe=NAME names
//
// The class of `advice` too is what -probe=NAME names; -calls=ENTER,EXIT are its
// methods.
//
//===----------------------------------------------------------------------===//

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AdviceAdapter;

public final class AsmPeer {
  /** What this version of ASM reads: Debian's 9.4 up to Java 20. */
  private static final int NEWEST = newest();

  private static int newest() {
    int newest = 0;
    try {
      for (var field : org.objectweb.asm.Opcodes.class.getFields()) {
        if (field.getName().matches("V\\d[\\d_]*")) {
          newest = Math.max(newest, field.getInt(null) & 0xFFFF);
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return newest;
  }

  private static String probe = "Probe";
  private static String[] calls = {"enter", "exit"};

  public static void main(String[] args) throws IOException {
    int warmUp = 3, passes = 5;
    String work = args[0];
    Path out = null;
    List<Path> paths = new ArrayList<>();
    for (int i = 1; i < args.length; ++i) {
      if (args[i].startsWith("-warmup="))
        warmUp = Integer.parseInt(args[i].substring(8));
      else if (args[i].startsWith("-passes="))
        passes = Integer.parseInt(args[i].substring(8));
      else if (args[i].startsWith("-probe="))
        probe = args[i].substring(7);
      else if (args[i].startsWith("-calls="))
        calls = args[i].substring(7).split(",");
      else if (args[i].equals("-o"))
        out = Path.of(args[++i]);
      else
        paths.add(Path.of(args[i]));
    }
    if (out != null) {
      rewrite(paths.get(0), out, work);
      return;
    }
    Classes input = new Classes(NEWEST);
    for (Path path : paths)
      input.add(path);
    Hierarchy hierarchy = new Hierarchy();
    if (!work.equals("copypool") && !work.equals("visitor"))
      input.files.forEach(hierarchy::add);
    Measure.run("asm " + work, input, rewriter(work, hierarchy), warmUp,
                passes);
  }

  /** For AsmAgent: what `advice` does to a class; for one thread. */
  static UnaryOperator<byte[]> advice(String name) {
    probe = name;
    Hierarchy hierarchy = new Hierarchy();
    UnaryOperator<byte[]> rewriter = rewriter("advice", hierarchy);
    return file -> {
      hierarchy.add(file);
      return rewriter.apply(file);
    };
  }

  private static UnaryOperator<byte[]> rewriter(String work,
                                                Hierarchy hierarchy) {
    return switch (work) {
    case "copypool" -> file -> {
      ClassReader reader = new ClassReader(file);
      ClassWriter writer = new ClassWriter(reader, 0);
      reader.accept(writer, 0);
      return writer.toByteArray();
    };
    case "visitor" -> file -> {
      ClassReader reader = new ClassReader(file);
      ClassWriter writer = new ClassWriter(0);
      reader.accept(writer, 0);
      return writer.toByteArray();
    };
    case "frames" -> file -> {
      ClassReader reader = new ClassReader(file);
      ClassWriter writer = new FrameWriter(hierarchy);
      reader.accept(writer, ClassReader.SKIP_FRAMES);
      return writer.toByteArray();
    };
    case "advice", "advice-data" -> file -> {
      ClassReader reader = new ClassReader(file);
      // As in Probekit: interfaces and modules have no probes.
      if ((reader.getAccess() & (Opcodes.ACC_INTERFACE |
                                 Opcodes.ACC_MODULE)) != 0)
        return file;
      ClassWriter writer = new FrameWriter(hierarchy);
      reader.accept(new Probes(writer, work.equals("advice-data")),
                    ClassReader.EXPAND_FRAMES);
      return writer.toByteArray();
    };
    default -> throw new IllegalArgumentException("unknown work: " + work);
    };
  }

  //===- Whole files ------------------------------------------------------===//

  private static void rewrite(Path in, Path out, String work)
      throws IOException {
    Hierarchy hierarchy = new Hierarchy();
    UnaryOperator<byte[]> rewriter = rewriter(work, hierarchy);
    if (Files.isDirectory(in)) {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(in)) {
        files = walk.filter(Files::isRegularFile).sorted().toList();
      }
      List<byte[]> contents = new ArrayList<>();
      for (Path file : files) {
        contents.add(Files.readAllBytes(file));
        hierarchy.add(contents.get(contents.size() - 1));
      }
      for (int i = 0; i < files.size(); ++i) {
        Path target = out.resolve(in.relativize(files.get(i)));
        Files.createDirectories(target.getParent());
        Files.write(target, attempt(rewriter, contents.get(i)));
      }
      return;
    }
    if (in.toString().endsWith(".class")) {
      Files.write(out, attempt(rewriter, Files.readAllBytes(in)));
      return;
    }
    try (ZipFile zip = new ZipFile(in.toFile());
         ZipOutputStream target =
             new ZipOutputStream(Files.newOutputStream(out))) {
      List<? extends ZipEntry> entries = Collections.list(zip.entries());
      for (ZipEntry entry : entries)
        if (entry.getName().endsWith(".class"))
          hierarchy.add(bytes(zip, entry));
      Set<String> seen = new HashSet<>();
      for (ZipEntry entry : entries) {
        if (!seen.add(entry.getName()))
          continue;
        byte[] content = bytes(zip, entry);
        if (entry.getName().endsWith(".class"))
          content = attempt(rewriter, content);
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        target.putNextEntry(copy);
        target.write(content);
        target.closeEntry();
      }
    }
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static byte[] attempt(UnaryOperator<byte[]> rewriter, byte[] file) {
    try {
      return rewriter.apply(file);
    } catch (RuntimeException e) {
      return file;
    }
  }

  //===- Frames without loading classes -----------------------------------===//

  /**
   * The super classes of the input, and of the JDK where it needs them. Built
   * before the clock starts or in the warm-up: how a hierarchy is found is not
   * what is compared.
   */
  private static final class Hierarchy {
    private static final String OBJECT = "java/lang/Object";
    private final Map<String, String> supers = new HashMap<>();
    private final Set<String> interfaces = new HashSet<>();

    void add(byte[] file) {
      try {
        ClassReader reader = new ClassReader(file);
        supers.put(reader.getClassName(), reader.getSuperName());
        if ((reader.getAccess() & Opcodes.ACC_INTERFACE) != 0)
          interfaces.add(reader.getClassName());
      } catch (RuntimeException e) {
        // No class file, or one too new; the rewriter will say so.
      }
    }

    /** Null above Object and for a class that nobody knows. */
    private String superOf(String name) {
      if (!supers.containsKey(name)) {
        try (InputStream in =
                 ClassLoader.getSystemResourceAsStream(name + ".class")) {
          if (in != null)
            add(in.readAllBytes());
        } catch (IOException e) {
          // As unknown as if it were not there.
        }
        supers.putIfAbsent(name, null);
      }
      return supers.get(name);
    }

    String common(String a, String b) {
      for (String x = a; x != null; x = superOf(x))
        for (String y = b; y != null; y = superOf(y))
          if (x.equals(y))
            return interfaces.contains(x) ? OBJECT : x;
      return OBJECT;
    }
  }

  private static final class FrameWriter extends ClassWriter {
    private final Hierarchy hierarchy;

    FrameWriter(Hierarchy hierarchy) {
      super(COMPUTE_FRAMES);
      this.hierarchy = hierarchy;
    }

    @Override
    protected String getCommonSuperClass(String a, String b) {
      return hierarchy.common(a, b);
    }
  }

  //===- Entry and exit ---------------------------------------------------===//

  private static final class Probes extends ClassVisitor {
    private final boolean data;
    private String className;

    Probes(ClassVisitor next, boolean data) {
      super(Opcodes.ASM9, next);
      this.data = data;
    }

    @Override
    public void visit(int version, int access, String name, String signature,
                      String superName, String[] interfaces) {
      className = name;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor,
                                     String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor,
                                             signature, exceptions);
      if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0)
        return next;
      return data ? new DataAdvice(next, access, className, name, descriptor)
                  : new Advice(next, access, name, descriptor);
    }
  }

  /** Calls at entry, before each return, and in a handler over all of it. */
  private static class Advice extends AdviceAdapter {
    private final Label start = new Label(), end = new Label();

    Advice(MethodVisitor next, int access, String name, String descriptor) {
      super(Opcodes.ASM9, next, access, name, descriptor);
    }

    @Override
    protected void onMethodEnter() {
      enter();
      mark(start);
    }

    // An athrow of the method itself reaches the handler.
    @Override
    protected void onMethodExit(int opcode) {
      if (opcode != ATHROW)
        leave(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      // A constructor that only throws never reaches the place of its start.
      if (startIsKnown()) {
        mark(end);
        if (start.getOffset() != end.getOffset()) {
          super.visitTryCatchBlock(start, end, mark(), null);
          leave(ATHROW);
          mv.visitInsn(ATHROW);
        }
      }
      super.visitMaxs(maxStack, maxLocals);
    }

    private boolean startIsKnown() {
      try {
        start.getOffset();
        return true;
      } catch (IllegalStateException e) {
        return false;
      }
    }

    void enter() {
      mv.visitMethodInsn(INVOKESTATIC, probe, calls[0], "()V", false);
    }

    void leave(int opcode) {
      mv.visitMethodInsn(INVOKESTATIC, probe, calls[1], "()V", false);
    }
  }

  /** The data items of count-everything.xml, in Probekit's order. */
  private static final class DataAdvice extends Advice {
    private final String className;
    private final Type result;

    DataAdvice(MethodVisitor next, int access, String className, String name,
               String descriptor) {
      super(next, access, name, descriptor);
      this.className = className;
      result = Type.getReturnType(descriptor);
    }

    private void names() {
      mv.visitLdcInsn(className);
      mv.visitLdcInsn(getName());
      mv.visitLdcInsn(methodDesc);
    }

    @Override
    void enter() {
      names();
      loadArgArray();
      mv.visitMethodInsn(INVOKESTATIC, probe, "_entry",
                         "(Ljava/lang/String;Ljava/lang/String;"
                             + "Ljava/lang/String;[Ljava/lang/Object;)V",
                         false);
    }

    @Override
    void leave(int opcode) {
      if (opcode == ATHROW) {
        mv.visitInsn(DUP);
        mv.visitInsn(ACONST_NULL);
        mv.visitInsn(SWAP);
      } else {
        if (opcode == RETURN) {
          mv.visitInsn(ACONST_NULL);
        } else {
          mv.visitInsn(result.getSize() == 2 ? DUP2 : DUP);
          valueOf(result);
        }
        mv.visitInsn(ACONST_NULL);
      }
      names();
      mv.visitMethodInsn(INVOKESTATIC, probe, "_exit",
                         "(Ljava/lang/Object;Ljava/lang/Throwable;"
                             + "Ljava/lang/String;Ljava/lang/String;"
                             + "Ljava/lang/String;)V",
                         false);
    }
  }
}
