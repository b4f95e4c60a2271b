/** Desired state of a fabric, and what brings the observed state to it. */
package org.heddle.control;
