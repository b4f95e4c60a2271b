/** {@code heddle experiment}: the papers' experiments, and one's own, from declarative files. */
package org.heddle.cli.experiment;
