//===- utils/model/ArrayValues.java - arrays in the model -----------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

import java.lang.reflect.Array;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * ArrayValues of the program, which are the JVM's own: of primitive types, strings
 * and objects, and arrays of such. As on the stack, what is no long, float or
 * double is an int.
 */
final class ArrayValues {
  private ArrayValues() {}

  private static Interpreter.Thrown thrown(RuntimeException e) {
    return new Interpreter.Thrown(e.getClass().getName().replace('.', '/'));
  }

  /** The letter of the type that a newarray has by number. */
  static char primitive(int type) {
    return "ZCFDBSIJ".charAt(type - Opcodes.T_BOOLEAN);
  }

  /** @param desc of the array; the sizes may be of its outer dimensions only */
  static Object make(String desc, int... sizes) throws Interpreter.Thrown {
    try {
      String of = desc.substring(sizes.length);
      return Array.newInstance(
          of.length() == 1
              ? java.lang.invoke.MethodType
                    .fromMethodDescriptorString("()" + of, null)
                    .returnType()
              : Class.forName(Type.getType(of).getSort() == Type.ARRAY
                                  ? of.replace('/', '.')
                                  : Type.getType(of).getClassName()),
          sizes);
    } catch (NegativeArraySizeException e) {
      throw thrown(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  static int length(Object array) throws Interpreter.Thrown {
    if (array == null)
      throw Operations.error("NullPointerException");
    return Array.getLength(array);
  }

  static Object get(Object array, int at) throws Interpreter.Thrown {
    try {
      Object o = Array.get(array, at);
      return array instanceof Object[]          ? o
          : o instanceof Boolean b              ? (Object)(b ? 1 : 0)
          : o instanceof Character c            ? (Object)(int)c
          : o instanceof Byte || o instanceof Short ? ((Number)o).intValue()
                                                : o;
    } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
      throw thrown(e);
    }
  }

  static void set(Object array, int at, Object value)
      throws Interpreter.Thrown {
    try {
      if (array instanceof Object[] objects)
        objects[at] = value;
      else if (array instanceof boolean[] a)
        a[at] = ((Integer)value & 1) != 0;
      else if (array instanceof byte[] a)
        a[at] = (byte)(int)(Integer)value;
      else if (array instanceof char[] a)
        a[at] = (char)(int)(Integer)value;
      else if (array instanceof short[] a)
        a[at] = (short)(int)(Integer)value;
      else
        Array.set(array, at, value);
    } catch (NullPointerException | ArrayIndexOutOfBoundsException |
             ArrayStoreException e) {
      throw thrown(e);
    }
  }

  /** The descriptor of the elements. */
  static String element(Object array) {
    return array.getClass().componentType().descriptorString();
  }
}
