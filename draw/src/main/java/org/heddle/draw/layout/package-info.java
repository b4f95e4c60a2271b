/**
 * Where things stand in a picture; knows nothing of SVG. A {@link
 * org.heddle.draw.layout.GraphLayout} fills a {@link org.heddle.draw.layout.Placement}: {@link
 * org.heddle.draw.layout.TreeLayout} for recognised trees, {@code LayeredLayout} and {@code
 * CircleLayout} for other fabrics, {@code HostBlock} for the hosts of a switch, {@code Leftovers}
 * for the rest. {@link org.heddle.draw.layout.Detail} says how much is spelled out.
 */
package org.heddle.draw.layout;
