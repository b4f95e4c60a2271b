/**
 * What carries management packets: {@link org.heddle.smp.transport.SmpTransport} is the contract.
 * {@link org.heddle.smp.transport.UmadTransport} goes through libibumad and the kernel ({@code
 * UmadLibrary} looks it up at run time), {@link org.heddle.smp.transport.IbsimTransport} speaks the
 * simulator's own protocol, {@link org.heddle.smp.transport.TransportSpec} is what users write to
 * choose.
 */
package org.heddle.smp.transport;
