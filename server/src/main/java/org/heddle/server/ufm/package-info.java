/**
 * The partition REST API of UFM, as its clients use it, on a controller. Knows no HTTP server; who
 * is allowed to call is decided before.
 */
package org.heddle.server.ufm;
