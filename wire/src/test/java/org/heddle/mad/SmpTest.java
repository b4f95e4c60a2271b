package org.heddle.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The datagram itself. The expected bytes are from the tables in section 14.2.1. */
class SmpTest {

  @Test
  void a_directed_request_has_the_bytes_of_the_specification() {
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(
        MadMethod.GET, AttributeId.PORT_INFO, 0x24, new byte[] {1, 19, (byte) 200});
    smp.transactionId(0x0000_0000_8765_4321L);
    smp.mKey(0x0102_0304_0506_0708L);
    byte[] expected =
        Bytes.of(
            256,
            "01 81 01 01", // base version 1, directed route, class version 1, Get
            "0000 00 03", // status, hop pointer 0, hop count 3
            "0000000087654321",
            "0015 0000 00000024", // PortInfo of port 36
            "0102030405060708",
            "ffff ffff"); // no LID-routed part at either end
    Bytes.with(expected, 128, "00 01 13 c8"); // entry 0 of the initial path is unused
    assertThat(smp.buffer()).isEqualTo(expected);
    assertThat(smp.isDirected()).isTrue();
    assertThat(smp.isReturning()).isFalse();
    assertThat(smp.hopPointer()).isZero();
    assertThat(smp.hopCount()).isEqualTo(3);
    assertThat(smp.pathPort(3)).isEqualTo(200);
    assertThat(smp.drSlid()).isEqualTo(0xffff);
    assertThat(smp.drDlid()).isEqualTo(0xffff);
    assertThat(smp.mKey()).isEqualTo(0x0102_0304_0506_0708L);
  }

  @Test
  void a_lid_routed_request_leaves_what_belongs_to_directed_routes_empty() {
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[] {1, 2});
    smp.toLidRequest(MadMethod.SET, AttributeId.LINEAR_FORWARDING_TABLE, 0x1ff);
    assertThat(smp.buffer())
        .isEqualTo(
            Bytes.of(256, "01 01 01 02", "0000 0000", "0000000000000000", "0019 0000 000001ff"));
    assertThat(smp.isDirected()).isFalse();
  }

  @Test
  void an_answer_by_directed_route_has_its_direction_bit_left_out_of_the_status() {
    byte[] bytes = Bytes.of(256, "01 81 01 81", "800c 03 03");
    Smp smp = new Smp().wrap(bytes, 0);
    assertThat(smp.isResponse()).isTrue();
    assertThat(smp.isReturning()).isTrue();
    assertThat(smp.status()).isEqualTo(0x0c);
    assertThat(smp.hopPointer()).isEqualTo(3);
    assertThat(MadStatus.message(smp.status())).isEqualTo("attribute not supported by this method");
  }

  @Test
  void every_header_field_comes_back_as_it_was_written() {
    MadHeader header = new MadHeader().wrap(new byte[30], 5);
    header.baseVersion(1);
    header.managementClass(ManagementClass.SUBNET_ADMINISTRATION);
    header.classVersion(2);
    header.method(MadMethod.TRAP_REPRESS);
    header.status(0xfffe);
    header.transactionId(-2);
    header.attributeId(0xfffd);
    header.attributeModifier(-4);
    assertThat(header.buffer())
        .isEqualTo(
            Bytes.of(
                30, "0000000000", "01030207", "fffe0000", "fffffffffffffffe", "fffd0000fffffffc"));
    assertThat(header.baseVersion()).isEqualTo(1);
    assertThat(header.managementClass()).isEqualTo(3);
    assertThat(header.classVersion()).isEqualTo(2);
    assertThat(header.method()).isEqualTo(7);
    assertThat(header.isResponse()).isFalse();
    assertThat(header.status()).isEqualTo(0x7ffe);
    assertThat(header.transactionId()).isEqualTo(-2);
    assertThat(header.attributeId()).isEqualTo(0xfffd);
    assertThat(header.attributeModifier()).isEqualTo(-4);
  }

  @Test
  void a_truncated_datagram_is_refused_at_every_length() {
    Smp smp = new Smp();
    for (int length = 0; length < MadHeader.MAD_SIZE; length++) {
      byte[] bytes = new byte[length];
      assertThatThrownBy(() -> smp.wrap(bytes, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Smp needs 256 bytes");
    }
    assertThatThrownBy(() -> smp.wrap(new byte[256], 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> smp.wrap(new byte[256], -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(smp.wrap(new byte[256], 0).size()).isEqualTo(256);
  }

  @Test
  void a_route_of_64_hops_does_not_fit() {
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[63]);
    assertThat(smp.hopCount()).isEqualTo(63);
    assertThatThrownBy(
            () -> smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[64]))
        .hasMessageContaining("64 hops");
  }

  @Test
  void status_bits_are_told_in_words() {
    assertThat(MadStatus.message(0)).isEqualTo("no error");
    assertThat(MadStatus.message(1)).isEqualTo("busy, request discarded");
    assertThat(MadStatus.message(2)).isEqualTo("redirection required");
    assertThat(MadStatus.message(0x04)).isEqualTo("class or class version not supported");
    assertThat(MadStatus.message(0x08)).isEqualTo("method not supported");
    assertThat(MadStatus.message(0x10)).isEqualTo("reserved code 4");
    assertThat(MadStatus.message(0x1c)).isEqualTo("invalid value in attribute or modifier");
    assertThat(MadStatus.message(0x0300)).isEqualTo("class-specific status 0x03");
  }

  @Test
  void methods_and_attributes_have_names() {
    assertThat(MadMethod.name(0x81)).isEqualTo("GetResp");
    assertThat(MadMethod.name(0x42)).isEqualTo("method 0x42");
    assertThat(AttributeId.name(0x19)).isEqualTo("LinearForwardingTable");
    assertThat(AttributeId.name(0xff91)).isEqualTo("attribute 0xff91");
  }

  @Test
  void transaction_ids_keep_their_parts_when_others_write_the_upper_half() {
    long id = TransactionId.of(0xfffff, 255, 15);
    assertThat(id).isEqualTo(0xffff_ffffL);
    for (long upper : new long[] {0, 0x0001_0002_0000_0000L, 0xffff_ffff_0000_0000L}) {
      long seen = TransactionId.of(0xabcde, 0x42, 7) | upper;
      assertThat(TransactionId.sequence(seen)).isEqualTo(0xabcde);
      assertThat(TransactionId.slot(seen)).isEqualTo(0x42);
      assertThat(TransactionId.attempt(seen)).isEqualTo(7);
    }
    assertThat(TransactionId.next(0)).isEqualTo(1);
    assertThat(TransactionId.next(0xfffff)).isEqualTo(1);
  }

  @Test
  void the_way_back_and_the_parts_by_lid_have_their_places() {
    Smp smp = Smp.allocate();
    smp.hopPointer(2);
    smp.drSlid(0x0102);
    smp.drDlid(0x0304);
    smp.returnPort(1, 19);
    smp.returnPort(63, 255);
    byte[] expected = Bytes.with(new byte[256], 6, "02");
    Bytes.with(expected, 32, "0102 0304");
    Bytes.with(expected, 193, "13");
    Bytes.with(expected, 255, "ff");
    assertThat(smp.buffer()).isEqualTo(expected);
    assertThat(smp.hopPointer()).isEqualTo(2);
    assertThat(smp.drSlid()).isEqualTo(0x102);
    assertThat(smp.drDlid()).isEqualTo(0x304);
    assertThat(smp.returnPort(1)).isEqualTo(19);
  }
}
