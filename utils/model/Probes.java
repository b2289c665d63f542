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
import java.util.Map;
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
  /**
   * A data item. Items of a kind with names have their name; items without a type
   * of their own have the type that the fragment sees: int, long or none.
   */
  record Item(String type, String name, String javaType) {
    Item(String type) { this(type, "", ""); }

    /** The key of its value. */
    String key() { return name.isEmpty() ? type : type + " " + name; }

    String parameter() { return name.isEmpty() ? "_" + type : name; }

    /** What the fragment is given. */
    Object of(Map<String, Object> data) {
      Object o = data.get(key());
      if (javaType.isEmpty())
        return o;
      if (javaType.equals("long"))
        return o instanceof Long ? o : 0L;
      if (o instanceof Integer)
        return o;
      // Any variable that the JVM keeps as an int is one.
      if (type.equals("local")) {
        if (o instanceof Boolean b)
          return b ? 1 : 0;
        if (o instanceof Character c)
          return (int)c;
        if (o instanceof Byte || o instanceof Short)
          return ((Number)o).intValue();
      }
      return 0;
    }
  }

  /**
   * One fragment: what its events are called, its kind, its data items in
   * canonical order, and the sites that it is for, where it has some.
   */
  record Fragment(String name, String kind, List<Item> data,
                  Sites.Filter only) {
    boolean names(String item) {
      return data.stream().anyMatch(d -> d.type().equals(item));
    }
  }

  /** One target; the method pattern is exact, ends with a star, or is one. */
  record Target(String method, boolean include) {}

  /** One probe. */
  record Probe(int index, List<Target> targets, List<Fragment> fragments,
               boolean staticField) {
    /** The fragment of a name, which is its kind if it has no others; or null. */
    Fragment fragment(String name) {
      for (Fragment f : fragments)
        if (f.name().equals(name))
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

  private static final String IN_METHODS =
      "entry exit catch executableUnit throw fieldRead fieldWrite new " +
      "newArray arrayRead arrayWrite monitorEnter monitorExit cast " +
      "instanceOf line loop localWrite";

  // In canonical order, with the kinds that may name them. The names of local
  // variables are those that Variables gives.
  private static final String[][] DATA = {
      {"returnedObject", "exit afterCall"},
      {"exceptionObject", "exit catch afterCall throw"},
      {"className", "*"},
      {"methodName", "*"},
      {"methodSig", "*"},
      {"thisObject", IN_METHODS + " beforeCall afterCall"},
      {"args", IN_METHODS + " beforeCall afterCall"},
      {"isFinally", "catch"},
      {"staticField", IN_METHODS + " staticInitializer"},
      {"classSourceFile", IN_METHODS + " staticInitializer"},
      {"methodNames", IN_METHODS + " staticInitializer"},
      {"methodNumber", IN_METHODS + " staticInitializer"},
      {"executableUnitNumber", "catch executableUnit"},
      {"local I0 int", IN_METHODS + " beforeCall afterCall"},
      {"local A1", IN_METHODS + " beforeCall afterCall"},
      {"local p2", IN_METHODS + " beforeCall afterCall"},
      {"result  int", "exit afterCall"},
      {"object", "fieldRead fieldWrite new monitorEnter monitorExit cast " +
                     "instanceOf"},
      {"typeName", "new newArray cast instanceOf"},
      {"fieldName", "fieldRead fieldWrite"},
      {"fieldOwner", "fieldRead fieldWrite"},
      {"value", "fieldRead fieldWrite instanceOf localWrite arrayRead " +
                    "arrayWrite"},
      {"oldValue", "fieldWrite"},
      {"array", "arrayRead arrayWrite newArray"},
      {"index", "arrayRead arrayWrite"},
      {"length", "newArray"},
      {"lineNumber", IN_METHODS + " beforeCall afterCall"},
      {"variableName", "localWrite"},
      {"count", "loop"},
      {"caughtType", "catch"},
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
      List<Item> data = items(random, kind, field, without, all);
      fragments.add(new Fragment(kind, kind, data, null));
    }
    for (String kind : Sites.KINDS) {
      if (among != METHOD_KINDS || !kinds.contains(kind))
        continue;
      // All of them before and behind; of others up to two, of some sites.
      for (int i = all ? 2 : random.nextInt(3); i > 0; i--) {
        boolean placed = !Sites.UNPLACED.contains(kind);
        if (all && i == 2 && !placed)
          continue;
        List<Item> data = items(random, kind, field, without, all);
        Sites.Filter only =
            all ? Sites.Filter.placed(!placed ? "" : i == 2 ? "before" : "after")
                : Sites.Filter.any(random, kind);
        if (data.stream().noneMatch(d -> d.type().endsWith("alue")))
          only = only.ofAnyType();
        String type = only.javaType();
        if (!type.isEmpty())
          data.replaceAll(d -> d.type().endsWith("alue")
                                   ? new Item(d.type(), "", type)
                                   : d);
        fragments.add(new Fragment(kind + "/" + fragments.size(), kind, data,
                                   only));
      }
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

  private static List<Item> items(Random random, String kind, boolean field,
                                  Set<String> without, boolean all) {
    int density = 1 + random.nextInt(4);
    List<Item> data = new ArrayList<>();
    for (String[] row : DATA) {
      String[] item = row[0].split(" ");
      Set<String> allowed = new HashSet<>(Arrays.asList(row[1].split(" ")));
      if (!allowed.contains("*") && !allowed.contains(kind))
        continue;
      if (item[0].equals("staticField") && !field)
        continue;
      if (without.contains(item[0]))
        continue;
      // With the name of the method it may throw, see Recorder.
      boolean named = item[0].equals("methodName") && random.nextInt(3) > 0;
      if (all || named || random.nextInt(5) < density)
        data.add(item.length == 1 ? new Item(item[0])
                                  : new Item(item[0], item[1],
                                             item.length > 2 ? item[2] : ""));
    }
    return data;
  }

  @Override
  Activation activate(Interpreter model, Interpreter.Cls owner,
                      MethodNode method, Object[] params) {
    return owner.isInterface()
        ? super.activate(model, owner, method, params)
        : new SiteActivation(model, this, owner, method, params);
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
        x.append("<fragment type=\"").append(f.kind()).append('"');
        if (f.only() != null)
          x.append(f.only().attributes());
        x.append('>');
        StringBuilder code = new StringBuilder();
        code.append("on(\"").append(f.name()).append("\", ").append(p.index());
        for (Item d : f.data()) {
          x.append("<data type=\"").append(d.type()).append("\" name=\"")
              .append(d.parameter()).append('"');
          if (!d.javaType().isEmpty())
            x.append(" javaType=\"").append(d.javaType()).append('"');
          x.append("/>");
          code.append(", (Object) ").append(d.parameter());
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
