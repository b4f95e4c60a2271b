/**
 * The console: its files ({@link org.heddle.server.console.ConsolePages}), and the fabric as
 * numbers small enough to draw ({@link org.heddle.server.console.PictureApi}, {@code Picture}, with
 * {@code PictureLayout}, {@code PictureLoad} and {@code PictureHosts}). Pages, style and scripts
 * are resources of this package.
 */
package org.heddle.server.console;
