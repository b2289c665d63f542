// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/**
 * Resources that are opened and closed, such as files: a table of them, with tables of what opened
 * and closed them below it. It compares resources by identity, and does not keep them from being
 * collected.
 *
 * @param <T> the resources
 */
public class MasterResourceRegistry<T> extends AbstractResourceRegistry<T> {
  /**
   * A registry with a table at the top.
   *
   * @param holder the class of probes that the table belongs to
   * @param title what people call the table
   * @param description what it is about; may be null
   * @param nameColumn the title of the column with the names; null for {@code Name}
   */
  public MasterResourceRegistry(
      Class<?> holder, String title, String description, String nameColumn) {
    super(new ResourceTable<T>(holder, title, nameColumn));
  }

  /**
   * A registry with a table that may have more columns.
   *
   * @param table the table, whose rows nobody else makes
   */
  protected MasterResourceRegistry(ResourceTable<T> table) {
    super(table);
  }

  /**
   * The name of a resource for which nobody gave one. A subclass knows better than its
   * {@code toString}.
   *
   * @param resource the resource
   * @return its name; null for none
   * @throws Exception if there is no way to get it, which counts as null
   */
  protected String retrieveResourceName(T resource) throws Exception {
    return resource.toString();
  }

  @Override
  final String nameOf(T resource) throws Exception {
    return retrieveResourceName(resource);
  }

  /**
   * A resource was opened, or was not.
   *
   * @param since what {@code openOnEnter} returned
   * @param name its name; null to ask {@link #retrieveResourceName}
   * @param resource the resource; null if there is none
   * @param exception what opening it ended with; null if all went well
   * @param policy whether a failure is a row
   */
  public final void openOnExit(
      long since, String name, T resource, Throwable exception, FailedEventPolicy policy) {
    opened(since, name, resource, Table.NO_ROW, exception, policy);
  }

  /**
   * The row of a resource, which becomes known if it is not.
   *
   * @param resource the resource
   * @return its row, or one that is to be ignored
   */
  public final int getOrCreate(T resource) {
    return getOrCreate(resource, Table.NO_ROW);
  }
}
