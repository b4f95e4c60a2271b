/**
 * A fabric in memory with the limits of a real one, for trials and tests without any hardware:
 * {@link org.heddle.control.emulator.Emulator}.
 */
package org.heddle.control.emulator;
