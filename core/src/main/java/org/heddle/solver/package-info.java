/** Colourings of graphs, by search and by clauses: knows nothing of fabrics. */
package org.heddle.solver;
