/**
 * What the controller needs from outside, as interfaces: durable state ({@link
 * org.heddle.control.port.Store}, {@link org.heddle.control.port.JobStore}), access to the fabric
 * ({@link org.heddle.control.port.FabricAgent}), the right to be the one that writes ({@link
 * org.heddle.control.port.Leadership}, {@link org.heddle.control.port.Fence}). Start with {@link
 * org.heddle.control.port.FabricAgent} to add a kind of fabric, with {@link
 * org.heddle.control.port.Store} to add a database.
 */
package org.heddle.control.port;
