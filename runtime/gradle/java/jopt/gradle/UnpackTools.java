// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.gradle;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.gradle.api.artifacts.transform.CacheableTransform;
import org.gradle.api.artifacts.transform.InputArtifact;
import org.gradle.api.artifacts.transform.TransformAction;
import org.gradle.api.artifacts.transform.TransformOutputs;
import org.gradle.api.artifacts.transform.TransformParameters;
import org.gradle.api.file.FileSystemLocation;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;

/** Unpacks the jar of a platform, once for all projects and builds of a user. */
@CacheableTransform
public abstract class UnpackTools implements TransformAction<TransformParameters.None> {
  /** The jar. */
  @InputArtifact
  @PathSensitive(PathSensitivity.NONE)
  public abstract Provider<FileSystemLocation> getJar();

  @Override
  public void transform(TransformOutputs outputs) {
    Path to = outputs.dir("jopt").toPath();
    File jar = getJar().get().getAsFile();
    try (ZipFile zip = new ZipFile(jar)) {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        Path file = to.resolve(entry.getName()).normalize();
        if (entry.isDirectory() || !file.startsWith(to)) {
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
    } catch (IOException e) {
      throw new UncheckedIOException(jar + " cannot be unpacked", e);
    }
  }
}
