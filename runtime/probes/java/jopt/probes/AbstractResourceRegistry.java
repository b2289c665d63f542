// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import jopt.boot.record.RecordedTable;
import jopt.probes.internal.WeakIdentityMap;

/** What the two registries have in common. */
abstract class AbstractResourceRegistry<T> {
  final ResourceTable<T> resources;
  private final Table opens;
  private final Table closes;
  private final WeakIdentityMap<Integer> rows = new WeakIdentityMap<>();

  AbstractResourceRegistry(ResourceTable<T> resources) {
    this.resources = resources;
    opens = new Table(resources, "Open", Table.MASK_FOR_LASTING_EVENTS);
    closes = new Table(resources, "Close", Table.MASK_FOR_LASTING_EVENTS);
  }

  /** The name of a resource for which nobody gave one; overridden. */
  abstract String nameOf(T resource) throws Exception;

  /**
   * A resource is about to be opened.
   *
   * @return when, for {@code openOnExit}
   */
  public final long openOnEnter() {
    return RecordedTable.now();
  }

  /** A resource was opened, or was not; its row belongs to {@code parent}, if that is one. */
  final void opened(
      long since,
      String name,
      T resource,
      int parent,
      Throwable exception,
      FailedEventPolicy policy) {
    if (exception != null && policy == FailedEventPolicy.DISCARD) return;
    if (exception == null && resource == null) return;
    int row = NO_ROW;
    if (resource != null) {
      row = get(resource);
      if (Table.shouldIgnoreRow(row)) row = create(since, name, resource, parent);
    } else {
      row = resources.complete().data.createSince(since, parent);
      resources.setResourceName(row, name);
    }
    if (Table.shouldIgnoreRow(row)) return;
    int event = opens.complete().data.createSince(since, row);
    opens.closeRow(event, exception);
    if (exception != null) {
      if (resource != null) rows.remove(resource);
      resources.closeRow(row, exception);
    }
  }

  private static final int NO_ROW = Table.NO_ROW;

  private int create(long since, String name, T resource, int parent) {
    int row = resources.complete().data.createSince(since, parent);
    if (Table.shouldIgnoreRow(row)) return row;
    Integer other = rows.putIfAbsent(resource, row);
    if (other != null) { // another thread was first, or it is a value object
      resources.deleteRow(row);
      return other == row ? NO_ROW : other;
    }
    resources.setResourceObject(row, resource);
    resources.setResourceName(row, name != null ? name : retrieve(resource));
    return row;
  }

  private String retrieve(T resource) {
    try {
      return nameOf(resource);
    } catch (Throwable e) {
      return null;
    }
  }

  /**
   * A resource is about to be closed.
   *
   * @param resource which
   * @return a row for {@code closeOnExit}; to be ignored if the resource is not open
   */
  public final int closeOnEnter(T resource) {
    int row = get(resource);
    if (Table.shouldIgnoreRow(row)) return NO_ROW;
    // Closing it a second time, or while it is closed, is none.
    if (rows.remove(resource) == null) return NO_ROW;
    int event = closes.createRow(row);
    resources.closeRow(row);
    return event;
  }

  /**
   * A resource was closed.
   *
   * @param row what {@code closeOnEnter} returned
   * @param exception what closing it ended with; null if all went well
   */
  public final void closeOnExit(int row, Throwable exception) {
    closes.closeRow(row, exception);
  }

  /**
   * The row of a resource.
   *
   * @param resource the resource, or an alias
   * @return its row; {@link Table#NO_ROW} if it is not known
   */
  public final int get(Object resource) {
    Integer row = resource == null ? null : rows.get(resource);
    return row == null ? NO_ROW : row;
  }

  /** The row of a resource, which becomes known if it is not; it belongs to {@code parent}. */
  final int getOrCreate(T resource, int parent) {
    if (resource == null) return NO_ROW;
    int row = get(resource);
    return Table.shouldIgnoreRow(row) ? create(RecordedTable.now(), null, resource, parent) : row;
  }

  /**
   * Makes another object stand for a resource.
   *
   * @param resource the resource
   * @param alias what {@code get} finds its row by, too
   */
  public final void mapAlias(T resource, Object alias) {
    int row = get(resource);
    if (!Table.shouldIgnoreRow(row) && alias != null) rows.put(alias, row);
  }

  /**
   * The table of the resources, for tables that are to be below it.
   *
   * @return the table
   */
  public final ResourceTable<T> getResourceTable() {
    return resources;
  }
}
