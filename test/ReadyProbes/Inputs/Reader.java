import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

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
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        channel.read(ByteBuffer.allocate(33), 2).get();
        channel.read(ByteBuffer.allocateDirect(14), channel.size() - 9).get();
        channel.read(ByteBuffer.allocate(1), 1000).get(); // at the end
        channel.lock().get().release();
        CompletableFuture<Integer> written = new CompletableFuture<>();
        channel.write(ByteBuffer.wrap(new byte[17]), 5, written, new CompletionHandler<>() {
          @Override public void completed(Integer bytes, CompletableFuture<Integer> to) {
            // By the channel's own thread: of another file, and of no channel.
            try (FileChannel other = FileChannel.open(new File(folder, "g" + thread + "-" + bytes).toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
              other.write(ByteBuffer.wrap(new byte[3]));
            } catch (IOException e) {
              to.completeExceptionally(e);
            }
            to.complete(bytes);
          }
          @Override public void failed(Throwable e, CompletableFuture<Integer> to) { to.completeExceptionally(e); }
        });
        written.get();
        said(new File(folder, "g" + thread + "-17"), 0, 3, false);
      } catch (InterruptedException | ExecutionException e) {
        throw new IOException(e);
      }
      said(file, 33 + 9, 17, false);
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
