// Starts a JVM with the debugger's agent, as its arguments say, and does what its
// input says, a line after the other:
//   stop METHOD or LINE  sets a breakpoint in the class Work
//   clear                clears all breakpoints
//   connect              leaves the JVM, and connects to it again
// Everything else goes to the program, which is App. After each such line: where
// it stopped, as method and line.
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.util.*;

public class Debugger {
  static VirtualMachine vm;
  static BufferedReader fromProgram;
  static final List<String> stops = Collections.synchronizedList(new ArrayList<>());

  /** The program says to which port. */
  static void connect() throws Exception {
    String port = fromProgram.readLine().replaceAll(".*: ", "");
    for (AttachingConnector c : Bootstrap.virtualMachineManager().attachingConnectors())
      if (c.transport().name().equals("dt_socket")) {
        Map<String, Connector.Argument> arguments = c.defaultArguments();
        arguments.get("port").setValue(port);
        arguments.get("hostname").setValue("127.0.0.1");
        vm = c.attach(arguments);
      }
    // As jdb and others have it by themselves.
    ExceptionRequest uncaught = vm.eventRequestManager().createExceptionRequest(null, false, true);
    uncaught.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    uncaught.enable();
    VirtualMachine now = vm;
    Thread t = new Thread(() -> goOn(now));
    t.setDaemon(true);
    t.start();
  }
  static void goOn(VirtualMachine vm) {
    try {
      for (;;) {
        EventSet events = vm.eventQueue().remove();
        for (Event e : events)
          if (e instanceof BreakpointEvent)
            stops.add(((BreakpointEvent) e).location().method().name() + ":" +
                ((BreakpointEvent) e).location().lineNumber());
          else if (e instanceof ExceptionEvent)
            stops.add("uncaught " + ((ExceptionEvent) e).exception().referenceType().name());
        events.resume();
      }
    } catch (VMDisconnectedException | InterruptedException e) {
      // It was left.
    }
  }
  static void stop(String where) throws Exception {
    ReferenceType work = vm.classesByName("jobs.Work").get(0);
    Location l = where.matches("[0-9]+")
        ? work.locationsOfLine(Integer.parseInt(where)).get(0)
        : work.methodsByName(where).get(0).location();
    BreakpointRequest b = vm.eventRequestManager().createBreakpointRequest(l);
    b.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    b.enable();
  }
  public static void main(String[] command) throws Exception {
    Process program = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    fromProgram = new BufferedReader(new InputStreamReader(program.getInputStream()));
    PrintStream toProgram = new PrintStream(program.getOutputStream(), true);
    connect();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String step; (step = in.readLine()) != null;) {
      String[] words = step.split(" ", 2);
      if (words[0].equals("stop")) {
        stop(words[1]);
      } else if (step.equals("clear")) {
        vm.eventRequestManager().deleteAllBreakpoints();
      } else if (step.equals("connect")) {
        vm.dispose();
        connect();
      } else {
        toProgram.println(step);
        for (String s; (s = fromProgram.readLine()) != null && !s.equals("done");)
          System.out.println(s);
        System.out.println("stopped: " + stops);
        stops.clear();
      }
    }
    toProgram.close();
    for (String s; (s = fromProgram.readLine()) != null;)
      System.out.println(s);
    System.out.println("exit " + program.waitFor());
    System.exit(0);
  }
}
