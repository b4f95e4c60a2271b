/** The controller's own interface, version 1: one class a resource. */
package org.heddle.server.v1;
