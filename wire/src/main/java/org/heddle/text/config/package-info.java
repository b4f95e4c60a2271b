/** Heddle's own configuration: of a controller, and of experiments. */
package org.heddle.text.config;
