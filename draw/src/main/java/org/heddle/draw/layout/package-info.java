/** Where things stand in a picture: layouts that know nothing of SVG. */
package org.heddle.draw.layout;
