/** Fabrics: ibnetdiscover, subnet lists, ibsim netlists, lists of GUIDs, names of nodes. */
package org.heddle.text.topology;
