// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot;

/**
 * What a probed class asks {@link Link} for: a constant of its class file, parts with dots between
 * them, which names in class files have none of.
 */
final class Request {
  /** What a site or a bridge is for: "state", "once", "call" or "found". */
  final String what;

  /** The class of the method, or of the object; the method's descriptor. */
  final String owner, descriptor;

  /** What tells the object or the fragment from others; its class, a dot, and more. */
  final String key;

  private final String format;

  Request(String text) {
    String[] parts = text.split("\\.", 5);
    format = parts[0];
    boolean known = isKnown() && parts.length == 5;
    what = known ? parts[1] : "";
    owner = known ? parts[2] : "";
    descriptor = known ? parts[3] : "";
    key = known ? parts[4] : "";
  }

  private boolean isKnown() {
    return format.equals(Integer.toString(Link.FORMAT));
  }

  /** Says so where the class was woven for a jopt.boot that is not like this one. */
  boolean isKnownOf(Class<?> host) {
    if (isKnown()) return true;
    Hosts.tell(
        "probes that were woven for format " + format + " of jopt.boot do nothing",
        "the jopt.boot that is here has format " + Link.FORMAT + "; " + host.getName()
            + " is the first of them: weave it with the jopt that jopt-runtime.jar is of");
    return false;
  }
}
