/** The routing engines, one class each, and what they share. */
package org.heddle.routing.engine;
