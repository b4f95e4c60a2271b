/** Commands for virtual machines: {@code heddle vm}. */
package org.heddle.cli.vm;
