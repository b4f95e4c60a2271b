/**
 * ibsim's socket protocol over UDP: programs that were made for libibumad reach an emulated subnet
 * through ibsim's preload library. {@link org.heddle.emulator.ibsim.IbsimServer} is the server.
 */
package org.heddle.emulator.ibsim;
