/**
 * The partition REST API of UFM, as its clients use it, on a controller.
 *
 * <ul>
 *   <li>The calls: {@link org.heddle.server.ufm.UfmApi}, which knows no HTTP server: a {@link
 *       org.heddle.server.ufm.UfmCall} in, a {@link org.heddle.server.ufm.UfmAnswer} out;
 *       OpenStack's in {@code CloudX}.
 *   <li>Under the server's paths: {@link org.heddle.server.ufm.UfmArea}; sessions: {@link
 *       org.heddle.server.ufm.UfmLogin}; tokens and users: {@code UfmAccounts}.
 * </ul>
 *
 * <p>Who is allowed to call is decided before. Start with {@link org.heddle.server.ufm.UfmApi}.
 */
package org.heddle.server.ufm;
