/**
 * Experiments: what the papers varied and measured, computed again. A kind knows how to compute one
 * case; what is varied comes from a file.
 */
package org.heddle.experiment;
