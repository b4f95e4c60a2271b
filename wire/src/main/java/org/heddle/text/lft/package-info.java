/** Forwarding tables: dumps, OpenSM's files, and the compact form. */
package org.heddle.text.lft;
