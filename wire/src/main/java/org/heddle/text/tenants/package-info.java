/**
 * The tenants file.
 *
 * <ul>
 *   <li>Reading and writing: {@link org.heddle.text.tenants.TenantsFileReader} and {@link
 *       org.heddle.text.tenants.TenantsFileWriter} of a {@link
 *       org.heddle.text.tenants.TenantsFile}; what must hold within it: {@link
 *       org.heddle.text.tenants.TenantsChecks}.
 *   <li>On a fabric: {@link org.heddle.text.tenants.TenantsResolver} gives {@link
 *       org.heddle.text.tenants.ResolvedTenants}; hosts by name: {@code TenantsHosts}, {@link
 *       org.heddle.text.tenants.TenantsNames}.
 *   <li>Not written by hand: {@link org.heddle.text.tenants.TenantsFiles} makes an example, or one
 *       from OpenSM's partitions.
 *   <li>Weights of hosts: {@link org.heddle.text.tenants.CounterFileReader}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.text.tenants.TenantsResolver}.
 */
@PublicApi
package org.heddle.text.tenants;

import org.heddle.api.PublicApi;
