// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.boot.record;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** The folder of a run whose chunks were in memory; they are written at once, in the order of the calls. */
public final class KeptRun {
  private final File folder;
  private final CRC32 crc = new CRC32();
  private int sequence;

  private KeptRun(File folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder.
   *
   * @param all the folder for the runs
   * @return the run, without events
   * @throws IOException if it cannot be made
   */
  public static KeptRun make(File all) throws IOException {
    return new KeptRun(DataFolder.makeRun(all));
  }

  /**
   * What tells the run from others.
   *
   * @return its id
   */
  public String id() {
    return folder.getName();
  }

  /**
   * Writes a file.
   *
   * @param name of its chunks, as {@code events}
   * @param chunks with their headers
   * @param lengths of the chunks, with their headers
   * @throws IOException if it cannot be written
   */
  public void write(String name, ByteBuffer[] chunks, int[] lengths) throws IOException {
    File file = DataFolder.create(new File(folder, name + "-" + (sequence + 1) + ".jopt"));
    try (FileOutputStream out = new FileOutputStream(file)) {
      byte[] bytes = new byte[Chunk.SIZE];
      for (int i = 0; i < chunks.length; i++) {
        Chunk.number(chunks[i], ++sequence, i + 1, lengths[i], crc);
        ByteBuffer all = chunks[i].duplicate();
        all.clear();
        all.get(bytes);
        out.write(bytes);
      }
    }
  }

  /**
   * All is written.
   *
   * @param more lines of its text file, such as {@code key=value}
   * @throws IOException if that cannot be written
   */
  public void end(String... more) throws IOException {
    DataFolder.writeText(folder, (long) sequence * Chunk.SIZE, /* ring= */ false, more);
  }
}
