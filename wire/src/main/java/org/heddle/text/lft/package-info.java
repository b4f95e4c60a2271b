/**
 * Forwarding tables as files.
 *
 * <ul>
 *   <li>Which format it is, reading and writing of any: {@link org.heddle.text.lft.TableFormats},
 *       {@link org.heddle.text.lft.TableFormat}.
 *   <li>What a file says: {@link org.heddle.text.lft.LftDump}, by {@link
 *       org.heddle.text.lft.LftTextReader} and {@link org.heddle.text.lft.FdbsReader}; the compact
 *       form: {@link org.heddle.text.lft.CompactTables}.
 *   <li>Matched to a fabric, by GUID: {@link org.heddle.text.lft.TableBinder} gives {@link
 *       org.heddle.text.lft.BoundTables}, with the LIDs that the file names ({@code PortLids},
 *       {@link org.heddle.text.lft.UnknownLids}).
 *   <li>Written as OpenSM does: {@link org.heddle.text.lft.OpensmLftsWriter}, {@link
 *       org.heddle.text.lft.FdbsWriter}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.text.lft.TableFormats}.
 */
@PublicApi
package org.heddle.text.lft;

import org.heddle.api.PublicApi;
