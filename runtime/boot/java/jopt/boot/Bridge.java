package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** A site for classes whose class files are too old to have one. They look it up for each call. */
final class Bridge {
  Bridge next;
  final Site site;
  private final String what, name, owner, descriptor, key;
  private final MethodHandle call;

  Bridge(
      Class<?> host,
      String what,
      String name,
      String type,
      String owner,
      String descriptor,
      String key,
      Bridge next) {
    this.what = what;
    this.name = name;
    this.owner = owner;
    this.descriptor = descriptor;
    this.key = key;
    this.next = next;
    MethodType erased = MethodType.fromMethodDescriptorString(type, null);
    site = Hosts.site(what, host, erased, owner, name, descriptor, key);
    site.isBridged = true;
    call =
        site.dynamicInvoker()
            .asType(erased.generic())
            .asSpreader(Object[].class, erased.parameterCount());
  }

  @SuppressWarnings("StringEquality")
  boolean is(String what, String name, String owner, String descriptor, String key) {
    return this.what == what
        && this.name == name
        && this.owner == owner
        && this.descriptor == descriptor
        && this.key == key;
  }

  Object call(Object[] arguments) throws Throwable {
    return call.invokeExact(arguments);
  }
}
