/** {@code heddle simulate ...}: experiments and what-ifs. */
package org.heddle.cli.simulate;
