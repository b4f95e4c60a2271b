/** {@code heddle jobs}: what a controller was asked for and is still at. */
package org.heddle.cli.jobs;
