package org.heddle.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNamesTest {
  @ParameterizedTest
  @CsvSource({
    "node01 HCA-1, node01",
    "'  node01   mlx5_0 ', node01",
    "gpu7.example.com mlx5_3, gpu7.example.com",
    "ib01 mlx4_0, ib01",
    "mt4119-rack hfi1_0, mt4119-rack",
    "localhost2 mlx5_0, localhost2",
    "Hca7, Hca7",
    "H_0_0, H_0_0"
  })
  void theFirstWordIsTheMachine(String description, String machine) {
    assertThat(NodeNames.machine(description)).isEqualTo(machine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "MT4119 ConnectX5   Mellanox Technologies",
        "MT23108 InfiniHost Mellanox Technologies",
        "MT4129",
        "localhost mlx5_0",
        "LOCALHOST.localdomain HCA-1",
        "(none) HCA-1",
        "mlx5_0",
        "HCA-2",
        "ibp65s0f1",
        "Quantum Mellanox Technologies"
      })
  void descriptionsThatNobodySetNameNoMachine(String description) {
    assertThat(NodeNames.machine(description)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'MF0;leaf0:MQM8700/U1', false",
    "SwitchX -  Mellanox Technologies, true",
    "Infiniscale-IV Mellanox Technologies, true",
    "'', true",
    "S1_0, false"
  })
  void switchesWithTheFirmwaresNameHaveNone(String description, boolean none) {
    assertThat(NodeNames.isDefaultSwitch(description)).isEqualTo(none);
  }
}
