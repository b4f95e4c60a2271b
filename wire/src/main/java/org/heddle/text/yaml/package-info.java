/**
 * YAML with positions, the basis of the readers of configuration files: {@link
 * org.heddle.text.yaml.YamlReader} gives {@link org.heddle.text.yaml.YamlNode}s with their lines,
 * {@link org.heddle.text.yaml.YamlFields} the keys of one map with typed access.
 */
package org.heddle.text.yaml;
