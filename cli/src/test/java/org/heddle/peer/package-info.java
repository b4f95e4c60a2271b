/**
 * Heddle against the programs it works with: OpenSM on the fabric simulator ibsim, and the
 * InfiniBand diagnostics.
 */
package org.heddle.peer;
