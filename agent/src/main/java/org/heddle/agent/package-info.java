/** The controller's ways to a fabric with a subnet manager, and to look at one only. */
package org.heddle.agent;
