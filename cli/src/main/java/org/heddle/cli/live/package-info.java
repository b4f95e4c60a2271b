/** What commands that change a live fabric share: is it the one, what is in it, what now. */
package org.heddle.cli.live;
