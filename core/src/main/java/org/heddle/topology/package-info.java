/**
 * Shapes of fabrics: generators of trees, and the recognition of a tree in any fabric.
 *
 * <p>Levels count from the hosts: hosts 0, leaf switches 1, roots h.
 */
package org.heddle.topology;
