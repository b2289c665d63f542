import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;

/** Opens, reads and writes files in every way, by 16 threads, and prints it as the probes are to record it: path|bytes read|bytes written|open. */
public class Reader {
  static final List<String> log = Collections.synchronizedList(new ArrayList<>());
  static final List<Object> kept = Collections.synchronizedList(new ArrayList<>());

  static void said(Object path, long read, long written, boolean open) {
    log.add(path + "|" + read + "|" + written + "|" + (open ? "open" : "closed"));
  }

  static void work(File folder, int thread) throws IOException {
    for (int i = 0; i < 5; i++) {
      File file = new File(folder, "f" + thread + "-" + i);
      try (OutputStream out = new FileOutputStream(file)) {
        out.write(new byte[100]);
        out.write(7);
        out.write(new byte[50], 10, 20);
      }
      said(file, 0, 121, false);
      try (InputStream in = new FileInputStream(file.getPath())) {
        byte[] all = new byte[60];
        in.read();
        in.read(all);
        in.read(all, 0, 10);
      }
      said(file, 71, 0, false);
      try (RandomAccessFile random = new RandomAccessFile(file, "rw")) {
        random.write(new byte[30]);
        random.seek(0);
        random.readInt();
        random.readFully(new byte[16]);
      }
      said(file, 20, 30, false);
      try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[40]));
        channel.read(ByteBuffer.allocate(25), 3);
      }
      said(file, 25, 40, false);
      try (FileInputStream in = new FileInputStream(file); FileChannel channel = in.getChannel()) {
        channel.read(ByteBuffer.allocate(12));
        in.read();
      }
      said(file, 13, 0, false);
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file.toPath(), StandardOpenOption.READ)) {
        channel.read(ByteBuffer.allocate(1), 0);
      }
      said(file, 0, 0, false); // only that it was open
      java.nio.file.Files.write(file.toPath(), new byte[300]);
      said(file, 0, 300, false);
      if (i == 4) {
        InputStream left = new FileInputStream(file);
        left.read(new byte[5]);
        kept.add(left);
        said(file, 5, 0, true);
      }
      try {
        new FileInputStream(new File(folder, "none" + thread + "-" + i));
      } catch (FileNotFoundException e) {
        log.add(new File(folder, "none" + thread + "-" + i) + "|failed");
      }
      try {
        FileChannel.open(folder.toPath().resolve("no" + thread + "-" + i), StandardOpenOption.READ);
      } catch (NoSuchFileException e) {
        log.add(folder.toPath().resolve("no" + thread + "-" + i) + "|failed");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]);
    folder.mkdirs();
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      all.add(new Thread(() -> {
        try {
          work(folder, thread);
        } catch (IOException e) {
          log.add("unexpected " + e);
        }
      }, "worker " + t));
    }
    for (Thread t : all) t.start();
    for (Thread t : all) t.join();
    StringBuilder text = new StringBuilder();
    for (String line : log) text.append(line).append("\n");
    System.out.print(text);
  }
}
