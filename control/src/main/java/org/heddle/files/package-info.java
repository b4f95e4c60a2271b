/**
 * Writes files so that each is either complete or missing, even after a crash: {@link
 * org.heddle.files.Replacement}.
 */
package org.heddle.files;
