package org.heddle.cli;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.stream.Collectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs a test class inside a loader that has plug-ins, as their own build would. */
public final class ContractRun {
  private ContractRun() {}

  /** How many tests have succeeded, or which have not and why. */
  public static String run(String type) throws ClassNotFoundException {
    Class<?> test = ContractRun.class.getClassLoader().loadClass(type);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(test)).build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    String failures =
        summary.getFailures().stream()
            .map(f -> f.getTestIdentifier().getDisplayName() + ": " + f.getException())
            .collect(Collectors.joining("\n"));
    return failures.isEmpty() ? summary.getTestsSucceededCount() + " succeeded" : failures;
  }
}
