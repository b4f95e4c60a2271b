package org.heddle.topology.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreeSpecTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(1;8;1)",
        "XGFT(2;18,18;1,18)",
        "XGFT(3;18,18,36;1,18,18)",
        "PGFT(2;4,8;1,2;1,2)"
      })
  void writes_what_it_reads(String text) {
    assertThat(TreeSpec.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        " xgft ( 2 ; 4, 8 ; 1 , 4 ) | XGFT(2;4,8;1,4)",
        "PGFT(2;4,8;1,4;1,1) | XGFT(2;4,8;1,4)",
        "4-ary-3-tree | XGFT(3;4,4,4;1,4,4)",
        "KARY(3,2) | XGFT(2;3,3;1,3)",
        "16-ary-1-tree | XGFT(1;16;1)"
      })
  void reads_other_spellings(String text, String canonical) {
    assertThat(TreeSpec.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(2;4,8;1) | height 2 needs 2 values of w, not 1",
        "XGFT(2;4,8,3;1,4) | height 2 needs 2 values of m, not 3",
        "XGFT(2;4,0;1,4) | m2 is 0, must be at least 1",
        "XGFT(2;4,x;1,4) | m2 is 'X', must be a number",
        "XGFT(2;4,;1,4) | m2 is '', must be a number",
        "XGFT(2;4,-1;1,4) | m2 is '-1', must be a number",
        "XGFT(2;4,99999999999;1,4) | m2 is too large: 99999999999",
        "XGFT(99999999999;4;1) | the height is too large: 99999999999",
        "XGFT(0;4;1) | a tree has 1..15 levels, not 0",
        "0-ary-2-tree | m1 is 0, must be at least 1",
        "2-ary-99-tree | a tree has 1..15 levels, not 99",
        "XGFT(2;4,8;1,4;1,1) | an XGFT has two lists",
        "PGFT(2;4,8;1,4) | a PGFT needs three lists",
        "XGFT(2;200,8;1,55) | a switch of level 1 would have 255 ports, more than 254",
        "XGFT(1;4;255) | a host would have 255 ports, more than 254",
        "XGFT(2;2147483647,2147483647;1,1) | more than 254",
        "XGFT(3;40,40,40;1,40,40) | the tree would have 68800 addressable ports",
        "XGFT(8;99,99,99,99,99,99,99,99;1,99,99,99,99,99,99,99) | far more than the 49151",
        "torus(3,3) | expected XGFT(h;",
        "'' | expected XGFT(h;"
      })
  void says_what_is_wrong(String text, String message) {
    assertThatThrownBy(() -> TreeSpec.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void counts_ports_and_ratios() {
    TreeSpec spec =
        new TreeSpec(List.of(12, 6, 4), List.of(1, 3, 2), List.of(1, 2, 3)); // 288 hosts
    assertThat(spec.hosts()).isEqualTo(12 * 6 * 4);
    assertThat(spec.nodes(1)).isEqualTo(6 * 4);
    assertThat(spec.nodes(2)).isEqualTo(3 * 4);
    assertThat(spec.nodes(3)).isEqualTo(3 * 2);
    assertThat(spec.downPorts(2)).isEqualTo(12);
    assertThat(spec.upPorts(2)).isEqualTo(6);
    assertThat(spec.oversubscription(1)).isEqualTo(2.0);
    assertThat(spec.upPorts(3)).isZero();
  }
}
