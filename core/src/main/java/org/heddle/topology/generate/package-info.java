/** Makes fabrics: trees from a specification, damage, extra nodes, cuts. */
package org.heddle.topology.generate;
