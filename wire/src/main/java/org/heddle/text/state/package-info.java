/**
 * State files: which tenant holds which hosts and links ({@link org.heddle.text.state.StateFile},
 * {@link org.heddle.text.state.StateFileReader}, {@link org.heddle.text.state.StateFileWriter}),
 * and which virtual machine runs where ({@link org.heddle.text.state.VmFile}, {@link
 * org.heddle.text.state.VmFileReader}, {@link org.heddle.text.state.VmFileWriter}). All by GUID;
 * {@link org.heddle.text.state.VmBinder} finds machines again in a fabric, {@link
 * org.heddle.text.state.StateTenants} makes of tenants those of a desired state.
 */
package org.heddle.text.state;
