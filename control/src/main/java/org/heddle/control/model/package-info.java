/** What the controller keeps: tenants, changes, their outcomes, journal, events. Immutable. */
package org.heddle.control.model;
