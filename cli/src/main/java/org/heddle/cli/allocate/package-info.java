/** {@code heddle allocate}: tenants with hosts and links of their own, one at a time. */
package org.heddle.cli.allocate;
