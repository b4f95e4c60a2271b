/**
 * {@code heddle vm}: virtual machines in a file, offline: {@link org.heddle.cli.vm.StartCommand},
 * {@link org.heddle.cli.vm.StopCommand}, {@link org.heddle.cli.vm.ListCommand}, and how many fit:
 * {@link org.heddle.cli.vm.CapacityCommand}. {@code Addressing} has the options of addresses. Those
 * of a controller are in {@code cli.vms}.
 */
package org.heddle.cli.vm;
