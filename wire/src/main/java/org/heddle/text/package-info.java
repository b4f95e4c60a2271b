/**
 * Text and binary file formats of the field, read tolerantly and written strictly. This package has
 * what all formats share.
 *
 * <ul>
 *   <li>Readers take a {@link org.heddle.text.Source} (bytes with a name), never open files
 *       themselves, never throw for what a file says, and give a {@link org.heddle.text.Parsed}
 *       value with positioned {@link org.heddle.text.Problem}s; {@link org.heddle.text.Problems}
 *       collects them.
 *   <li>What a file is that a reader could not use: {@link org.heddle.text.FileKinds}; what is
 *       packed: {@link org.heddle.text.Sources}.
 *   <li>Lines and numbers: {@link org.heddle.text.LineReader}, {@link org.heddle.text.Tokens},
 *       {@link org.heddle.text.Ascii}; writing: {@link org.heddle.text.TextOut}.
 *   <li>Identities in doubt: {@link org.heddle.text.IdentityCode}; findings that a site accepts:
 *       {@link org.heddle.text.AcceptedFindings}.
 * </ul>
 *
 * <p>One package a family of formats. Start with {@link org.heddle.text.Parsed}, then {@code
 * text.topology}.
 */
@PublicApi
package org.heddle.text;

import org.heddle.api.PublicApi;
