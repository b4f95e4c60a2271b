package org.heddle.server.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import org.heddle.plan.model.Drained;

/**
 * What is out of service since an epoch, in a database; format 1 also said whether that is none.
 */
@JsonIgnoreProperties("empty")
record StoredDrained(List<StoredLink> links, List<StoredGuid> switches)
    implements StoredDocument<Drained> {
  static StoredDrained of(Drained d) {
    return new StoredDrained(
        d.links().stream().map(StoredLink::of).toList(),
        d.switches().stream().map(StoredGuid::new).toList());
  }

  @Override
  public Drained value() {
    return new Drained(
        links.stream().map(StoredLink::value).toList(),
        switches.stream().map(StoredGuid::guid).toList());
  }
}
