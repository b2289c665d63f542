import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import java.util.zip.*;
import org.jacoco.core.analysis.*;
import org.jacoco.core.data.*;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.*;
import org.jacoco.core.internal.instr.InstrSupport;
import org.jacoco.report.*;
import org.jacoco.report.xml.XMLFormatter;
import org.objectweb.asm.*;
import org.objectweb.asm.tree.*;

/**
 * The coverage of classes as JaCoCo itself computes it.
 *
 * <pre>
 *   Oracle points IN...          its probes: class, id, number; each method with kinds and instructions
 *   Oracle random SEED OUT IN... an exec file of all classes with any probes set
 *   Oracle xml EXEC OUT IN...    its report, of those classes that it can read
 *   Oracle exec EXEC...          what is in exec files, sorted
 * </pre>
 *
 * IN is an archive, a folder or a class file. Archives in archives are not looked into. Of classes of one name the
 * first counts, but in points.
 */
public class Oracle {
    interface Use { void of(String path, byte[] bytes) throws Exception; }

    static Set<String> seen = new HashSet<>();

    static void each(String input, Use use) throws Exception {
        Path path = Paths.get(input);
        if (Files.isDirectory(path)) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path p : (Iterable<Path>) all.sorted()::iterator)
                    if (Files.isRegularFile(p)) each(p.toString(), use);
            }
        } else if (input.endsWith(".class")) {
            one(input, Files.readAllBytes(path), use);
        } else if (input.matches(".*\\.(jar|zip|war|jmod)")) {
            try (ZipFile zip = new ZipFile(input)) {
                for (ZipEntry e : Collections.list(zip.entries()))
                    if (e.getName().endsWith(".class"))
                        try (InputStream in = zip.getInputStream(e)) {
                            one(e.getName(), in.readAllBytes(), use);
                        }
            }
        }
    }

    static void one(String path, byte[] bytes, Use use) throws Exception {
        String name;
        try {
            name = InstrSupport.classReaderFor(bytes).getClassName();
        } catch (RuntimeException e) {
            System.err.println("cannot read " + path + ": " + e);
            return;
        }
        if (seen == null || seen.add(name)) use.of(name, bytes);
    }

    /** Probes of a method: kind, number of the instruction, number of that which is led to. */
    static class Method extends MethodProbesVisitor {
        final StringBuilder text = new StringBuilder();
        final Map<org.objectweb.asm.Label, Integer> places = new IdentityHashMap<>();
        int current;

        @Override public void accept(MethodNode m, MethodVisitor v) {
            int n = 0;
            for (AbstractInsnNode i : m.instructions)
                if (i instanceof LabelNode) places.put(((LabelNode) i).getLabel(), n);
                else if (i.getOpcode() >= 0) ++n;
            current = -1;
            for (AbstractInsnNode i : m.instructions) {
                if (i.getOpcode() >= 0) ++current;
                i.accept(v);
            }
        }

        void add(String kind, int to) { text.append(' ').append(kind).append(current).append('>').append(to); }

        @Override public void visitProbe(int id) { add("F", current + 1); }
        @Override public void visitJumpInsnWithProbe(int op, org.objectweb.asm.Label l, int id, IFrame f) { add("J", places.get(l)); }
        @Override public void visitInsnWithProbe(int op, int id) { add("L", current); }
        @Override public void visitTableSwitchInsnWithProbes(int min, int max, org.objectweb.asm.Label d, org.objectweb.asm.Label[] ls, IFrame f) { cases(d, ls); }
        @Override public void visitLookupSwitchInsnWithProbes(org.objectweb.asm.Label d, int[] ks, org.objectweb.asm.Label[] ls, IFrame f) { cases(d, ls); }

        void cases(org.objectweb.asm.Label d, org.objectweb.asm.Label[] ls) {
            Map<Integer, Integer> byId = new TreeMap<>();
            Set<org.objectweb.asm.Label> all = Collections.newSetFromMap(new IdentityHashMap<>());
            all.add(d);
            all.addAll(Arrays.asList(ls));
            for (org.objectweb.asm.Label l : all)
                if (LabelInfo.isMultiTarget(l)) byId.put(LabelInfo.getProbeId(l), places.get(l));
            for (int to : byId.values()) add("S", to);
        }
    }

    static class Points extends ClassProbesVisitor {
        final List<String> names = new ArrayList<>();
        final List<Method> methods = new ArrayList<>();
        int count;

        @Override public MethodProbesVisitor visitMethod(int a, String name, String desc, String s, String[] e) {
            names.add(name + desc);
            methods.add(new Method());
            return methods.get(methods.size() - 1);
        }
        @Override public void visitTotalProbeCount(int n) { count = n; }
    }

    static Points points(String name, byte[] bytes) {
        try {
            Points p = new Points();
            InstrSupport.classReaderFor(bytes).accept(new ClassProbesAdapter(p, false), 0);
            return p;
        } catch (RuntimeException e) {
            System.err.println("cannot analyse " + name + ": " + e);
            return null;
        }
    }

    static void printPoints(PrintStream out, String name, byte[] bytes) {
        Points p = points(name, bytes);
        if (p == null) return;
        out.println("class " + name + " " + String.format("%016x", CRC64.classId(bytes)) + " " + p.count);
        for (int i = 0; i < p.names.size(); ++i)
            if (p.methods.get(i).text.length() > 0) out.println("  " + p.names.get(i) + p.methods.get(i).text);
    }

    static void random(long seed, String to, List<String> inputs) throws Exception {
        Random r = new Random(seed);
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(to))) {
            ExecutionDataWriter w = new ExecutionDataWriter(out);
            w.visitSessionInfo(new SessionInfo("any", 1000, 2000));
            for (String input : inputs)
                each(input, (name, bytes) -> {
                    Points p = points(name, bytes);
                    if (p == null || p.count == 0 || r.nextInt(8) == 0) return;
                    boolean[] probes = new boolean[p.count];
                    int of = 1 + r.nextInt(4);
                    for (int i = 0; i < probes.length; ++i) probes[i] = r.nextInt(of) == 0;
                    w.visitClassExecution(new ExecutionData(CRC64.classId(bytes), name, probes));
                });
        }
    }

    static void xml(String exec, String to, List<String> inputs) throws Exception {
        org.jacoco.core.tools.ExecFileLoader loader = new org.jacoco.core.tools.ExecFileLoader();
        loader.load(new File(exec));
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
        for (String input : inputs)
            each(input, (name, bytes) -> {
                try {
                    analyzer.analyzeClass(bytes, name);
                } catch (IOException | RuntimeException e) {
                    System.err.println("cannot analyse " + name + ": " + e);
                }
            });
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(to))) {
            IReportVisitor v = new XMLFormatter().createVisitor(out);
            v.visitInfo(loader.getSessionInfoStore().getInfos(), loader.getExecutionDataStore().getContents());
            v.visitBundle(builder.getBundle("report"), null);
            v.visitEnd();
        }
    }

    static void exec(List<String> files) throws Exception {
        org.jacoco.core.tools.ExecFileLoader loader = new org.jacoco.core.tools.ExecFileLoader();
        for (String f : files) loader.load(new File(f));
        for (SessionInfo s : loader.getSessionInfoStore().getInfos())
            System.out.println("session " + s.getId() + " " + s.getStartTimeStamp() + " " + s.getDumpTimeStamp());
        TreeSet<String> lines = new TreeSet<>();
        for (ExecutionData d : loader.getExecutionDataStore().getContents()) {
            StringBuilder bits = new StringBuilder();
            for (boolean b : d.getProbes()) bits.append(b ? '1' : '0');
            lines.add(d.getName() + " " + String.format("%016x", d.getId()) + " " + bits);
        }
        lines.forEach(System.out::println);
    }

    public static void main(String[] args) throws Exception {
        List<String> rest = Arrays.asList(args);
        switch (args[0]) {
        case "points":
            seen = null;
            try (PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8")) {
                for (String input : rest.subList(1, rest.size())) each(input, (n, b) -> printPoints(out, n, b));
            }
            break;
        case "random": random(Long.parseLong(args[1]), args[2], rest.subList(3, rest.size())); break;
        case "xml": xml(args[1], args[2], rest.subList(3, rest.size())); break;
        case "exec": exec(rest.subList(1, rest.size())); break;
        default: throw new IllegalArgumentException(args[0]);
        }
    }
}
