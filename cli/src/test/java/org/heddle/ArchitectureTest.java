package org.heddle;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.api.PublicApi;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;

/** What the design says about imports and the Maven modules cannot enforce. */
@AnalyzeClasses(
    packages = "org.heddle",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      ArchitectureTest.DoNotIncludeTestJars.class
    })
class ArchitectureTest {
  /** In a build that has packaged them, other modules' tests are jars and no directories. */
  static final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String[] CORE = {
    "org.heddle.api..",
    "org.heddle.fabric..",
    "org.heddle.topology..",
    "org.heddle.tenancy..",
    "org.heddle.addressing..",
    "org.heddle.routing..",
    "org.heddle.solver..",
    "org.heddle.allocation..",
    "org.heddle.verify..",
    "org.heddle.reconfig..",
    "org.heddle.catalog.."
  };

  /** Documents of the interface and of databases are changed on purpose, not with the domain. */
  @ArchTest
  static final ArchRule documentsHoldNoRecordsOfTheDomain =
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .haveNameMatching("org\\.heddle\\..*(\\.Stored\\w+|Document)(\\$\\w+)?")
          .should()
          .haveRawType(resideInAnyPackage("org.heddle.control..", "org.heddle.plan.."));

  /** The log's backend is the program's affair; what computes is silent. */
  @ArchTest
  static final ArchRule theControllerKnowsNoBackendOfTheLog =
      noClasses()
          .that()
          .resideInAnyPackage("org.heddle.control..", "org.heddle.plan..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.logging..", "org.slf4j..");

  @ArchTest
  static final ArchRule theCoreLogsNothing =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.lang\\.System\\$Logger.*|java\\.util\\.logging\\..*|org\\.slf4j\\..*");

  private static final String[] PLAN = {"org.heddle.plan.."};

  private static final String[] SIMULATORS = {
    "org.heddle.traffic..",
    "org.heddle.congestion..",
    "org.heddle.schedule..",
    "org.heddle.pathcache..",
    "org.heddle.migrate..",
    "org.heddle.experiment.."
  };

  private static final String[] PURE = concat(concat(CORE, PLAN), SIMULATORS);

  /** Types that are public only for the packages beside them, by their full names. */
  private static final Set<String> OPENED = opened();

  private static final Set<String> IO_PACKAGES =
      Set.of("java.io", "java.nio.file", "java.nio.channels", "java.net", "java.sql");

  private static final DescribedPredicate<JavaClass> INPUT_OUTPUT =
      describe(
          "input or output",
          c -> IO_PACKAGES.contains(c.getPackageName()) && !c.isEquivalentTo(Serializable.class));

  @ArchTest
  static final ArchRule coreAndSimulatorsDoNoInputOrOutput =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(INPUT_OUTPUT)
          .because("what they compute must depend on their arguments only");

  @ArchTest
  static final ArchRule coreAndSimulatorsHaveNoClockAndNoEnvironment =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .accessTargetWhere(
              targetOwner(assignableTo(System.class))
                  .and(
                      target(
                          nameMatching(
                              "currentTimeMillis|nanoTime|getenv|getProperty|in|out|err|exit"))))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock")
          .orShould()
          .accessTargetWhere(target(nameMatching("now")).and(inPackage("java.time")));

  @ArchTest
  static final ArchRule coreAndSimulatorsGetTheirRandomnessPassedIn =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.security.SecureRandom")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(java.util.Random.class)
          .orShould()
          .callConstructor(java.util.SplittableRandom.class);

  @ArchTest
  static final ArchRule coreDependsOnTheJdkOnly =
      classes()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(concat(CORE, "java..", "com.google.auto.service.."));

  @ArchTest
  static final ArchRule corePackagesDependDownwardsOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("org.heddle..")
          .withOptionalLayers(true)
          .ignoreDependency(
              DescribedPredicate.alwaysTrue(), JavaClass.Predicates.equivalentTo(PublicApi.class))
          .layer("fabric")
          .definedBy("org.heddle.fabric..")
          .layer("topology")
          .definedBy("org.heddle.topology..")
          .layer("tenancy")
          .definedBy("org.heddle.tenancy..")
          .layer("addressing")
          .definedBy("org.heddle.addressing..")
          .layer("routing")
          .definedBy("org.heddle.routing..")
          .layer("solver")
          .definedBy("org.heddle.solver..")
          .layer("allocation")
          .definedBy("org.heddle.allocation..")
          .layer("verify")
          .definedBy("org.heddle.verify..")
          .layer("reconfig")
          .definedBy("org.heddle.reconfig..")
          .layer("catalog")
          .definedBy("org.heddle.catalog..")
          .whereLayer("fabric")
          .mayNotAccessAnyLayer()
          .whereLayer("topology")
          .mayOnlyAccessLayers("fabric")
          .whereLayer("tenancy")
          .mayOnlyAccessLayers("fabric", "topology")
          .whereLayer("addressing")
          .mayOnlyAccessLayers("fabric", "topology")
          .whereLayer("solver")
          .mayNotAccessAnyLayer()
          .whereLayer("routing")
          .mayOnlyAccessLayers("fabric", "topology", "tenancy", "solver")
          .whereLayer("allocation")
          .mayOnlyAccessLayers("fabric", "topology", "tenancy")
          .whereLayer("verify")
          .mayOnlyAccessLayers("fabric", "topology", "tenancy", "routing", "allocation")
          .whereLayer("reconfig")
          .mayOnlyAccessLayers(
              "fabric", "topology", "tenancy", "addressing", "routing", "allocation")
          .whereLayer("catalog")
          .mayOnlyAccessLayers("fabric", "tenancy", "routing", "allocation");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("org.heddle.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theVerifierKnowsTablesButNoEngine =
      noClasses()
          .that()
          .resideInAPackage("org.heddle.verify..")
          .should()
          .dependOnClassesThat(
              describe(
                  "routing code other than ForwardingTables",
                  c ->
                      c.getPackageName().startsWith("org.heddle.routing")
                          && !c.isEquivalentTo(ForwardingTables.class)))
          .because("a proof that shares code with what it proves proves nothing");

  @ArchTest
  static final ArchRule theVerifierKnowsAllocationsButNoAllocator =
      noClasses()
          .that()
          .resideInAPackage("org.heddle.verify..")
          .should()
          .dependOnClassesThat(
              describe(
                  "allocation code other than Plant and Allocation",
                  c ->
                      c.getPackageName().startsWith("org.heddle.allocation")
                          && !c.isEquivalentTo(Plant.class)
                          && !c.isEquivalentTo(Plant.Block.class)
                          && !c.isEquivalentTo(Allocation.class)))
          .because("a proof that shares code with what it proves proves nothing");

  @ArchTest
  static final ArchRule allocatorsAreFinal =
      classes()
          .that()
          .implement(Allocator.class)
          .should()
          .haveModifier(JavaModifier.FINAL)
          .andShould()
          .bePublic();

  @ArchTest
  static final ArchRule nobodyNamesAnAllocator =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.heddle.allocation.allocator..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.heddle.allocation.allocator..")
          .because("allocators are found by name through the catalog");

  @ArchTest
  static final ArchRule enginesAreFinal =
      classes()
          .that()
          .implement(RoutingEngine.class)
          .and()
          .areTopLevelClasses()
          .and()
          .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
          .should()
          .haveModifier(JavaModifier.FINAL)
          .andShould()
          .bePublic();

  @ArchTest
  static final ArchRule nobodyNamesAnEngine =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.heddle.routing.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.heddle.routing.engine..")
          .because("engines are found by name through the catalog");

  @ArchTest
  static final ArchRule treesArePartsOfEngines =
      onlyUsedFrom("org.heddle.routing.tree..", "org.heddle.routing..");

  @ArchTest
  static final ArchRule partitionRoutingIsAPartOfEngines =
      onlyUsedFrom(
          "org.heddle.routing.partition..",
          "org.heddle.routing.partition..",
          "org.heddle.routing.engine..");

  @ArchTest
  static final ArchRule routingByRankIsAPartOfEngines =
      onlyUsedFrom(
          "org.heddle.routing.metabase..",
          "org.heddle.routing.metabase..",
          "org.heddle.routing.engine..");

  @ArchTest
  static final ArchRule searchesArePartsOfAllocators =
      onlyUsedFrom(
          "org.heddle.allocation.search..",
          "org.heddle.allocation.search..",
          "org.heddle.allocation.allocator..");

  @ArchTest
  static final ArchRule onlyRoutingSolves =
      onlyUsedFrom("org.heddle.solver..", "org.heddle.solver..", "org.heddle.routing..");

  @ArchTest
  static final ArchRule whatIsPublicForNeighboursStaysAmongThem =
      classes()
          .should(
              new ArchCondition<JavaClass>("name only its own area's types of opened.txt") {
                @Override
                public void check(JavaClass from, ConditionEvents events) {
                  for (Dependency d : from.getDirectDependenciesFromSelf()) {
                    JavaClass to = outermost(d.getTargetClass().getBaseComponentType());
                    if (OPENED.contains(to.getName()) && !area(from).equals(area(to))) {
                      events.add(SimpleConditionEvent.violated(d, d.getDescription()));
                    }
                  }
                }
              })
          .because("a type that one package opened for its subpackages is not an interface");

  @ArchTest
  static void everyOpenedTypeExists(JavaClasses all) {
    assertThat(OPENED).isNotEmpty().allMatch(all::contain);
  }

  /** An interface for others is complete: whoever can call a method can name what it gives. */
  @ArchTest
  static final ArchRule whatIsPublicForOthersShowsNothingElse =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat(
              describe("are public and in a package marked as API", ArchitectureTest::isApi))
          .should(
              new ArchCondition<JavaMethod>("take and give types of such packages only") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                  Stream.concat(
                          Stream.of(method.getRawReturnType()),
                          method.getRawParameterTypes().stream())
                      .map(JavaClass::getBaseComponentType)
                      .filter(c -> c.getPackageName().startsWith("org.heddle.") && !isApi(c))
                      .forEach(
                          c ->
                              events.add(
                                  SimpleConditionEvent.violated(
                                      method, method.getFullName() + " shows " + c.getName())));
                }
              });

  private static boolean isApi(JavaClass c) {
    return outermost(c).getModifiers().contains(JavaModifier.PUBLIC)
        && c.getModifiers().contains(JavaModifier.PUBLIC)
        && !OPENED.contains(outermost(c).getName())
        && c.getPackage().isAnnotatedWith(PublicApi.class);
  }

  @ArchTest
  static final ArchRule enginesKeepNoState =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .implement(RoutingEngine.class)
          .or()
          .areDeclaredInClassesThat()
          .implement(Allocator.class)
          .should()
          .beStatic()
          .andShould()
          .beFinal()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule staticFieldsAreFinal =
      fields().that().areStatic().should().beFinal().because("there are no mutable globals");

  @ArchTest
  static final ArchRule commandsTouchFilesThroughTheShellOnly =
      noClasses()
          .that()
          .resideInAPackage("org.heddle.cli..")
          .and()
          .resideOutsideOfPackage("org.heddle.cli.shell..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.nio.file.Files")
          .because("files are written whole or not at all, which Outputs takes care of");

  /** The packages may be used from the others only. */
  private static ArchRule onlyUsedFrom(String packages, String... others) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(others)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packages);
  }

  private static Set<String> opened() {
    try (InputStream in = ArchitectureTest.class.getResourceAsStream("opened.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("org."))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaClass outermost(JavaClass c) {
    return c.getEnclosingClass().map(ArchitectureTest::outermost).orElse(c);
  }

  /** What stands after {@code org.heddle.} in the name of a package, up to the next dot. */
  private static String area(JavaClass c) {
    String[] parts = c.getPackageName().split("\\.");
    return parts.length > 2 ? parts[2] : "";
  }

  private static DescribedPredicate<com.tngtech.archunit.core.domain.JavaAccess<?>> inPackage(
      String name) {
    return describe(
        "in package " + name, access -> access.getTargetOwner().getPackageName().equals(name));
  }

  private static String[] concat(String[] packages, String... more) {
    String[] all = java.util.Arrays.copyOf(packages, packages.length + more.length);
    System.arraycopy(more, 0, all, packages.length, more.length);
    return all;
  }
}
