/** What commands that talk to a controller share: where it is, who asks, and how calls fail. */
package org.heddle.cli.remote;
