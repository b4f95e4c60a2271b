/**
 * Path records that peers keep, and what a migration makes them ask the subnet administrator
 * (Tasoulas, thesis, paper I): {@link org.heddle.pathcache.MigrationStorm} moves the machines of a
 * {@link org.heddle.pathcache.Storm} under a {@link org.heddle.pathcache.CacheMode}, {@link
 * org.heddle.pathcache.QueryLoad} says how long queries wait, {@link
 * org.heddle.pathcache.PathQualities} what the paths are like, {@link
 * org.heddle.pathcache.StormResult} what came of it.
 */
package org.heddle.pathcache;
