/** The commands about tenants files: {@code heddle tenants ...}. */
package org.heddle.cli.tenants;
