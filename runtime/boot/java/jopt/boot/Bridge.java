package jopt.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** A site for classes whose class files are too old to have one. They look it up for each call. */
final class Bridge {
  final Site site;
  Bridge next;
  private final String request, name, type;
  private final MethodHandle call;

  Bridge(Class<?> host, String request, String name, String type) {
    this.request = request;
    this.name = name;
    this.type = type;
    MethodType erased = MethodType.fromMethodDescriptorString(type, null);
    site = Hosts.site(host, request, name, erased);
    site.isBridged = true;
    call =
        site.dynamicInvoker()
            .asType(erased.generic())
            .asSpreader(Object[].class, erased.parameterCount());
  }

  @SuppressWarnings("StringEquality")
  boolean is(String request, String name, String type) {
    return this.request == request && this.name == name && this.type == type;
  }

  Object call(Object[] arguments) throws Throwable {
    return call.invokeExact(arguments);
  }
}
