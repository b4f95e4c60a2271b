/**
 * Text and binary file formats of the field, read tolerantly and written strictly.
 *
 * <p>Readers take a {@link org.heddle.text.Source} (bytes with a name), never open files
 * themselves, never throw for what a file says, and report everything they notice as positioned
 * {@link org.heddle.text.Problem}s.
 */
package org.heddle.text;
