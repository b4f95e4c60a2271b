/** Tables after damage that keep as much as they can of those before. */
package org.heddle.reconfig.reroute;
