package org.heddle.cli.simulate;

import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.schedule.ScheduleOptions;
import org.heddle.schedule.ScheduleResult;
import org.heddle.topology.FatTree;

/**
 * One simulation of an experiment.
 *
 * @param plant what to allocate from
 * @param tree the tree the plant was made from
 * @param damage share of links that were removed before, in percent; 0 for none
 * @param damageLabel as the user wrote it
 * @param requests what arrives
 * @param result null until it has run
 */
record ScheduleRun(
    Plant plant,
    FatTree tree,
    double damage,
    String damageLabel,
    RequestsArgument.Named requests,
    Allocator allocator,
    ScheduleOptions options,
    ScheduleResult result) {

  ScheduleRun withResult(ScheduleResult r) {
    return new ScheduleRun(plant, tree, damage, damageLabel, requests, allocator, options, r);
  }
}
