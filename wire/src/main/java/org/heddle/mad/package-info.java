/**
 * Management datagrams as flyweights over byte arrays: no sockets, no allocation per field.
 *
 * <p>A flyweight is wrapped around 256 bytes (or the 64 of an attribute) and reads and writes the
 * fields where they are, big-endian. {@link org.heddle.mad.Smp} is the datagram, the others are the
 * attributes it carries. Layouts: InfiniBand Architecture Specification volume 1, release 1.4,
 * sections 13.4 (datagrams) and 14.2 (subnet management).
 */
package org.heddle.mad;
