/**
 * {@code heddle fabric ...}: making, looking at and converting fabric files ({@link
 * org.heddle.cli.fabric.GenerateCommand}, {@link org.heddle.cli.fabric.CheckCommand}, {@link
 * org.heddle.cli.fabric.ConvertCommand}, {@link org.heddle.cli.fabric.DrawCommand}), discovering a
 * live one ({@link org.heddle.cli.fabric.DiscoverCommand}), and the fabric of a controller ({@link
 * org.heddle.cli.fabric.StatusCommand}, {@link org.heddle.cli.fabric.DrainCommand}, {@link
 * org.heddle.cli.fabric.UndrainCommand}).
 */
package org.heddle.cli.fabric;
