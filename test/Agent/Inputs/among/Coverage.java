// What a file of JaCoCo says of the classes in the folder "jobs": for each method
// how many lines were covered and missed.
import java.io.File;
import org.jacoco.core.analysis.*;
import org.jacoco.core.tools.ExecFileLoader;

public class Coverage {
  public static void main(String[] args) throws Exception {
    ExecFileLoader data = new ExecFileLoader();
    data.load(new File(args[0]));
    CoverageBuilder builder = new CoverageBuilder();
    new Analyzer(data.getExecutionDataStore(), builder).analyzeAll(new File("jobs"));
    for (IClassCoverage c : builder.getNoMatchClasses())
      System.out.println(c.getName() + ": was another class");
    for (IClassCoverage c : builder.getClasses())
      for (IMethodCoverage m : c.getMethods())
        System.out.println(m.getName() + ": lines " + m.getLineCounter().getCoveredCount() + " and " +
            m.getLineCounter().getMissedCount() + ", branches " + m.getBranchCounter().getCoveredCount() +
            " and " + m.getBranchCounter().getMissedCount());
  }
}
