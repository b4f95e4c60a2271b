/** Bodies of requests as JSON, and what is wrong with them in words. */
package org.heddle.server.json;
