/** Traffic patterns and flow lists that the simulators replay over finished forwarding tables. */
package org.heddle.traffic;
