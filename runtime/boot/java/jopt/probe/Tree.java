// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probe;

import java.util.ArrayList;
import java.util.List;

/**
 * What one call does: the probed calls below it, as a tree of times. Calls of one method at one place of
 * the tree are one node with their number, those that it makes of itself among them; so what a tree takes
 * depends on the ways of the program and not on how long it runs. Each thread has one of its own, and a
 * call that has a node already allocates nothing.
 */
public final class Tree {
  /** Of a tree; what finds no place is counted. */
  private static final int NODES = 2000, DEPTH = 50, WIDTH = 100;

  private final PerThread<Request[]> open = PerThread.of(() -> new Request[1]);

  /** None so far. */
  public Tree() {}

  /** The calls of a method from one place. */
  private static final class Node {
    final Request of;
    final Node outer;
    final String type, method;
    final int depth;
    Node first, last, next, recent;
    /** Of tasks that were handed over there, and that have ended. */
    List<Request> parts;
    int width, running;
    long since, nanos, longest, calls, failed, nested;

    Node(Request of, Node outer, String type, String method) {
      this.of = of;
      this.outer = outer;
      this.type = type;
      this.method = method;
      depth = outer == null ? 0 : outer.depth + 1;
    }

    /** That of a method in it; null if there is none. What comes next mostly follows what came last. */
    Node find(String type, String method) {
      if (outer != null && is(type, method)) return this;
      if (recent == null) return null;
      Node n = recent;
      do {
        n = n.next == null ? first : n.next;
        if (n.is(type, method)) return recent = n;
      } while (n != recent);
      return null;
    }

    /** Names are constants of classes, and so mostly the same objects. */
    private boolean is(String type, String method) {
      return (this.method == method || this.method.equals(method))
          && (this.type == type || this.type.equals(type));
    }

    Node add(String type, String method) {
      Node n = new Node(of, this, type, method);
      if (last == null) first = n;
      else last.next = n;
      width++;
      return recent = last = n;
    }

    long own() {
      long own = nanos;
      for (Node n = first; n != null; n = n.next) own -= n.nanos;
      return own;
    }

    String name() {
      return type.replace('/', '.') + '.' + method;
    }
  }

  /** Where a task was handed over. */
  static final class Point {
    private final Node node;

    Point(Node node) {
      this.node = node;
    }
  }

  /** A request, or the part of one that a task is: where it comes from. */
  private static final class Origin {
    private final Tasks.Whole whole;
    private final Point from; // null: of the request itself
    private final String thread;
    private final long since, waited;

    Origin(Tasks.Whole whole, Point from, String thread, long since) {
      this.whole = whole;
      this.from = from;
      this.thread = thread;
      this.since = since;
      waited = System.nanoTime() - since;
    }
  }

  /** A call with all that it did. */
  public static final class Request implements Event.Detail {
    private final Node root;
    private Origin origin; // null: of a request without tasks
    private Node top;
    private int nodes = 1;

    /** Calls that run and have no node, and how many such there were. */
    private int running;

    private long leftOut;

    /** The request that began last, until anything else happens; no signature: none. */
    private String enteredType, enteredMethod, enteredSignature;

    Request(String type, String method) {
      root = top = new Node(this, null, type, method);
    }

    /**
     * How long it took.
     *
     * @return in nanoseconds
     */
    public long nanos() {
      return root.nanos;
    }

    /** That it is a part of. */
    Tasks.Whole whole() {
      if (origin == null) origin = new Origin(new Tasks.Whole(), null, null, 0);
      return origin.whole;
    }

    /** Where it is now. */
    Point point() {
      return new Point(top);
    }

    /** A task is not shown. */
    void leaveOut() {
      leftOut++;
    }

    private boolean isPart() {
      return origin != null && origin.from != null;
    }

    /** Under the lock of the whole: shown where it was handed over, in that order. */
    private void hang() {
      Node n = origin.from.node;
      if (n.parts == null) n.parts = new ArrayList<>();
      int i = n.parts.size();
      while (i > 0 && n.parts.get(i - 1).origin.since - origin.since > 0) i--;
      n.parts.add(i, this);
    }

    Object enter(Object begun, String type, String method, String signature) {
      enteredType = type;
      enteredMethod = method;
      enteredSignature = signature;
      return begun;
    }

    /** Whether this is the method that the last request told of, whose entry has told of nothing else since. */
    boolean isEntered(String type, String method, String signature) {
      boolean is = enteredSignature != null && enteredSignature.equals(signature)
          && enteredMethod.equals(method) && enteredType.equals(type);
      enteredSignature = null;
      return is;
    }

    Object begin(String type, String method) {
      Node n = running > 0 ? null : top.find(type, method);
      if (n == null) {
        if (running > 0 || nodes == NODES || top.depth == DEPTH || top.width == WIDTH) {
          running++;
          leftOut++;
          return this;
        }
        n = top.add(type, method);
        nodes++;
      }
      if (n == top) {
        n.running++;
        n.nested++;
        return n;
      }
      top = n;
      n.running = 1;
      n.since = System.nanoTime();
      return n;
    }

    /** For people: a table, which the names of methods make a tree. */
    @Override
    public void addTo(StringBuilder text) {
      line(text, "total_ms", "own_ms", "calls").append("method");
      addTo(text, root, 0, "");
      if (leftOut > 0) text.append("\n    ").append(leftOut).append(" calls further down are left out");
      if (notEnded() > 0) text.append("\n    ").append(notEnded()).append(" tasks have not ended");
    }

    private static void addTo(StringBuilder text, Node n, int below, String how) {
      line(text, Format.number(n.nanos / 1e6), Format.number(n.own() / 1e6), Format.number(n.calls));
      for (int i = 0; i < n.depth + below; i++) text.append("  ");
      text.append(n.name()).append(how);
      if (n.calls > 1) text.append("  longest ").append(Format.number(n.longest / 1e6)).append(" ms");
      if (n.nested > 0) text.append("  ").append(n.nested).append(" more in itself");
      if (n.failed > 0) text.append("  ").append(n.failed).append(" failed");
      for (Node i = n.first; i != null; i = i.next) addTo(text, i, below, "");
      if (n.parts == null) return;
      for (Request part : n.parts)
        addTo(text, part.root, below + n.depth + 1,
            "  on [" + SafeText.line(part.origin.thread) + "] after " + Format.number(part.origin.waited / 1e6) + " ms");
    }

    private static StringBuilder line(StringBuilder text, String... columns) {
      text.append('\n');
      for (String c : columns) {
        for (int i = c.length(); i < 12; i++) text.append(' ');
        text.append(c);
      }
      return text.append("  ");
    }

    private int notEnded() {
      return origin == null ? 0 : origin.whole.notEnded();
    }

    /** The calls in it, each with those in it. */
    @Override
    public void addTo(Json o) {
      o.put("ownMs", root.own() / 1e6).put("calls", inside(root));
      if (leftOut > 0) o.put("leftOut", leftOut);
      if (notEnded() > 0) o.put("tasksNotEnded", notEnded());
    }

    private static Object[] inside(Node of) {
      List<Json> all = new ArrayList<>();
      for (Node n = of.first; n != null; n = n.next) {
        Json o = new Json().put("method", n.name()).put("count", n.calls);
        o.put("durationMs", n.nanos / 1e6).put("ownMs", n.own() / 1e6);
        o.put("longestMs", n.longest / 1e6);
        if (n.nested > 0) o.put("nested", n.nested);
        if (n.failed > 0) o.put("failed", n.failed);
        if (n.first != null || n.parts != null) o.put("calls", inside(n));
        all.add(o);
      }
      if (of.parts != null) for (Request part : of.parts) all.add(part.json());
      return all.toArray();
    }

    private Json json() {
      Json o = new Json().put("method", root.name()).put("count", 1).put("durationMs", root.nanos / 1e6);
      o.put("ownMs", root.own() / 1e6).put("thread", origin.thread).put("waitedMs", origin.waited / 1e6);
      if (root.failed > 0) o.put("failed", root.failed);
      return o.put("calls", inside(root));
    }
  }

  /**
   * A call begins of which a tree is wanted. Within another one it is a part of that.
   *
   * @param className of the class, with slashes or dots
   * @param methodName of the method
   * @return what its end is to be told
   */
  public Object request(String className, String methodName) {
    return request(className, methodName, null);
  }

  /**
   * The same for a probe of which another one, for {@link #call}, may select the same method: what that tells
   * of the method then is ignored.
   *
   * @param className of the class, with slashes or dots
   * @param methodName of the method
   * @param signature of the method
   * @return what its end is to be told
   */
  public Object request(String className, String methodName, String signature) {
    Request[] here = open.get();
    Request r = here[0];
    if (r != null) return r.enter(r.begin(className, methodName), className, methodName, signature);
    r = here[0] = new Request(className, methodName);
    r.root.since = System.nanoTime();
    return r.enter(r.root, className, methodName, signature);
  }

  /**
   * Another call begins, which belongs to the tree of the thread, if it has one.
   *
   * @param className of the class, with slashes or dots
   * @param methodName of the method
   * @return what its end is to be told
   */
  public Object call(String className, String methodName) {
    return call(className, methodName, null);
  }

  /**
   * The same, unless the call is the one of {@link #request(String, String, String)} just before.
   *
   * @param className of the class, with slashes or dots
   * @param methodName of the method
   * @param signature of the method
   * @return what its end is to be told
   */
  public Object call(String className, String methodName, String signature) {
    Request r = open.get()[0];
    return r == null || r.isEntered(className, methodName, signature) ? null : r.begin(className, methodName);
  }

  /**
   * A call ends, on the thread that it began on.
   *
   * @param begun what {@link #request} or {@link #call} returned; null is none
   * @param thrown what it threw; null: nothing
   * @return the tree, if it is of this call; else null
   */
  public Request end(Object begun, Throwable thrown) {
    if (begun == null) return null;
    long now = System.nanoTime();
    Request[] here = open.get();
    Request r = here[0];
    if (r != null) r.enteredSignature = null;
    if (begun instanceof Request) {
      if (begun == r && r.running > 0) r.running--;
      return null;
    }
    if (!(begun instanceof Node) || ((Node) begun).of != r) return null;
    Node n = (Node) begun;
    // What began in it and never ended is over, too.
    r.running = 0;
    if (thrown != null) n.failed++;
    r.top = n;
    if (--n.running > 0) return null;
    long took = now - n.since;
    n.nanos += took;
    n.longest = Math.max(n.longest, took);
    n.calls++;
    r.top = n.outer;
    if (n.outer != null) return null;
    here[0] = null;
    if (r.isPart())
      synchronized (r.origin.whole) {
        r.hang();
      }
    return r;
  }

  /** The request of this thread, or the part of one; null if there is none. */
  Request current() {
    return open.get()[0];
  }

  /** A task of a request begins. Within another request it is a call. */
  Object part(String type, Tasks.Whole whole, Point from, long since) {
    Request[] here = open.get();
    Request r = here[0];
    if (r != null) return r.begin(type, "run");
    r = here[0] = new Request(type, "run");
    String thread = Thread.currentThread().getName();
    r.origin = new Origin(whole, from, thread.isEmpty() ? "virtual thread" : thread, since);
    r.root.since = System.nanoTime();
    r.root.running = 1;
    return r.root;
  }

  /** What {@link #part} gave is a part, not a call. */
  boolean isPart(Object begun) {
    return begun instanceof Node && ((Node) begun).outer == null && ((Node) begun).of.isPart();
  }

  /** What {@link #part} gave on this thread; null if it runs none. */
  Object partHere() {
    Request r = open.get()[0];
    return r != null && r.isPart() ? r.root : null;
  }
}
