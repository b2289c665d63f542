//===- utils/model/Platform.java - the platform's methods in the model --===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import org.objectweb.asm.tree.MethodInsnNode;

/** The methods of the platform, and of Rt, that generated programs call. */
final class Platform {
  private Platform() {}

  private static Interpreter.Thrown thrown(RuntimeException e) {
    return new Interpreter.Thrown(e.getClass().getName().replace('.', '/'));
  }

  static Object call(Interpreter model, MethodInsnNode i, Object[] args)
      throws Interpreter.Thrown {
    String name = i.owner + "." + i.name + i.desc;
    if (i.name.equals("<init>"))
      return null;
    try {
      switch (name) {
      case "model/Rt.fuel(I)I":
        return Rt.fuel((Integer)args[0]);
      case "model/Rt.maybe(I)I":
        return Rt.maybe((Integer)args[0]);
      case "model/Rt.out(I)V":
        Rt.out((int)(Integer)args[0]);
        return null;
      case "model/Rt.out(J)V":
        Rt.out((long)(Long)args[0]);
        return null;
      case "model/Rt.out(D)V":
        Rt.out((double)(Double)args[0]);
        return null;
      case "model/Rt.out(Ljava/lang/Object;)V":
        if (args[0] instanceof Interpreter.Obj o)
          Rt.output.add(o.type.replace('/', '.'));
        else
          Rt.out(args[0]);
        return null;
      case "java/lang/Math.floorMod(II)I":
        return Math.floorMod((Integer)args[0], (Integer)args[1]);
      case "java/lang/Integer.valueOf(I)Ljava/lang/Integer;":
        return args[0];
      case "java/lang/Integer.intValue()I":
        return args[0];
      case "java/lang/String.length()I":
        return ((String)args[0]).length();
      case "java/lang/String.charAt(I)C":
        return (int)((String)args[0]).charAt((Integer)args[1]);
      case "java/lang/String.concat(Ljava/lang/String;)Ljava/lang/String;":
        return ((String)args[0]).concat((String)args[1]);
      case "java/lang/Comparable.compareTo(Ljava/lang/Object;)I":
        return ((String)args[0]).compareTo((String)args[1]);
      default:
        throw new IllegalStateException("unknown method " + name);
      }
    } catch (IllegalStateException e) {
      throw e;
    } catch (RuntimeException e) {
      throw thrown(e);
    }
  }
}
