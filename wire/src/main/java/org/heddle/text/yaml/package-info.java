/** YAML with positions: what the readers of configuration stand on. */
package org.heddle.text.yaml;
