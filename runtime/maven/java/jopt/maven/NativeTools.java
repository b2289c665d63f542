// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.maven;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import jopt.builds.Platform;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/**
 * The programs and the agent of jopt on disk. The artifact {@code io.github.jopt:jopt} has a jar
 * for each platform, which is unpacked once into the local repository, beside the jar.
 */
final class NativeTools {
  private static final String GROUP = "io.github.jopt";
  private static final String ARTIFACT = "jopt";

  private final File home;

  private NativeTools(File home) {
    this.home = home;
  }

  /** Those in a folder with {@code bin} and {@code lib}. */
  static NativeTools installed(File home) throws MojoExecutionException {
    NativeTools tools = new NativeTools(home);
    if (!tools.program("jopt-data").canExecute()) {
      throw new MojoExecutionException("jopt.home is " + home
          + ", where there is no bin/jopt-data; name the folder of an installed jopt");
    }
    return tools;
  }

  /** Those of the artifact for a platform; null stands for this machine's. */
  static NativeTools resolve(RepositorySystem system, MavenSession session, MavenProject project,
      String version, String platform) throws MojoExecutionException {
    String classifier = platform == null ? Platform.name() : platform;
    Artifact wanted = new DefaultArtifact(GROUP, ARTIFACT, classifier, "jar", version);
    List<RemoteRepository> from = new ArrayList<>(project.getRemotePluginRepositories());
    for (RemoteRepository other : project.getRemoteProjectRepositories()) {
      if (!from.contains(other)) {
        from.add(other);
      }
    }
    File jar;
    try {
      jar = system.resolveArtifact(session.getRepositorySession(),
          new ArtifactRequest(wanted, from, null)).getArtifact().getFile();
    } catch (ArtifactResolutionException e) {
      throw new MojoExecutionException("jopt for " + classifier + " was not found ("
          + e.getMessage() + "); jopt.home can name an installed jopt", e);
    }
    try {
      return new NativeTools(unpack(jar, project));
    } catch (IOException e) {
      throw new MojoExecutionException(jar + " cannot be unpacked: " + e, e);
    }
  }

  File program(String name) {
    return new File(home, "bin/" + name);
  }

  File library(String name) {
    return new File(home, "lib/" + name);
  }

  /** Unpacks beside the jar or, where that is read-only, into the build folder. */
  private static File unpack(File jar, MavenProject project) throws IOException {
    try (ZipFile zip = new ZipFile(jar)) {
      String name = jar.getName().replaceFirst("\\.jar$", "") + "-" + fingerprint(zip);
      File built = new File(project.getBuild().getDirectory(), name);
      for (File to : new File[] {new File(jar.getParentFile(), name), built}) {
        if (to.isDirectory()) {
          return to;
        }
      }
      try {
        return unpack(zip, new File(jar.getParentFile(), name).toPath());
      } catch (FileSystemException e) {
        return unpack(zip, built.toPath());
      }
    }
  }

  /** A number that differs if an entry does, so a jar that was built anew is unpacked anew. */
  private static String fingerprint(ZipFile zip) {
    CRC32 all = new CRC32();
    for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
      ZipEntry entry = e.nextElement();
      byte[] text = (entry.getName() + ' ' + entry.getCrc() + '\n').getBytes();
      all.update(text, 0, text.length);
    }
    return String.format("%08x", all.getValue());
  }

  /** The folder appears when it is complete, as several builds may unpack at a time. */
  private static File unpack(ZipFile zip, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Path part = Files.createTempDirectory(to.getParent(), ".jopt-");
    try {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        Path file = part.resolve(entry.getName()).normalize();
        if (entry.isDirectory() || !file.startsWith(part)) {
          continue;
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, file);
        }
        if (entry.getName().startsWith("bin/")) {
          file.toFile().setExecutable(true, false);
        }
      }
      // Temporary folders are for one user; a repository may have several.
      part.toFile().setReadable(true, false);
      part.toFile().setExecutable(true, false);
      try {
        Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        if (!Files.isDirectory(to)) {
          throw e;
        }
      }
    } finally {
      Folders.delete(part);
    }
    return to.toFile();
  }
}
