/** The HTTP interface of the controller. */
package org.heddle.server;
