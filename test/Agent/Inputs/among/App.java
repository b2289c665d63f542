// Does what its arguments say, one after the other, or its input if there are none:
//   work           calls the methods of Work, and prints what they yield, what the
//                  probes and what the agent Count counted of that
//   jopt:OPTIONS   attaches jopt's agent; prints the number that this answers
//   agent:JAR=ARG  attaches an agent written in Java
//   dump:FOLDER    has DumpClasses write the class Work there
//   times:N:A|B    A and B, N times on two threads
// The property "jopt" names jopt's agent.
import com.sun.tools.attach.*;
import java.util.*;

public class App {
  static void work() {
    System.getProperties().put("events", Collections.synchronizedMap(new TreeMap<>()));
    System.getProperties().put("counts", Collections.synchronizedMap(new TreeMap<>()));
    System.out.println("work: " + jobs.Work.sum(4) + " probes " +
        System.getProperties().get("events") + " counts " + System.getProperties().get("counts"));
  }
  static VirtualMachine machine;
  static int load(String step) throws Exception {
    try {
      if (step.startsWith("jopt:")) {
        machine.loadAgentPath(System.getProperty("jopt"), step.substring(5));
      } else if (step.startsWith("dump:")) {
        machine.loadAgent("dump.jar", "jobs[.].* " + step.substring(5));
      } else {
        String[] jar = step.substring(6).split("=", 2);
        machine.loadAgent(jar[0], jar[1]);
      }
      return 0;
    } catch (AgentInitializationException e) {
      return e.returnValue();
    }
  }
  static void times(int n, String[] steps) throws Exception {
    Queue<Throwable> failed = new java.util.concurrent.ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (String pair : steps)
      threads.add(new Thread(() -> {
        try {
          for (int i = 0; i < n; i++)
            for (String step : pair.split(" "))
              if (load(step) != 0)
                throw new AssertionError(step);
        } catch (Throwable e) {
          failed.add(e);
        }
      }));
    for (Thread t : threads)
      t.start();
    while (threads.stream().anyMatch(Thread::isAlive))
      if (jobs.Work.sum(4) != 18)
        failed.add(new AssertionError("wrong sum"));
    failed.forEach(Throwable::printStackTrace);
  }
  static void run(String step) throws Exception {
    if (step.equals("work"))
      work();
    else if (step.startsWith("times:"))
      times(Integer.parseInt(step.split(":")[1]), step.split(":", 3)[2].split("[|]"));
    else if (step.startsWith("jopt:"))
      System.out.println(step + ": " + load(step));
    else if (load(step) != 0)
      System.out.println(step + " failed");
  }
  public static void main(String[] steps) throws Exception {
    machine = VirtualMachine.attach("" + ProcessHandle.current().pid());
    for (String step : steps)
      run(step);
    Scanner in = new Scanner(System.in);
    while (steps.length == 0 && in.hasNextLine()) {
      run(in.nextLine());
      System.out.println("done");
    }
    System.out.println("end");
  }
}
