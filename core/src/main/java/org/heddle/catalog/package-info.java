/**
 * Plug-ins by name: {@link org.heddle.catalog.Catalog} finds engines and allocators, also those in
 * jars of their own; {@link org.heddle.catalog.EngineFallback} finds one that routes a fabric if
 * the one wanted does not, and says why.
 */
package org.heddle.catalog;
