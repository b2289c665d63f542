// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Puts probes, coverage or a trace into the classes of a project. Classes carry what they were, so
 * they are woven anew in the next build, and stay as they are if nothing changed.
 */
@Mojo(name = "weave", defaultPhase = LifecyclePhase.PROCESS_CLASSES, threadSafe = true)
public final class WeaveMojo extends AbstractWeave {
  /** Probe files, jars or folders of probe classes, and ready probes as {@code lib:jdbc}. */
  @Parameter(property = "jopt.probes")
  private List<String> probes;

  /** Strategy of coverage; without it none is placed. */
  @Parameter(property = "jopt.weave.coverage")
  private String coverage;

  /** Letters of a trace, as {@code exi}; without it none is placed. */
  @Parameter(property = "jopt.weave.trace")
  private String trace;

  @Override
  void run() throws MojoExecutionException {
    List<String> options = list();
    if (probes != null) {
      for (String each : probes) {
        options.add("-probes=" + each);
      }
    }
    if (coverage != null) {
      options.add("-coverage=" + coverage);
    }
    if (trace != null) {
      options.add("-trace=" + trace);
    }
    weave(options);
  }
}
