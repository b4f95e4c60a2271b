/** The records that a plan is made of: tenants, members, virtual machines, changes, events. */
package org.heddle.plan.model;
