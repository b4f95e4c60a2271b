/**
 * What a file system has to be told so that a file is whole or not there, after a crash too: {@link
 * org.heddle.files.Replacement}.
 */
package org.heddle.files;
