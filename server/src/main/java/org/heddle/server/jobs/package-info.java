/** Work that outlives its request: the queue, its ledger, and the documents that tell of it. */
package org.heddle.server.jobs;
