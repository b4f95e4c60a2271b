/** {@code heddle vms}: virtual machines of a controller. */
package org.heddle.cli.vms;
