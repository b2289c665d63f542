// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

/**
 * Resources that belong to those of another registry, as statements to connections. Their table is
 * below that of the others.
 *
 * @param <T> the resources
 * @param <P> what they belong to
 */
public abstract class DependentResourceRegistry<T, P> extends AbstractResourceRegistry<T> {
  private final AbstractResourceRegistry<P> parents;

  /**
   * A registry whose resources belong to those of another.
   *
   * @param parents the other
   * @param title what people call the table
   * @param description what it is about; may be null
   * @param nameColumn the title of the column with the names; null for {@code Name}
   */
  public DependentResourceRegistry(
      MasterResourceRegistry<P> parents, String title, String description, String nameColumn) {
    super(new ResourceTable<T>(parents.getResourceTable(), title, nameColumn));
    this.parents = parents;
  }

  /**
   * A registry whose resources belong to those of another, which themselves belong to others.
   *
   * @param parents the other
   * @param title what people call the table
   * @param description what it is about; may be null
   * @param nameColumn the title of the column with the names; null for {@code Name}
   */
  public DependentResourceRegistry(
      DependentResourceRegistry<P, ?> parents,
      String title,
      String description,
      String nameColumn) {
    super(new ResourceTable<T>(parents.getResourceTable(), title, nameColumn));
    this.parents = parents;
  }

  /**
   * What a resource belongs to.
   *
   * @param resource the resource
   * @return its parent; null if it has none
   * @throws Exception if it cannot be told, which is taken for null
   */
  protected abstract P retrieveParent(T resource) throws Exception;

  /**
   * The name of a resource for which nobody gave one.
   *
   * @param resource the resource
   * @return its name; null, unless it is overridden
   * @throws Exception if there is no way to get it, which counts as null
   */
  protected String retrieveResourceName(T resource) throws Exception {
    return null;
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
   * @param parent what it belongs to; null to ask {@link #retrieveParent}
   * @param exception what opening it ended with; null if all went well
   * @param policy whether a failure is a row
   */
  public final void openOnExit(
      long since,
      String name,
      T resource,
      P parent,
      Throwable exception,
      FailedEventPolicy policy) {
    P known = parent != null || resource == null ? parent : parentOf(resource);
    opened(since, name, resource, rowOf(known), exception, policy);
  }

  /**
   * The row of a resource, which becomes known if it is not, as does what it belongs to.
   *
   * @param resource the resource
   * @return its row, or one that is to be ignored
   */
  public final int getOrCreate(T resource) {
    if (resource == null) return Table.NO_ROW;
    int row = get(resource);
    return Table.shouldIgnoreRow(row) ? getOrCreate(resource, rowOf(parentOf(resource))) : row;
  }

  private P parentOf(T resource) {
    try {
      return retrieveParent(resource);
    } catch (Throwable e) {
      return null;
    }
  }

  /** The row of a parent, made if need be. */
  private int rowOf(P parent) {
    if (parent == null) return Table.NO_ROW;
    if (parents instanceof MasterResourceRegistry) {
      return ((MasterResourceRegistry<P>) parents).getOrCreate(parent);
    }
    return ((DependentResourceRegistry<P, ?>) parents).getOrCreate(parent);
  }
}
