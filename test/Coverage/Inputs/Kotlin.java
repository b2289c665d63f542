import java.nio.file.*;
import java.util.function.Consumer;
import org.objectweb.asm.*;

import static org.objectweb.asm.Opcodes.*;

/**
 * Classes as Kotlin's compilers make them, written with ASM, as no compiler of Kotlin is needed for tests then. Each
 * method has one form of the code that somebody wrote and nothing else on its lines but what is said here.
 */
class Kotlin {
    static final String INTRINSICS = "kotlin/jvm/internal/Intrinsics";
    static final String SUSPENDED = "kotlin/coroutines/intrinsics/IntrinsicsKt";
    static final String SERIALIZER = "()Lkotlinx/serialization/KSerializer;";

    final ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    final String name;

    Kotlin(int access, String name, String superName, String... annotations) {
        this.name = name;
        // Without frames, that no class of Kotlin's library is needed.
        out.visit(V1_5, access | ACC_SUPER, name, null, superName, null);
        annotation("kotlin/Metadata");
        for (String a : annotations) annotation(a);
    }

    void annotation(String type) { out.visitAnnotation("L" + type + ";", true).visitEnd(); }

    void source(String file, String map) { out.visitSource(file, map); }

    /** A method; its line is 100, or what the code says. */
    void method(int access, String name, String descriptor, boolean hasLine, Consumer<Code> code, String... annotations) {
        MethodVisitor m = out.visitMethod(access, name, descriptor, null, null);
        for (String a : annotations) m.visitAnnotation("L" + a + ";", false).visitEnd();
        m.visitCode();
        Code c = new Code(m);
        if (hasLine) c.line(100);
        code.accept(c);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    void method(String name, String descriptor, Consumer<Code> code) {
        method(ACC_PUBLIC | ACC_STATIC, name, descriptor, true, code);
    }

    void write(Path folder) throws Exception {
        out.visitEnd();
        Files.write(folder.resolve(name + ".class"), out.toByteArray());
    }

    /** Code, an instruction a call. */
    static class Code {
        final MethodVisitor m;
        Code(MethodVisitor m) { this.m = m; }

        Code line(int line) {
            Label l = new Label();
            m.visitLabel(l);
            m.visitLineNumber(line, l);
            return this;
        }
        Code at(Label l) { m.visitLabel(l); return this; }
        Code op(int... opcodes) { for (int op : opcodes) m.visitInsn(op); return this; }
        Code var(int op, int slot) { m.visitVarInsn(op, slot); return this; }
        Code jump(int op, Label to) { m.visitJumpInsn(op, to); return this; }
        Code type(int op, String type) { m.visitTypeInsn(op, type); return this; }
        Code load(Object constant) { m.visitLdcInsn(constant); return this; }
        Code field(int op, String owner, String name, String type) { m.visitFieldInsn(op, owner, name, type); return this; }
        Code call(int op, String owner, String name, String descriptor) {
            m.visitMethodInsn(op, owner, name, descriptor, op == INVOKEINTERFACE);
            return this;
        }
        Code raise(String type, String text) {
            type(NEW, type).op(DUP);
            if (text != null) load(text);
            return call(INVOKESPECIAL, type, "<init>", text == null ? "()V" : "(Ljava/lang/String;)V").op(ATHROW);
        }
        Code suspended() { return call(INVOKESTATIC, SUSPENDED, "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;"); }
    }

    static void operators(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "Operators", "java/lang/Object");
        k.source("Operators.kt", null);
        k.method("notNull", "(Ljava/lang/String;)V", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, l).call(INVOKESTATIC, INTRINSICS, "throwNpe", "()V").at(l).op(POP, RETURN);
        });
        k.method("cast", "(Ljava/lang/Object;)V", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, l)
                .raise("kotlin/TypeCastException", "null cannot be cast to non-null type kotlin.String").at(l).op(POP, RETURN);
        });
        // Since Kotlin 1.6.
        k.method("castNew", "(Ljava/lang/Object;)V", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, l).op(POP)
                .raise("java/lang/NullPointerException", "null cannot be cast to non-null type kotlin.String").at(l).op(POP, RETURN);
        });
        k.method("late", "(Ljava/lang/String;)V", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, l).load("late")
                .call(INVOKESTATIC, INTRINSICS, "throwUninitializedPropertyAccessException", "(Ljava/lang/String;)V")
                .at(l).op(POP, RETURN);
        });
        // Since Kotlin 1.6.20, and where it is returned.
        k.method("lateNew", "(Ljava/lang/String;)V", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, l).op(POP).load("late")
                .call(INVOKESTATIC, INTRINSICS, "throwUninitializedPropertyAccessException", "(Ljava/lang/String;)V")
                .op(ACONST_NULL).at(l).op(POP, RETURN);
        });
        k.method("lateReturned", "(Ljava/lang/String;)Ljava/lang/String;", c -> {
            Label l = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNULL, l).op(ARETURN).at(l).op(POP).load("late")
                .call(INVOKESTATIC, INTRINSICS, "throwUninitializedPropertyAccessException", "(Ljava/lang/String;)V")
                .op(ACONST_NULL, ARETURN);
        });
        k.write(folder);
    }

    /** They run. */
    static void safeCalls(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "SafeCalls", "java/lang/Object");
        k.source("SafeCalls.kt", null);
        // a?.trim()?.trim(): two branches for both jumps.
        k.method("chain", "(Ljava/lang/String;)Ljava/lang/String;", c -> {
            Label none = new Label(), end = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNULL, none).call(INVOKEVIRTUAL, "java/lang/String", "trim", "()Ljava/lang/String;")
                .op(DUP).jump(IFNULL, none).call(INVOKEVIRTUAL, "java/lang/String", "trim", "()Ljava/lang/String;")
                .jump(GOTO, end).at(none).op(POP, ACONST_NULL).at(end).op(ARETURN);
        });
        // On two lines; each stored.
        k.method("chainStored", "(Ljava/lang/String;)Ljava/lang/String;", c -> {
            Label none = new Label(), end = new Label();
            c.var(ALOAD, 0).jump(IFNULL, none).var(ALOAD, 0).call(INVOKEVIRTUAL, "java/lang/String", "trim", "()Ljava/lang/String;")
                .var(ASTORE, 1).line(101).var(ALOAD, 1).jump(IFNULL, none).var(ALOAD, 1)
                .call(INVOKEVIRTUAL, "java/lang/String", "trim", "()Ljava/lang/String;")
                .jump(GOTO, end).at(none).op(ACONST_NULL).at(end).op(ARETURN);
        });
        // a?.trim() ?: ""
        k.method("elvis", "(Ljava/lang/String;)Ljava/lang/String;", c -> {
            Label none = new Label(), end = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNULL, none).call(INVOKEVIRTUAL, "java/lang/String", "trim", "()Ljava/lang/String;")
                .op(DUP).jump(IFNONNULL, end).at(none).op(POP).load("").at(end).op(ARETURN);
        });
        k.write(folder);
    }

    static void when(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "When", "java/lang/Object");
        k.source("When.kt", null);
        String none = "kotlin/NoWhenBranchMatchedException";
        k.method("all", "(I)I", c -> {
            Label a = new Label(), b = new Label(), other = new Label();
            c.var(ILOAD, 0);
            c.m.visitTableSwitchInsn(1, 2, other, a, b);
            c.at(a).op(ICONST_1, IRETURN).at(b).op(ICONST_2, IRETURN).at(other).raise(none, null);
        });
        k.method("sealed", "(Ljava/lang/Object;)I", c -> {
            Label next = new Label(), other = new Label();
            c.var(ALOAD, 0).type(INSTANCEOF, "java/lang/String").jump(IFEQ, next).op(ICONST_1, IRETURN).at(next)
                .var(ALOAD, 0).type(INSTANCEOF, "java/lang/Integer").jump(IFEQ, other).op(ICONST_2, IRETURN)
                .at(other).raise(none, null);
        });
        k.method("nullable", "(Ljava/lang/Enum;)I", c -> {
            Label some = new Label(), to = new Label(), a = new Label(), other = new Label();
            c.var(ALOAD, 0).op(DUP).jump(IFNONNULL, some).op(POP, ICONST_M1).jump(GOTO, to).at(some)
                .field(GETSTATIC, "When$WhenMappings", "$EnumSwitchMapping$0", "[I").op(SWAP)
                .call(INVOKEVIRTUAL, "java/lang/Enum", "ordinal", "()I").op(IALOAD).at(to);
            c.m.visitTableSwitchInsn(1, 1, other, a);
            c.at(a).op(ICONST_1, IRETURN).at(other).op(ICONST_2, IRETURN);
        });
        // Before Kotlin 1.5.
        k.method("strings", "(Ljava/lang/String;)I", c -> {
            Label h1 = new Label(), h2 = new Label(), a = new Label(), b = new Label(), other = new Label();
            c.var(ALOAD, 0).var(ASTORE, 1).var(ALOAD, 1).call(INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
            c.m.visitLookupSwitchInsn(other, new int[] {97, 98}, new Label[] {h1, h2});
            for (Label h : new Label[] {h1, h2})
                c.at(h).var(ALOAD, 1).load(h == h1 ? "a" : "b").call(INVOKEVIRTUAL, "java/lang/String", "equals", "(Ljava/lang/Object;)Z")
                    .jump(IFEQ, other).jump(GOTO, h == h1 ? a : b);
            c.at(a).op(ICONST_1, IRETURN).at(b).op(ICONST_2, IRETURN).at(other).op(ICONST_3, IRETURN);
        });
        // Since Kotlin 1.5; may be null.
        k.method("stringsNew", "(Ljava/lang/String;)I", c -> {
            Label h1 = new Label(), h2 = new Label(), a = new Label(), b = new Label(), other = new Label();
            c.var(ALOAD, 0).var(ASTORE, 1).var(ALOAD, 1).jump(IFNULL, other).var(ALOAD, 1)
                .call(INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
            c.m.visitLookupSwitchInsn(other, new int[] {97, 98}, new Label[] {h1, h2});
            for (Label h : new Label[] {h1, h2})
                c.at(h).var(ALOAD, 1).load(h == h1 ? "a" : "b").call(INVOKEVIRTUAL, "java/lang/String", "equals", "(Ljava/lang/Object;)Z")
                    .jump(IFNE, h == h1 ? a : b).jump(GOTO, other);
            c.at(a).op(ICONST_1, IRETURN).at(b).op(ICONST_2, IRETURN).at(other).op(ICONST_3, IRETURN);
        });
        k.write(folder);
    }

    /** A test of a default argument: its bit in an int, and an instruction that stores the default. */
    static void test(Code c, int bits, int bit, int argument) {
        Label l = new Label();
        c.var(ILOAD, bits).load(1 << bit).op(IAND).jump(IFEQ, l).load(42).var(ISTORE, argument).at(l);
    }

    static void arguments(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "Arguments", "java/lang/Object");
        k.source("Arguments.kt", null);
        int synthetic = ACC_PUBLIC | ACC_STATIC | ACC_SYNTHETIC;
        k.method(synthetic, "f$default", "(JIIILjava/lang/Object;)V", false, c -> {
            test(c, 4, 1, 2);
            test(c, 4, 2, 3);
            c.line(100).op(RETURN);
        });
        k.method(synthetic, "open$default", "(LArguments;IILjava/lang/Object;)V", false, c -> {
            Label l = new Label();
            c.var(ALOAD, 3).jump(IFNULL, l).raise("java/lang/UnsupportedOperationException",
                "Super calls with default arguments not supported in this target, function: open").at(l);
            test(c, 2, 0, 1);
            c.line(100).op(RETURN);
        });
        // 33 arguments have bits in two ints.
        k.method(synthetic, "many$default", "(" + "I".repeat(33) + "IILjava/lang/Object;)V", false, c -> {
            test(c, 33, 0, 0);
            test(c, 34, 0, 32);
            c.line(100).op(RETURN);
        });
        k.method(ACC_PUBLIC | ACC_SYNTHETIC, "<init>", "(IILkotlin/jvm/internal/DefaultConstructorMarker;)V", false, c -> {
            test(c, 2, 0, 1);
            c.line(100).var(ALOAD, 0).call(INVOKESPECIAL, "java/lang/Object", "<init>", "()V").op(RETURN);
        });
        k.write(folder);
    }

    static void failure(Code c) { c.var(ALOAD, 1).call(INVOKESTATIC, "kotlin/ResultKt", "throwOnFailure", "(Ljava/lang/Object;)V"); }

    /** One place where it suspends; three instructions are written, one of which is what is called. */
    static void states(Code c, String machine) {
        Label s0 = new Label(), s1 = new Label(), other = new Label(), joined = new Label();
        c.suspended().var(ASTORE, 3).var(ALOAD, 0).field(GETFIELD, machine, "label", "I");
        c.m.visitTableSwitchInsn(0, 1, other, s0, s1);
        failure(c.at(s0));
        c.call(INVOKESTATIC, "F", "one", "()Ljava/lang/Object;").op(DUP).var(ALOAD, 3).jump(IF_ACMPNE, joined).var(ALOAD, 3).op(ARETURN);
        failure(c.at(s1));
        c.var(ALOAD, 1).at(joined).line(101).op(NOP, ARETURN).at(other)
            .raise("java/lang/IllegalStateException", "call to 'resume' before 'invoke' with coroutine");
    }

    static void coroutines(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "Coroutines", "java/lang/Object");
        k.source("Coroutines.kt", null);
        k.method(ACC_PUBLIC, "invokeSuspend", "(Ljava/lang/Object;)Ljava/lang/Object;", true, c -> states(c, "Coroutines"));
        // Since Kotlin 2 the parameters of a lambda are loaded first.
        k.method(ACC_PUBLIC, "withParameters", "(Ljava/lang/Object;)Ljava/lang/Object;", true, c -> {
            c.var(ALOAD, 0).field(GETFIELD, "Coroutines", "L$0", "Ljava/lang/Object;").type(CHECKCAST, "java/lang/String").var(ASTORE, 2);
            c.var(ALOAD, 0).field(GETFIELD, "Coroutines", "I$0", "I").var(ISTORE, 4);
            states(c, "Coroutines");
        });
        k.method("tail", "(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;", c -> {
            Label l = new Label();
            c.call(INVOKESTATIC, "F", "one", "()Ljava/lang/Object;").op(DUP).suspended().jump(IF_ACMPNE, l).op(ARETURN).at(l).op(POP)
                .op(ACONST_NULL, ARETURN);
        });
        k.method("intrinsic", "(Lkotlin/coroutines/Continuation;)Ljava/lang/Object;", c -> {
            Label l = new Label();
            c.call(INVOKESTATIC, "F", "one", "()Ljava/lang/Object;").op(DUP).suspended().jump(IF_ACMPNE, l).var(ALOAD, 0)
                .type(CHECKCAST, "kotlin/coroutines/Continuation")
                .call(INVOKESTATIC, "kotlin/coroutines/jvm/internal/DebugProbesKt", "probeCoroutineSuspended", "(Lkotlin/coroutines/Continuation;)V")
                .at(l).op(ARETURN);
        });
        // Synthetic, and written; what only passes on to it is not.
        k.method(ACC_STATIC | ACC_SYNTHETIC, "hidden", "(Lkotlin/coroutines/Continuation;)V", true, c -> c.op(NOP, RETURN));
        k.method(ACC_STATIC | ACC_SYNTHETIC, "access$f", "(Lkotlin/coroutines/Continuation;)V", true, c -> c.op(NOP, RETURN));
        k.write(folder);
    }

    static void inlined(Path folder, String name, String map) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, name, "java/lang/Object");
        k.source("Inlined.kt", map);
        k.method("f", "()V", c -> c.op(NOP).line(201).op(NOP, NOP).line(102).op(RETURN));
        k.write(folder);
    }

    static void composables(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "Composables", "java/lang/Object");
        k.source("Composables.kt", null);
        String composer = "androidx/compose/runtime/Composer";
        for (boolean old : new boolean[] {true, false})
            k.method(ACC_STATIC, old ? "skipping" : "executing", "(L" + composer + ";I)V", true, c -> {
                Label skip = new Label(), end = new Label(), body = new Label();
                c.var(ALOAD, 0);
                if (old) c.call(INVOKEINTERFACE, composer, "getSkipping", "()Z").jump(IFNE, skip);
                else c.op(ICONST_1).var(ILOAD, 1).call(INVOKEINTERFACE, composer, "shouldExecute", "(ZI)Z").jump(IFEQ, skip);
                c.call(INVOKESTATIC, "androidx/compose/runtime/ComposerKt", "isTraceInProgress", "()Z").jump(IFEQ, body)
                    .op(NOP, NOP).at(body).line(101).op(NOP).jump(GOTO, end).at(skip).var(ALOAD, 0)
                    .call(INVOKEINTERFACE, composer, "skipToGroupEnd", "()V").at(end).op(RETURN);
            }, "androidx/compose/runtime/Composable");
        k.method(ACC_STATIC, "restarting", "(L" + composer + ";)V", true, c -> {
            Label l = new Label(), end = new Label();
            c.var(ALOAD, 0).call(INVOKEINTERFACE, composer, "endRestartGroup", "()Landroidx/compose/runtime/ScopeUpdateScope;")
                .op(DUP).jump(IFNULL, l).op(POP).jump(GOTO, end).at(l).op(POP).at(end).op(RETURN);
        }, "androidx/compose/runtime/Composable");
        k.write(folder);
    }

    /** Whole methods: one instruction and a return each; what is called `written...` is. */
    static void methods(Path folder) throws Exception {
        Kotlin k = new Kotlin(ACC_PUBLIC, "Methods", "java/lang/Object");
        k.source("Methods.kt", null);
        Consumer<Code> nothing = c -> c.op(NOP, RETURN);
        k.method(ACC_STATIC, "withoutLines", "()V", false, nothing);
        k.method(ACC_STATIC, "written", "()V", true, nothing);
        k.method(ACC_PUBLIC, "ofInterface", "()V", true,
            c -> c.var(ALOAD, 0).call(INVOKESTATIC, "I$DefaultImpls", "f", "(LI;)V").op(RETURN));
        k.method(ACC_STATIC, "overload", "()V", false,
            c -> c.op(ICONST_0).call(INVOKESTATIC, "Methods", "over$default", "(I)V").line(100).op(RETURN));
        k.method(ACC_STATIC, "writtenOverload", "()V", true,
            c -> c.op(ICONST_0).call(INVOKESTATIC, "Methods", "over$default", "(I)V").line(101).op(RETURN));
        k.method(ACC_STATIC, "ofCompanion", "()V", false,
            c -> c.field(GETSTATIC, "Methods", "Companion", "LMethods$Companion;")
                .call(INVOKEVIRTUAL, "Methods$Companion", "f", "()V").line(100).op(RETURN), "kotlin/jvm/JvmStatic");
        k.method(ACC_STATIC, "writtenStatic", "()V", true,
            c -> c.field(GETSTATIC, "Methods", "Companion", "LMethods$Companion;")
                .call(INVOKEVIRTUAL, "Methods$Companion", "f", "()V").line(101).op(RETURN), "kotlin/jvm/JvmStatic");
        k.method(ACC_PUBLIC, "boxed", "(LV;)V", true,
            c -> c.var(ALOAD, 1).call(INVOKEVIRTUAL, "V", "unbox-impl", "()I").op(POP, RETURN), "kotlin/jvm/JvmExposeBoxed");
        k.method(ACC_STATIC | ACC_SYNTHETIC, "write$Self$x", "()V", true, nothing);
        k.write(folder);

        Kotlin companion = new Kotlin(ACC_PUBLIC, "Methods$Companion", "java/lang/Object");
        companion.source("Methods.kt", null);
        companion.method(ACC_PRIVATE, "<init>", "()V", true,
            c -> c.op(NOP).var(ALOAD, 0).call(INVOKESPECIAL, "java/lang/Object", "<init>", "()V").op(RETURN));
        companion.method(ACC_PUBLIC, "serializer", SERIALIZER, true,
            c -> c.field(GETSTATIC, "S", "INSTANCE", "LS;").type(CHECKCAST, "kotlinx/serialization/KSerializer").op(ARETURN));
        companion.write(folder);

        Kotlin inline = new Kotlin(ACC_PUBLIC, "Inline", "java/lang/Object", "kotlin/jvm/JvmInline");
        inline.source("Methods.kt", null);
        inline.method(ACC_PUBLIC, "f", "()V", true, nothing);
        inline.method(ACC_PUBLIC | ACC_STATIC, "writtenInline-impl", "()V", true, nothing);
        inline.write(folder);

        Kotlin e = new Kotlin(ACC_PUBLIC | ACC_ENUM, "Enum", "java/lang/Enum");
        e.source("Methods.kt", null);
        e.method(ACC_PUBLIC | ACC_STATIC, "getEntries", "()Lkotlin/enums/EnumEntries;", true, c -> c.op(ACONST_NULL, ARETURN));
        e.method(ACC_PUBLIC | ACC_STATIC, "writtenOfEnum", "()V", true, nothing);
        e.write(folder);

        Kotlin d = new Kotlin(ACC_PUBLIC, "I$DefaultImpls", "java/lang/Object");
        d.source("Methods.kt", null);
        d.method("g", "(LI;)V", c -> c.var(ALOAD, 0).call(INVOKESTATIC, "I", "access$g$jd", "(LI;)V").op(RETURN));
        d.method("writtenDefault", "()V", nothing);
        d.write(folder);
    }

    public static void main(String... args) throws Exception {
        Path folder = Files.createDirectories(Paths.get(args[0]));
        operators(folder);
        safeCalls(folder);
        when(folder);
        arguments(folder);
        coroutines(folder);
        String map = "SMAP\nInlined.kt\nKotlin\n*S Kotlin\n*F\n+ 1 Inlined.kt\nInlined\n+ 2 Other.kt\nOtherKt\n"
            + "*L\n1#1,150:1\n10#2,2:200\n*E\n";
        inlined(folder, "Inlined", map);
        // With what debuggers get since Kotlin 1.5; not the name of the class.
        inlined(folder, "InlinedNew", map.replace("\nInlined\n", "\nInlinedNew\n").replace("*E\n", "*S KotlinDebug\n*F\n+ 1 Inlined.kt\nInlined\n*L\n5#1:200\n*E\n"));
        inlined(folder, "Broken", map.replace("10#2,2:200", "10#2,2"));
        Kotlin other = new Kotlin(ACC_PUBLIC, "OtherKt", "java/lang/Object");
        other.source("Other.kt", null);
        other.method("inline", "()V", c -> c.line(10).op(NOP, NOP).line(11).op(NOP, NOP, RETURN));
        other.write(folder);
        composables(folder);
        methods(folder);
    }
}
