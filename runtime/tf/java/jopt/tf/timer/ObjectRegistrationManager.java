// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.tf.timer;

/**
 * Receives the objects of a factory, for example to make them visible to a
 * management tool.
 */
public interface ObjectRegistrationManager {
  /** Does nothing. */
  ObjectRegistrationManager NONE =
      new ObjectRegistrationManager() {
        @Override
        public void manage(Named object) {}

        @Override
        public void manage(Named parent, Named object) {}

        @Override
        public void unmanage(Named object) {}
      };

  /**
   * A factory was made.
   *
   * @param object the factory
   */
  void manage(Named object);

  /**
   * A factory made something.
   *
   * @param parent the factory
   * @param object what it made
   */
  void manage(Named parent, Named object);

  /**
   * Something is no longer in use.
   *
   * @param object what was managed
   */
  void unmanage(Named object);
}
