/**
 * {@code heddle serve} and what belongs to a controller's machine: settings, backups, first token.
 */
package org.heddle.cli.serve;
