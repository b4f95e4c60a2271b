/**
 * Writing: a plan of packets with a journal, so that a change that stops half way can be finished
 * or undone.
 */
package org.heddle.smp.write;
