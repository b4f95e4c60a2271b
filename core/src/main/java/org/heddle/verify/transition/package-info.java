/**
 * Proofs about the time between two sets of tables: {@link
 * org.heddle.verify.transition.TransitionAudit} carries out every {@link
 * org.heddle.verify.transition.TableWrite} and looks at every state on the way; {@link
 * org.heddle.verify.transition.TransitionReport} says what there was.
 */
package org.heddle.verify.transition;
