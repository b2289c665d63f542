// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf;

import java.util.ArrayList;
import java.util.List;

/**
 * The present nesting of operations of each thread, as context for messages of
 * errors. Every thread sees and changes only its own.
 */
public final class OperationTracer {
  private OperationTracer() {}

  private static volatile boolean enabled = true;

  /** The label, if there is one, has null for arguments. */
  private static final class State {
    boolean frozen;
    final List<String> names = new ArrayList<>();
    final List<Object[]> arguments = new ArrayList<>();
  }

  private static final ThreadLocal<State> STATE =
      new ThreadLocal<State>() {
        @Override
        protected State initialValue() {
          return new State();
        }
      };

  /** From now on all threads trace, as they do from the beginning. */
  public static void enable() {
    enabled = true;
  }

  /** From now on no thread traces; what was traced stays. */
  public static void disable() {
    enabled = false;
  }

  /**
   * Begins anew under a label, unless the state is frozen.
   *
   * @param label what the text begins with
   */
  public static void begin(String label) {
    State state = STATE.get();
    if (state.frozen) {
      return;
    }
    state.names.clear();
    state.arguments.clear();
    state.names.add(label);
    state.arguments.add(null);
  }

  /** Ends what {@link #begin} began: nothing is left, unless it is frozen. */
  public static void finish() {
    if (!STATE.get().frozen) {
      STATE.remove();
    }
  }

  /** Forgets everything, also what is frozen. */
  public static void clear() {
    STATE.remove();
  }

  /**
   * Keeps the state as it is until {@link #clear}, so that whoever handles an
   * exception still sees where it happened.
   */
  public static void freeze() {
    STATE.get().frozen = true;
  }

  /**
   * An operation begins.
   *
   * @param name its name
   * @param args its arguments
   */
  public static void enter(String name, Object... args) {
    if (!enabled) {
      return;
    }
    State state = STATE.get();
    if (!state.frozen) {
      state.names.add(name);
      state.arguments.add(args.clone());
    }
  }

  /** The innermost operation ends. */
  public static void exit() {
    if (!enabled) {
      return;
    }
    State state = STATE.get();
    int last = state.names.size() - 1;
    // Tracing may have begun inside the operation that ends here.
    if (!state.frozen && last >= 0 && state.arguments.get(last) != null) {
      state.names.remove(last);
      state.arguments.remove(last);
    }
  }

  /**
   * The operations of this thread: {@code label:outer(arg,arg),inner()}. If
   * there is no label the colon is behind the first operation.
   *
   * @return the text; empty if there is neither label nor operation
   */
  public static String getAsString() {
    State state = STATE.get();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < state.names.size(); i++) {
      text.append(i == 0 ? "" : i == 1 ? ":" : ",").append(state.names.get(i));
      Object[] args = state.arguments.get(i);
      if (args == null) {
        continue;
      }
      text.append('(');
      for (int k = 0; k < args.length; k++) {
        text.append(k == 0 ? "" : ",").append(Texts.of(args[k]));
      }
      text.append(')');
    }
    if (state.names.size() == 1) {
      text.append(':');
    }
    return text.toString();
  }
}
