/**
 * Experiments: what the papers varied and measured, computed again. An {@link
 * org.heddle.experiment.ExperimentKind} knows how to compute one {@link
 * org.heddle.experiment.ExperimentCase} into {@link org.heddle.experiment.ExperimentRow}s; {@link
 * org.heddle.experiment.ExperimentKinds} lists them. What is varied comes from a file, which {@code
 * text.config} reads and {@code cli.experiment} runs. Start with {@code LossKind} for an example.
 */
package org.heddle.experiment;
