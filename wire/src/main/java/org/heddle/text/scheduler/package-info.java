/** Files of job schedulers: traces, requests, topology, scripts. */
package org.heddle.text.scheduler;
