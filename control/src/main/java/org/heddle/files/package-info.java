/**
 * Writes files so that each is either complete or missing, even after a crash: {@link
 * org.heddle.files.Replacement}. What is for one user of the machine only: {@link
 * org.heddle.files.OwnersOnly}.
 */
package org.heddle.files;
