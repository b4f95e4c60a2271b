/** {@code heddle tokens}: API tokens of a controller. */
package org.heddle.cli.tokens;
