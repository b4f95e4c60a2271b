/** The tenants file: reading, checking, resolving, and making one from what there is. */
package org.heddle.text.tenants;
