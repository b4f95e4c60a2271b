/**
 * Heddle's own configuration: of a controller ({@link org.heddle.text.config.ServeFile}, {@link
 * org.heddle.text.config.ServeFileReader}), and of experiments ({@link
 * org.heddle.text.config.ExperimentFile}, {@link org.heddle.text.config.ExperimentFileReader}).
 */
package org.heddle.text.config;
