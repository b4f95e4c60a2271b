/**
 * Proofs about the states between two sets of tables: {@link
 * org.heddle.verify.transition.TransitionAudit} carries out every {@link
 * org.heddle.verify.transition.TableWrite} and checks every state; {@link
 * org.heddle.verify.transition.TransitionReport} has the result.
 */
package org.heddle.verify.transition;
