/** What the controller needs from outside: a store and an agent on the fabric. */
package org.heddle.control.port;
