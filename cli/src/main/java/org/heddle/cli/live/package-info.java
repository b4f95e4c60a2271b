/**
 * What commands that change a live fabric share: is it the one that was meant, what is in it
 * ({@link org.heddle.cli.live.LiveFabric}), and what now if a change stopped halfway ({@link
 * org.heddle.cli.live.Recovery})?
 */
package org.heddle.cli.live;
