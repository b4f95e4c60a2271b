/**
 * {@code heddle simulate ...}: what-ifs. Each has a command, a document for programs and a printer
 * for people: {@link org.heddle.cli.simulate.CongestionCommand}, {@link
 * org.heddle.cli.simulate.InterferenceCommand}, {@link org.heddle.cli.simulate.ScheduleCommand},
 * {@link org.heddle.cli.simulate.MigrationCommand}, {@link
 * org.heddle.cli.simulate.PathCacheCommand}; {@link org.heddle.cli.simulate.MergeCommand} puts
 * parts of a run together. What they compute is in the module {@code sim}.
 */
package org.heddle.cli.simulate;
