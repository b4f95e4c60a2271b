/**
 * Addresses of virtual machines: which LID, vGUID and GID each one has and for how long, and how
 * many machines fit (Tasoulas, thesis, papers I, II and V).
 *
 * <ul>
 *   <li>Which machine runs where under which addresses: {@link org.heddle.addressing.VmPlacement}
 *       of {@link org.heddle.addressing.VirtualMachine}s, under an {@link
 *       org.heddle.addressing.AddressingScheme} and {@link
 *       org.heddle.addressing.AddressingOptions}.
 *   <li>How many fit: {@link org.heddle.addressing.VmCapacity}.
 *   <li>Virtual switches that a fabric file shows: {@link org.heddle.addressing.VSwitches}.
 * </ul>
 *
 * <p>Routing and verification need only the {@link org.heddle.fabric.VirtualLids} of the fabric
 * that a {@link org.heddle.addressing.VmPlacement} makes. Start there.
 */
@PublicApi
package org.heddle.addressing;

import org.heddle.api.PublicApi;
