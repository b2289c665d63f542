//===- benchmarks/peers/ByteBuddyPeer.java - entry and exit by Byte Buddy -===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ByteBuddyPeer advice [-warmup=N] [-passes=N] PATH...
//
// Advice is inlined at the entry and all exits of every method: static calls without
// arguments. Constructors have none where they throw, as Byte Buddy allows none there.
//
//===----------------------------------------------------------------------===//

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isTypeInitializer;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.OpenedClassReader;

public final class ByteBuddyPeer {
  /** What advice calls. */
  public static final class Probe {
    public static void enter() {}
    public static void exit() {}
  }

  static final class OfMethods {
    @Advice.OnMethodEnter
    static void enter() {
      Probe.enter();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    static void exit() {
      Probe.exit();
    }
  }

  static final class OfConstructors {
    @Advice.OnMethodEnter
    static void enter() {
      Probe.enter();
    }

    @Advice.OnMethodExit
    static void exit() {
      Probe.exit();
    }
  }

  public static void main(String[] args) throws IOException {
    Measure.main("Byte Buddy", args, ClassFileVersion.latest().getMajorVersion(), ByteBuddyPeer::rewriter);
  }

  private static UnaryOperator<byte[]> rewriter(Classes input) {
    Map<String, byte[]> byName = new HashMap<>();
    for (byte[] file : input.files)
      byName.put(name(file), file);
    ClassFileLocator locator = new ClassFileLocator.Compound(new ClassFileLocator.Simple(byName),
                                                             ClassFileLocator.ForClassLoader.ofSystemLoader());
    TypePool pool = TypePool.Default.of(locator);
    Advice ofMethods = Advice.to(OfMethods.class), ofConstructors = Advice.to(OfConstructors.class);
    ByteBuddy buddy = new ByteBuddy().with(TypeValidation.DISABLED);
    return file -> {
      TypeDescription type = pool.describe(name(file)).resolve();
      return buddy.redefine(type, locator)
          .visit(ofMethods.on(isMethod().or(isTypeInitializer())))
          .visit(ofConstructors.on(isConstructor()))
          .make()
          .getBytes();
    };
  }

  private static String name(byte[] file) { return OpenedClassReader.of(file).getClassName().replace('/', '.'); }
}
