/** OpenSM as the subnet manager that programs what Heddle computed. */
package org.heddle.opensm;
