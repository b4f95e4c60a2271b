/**
 * {@code heddle vms}: virtual machines of a controller: {@link org.heddle.cli.vms.VmsListCommand},
 * {@link org.heddle.cli.vms.VmsShowCommand}, {@link org.heddle.cli.vms.VmsStartCommand}, {@link
 * org.heddle.cli.vms.VmsStopCommand}, {@link org.heddle.cli.vms.VmsMoveCommand}. Those in a file
 * are in {@code cli.vm}.
 */
package org.heddle.cli.vms;
