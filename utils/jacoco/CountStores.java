import java.io.*;
import java.util.*;
import java.util.zip.*;
import org.objectweb.asm.*;

/**
 * CountStores IN.jar OUT.jar: has the code of an archive say what it executes of what coverage is made of, by a
 * call of Counted in front of each such instruction. Classes with a method that has no room for calls stay as they
 * are, and are named.
 */
public class CountStores {
    /** The method of Counted that an instruction calls; null for none. */
    static String kindOf(int opcode) {
        switch (opcode) {
            case Opcodes.BASTORE: return "stores";
            case Opcodes.ISTORE: case Opcodes.LSTORE: return "slots";
            case Opcodes.IOR: case Opcodes.LOR: return "ors";
            default: return null;
        }
    }

    static class Calls extends MethodVisitor {
        Calls(MethodVisitor to) { super(Opcodes.ASM9, to); }

        void count(String kind) {
            if (kind != null) super.visitMethodInsn(Opcodes.INVOKESTATIC, "Counted", kind, "()V", false);
        }

        @Override public void visitInsn(int opcode) {
            count(kindOf(opcode));
            super.visitInsn(opcode);
        }

        @Override public void visitVarInsn(int opcode, int slot) {
            count(kindOf(opcode));
            super.visitVarInsn(opcode, slot);
        }

        @Override public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            if (owner.equals("jopt/boot/Link")) count("checks");
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }
    }

    static byte[] count(byte[] in) {
        ClassReader reader = new ClassReader(in);
        // The calls need no stack, and no frame changes.
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                return new Calls(super.visitMethod(access, name, type, generic, thrown));
            }
        }, 0);
        return writer.toByteArray();
    }

    public static void main(String[] args) throws IOException {
        try (ZipFile in = new ZipFile(args[0]); ZipOutputStream out = new ZipOutputStream(new FileOutputStream(args[1]))) {
            for (ZipEntry e : Collections.list(in.entries())) {
                byte[] bytes;
                try (InputStream s = in.getInputStream(e)) { bytes = s.readAllBytes(); }
                if (e.getName().endsWith(".class"))
                    try {
                        bytes = count(bytes);
                    } catch (MethodTooLargeException | IllegalArgumentException | UnsupportedOperationException x) {
                        System.err.println("not counted: " + e.getName() + ": " + x);
                    }
                out.putNextEntry(new ZipEntry(e.getName()));
                out.write(bytes);
                out.closeEntry();
            }
        }
    }
}
