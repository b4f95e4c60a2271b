/**
 * Plug-ins by name: {@link org.heddle.catalog.Catalog} finds engines and allocators, including
 * those in separate jars; {@link org.heddle.catalog.EngineFallback} finds an engine that can route
 * a fabric if the requested one cannot, and says why; {@link org.heddle.catalog.BaseEngines} says
 * which engines a controller may have.
 */
@PublicApi
package org.heddle.catalog;

import org.heddle.api.PublicApi;
