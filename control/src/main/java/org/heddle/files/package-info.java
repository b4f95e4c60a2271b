/** What a file system has to be told so that a file is whole or not there. */
package org.heddle.files;
