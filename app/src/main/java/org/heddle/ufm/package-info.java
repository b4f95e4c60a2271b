/**
 * The partition REST API of UFM, as its clients use it: calls in, answers out. Knows no HTTP
 * server; who is allowed to call is decided before.
 */
package org.heddle.ufm;
