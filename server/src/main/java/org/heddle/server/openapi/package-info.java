/**
 * The description of the interface, made from its routes and from the records that they answer
 * ({@link org.heddle.server.openapi.OpenApi}, {@code Schemas}); bodies of requests in {@code
 * Bodies}, UFM's paths in {@code UfmPaths}.
 */
package org.heddle.server.openapi;
