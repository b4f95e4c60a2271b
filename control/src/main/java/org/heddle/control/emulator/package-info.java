/** Agents without a real fabric: the emulator and the dry run. */
package org.heddle.control.emulator;
