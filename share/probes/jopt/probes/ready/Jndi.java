// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready;

import jopt.probes.*;
import jopt.probes.ready.shared.*;

/** Names that are looked up, bound and listed. One context asks others; what the program asked is a row. */
public final class Jndi {
  private Jndi() {}

  private static final class Calls extends CallTable {
    final StringColumn operation = new StringColumn("Operation");
    final StringColumn name = new StringColumn("Name");
    final ClassNameColumn result = new ClassNameColumn("Result");

    Calls() {
      super(Jndi.class, "JNDI Call", Settings.CALLS);
    }
  }

  private static final Calls calls = new Calls();
  private static final Nesting nesting = new Nesting();

  /** Contexts, those of programs and those of the JDK. */
  @MethodPattern({
    "*:lookup(String)", "*:lookup(javax.naming.Name)",
    "*:lookupLink(String)", "*:lookupLink(javax.naming.Name)",
    "*:bind(String, *)", "*:bind(javax.naming.Name, *)",
    "*:rebind(String, *)", "*:rebind(javax.naming.Name, *)",
    "*:unbind(String)", "*:unbind(javax.naming.Name)",
    "*:rename(String, String)", "*:rename(javax.naming.Name, javax.naming.Name)",
    "*:list(String)", "*:list(javax.naming.Name)",
    "*:listBindings(String)", "*:listBindings(javax.naming.Name)",
    "*:createSubcontext(String, *)", "*:createSubcontext(javax.naming.Name, *)",
    "*:createSubcontext(String)", "*:createSubcontext(javax.naming.Name)",
    "*:destroySubcontext(String)", "*:destroySubcontext(javax.naming.Name)",
    "*:search(String, *)", "*:search(javax.naming.Name, *)",
    "*:getAttributes(String, *)", "*:getAttributes(javax.naming.Name, *)",
    "*:modifyAttributes(String, *)", "*:modifyAttributes(javax.naming.Name, *)",
    "javax.naming.*:lookup*(*)", "javax.naming.*:bind(*)", "javax.naming.*:rebind(*)",
    "javax.naming.*:unbind(*)", "javax.naming.*:rename(*)", "javax.naming.*:list*(*)",
    "javax.naming.*:createSubcontext(*)", "javax.naming.*:destroySubcontext(*)",
    "javax.naming.*:search(*)", "javax.naming.*:getAttributes(*)",
    "javax.naming.*:modifyAttributes(*)",
    "com.sun.jndi.*:lookup*(*)", "com.sun.jndi.*:bind(*)", "com.sun.jndi.*:rebind(*)",
    "com.sun.jndi.*:unbind(*)", "com.sun.jndi.*:list*(*)", "com.sun.jndi.*:search(*)"
  })
  @InstanceOf("javax.naming.Context")
  public static final class Call {
    public static int onEnter(@MethodName String method, @Param(1) Object name) {
      if (!nesting.enter()) return Table.NO_ROW;
      int row = calls.createRow();
      calls.operation.setValue(row, method);
      calls.name.setValue(row, name == null ? null : Settings.url(name.toString()));
      return row;
    }

    public static void onExit(
        @OnEnterResult int row, @ReturnValue Object result, @ThrownException Throwable thrown) {
      nesting.leave();
      if (result != null) calls.result.setValue(row, result.getClass());
      calls.closeRow(row, thrown);
    }
  }
}
