package org.heddle.topology;

/**
 * One thing noticed while looking for a tree.
 *
 * @param code stable key, kebab-case, for machines ({@code same-level-link})
 * @param message one sentence for people, naming switch and port
 * @param node node id it is about, or {@link org.heddle.fabric.Fabric#NONE}
 * @param port port number on that node, or 0
 */
public record TreeFinding(String code, String message, int node, int port) {}
