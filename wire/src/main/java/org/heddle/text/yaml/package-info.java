/**
 * YAML with positions, what the readers of configuration stand on: {@link
 * org.heddle.text.yaml.TenantsYaml} gives {@link org.heddle.text.yaml.TenantsNode}s with their
 * lines, {@link org.heddle.text.yaml.TenantsFields} the keys of one map with typed access.
 */
package org.heddle.text.yaml;
