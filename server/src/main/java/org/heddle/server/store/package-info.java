/**
 * The controller's state in SQLite or PostgreSQL.
 *
 * <ul>
 *   <li>The store: {@link org.heddle.server.store.SqlStore}, with {@code SqlJobs} and {@code
 *       VmStatements}.
 *   <li>The schema, {@code V1.sql} and so on, and how an old database becomes a new one: {@code
 *       Migrations}.
 *   <li>Documents in its columns, records of their own with a converter each way: {@code
 *       StoredDocument} and one class a type.
 *   <li>Who may write: {@link org.heddle.server.store.PostgresLease}, {@link
 *       org.heddle.server.store.DirectoryLock}. Whether writes succeed: {@code WriteHealth}, {@code
 *       SqliteFiles}. Copies: {@link org.heddle.server.store.Backups}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.server.store.SqlStore}; to add a field, with {@code
 * StoredDocument}.
 */
package org.heddle.server.store;
