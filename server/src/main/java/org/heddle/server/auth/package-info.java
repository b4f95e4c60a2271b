/** Who asks: tokens, passwords, and when they were used. */
package org.heddle.server.auth;
