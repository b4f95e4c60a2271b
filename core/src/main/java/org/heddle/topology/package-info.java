/**
 * Shapes of fabrics: whether there is a tree, what is missing, and where hosts are attached.
 *
 * <ul>
 *   <li>The tree, or why there is none: {@link org.heddle.topology.FatTreeRecogniser} gives a
 *       {@link org.heddle.topology.Recognition}, with a {@link org.heddle.topology.FatTree} in it;
 *       {@link org.heddle.topology.RecognitionOptions} is what an operator knows.
 *   <li>The nearest undamaged tree, and what the fabric lacks: {@link
 *       org.heddle.topology.ShapeFit}.
 *   <li>Findings for people: {@code TreeReport}, {@link org.heddle.topology.SlowLinks}; whether
 *       OpenSM's ftree would accept it: {@link org.heddle.topology.OpensmFtreeCheck}.
 *   <li>Sub-trees: {@code Subtrees}, {@link org.heddle.topology.Subtree}.
 * </ul>
 *
 * <p>Levels count from the hosts: hosts 0, leaf switches 1, roots h. Trees are made, damaged and
 * shuffled in {@code generate}. Start with {@link org.heddle.topology.FatTreeRecogniser}.
 */
@PublicApi
package org.heddle.topology;

import org.heddle.api.PublicApi;
