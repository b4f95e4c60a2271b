/** The controller's state in SQLite or PostgreSQL. */
package org.heddle.server.store;
