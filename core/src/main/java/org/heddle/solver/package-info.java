/**
 * Colourings of graphs; knows nothing of fabrics. {@link org.heddle.solver.EdgeColours} colours the
 * edges of bipartite graphs with as few colours as possible, {@link
 * org.heddle.solver.SharedColours} colours things in groups by search, {@link
 * org.heddle.solver.ColourClauses} puts the same question to {@link org.heddle.solver.SatSolver},
 * which decides.
 */
package org.heddle.solver;
