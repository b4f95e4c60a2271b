package org.heddle.cli.shell;

import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsTenancy;

/**
 * The partitions whose isolation is audited, and where they come from.
 *
 * @param lanesKnown true if a partitions.conf says on which service level each is
 */
public record TenantsInput(Tenancy tenancy, Lanes lanes, boolean lanesKnown) {

  /**
   * The partitions of a tenants file, on the lanes of a partitions.conf if there is one; or the
   * partitions of that file alone.
   */
  public static Optional<TenantsInput> of(
      Session session, Fabric fabric, String tenantsFile, Optional<PartitionsConf> conf) {
    if (tenantsFile != null) {
      Tenancy tenancy = TenantsFiles.read(session, tenantsFile, fabric);
      Lanes lanes =
          conf.map(c -> PartitionsTenancy.lanes(c, tenancy))
              .orElse(Lanes.single(tenancy.partitions().size()));
      return Optional.of(new TenantsInput(tenancy, lanes, conf.isPresent()));
    }
    return conf.map(c -> PartitionsTenancy.of(c, fabric))
        .map(t -> new TenantsInput(t.tenancy(), t.lanes(), true));
  }
}
