/**
 * Who asks: tokens and users with passwords ({@link org.heddle.server.auth.Credentials}), how
 * passwords are kept and checked ({@link org.heddle.server.auth.PasswordHash}, {@code Passwords}),
 * and when they were used last ({@link org.heddle.server.auth.CredentialUse}).
 */
package org.heddle.server.auth;
