// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes.ready.shared;

import jopt.probes.Table;

/** What users set. */
public final class Settings {
  /** Are values recorded as they are? */
  public static final boolean VALUES = Boolean.getBoolean("jopt.probes.values");

  /** The mask of tables of calls. */
  public static final long CALLS =
      Table.LASTING_EVENTS
          | Table.RECORD_THREAD
          | (Boolean.getBoolean("jopt.probes.stacks") ? Table.RECORD_STACK_TRACE : 0);

  private Settings() {}

  /**
   * A URL without what may be a secret in it.
   *
   * @param url the URL, or a path with a query; may be null
   * @return it, with dots for the user and the query
   */
  public static String url(String url) {
    if (VALUES || url == null) return url;
    int query = url.indexOf('?');
    int end = query < 0 ? url.length() : query;
    int host = url.indexOf("//") + 2;
    int path = host < 2 ? -1 : url.indexOf('/', host);
    int user = host < 2 ? -1 : url.lastIndexOf('@', (path < 0 ? end : path) - 1);
    String shown =
        user < host ? url.substring(0, end) : url.substring(0, host) + url.substring(user + 1, end);
    return query < 0 ? shown : shown + "?...";
  }
}
