/** Plug-ins by name. */
package org.heddle.catalog;
