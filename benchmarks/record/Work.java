package app;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import shop.Desk;

/** Prints the processor time of each 40,000 requests, in microseconds, for so many seconds. */
public class Work {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  public static void main(String[] args) {
    Desk desk = new Desk();
    System.out.println("ready");
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
    while (System.nanoTime() < end) part(desk);
  }

  /** The trace of the whole program begins here. */
  static void part(Desk desk) {
    long begin = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < 40_000; i++) desk.handle(i);
    System.out.println((THREADS.getCurrentThreadCpuTime() - begin) / 1000);
  }
}
