/**
 * {@code heddle users}: users of a controller, with passwords: listed ({@link
 * org.heddle.cli.users.UsersListCommand}), made, given another password, and deleted with the
 * tokens that they made. Passwords come from files, never from options ({@code PasswordOption}).
 */
package org.heddle.cli.users;
