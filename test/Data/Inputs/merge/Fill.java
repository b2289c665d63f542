import jopt.probes.*;
public class Fill {
  static final class Job extends Table {
    final StringColumn name = new StringColumn("Name"); final IntColumn n = new IntColumn("n");
    Job() { super(Fill.class, "Job", LASTING_EVENTS); }
  }
  static final Job jobs = new Job();
  static final class Step extends Table {
    final ForeignKeyColumn job = new ForeignKeyColumn(jobs);
    Step() { super(jobs, "Step", LASTING_EVENTS); }
  }
  static final Step steps = new Step();
  public static void main(String[] a) {
    if (a[0].equals("300")) {
      for (int i = 0; i < 600; i++) job("x" + i / 2, i / 2);
      return;
    }
    for (int i = 0; i < a.length; i++) {
      int job = job(a[i], i), step = steps.createRow(job);
      steps.job.setValue(step, job);
      if (!a[i].equals("other")) steps.closeRow(step);
    }
  }
  static int job(String name, int n) {
    int row = jobs.createRow();
    jobs.name.setValue(row, name);
    jobs.n.setValue(row, n);
    jobs.closeRow(row, name.equals("other") ? new Exception(name) : null);
    return row;
  }
}
