package org.heddle.ufm;

import java.util.Optional;
import java.util.function.Function;
import org.heddle.control.ufm.UfmPartitions;
import org.heddle.fabric.Fabric;

/** What the API stands on: the controller. */
public interface UfmBackend {

  /** The partitions now. */
  UfmPartitions partitions();

  /**
   * Changes the partitions in one transaction: the rule sees the newest state, and the answer comes
   * after the change is kept.
   *
   * @param user who asks
   * @param what the call in a few words, for the record of who did what
   * @param rule a pure function; it may run more than once
   */
  UfmPartitions.Outcome change(
      String user, String what, Function<UfmPartitions, UfmPartitions.Outcome> rule);

  /** The fabric as it is known now. */
  Fabric fabric();

  /** The state of a job, if there is one of that number. */
  Optional<Job> job(String id);

  /** Keys of the subnet manager as its configuration has them. */
  SmKeys smKeys();

  /**
   * A job.
   *
   * @param status Pending, Running, Completed; any other word is a failure
   * @param progress percent
   */
  record Job(String id, String status, int progress, String summary) {}

  /**
   * Keys that guard management datagrams.
   *
   * @param subnetPrefix upper half of every GID
   */
  record SmKeys(long subnetPrefix, long mKey, long smKey, long saKey, boolean mKeyPerPort) {}
}
