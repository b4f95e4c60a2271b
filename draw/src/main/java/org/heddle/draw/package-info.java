/**
 * Pictures of fabrics as SVG.
 *
 * <p>{@link org.heddle.draw.FabricDrawing} is the entry. It chooses a layout ({@code TreeLayout}
 * for recognised fat-trees, {@code LayeredLayout} and {@code CircleLayout} for everything else),
 * which fills a {@code Placement}; painters turn that into elements, {@code SvgWriter} into bytes.
 * Layouts know nothing of SVG, painters nothing of trees.
 */
package org.heddle.draw;
