/** State files: which tenant holds which hosts and links, and which virtual machine runs where. */
package org.heddle.text.state;
