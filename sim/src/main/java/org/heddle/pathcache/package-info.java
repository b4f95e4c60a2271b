/** Path records that peers keep, and what a migration makes them ask the subnet administrator. */
package org.heddle.pathcache;
