/**
 * Bodies of requests as JSON, and what is wrong with them in words, with line and column: {@link
 * org.heddle.server.json.JsonBodies}.
 */
package org.heddle.server.json;
