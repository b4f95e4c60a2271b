/** The console: its page, and the picture of the fabric that it draws. */
package org.heddle.server.console;
