// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.reflect.Array;

/**
 * A call site in a probed class. It finds out what to call when it is first called, so that linking
 * it runs no code of others, and never throws what goes wrong there into the host. What it then
 * calls is a constant for the JVM's compilers.
 */
abstract class Site extends MutableCallSite {
  private static final MethodHandle LINK = own(Site.class, "link", MethodHandle.class);
  private static final MethodHandle NOTHING = own(Site.class, "nothing", void.class);

  final Class<?> host;
  final Request request;

  /** Its name in the class file, or that of a bridge. */
  final String name;

  /** The request whose cell in the host's store goes with the site; null: none. */
  private final String kept;

  /** A {@link Bridge} calls it. */
  boolean isBridged;

  /** {@link Switches} has it. */
  volatile boolean isSwitched;

  /** A thread found out what to call. Set before that is called. */
  private volatile boolean isLinked;

  Site(MethodType type, Class<?> host, Request request, String name, String kept) {
    super(type);
    this.host = host;
    this.request = request;
    this.name = name;
    this.kept = kept;
    turn(true);
  }

  /** A method of this package. */
  static MethodHandle own(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodType type = MethodType.methodType(result, parameters);
    try {
      return name.equals("nothing")
          ? lookup.findStatic(owner, name, type)
          : lookup.findVirtual(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** What to call from now on; null if that cannot be said yet. */
  abstract MethodHandle bind() throws Throwable;

  /** The internal name of the class of probes that this needs. */
  String owner() {
    return request.owner;
  }

  /** What this is, for a message. */
  String name() {
    return request.owner + "." + name;
  }

  /** Says whether there is what another site of this name calls. */
  boolean asks() {
    return false;
  }

  /** Does nothing from now on. */
  void close() {
    setTarget(empty(type()));
    if (isBridged) Store.of(host).forget(this);
    forget();
  }

  /** Removes the cell from the host's store. */
  private void forget() {
    if (kept != null) Store.of(host).forget(kept);
  }

  /** Finds out what to call, when it is next called; or does nothing until it is turned on. */
  final void turn(boolean on) {
    setTarget(
        on
            ? MethodHandles.foldArguments(
                MethodHandles.exactInvoker(type()), LINK.bindTo(this))
            : empty(type()));
  }

  /** Whether probes that were woven off-line may be switched by it. */
  boolean isSwitch() {
    return false;
  }

  MethodHandle link() {
    if (!request.isKnownOf(host)) {
      setTarget(empty(type()));
      return getTarget();
    }
    try {
      MethodHandle called;
      do called = tryLink(); while (called == null);
      return called;
    } catch (VirtualMachineError e) {
      // No memory, no stack: the next call may have more.
      return empty(type());
    } catch (Throwable e) {
      return fail(e);
    }
  }

  /** Null: probes came or went meanwhile, so it has to be done again. */
  private MethodHandle tryLink() throws Throwable {
    ProbeSet set = ProbeSet.of(owner());
    if (set == null && ProbeSet.isClosed(owner())) return linkLate();
    MethodHandle found;
    try {
      found = bind();
    } catch (Throwable e) {
      if (ProbeSet.of(owner()) == set) throw e;
      found = null;
    }
    // Loaders were asked, which takes its time, and anything may happen in it.
    if (ProbeSet.of(owner()) != set) {
      forget();
      return null;
    }
    return found == null ? empty(type()) : publish(found, set);
  }

  /** Calls {@code found} from now on. Threads that link it at the same time all come here. */
  private MethodHandle publish(MethodHandle found, ProbeSet set) {
    isLinked = true;
    if (set == null && isSwitch()) return Switches.link(this, found);
    // Before it calls anything: who closes the set has to know what asked.
    if (set != null && !set.add(this)) {
      forget();
      return linkLate();
    }
    setTarget(found);
    // It may have been closed before it had that to call.
    if (set != null && (set.isClosed() || ProbeSet.isClosed(owner())) && !isLate()) close();
    return getTarget();
  }

  /** Calls nothing from now on, unless another thread knows what. */
  private MethodHandle fail(Throwable why) {
    if (!isLinked) {
      setTarget(empty(type()));
      // That thread may have come in between: the next call finds it out as well.
      if (isLinked) turn(true);
      else Hosts.tell(name() + " is not called", why);
    }
    return empty(type());
  }

  /** It calls what it did although the set is closed, as a site that asks has said so. */
  private boolean isLate() {
    return !asks() && ProbeSet.late(this) != null;
  }

  private MethodHandle linkLate() {
    MethodHandle found = null;
    try {
      Class<?> c = asks() ? null : ProbeSet.loadLate(this);
      if (c != null) found = Hosts.method(c, name, request.descriptor).asType(type());
    } catch (ReflectiveOperationException | LinkageError e) {
      Hosts.tell(name() + " is not called", e);
    }
    setTarget(found != null ? found : empty(type()));
    return getTarget();
  }

  static void nothing() {}

  /** Does nothing, and returns zero or null. */
  static MethodHandle empty(MethodType type) {
    Class<?> result = type.returnType();
    MethodHandle constant =
        result == void.class
            ? NOTHING
            : MethodHandles.constant(result, Array.get(Array.newInstance(result, 1), 0));
    return MethodHandles.dropArguments(constant, 0, type.parameterList());
  }
}
