/**
 * Plug-ins in jars of their own ({@code docs/plugins.md}).
 *
 * <ul>
 *   <li>Which jars: {@link org.heddle.cli.shell.plugin.PlugInDirectory}, by option, configuration,
 *       environment, or those of the installation and of the user.
 *   <li>How they get into the program: {@link org.heddle.cli.shell.plugin.PlugInLoader}. A run with
 *       plug-ins happens in a class loader that has Heddle's jars and theirs, so that the catalog
 *       finds them in whatever thread it is asked, and nothing global changes.
 *   <li>What is wrong with them, before anything runs: {@link
 *       org.heddle.cli.shell.plugin.PlugInCheck}. Such jars are named and left out.
 *   <li>Who it was, in lists and after an error: {@link org.heddle.cli.shell.plugin.PlugInOrigin}.
 * </ul>
 */
package org.heddle.cli.shell.plugin;
