/**
 * Partitions as the UFM partition REST API shows them: keys, members, quality of service. Pure
 * values and the rules of that API; no HTTP, no JSON.
 */
package org.heddle.control.ufm;
