/** Reading a fabric: discovery, light sweeps, tables, alias GUIDs, link rates. */
package org.heddle.smp.discover;
