/** Virtual machines that move: which table entries are written when, and what it costs. */
package org.heddle.reconfig.migration;
