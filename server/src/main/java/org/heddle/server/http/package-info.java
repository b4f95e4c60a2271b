/**
 * What all HTTP interfaces share: requests, replies, problems, pages, conditions, TLS. Knows no
 * resource.
 */
package org.heddle.server.http;
