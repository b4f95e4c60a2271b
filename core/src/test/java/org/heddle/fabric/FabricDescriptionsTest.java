package org.heddle.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FabricDescriptionsTest {
  @Test
  void onlyDescriptionsChange() {
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(5, 2, "s");
    b.addCa(7, 1, "h");
    b.connect(0, 1, 1, 1);
    b.setLid(1, 1, 3, 0);
    Fabric f = b.build(9);
    String[] names = {"spine", ""};
    Fabric renamed = f.withDescriptions(names);
    names[0] = "changed later";
    assertThat(renamed.description(0)).isEqualTo("spine");
    assertThat(renamed.description(1)).isEmpty();
    assertThat(renamed.epoch()).isEqualTo(9);
    assertThat(renamed).isNotEqualTo(f);
    assertThat(renamed.withDescriptions(new String[] {"s", "h"})).isEqualTo(f);
    assertThat(renamed.portOfLid(3)).isEqualTo(f.portOfLid(3));
  }

  @Test
  void everyNodeNeedsOne() {
    Fabric f = new FabricBuilder().build();
    assertThatThrownBy(() -> f.withDescriptions(new String[1]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
