//===- utils/model/ProbeClass.java - a probe class as it is written -------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A probe class, read from its class file: which methods it is for, and what
 * its callbacks are given. All of its rules that need no activation are here.
 */
final class ProbeClass {
  /** A parameter: its annotation, the number in it or 0, and its type. */
  record Parameter(String mark, int number, Type type) {}

  /** A callback. */
  record Callback(String name, Type result, List<Parameter> parameters) {
    boolean returns() { return result.getSort() != Type.VOID; }
  }

  /** The parts of a pattern as they stand there; null: none. */
  private record MethodPattern(boolean positive, String classMark, String type,
                               String methodMark, String method,
                               String parameters, String result) {}

  static final List<String> CALLBACKS =
      List.of("onEnter", "onReturn", "onUncaughtException",
              "onUncaughtExceptionExt", "onExit");

  final String name;
  private final List<MethodPattern> patterns = new ArrayList<>();
  private final Map<String, Callback> callbacks = new HashMap<>();
  private String instanceOf;
  /** That of all `@This`, or null. */
  private Type thisType;

  /** Whether the class file is that of a probe class. */
  static boolean isProbe(ClassNode node) {
    return marks(node.visibleAnnotations, node.invisibleAnnotations)
        .stream()
        .anyMatch(m -> simple(m).equals("MethodPattern"));
  }

  ProbeClass(ClassNode node) {
    name = node.name;
    for (AnnotationNode mark :
         marks(node.visibleAnnotations, node.invisibleAnnotations)) {
      Object value = mark.values.get(1);
      if (simple(mark).equals("InstanceOf"))
        instanceOf = ((String)value).replace('.', '/');
      else if (value instanceof List<?> list)
        list.forEach(text -> patterns.add(parse((String)text)));
      else
        patterns.add(parse((String)value));
    }
    for (MethodNode m : node.methods)
      if (CALLBACKS.contains(m.name))
        callbacks.put(m.name, read(m));
  }

  private static String simple(AnnotationNode mark) {
    return mark.desc.substring(mark.desc.lastIndexOf('/') + 1,
                               mark.desc.length() - 1);
  }

  private static List<AnnotationNode> marks(List<AnnotationNode> some,
                                            List<AnnotationNode> others) {
    List<AnnotationNode> all = new ArrayList<>();
    if (some != null)
      all.addAll(some);
    if (others != null)
      all.addAll(others);
    return all;
  }

  private Callback read(MethodNode m) {
    List<Parameter> parameters = new ArrayList<>();
    Type[] types = Type.getArgumentTypes(m.desc);
    for (int i = 0; i < types.length; i++) {
      AnnotationNode mark =
          marks(m.visibleParameterAnnotations == null
                    ? null
                    : m.visibleParameterAnnotations[i],
                m.invisibleParameterAnnotations == null
                    ? null
                    : m.invisibleParameterAnnotations[i])
              .get(0);
      int number = mark.values == null ? 0 : (Integer)mark.values.get(1);
      parameters.add(new Parameter(simple(mark), number, types[i]));
      if (simple(mark).equals("This"))
        thisType = types[i];
    }
    return new Callback(m.name, Type.getReturnType(m.desc), parameters);
  }

  Callback callback(String kind) { return callbacks.get(kind); }

  /** In constructors it begins when super() has returned. */
  boolean waitsForThis() { return thisType != null; }

  // -- Patterns -------------------------------------------------------------

  private static MethodPattern parse(String text) {
    String rest = text.trim();
    boolean positive = !rest.startsWith("-");
    if (!positive)
      rest = rest.substring(1).trim();
    int colon = rest.indexOf(':');
    int open = rest.indexOf('(');
    int close = rest.indexOf(')');
    String[] type = split(rest.substring(0, colon));
    String[] method = split(rest.substring(colon + 1, open));
    String result = rest.substring(close + 1).trim();
    return new MethodPattern(positive, type[0], type[1], method[0], method[1],
                             rest.substring(open + 1, close).replace(" ", ""),
                             result.isEmpty() ? "*" : result);
  }

  /** The annotation, or null, and the name behind it. */
  private static String[] split(String text) {
    String part = text.trim();
    if (!part.startsWith("@"))
      return new String[] {null, part};
    int blank = part.indexOf(' ');
    return new String[] {part.substring(1, blank),
                         part.substring(blank).trim()};
  }

  private static boolean matches(String pattern, String name) {
    return Pattern.matches(
        Pattern.quote(pattern).replace("*", "\\E.*\\Q"), name);
  }

  private static boolean carries(String mark, List<AnnotationNode> some,
                                 List<AnnotationNode> others) {
    return mark == null || marks(some, others).stream().anyMatch(
                               m -> matches(mark, Type.getType(m.desc)
                                                      .getClassName()));
  }

  /** A star stands for any type, or for a part of the name of a class. */
  private static boolean matchesType(String pattern, Type type) {
    if (pattern.equals("*"))
      return true;
    if (pattern.contains("*") && type.getSort() != Type.OBJECT)
      return false;
    String full = pattern.matches("(Object|String)(\\[\\])*")
                      ? "java.lang." + pattern
                      : pattern;
    return matches(full, type.getClassName());
  }

  private static boolean matchesParameters(String pattern, Type[] types) {
    if (pattern.equals("*"))
      return true;
    String[] parts = pattern.isEmpty() ? new String[0] : pattern.split(",");
    int fixed = parts.length;
    boolean more = fixed > 0 && parts[fixed - 1].equals("*");
    if (more)
      fixed--;
    if (more ? types.length < fixed : types.length != fixed)
      return false;
    for (int i = 0; i < fixed; i++)
      if (!matchesType(parts[i], types[i]))
        return false;
    return true;
  }

  private static boolean matches(MethodPattern p, ClassNode c, MethodNode m) {
    return carries(p.classMark, c.visibleAnnotations, c.invisibleAnnotations) &&
        matches(p.type, c.name.replace('/', '.')) &&
        carries(p.methodMark, m.visibleAnnotations, m.invisibleAnnotations) &&
        matches(p.method, m.name) &&
        // Only its own name stands for a static initialiser.
        (!p.positive || !m.name.equals("<clinit>") ||
         p.method.equals("<clinit>")) &&
        matchesParameters(p.parameters, Type.getArgumentTypes(m.desc)) &&
        (p.result.equals("*") ||
         matchesType(p.result, Type.getReturnType(m.desc)));
  }

  // -- Methods --------------------------------------------------------------

  /** All its callbacks are for this method. */
  boolean selects(Interpreter model, Interpreter.Cls c, MethodNode m) {
    boolean isStatic = (m.access & Opcodes.ACC_STATIC) != 0;
    boolean any = false;
    for (MethodPattern p : patterns) {
      if (!matches(p, c.node, m))
        continue;
      if (!p.positive)
        return false;
      any = true;
    }
    boolean typed =
        thisType != null && !thisType.getInternalName().equals(OBJECT);
    return any &&
        (instanceOf == null || model.isSubclass(c.node.name, instanceOf)) &&
        (!typed || (!isStatic && model.isSubclass(
                                     c.node.name, thisType.getInternalName()))) &&
        fits(Type.getReturnType(m.desc));
  }

  private static final String OBJECT = "java/lang/Object";

  /** What callbacks return in the place of the result is of its type. */
  private boolean fits(Type result) {
    Callback onReturn = callback("onReturn");
    Callback ext = callback("onUncaughtExceptionExt");
    return (onReturn == null || !onReturn.returns() ||
            onReturn.result.equals(result)) &&
        (ext == null || ext.result.equals(result));
  }
}
