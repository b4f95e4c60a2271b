package org.heddle.cli.simulate;

import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.schedule.ScheduleOptions;
import org.heddle.schedule.ScheduleResult;

/**
 * One simulation of an experiment.
 *
 * @param plant what to allocate from
 * @param damage share of links that were removed before, in percent; 0 for none
 * @param damageLabel as the user wrote it
 * @param requests what arrives
 * @param result null until it has run
 */
record ScheduleRun(
    Plant plant,
    double damage,
    String damageLabel,
    RequestsArgument.Named requests,
    Allocator allocator,
    ScheduleOptions options,
    ScheduleResult result) {

  ScheduleRun withResult(ScheduleResult r) {
    return new ScheduleRun(plant, damage, damageLabel, requests, allocator, options, r);
  }
}
