/** OpenSM's configuration: partitions, quality of service, routing chains. */
package org.heddle.text.opensm;
