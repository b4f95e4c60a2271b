/**
 * {@code heddle experiment}: the papers' experiments, and one's own, from declarative files. {@code
 * Experiments} finds a file, {@code ExperimentRunner} computes its cases, {@code CaseStore} keeps
 * those that are finished, {@code ExperimentTables} and {@code ExperimentFigures} write results.
 * How a row is computed is a kind of {@code org.heddle.experiment}.
 */
package org.heddle.cli.experiment;
