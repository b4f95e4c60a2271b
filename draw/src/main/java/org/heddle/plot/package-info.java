/**
 * Figures of experiments: curves over labelled axes, as SVG and PNG.
 *
 * <p>{@link org.heddle.plot.Figure} says what to show, {@link org.heddle.plot.FigureWriter} draws
 * it. Drawing needs fonts; on a machine without any the answer is empty (ADR 0008).
 */
package org.heddle.plot;
