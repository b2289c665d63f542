package jopt.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;

/** Weaves the classes of a project in place: {@code jopt ARGUMENTS -in-place CLASSES}. */
public class WeaveMojo extends AbstractMojo {
    private String executable;
    private List<String> arguments;
    private File classes;

    @Override
    public void execute() throws MojoExecutionException {
        if (!classes.isDirectory()) {
            return;
        }
        List<String> command = new ArrayList<>();
        command.add(executable);
        command.addAll(arguments);
        command.add("-in-place");
        command.add(classes.getPath());
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new MojoExecutionException("jopt ended with status " + status);
            }
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", e);
        }
    }
}
