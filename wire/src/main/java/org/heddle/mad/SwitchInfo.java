package org.heddle.mad;

/**
 * SwitchInfo (section 14.2.5.4).
 *
 * <pre>
 *   0  LinearFDBCap | RandomFDBCap
 *   4  MulticastFDBCap | LinearFDBTop
 *   8  DefaultPort | DefaultMulticastPrimaryPort | DefaultMulticastNotPrimaryPort
 *  11  LifeTimeValue (5) PortStateChange (1) OptimizedSLtoVLMappingProgramming (2)
 *  12  LIDsPerPort | PartitionEnforcementCap
 *  16  InboundEnforcementCap OutboundEnforcementCap FilterRaw... (2) EnhancedPort0
 *  18  MulticastFDBTop
 * </pre>
 */
public final class SwitchInfo extends Flyweight {
  public SwitchInfo() {
    super(20);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public SwitchInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public SwitchInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** Entries the linear forwarding table can have. */
  public int linearFdbCap() {
    return get16(0);
  }

  public void linearFdbCap(int entries) {
    put16(0, entries);
  }

  public int randomFdbCap() {
    return get16(2);
  }

  public void randomFdbCap(int entries) {
    put16(2, entries);
  }

  public int multicastFdbCap() {
    return get16(4);
  }

  public void multicastFdbCap(int entries) {
    put16(4, entries);
  }

  /** The largest LID that is looked up; larger ones are dropped. */
  public int linearFdbTop() {
    return get16(6);
  }

  public void linearFdbTop(int lid) {
    put16(6, lid);
  }

  public int defaultPort() {
    return get8(8);
  }

  public void defaultPort(int port) {
    put8(8, port);
  }

  /** Code of the longest time a packet may stay; 0..31. */
  public int lifeTimeValue() {
    return bits(11, 3, 5);
  }

  public void lifeTimeValue(int code) {
    putBits(11, 3, 5, code);
  }

  /** True if the state of a port has changed since this was last reset; setting true resets it. */
  public boolean portStateChange() {
    return bits(11, 2, 1) == 1;
  }

  public void portStateChange(boolean changed) {
    putBits(11, 2, 1, changed ? 1 : 0);
  }

  public int lidsPerPort() {
    return get16(12);
  }

  public void lidsPerPort(int lids) {
    put16(12, lids);
  }

  /** Entries of the P_Key table of each external port. */
  public int partitionEnforcementCap() {
    return get16(14);
  }

  public void partitionEnforcementCap(int entries) {
    put16(14, entries);
  }

  /** Sets whether the switch can check P_Keys of what comes in and of what goes out. */
  public void enforcementCaps(boolean inbound, boolean outbound) {
    putBits(16, 7, 1, inbound ? 1 : 0);
    putBits(16, 6, 1, outbound ? 1 : 0);
  }

  /** True if the switch can check P_Keys of what comes in. */
  public boolean inboundEnforcementCap() {
    return bits(16, 7, 1) == 1;
  }

  /** True if the switch can check P_Keys of what goes out. */
  public boolean outboundEnforcementCap() {
    return bits(16, 6, 1) == 1;
  }

  public boolean enhancedPort0() {
    return bits(16, 3, 1) == 1;
  }

  public void enhancedPort0(boolean enhanced) {
    putBits(16, 3, 1, enhanced ? 1 : 0);
  }

  public int multicastFdbTop() {
    return get16(18);
  }

  public void multicastFdbTop(int lid) {
    put16(18, lid);
  }
}
