// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/**
 * A table of things that live for a while: a row is the life of one, with its name.
 *
 * @param <T> the things
 */
public class ResourceTable<T> extends Table {
  private final StringColumn name;
  private final ClassNameColumn type = new ClassNameColumn("Class");

  /**
   * A table at the top.
   *
   * @param holder the class of probes that the table belongs to
   * @param title what people call it
   * @param nameColumn the title of the column with the names; null for {@code Name}
   */
  public ResourceTable(Class<?> holder, String title, String nameColumn) {
    super(holder, title, LASTING_EVENTS | RECORD_THREAD);
    name = new StringColumn(nameColumn == null ? "Name" : nameColumn);
  }

  /** A table below another one. */
  ResourceTable(Table parent, String title, String nameColumn) {
    super(parent, title, LASTING_EVENTS | RECORD_THREAD);
    name = new StringColumn(nameColumn == null ? "Name" : nameColumn);
  }

  /**
   * Says which thing a row is. Its class is recorded; it itself is not kept.
   *
   * @param row a row of this table
   * @param resource the thing
   */
  public void setResourceObject(int row, T resource) {
    if (resource != null) type.setValue(row, resource.getClass());
  }

  /**
   * Says what the thing of a row is called.
   *
   * @param row a row of this table
   * @param resourceName the name; null is no name
   */
  public void setResourceName(int row, String resourceName) {
    name.setValue(row, resourceName);
  }
}
