/**
 * {@code heddle tokens}: API tokens of a controller, listed ({@link
 * org.heddle.cli.tokens.TokensListCommand}) and revoked ({@link
 * org.heddle.cli.tokens.TokensRevokeCommand}). The smallest commands that talk to a controller, so
 * a good example of one.
 */
package org.heddle.cli.tokens;
