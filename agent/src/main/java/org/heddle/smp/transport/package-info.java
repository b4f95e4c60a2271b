/** What carries management packets: libibumad, or ibsim's own protocol. */
package org.heddle.smp.transport;
