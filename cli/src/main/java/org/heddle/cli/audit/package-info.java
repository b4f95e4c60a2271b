/**
 * {@code heddle audit} and {@code heddle trace}: proofs about finished tables, and their words.
 * {@link org.heddle.cli.audit.AuditCommand} asks {@link org.heddle.verify.Audit} and {@link
 * org.heddle.verify.isolation.IsolationAudit}; {@code AuditPrinter} and {@code IsolationPrinter}
 * are for people, {@code AuditDocument} and {@code IsolationDocument} for programs, {@code
 * AuditAcceptance} takes away what a site expects.
 */
package org.heddle.cli.audit;
