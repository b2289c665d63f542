//===- utils/model/Probes.java - the probes of a model run --------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.objectweb.asm.tree.MethodNode;

/**
 * The probes of a run as data: written as Probekit XML for jopt, and read by
 * the interpreter. The first method probe and the first call-site probe have
 * every fragment kind and data item and take in everything; the others are
 * chosen at random.
 */
final class Probes extends ProbeSet {
  /** One fragment: its kind, and its data items in canonical order. */
  record Fragment(String kind, List<String> data) {}

  /** One target; the method pattern is exact, ends with a star, or is one. */
  record Target(String method, boolean include) {}

  /** One probe. */
  record Probe(int index, List<Target> targets, List<Fragment> fragments,
               boolean staticField) {
    /** The fragment of a kind, or null. */
    Fragment fragment(String kind) {
      for (Fragment f : fragments)
        if (f.kind().equals(kind))
          return f;
      return null;
    }

    /** The first target that matches decides; without one it is included. */
    boolean selects(String method) {
      for (Target t : targets) {
        String p = t.method();
        if (p.endsWith("*") ? method.startsWith(p.substring(0, p.length() - 1))
                            : method.equals(p))
          return t.include();
      }
      return true;
    }

    /** It has method fragments and takes in this method of the class. */
    boolean selects(Interpreter.Cls c, MethodNode m) {
      return !callSite() && !c.isInterface() && selects(m.name);
    }

    /** Any of the methods is taken in, abstract ones too. */
    boolean selects(Interpreter.Cls c) {
      return c.node.methods.stream().anyMatch(m -> selects(c, m));
    }

    boolean callSite() {
      return !fragments.isEmpty() && fragments.get(0).kind().endsWith("Call");
    }
  }

  static final List<String> METHOD_KINDS = Arrays.asList(
      "entry", "exit", "catch", "executableUnit", "staticInitializer");
  static final List<String> CALL_KINDS =
      Arrays.asList("beforeCall", "afterCall");

  // In canonical order, with the kinds that may name them.
  private static final String[][] DATA = {
      {"returnedObject", "exit afterCall"},
      {"exceptionObject", "exit catch afterCall"},
      {"className", "*"},
      {"methodName", "*"},
      {"methodSig", "*"},
      {"thisObject", "entry exit catch beforeCall afterCall executableUnit"},
      {"args", "entry exit catch beforeCall afterCall executableUnit"},
      {"isFinally", "catch"},
      {"staticField", "entry exit catch staticInitializer executableUnit"},
      {"classSourceFile", "entry exit catch staticInitializer executableUnit"},
      {"methodNames", "entry exit catch staticInitializer executableUnit"},
      {"methodNumber", "entry exit catch staticInitializer executableUnit"},
      {"executableUnitNumber", "catch executableUnit"},
  };

  final List<Probe> probes = new ArrayList<>();

  /**
   * @param kinds the fragment kinds to use, "staticField" among them where
   *     probes may have one
   * @param without data items to leave out
   */
  Probes(long seed, Set<String> kinds, Set<String> without) {
    Random random = new Random(seed * 31 + 7);
    int methodProbes = 2 + random.nextInt(2);
    int callProbes = 2 + random.nextInt(2);
    for (int i = 0; i < methodProbes; i++)
      add(random, kinds, without, METHOD_KINDS, i == 0);
    for (int i = 0; i < callProbes; i++)
      add(random, kinds, without, CALL_KINDS, i == 0);
  }

  private void add(Random random, Set<String> kinds, Set<String> without,
                   List<String> among, boolean all) {
    boolean field = kinds.contains("staticField") &&
                    among == METHOD_KINDS && (all || random.nextBoolean());
    List<Fragment> fragments = new ArrayList<>();
    for (String kind : among) {
      if (!kinds.contains(kind) || (!all && random.nextInt(4) == 0))
        continue;
      int density = 1 + random.nextInt(4);
      List<String> data = new ArrayList<>();
      for (String[] item : DATA) {
        Set<String> allowed = new HashSet<>(Arrays.asList(item[1].split(" ")));
        if (!allowed.contains("*") && !allowed.contains(kind))
          continue;
        if (item[0].equals("staticField") && !field)
          continue;
        if (without.contains(item[0]))
          continue;
        // With the name of the method it may throw, see Recorder.
        boolean named = item[0].equals("methodName") && random.nextInt(3) > 0;
        if (all || named || random.nextInt(5) < density)
          data.add(item[0]);
      }
      fragments.add(new Fragment(kind, data));
    }
    if (fragments.isEmpty())
      return;
    List<Target> targets = new ArrayList<>();
    if (!all) {
      // The generator gives names that start with a to d.
      for (char c = 'a'; c <= 'd'; c++)
        if (random.nextBoolean())
          targets.add(new Target(c + "*", true));
      if (random.nextBoolean())
        targets.add(new Target("<init>", random.nextBoolean()));
      if (random.nextBoolean())
        targets.add(new Target("<cl*", random.nextBoolean()));
      if (!targets.isEmpty())
        targets.add(new Target("*", false));
    }
    probes.add(new Probe(probes.size(), targets, fragments, field));
  }

  @Override
  Activation activate(Interpreter model, Interpreter.Cls owner,
                      MethodNode method, Object[] params) {
    return owner.isInterface()
        ? super.activate(model, owner, method, params)
        : new FragmentActivation(model, this, owner, method, params);
  }

  @Override
  void initialise(Interpreter model, Interpreter.Cls c)
      throws Interpreter.Thrown {
    FragmentActivation.staticInitializers(model, this, c, null);
  }

  /** The probes as a Probekit file. */
  String xml() {
    StringBuilder x = new StringBuilder();
    x.append("<?xml version=\"1.0\"?>\n<probekit>\n");
    x.append("<fragmentAtSharedScope>\n");
    x.append("public static java.util.function.Consumer&lt;Object[]> sink;\n");
    x.append("static void on(Object... event) { sink.accept(event); }\n");
    x.append("</fragmentAtSharedScope>\n");
    for (Probe p : probes) {
      x.append("<probe><name text=\"p").append(p.index()).append("\"/>\n");
      for (Target t : p.targets())
        x.append("<target type=\"")
            .append(t.include() ? "include" : "exclude")
            .append("\" package=\"*\" className=\"*\" method=\"")
            .append(t.method().replace("<", "&lt;"))
            .append("\" signature=\"*\"/>\n");
      for (Fragment f : p.fragments()) {
        x.append("<fragment type=\"").append(f.kind()).append("\">");
        StringBuilder code = new StringBuilder();
        code.append("on(\"").append(f.kind()).append("\", ").append(p.index());
        for (String d : f.data()) {
          x.append("<data type=\"").append(d).append("\" name=\"_").append(d)
              .append("\"/>");
          code.append(", (Object) _").append(d);
        }
        x.append("<code>").append(code).append(");</code></fragment>\n");
      }
      if (p.staticField())
        x.append("<staticField type=\"java.util.ArrayList\"/>\n");
      x.append("</probe>\n");
    }
    return x.append("</probekit>\n").toString();
  }
}
