package org.heddle.mad;

/**
 * PortInfo (section 14.2.5.6), all 64 bytes.
 *
 * <pre>
 *   0  M_Key                     16  LID | MasterSMLID
 *   8  GidPrefix                 20  CapabilityMask
 *  24  DiagCode | M_KeyLeasePeriod
 *  28  LocalPortNum | LinkWidthEnabled | LinkWidthSupported | LinkWidthActive
 *  32  LinkSpeedSupported (4) PortState (4) | PortPhysicalState (4) LinkDownDefaultState (4)
 *  34  M_KeyProtectBits (2) reserved (3) LMC (3) | LinkSpeedActive (4) LinkSpeedEnabled (4)
 *  36  NeighborMTU (4) MasterSMSL (4) | VLCap (4) InitType (4) | VLHighLimit
 *  39  VLArbitrationHighCap | VLArbitrationLowCap | InitTypeReply (4) MTUCap (4)
 *  42  VLStallCount (3) HOQLife (5) | OperationalVLs (4) PartitionEnforcementInbound, Outbound ...
 *  44  M_KeyViolations | P_KeyViolations | Q_KeyViolations
 *  50  GUIDCap | ClientReregister (1) ... SubnetTimeOut (5) | reserved (3) RespTimeValue (5)
 *  53  LocalPhyErrors (4) OverrunErrors (4)
 *  60  CapabilityMask2
 *  62  LinkSpeedExtActive (4) LinkSpeedExtSupported (4) | reserved (3) LinkSpeedExtEnabled (5)
 * </pre>
 */
public final class PortInfo extends Flyweight {
  /** Port state: no link. */
  public static final int STATE_DOWN = 1;

  /** Port state: only SMPs pass. */
  public static final int STATE_INIT = 2;

  /** Port state: configured, not in use. */
  public static final int STATE_ARMED = 3;

  /** Port state: in use. */
  public static final int STATE_ACTIVE = 4;

  /** Physical state: the two ends see each other. */
  public static final int PHYSICAL_LINK_UP = 5;

  /** Capability: this port has a subnet manager. */
  public static final int CAPABILITY_IS_SM = 1 << 1;

  /** Physical state: waiting for the other end. */
  public static final int PHYSICAL_POLLING = 2;

  /** Physical state: told to be silent. */
  public static final int PHYSICAL_DISABLED = 3;

  /** Capability: this port can do more than QDR. */
  public static final int CAPABILITY_EXTENDED_SPEEDS = 1 << 14;

  public PortInfo() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public PortInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public PortInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  public long mKey() {
    return get64(0);
  }

  public void mKey(long key) {
    put64(0, key);
  }

  public long gidPrefix() {
    return get64(8);
  }

  public void gidPrefix(long prefix) {
    put64(8, prefix);
  }

  /** Base LID; 0 if there is none. */
  public int lid() {
    return get16(16);
  }

  public void lid(int lid) {
    put16(16, lid);
  }

  /** LID of the port of the subnet manager; traps go there. */
  public int masterSmLid() {
    return get16(18);
  }

  public void masterSmLid(int lid) {
    put16(18, lid);
  }

  public int capabilityMask() {
    return get32(20);
  }

  public void capabilityMask(int mask) {
    put32(20, mask);
  }

  /** Seconds until a lock that nobody opens falls; 0: never. */
  public int mKeyLeasePeriod() {
    return get16(26);
  }

  public void mKeyLeasePeriod(int seconds) {
    put16(26, seconds);
  }

  public int localPortNum() {
    return get8(28);
  }

  public void localPortNum(int port) {
    put8(28, port);
  }

  /** Bit mask: 1 = 1x, 2 = 4x, 4 = 8x, 8 = 12x, 16 = 2x. */
  public int linkWidthEnabled() {
    return get8(29);
  }

  public void linkWidthEnabled(int mask) {
    put8(29, mask);
  }

  public int linkWidthSupported() {
    return get8(30);
  }

  public void linkWidthSupported(int mask) {
    put8(30, mask);
  }

  /** One bit of the mask. */
  public int linkWidthActive() {
    return get8(31);
  }

  public void linkWidthActive(int bit) {
    put8(31, bit);
  }

  public int linkSpeedSupported() {
    return bits(32, 4, 4);
  }

  public void linkSpeedSupported(int mask) {
    putBits(32, 4, 4, mask);
  }

  /** {@link #STATE_DOWN} to {@link #STATE_ACTIVE}; 0 in a Set: no change. */
  public int portState() {
    return bits(32, 0, 4);
  }

  public void portState(int state) {
    putBits(32, 0, 4, state);
  }

  /** {@link #PHYSICAL_LINK_UP} or another. */
  public int physicalState() {
    return bits(33, 4, 4);
  }

  public void physicalState(int state) {
    putBits(33, 4, 4, state);
  }

  public int linkDownDefaultState() {
    return bits(33, 0, 4);
  }

  public void linkDownDefaultState(int state) {
    putBits(33, 0, 4, state);
  }

  public int mKeyProtectBits() {
    return bits(34, 6, 2);
  }

  public void mKeyProtectBits(int level) {
    putBits(34, 6, 2, level);
  }

  public int lmc() {
    return bits(34, 0, 3);
  }

  public void lmc(int lmc) {
    putBits(34, 0, 3, lmc);
  }

  /** Bit: 1 = SDR, 2 = DDR, 4 = QDR. */
  public int linkSpeedActive() {
    return bits(35, 4, 4);
  }

  public void linkSpeedActive(int bit) {
    putBits(35, 4, 4, bit);
  }

  public int linkSpeedEnabled() {
    return bits(35, 0, 4);
  }

  public void linkSpeedEnabled(int mask) {
    putBits(35, 0, 4, mask);
  }

  /** Code of the MTU in use: 1 = 256 to 5 = 4096 bytes. */
  public int neighborMtu() {
    return bits(36, 4, 4);
  }

  public void neighborMtu(int code) {
    putBits(36, 4, 4, code);
  }

  public int masterSmSl() {
    return bits(36, 0, 4);
  }

  public void masterSmSl(int sl) {
    putBits(36, 0, 4, sl);
  }

  /** Code of the data lanes: 1 = VL0, 2 = VL0-1, 3 = VL0-3, 4 = VL0-7, 5 = VL0-14. */
  public int vlCap() {
    return bits(37, 4, 4);
  }

  public void vlCap(int code) {
    putBits(37, 4, 4, code);
  }

  public int vlHighLimit() {
    return get8(38);
  }

  public void vlHighLimit(int limit) {
    put8(38, limit);
  }

  /** Entries of the high-priority VL arbitration table. */
  public int vlArbitrationHighCap() {
    return get8(39);
  }

  public void vlArbitrationHighCap(int entries) {
    put8(39, entries);
  }

  /** Entries of the low-priority VL arbitration table. */
  public int vlArbitrationLowCap() {
    return get8(40);
  }

  public void vlArbitrationLowCap(int entries) {
    put8(40, entries);
  }

  public int mtuCap() {
    return bits(41, 0, 4);
  }

  public void mtuCap(int code) {
    putBits(41, 0, 4, code);
  }

  /** Packets in a row that may be dropped at the head of a queue before the lane stalls. */
  public int vlStallCount() {
    return bits(42, 5, 3);
  }

  public void vlStallCount(int packets) {
    putBits(42, 5, 3, packets);
  }

  /** Longest time at the head of a queue, 4.096 us * 2^code; 20 and more: for ever. */
  public int hoqLife() {
    return bits(42, 0, 5);
  }

  public void hoqLife(int code) {
    putBits(42, 0, 5, code);
  }

  /** Code of the lanes in use, as {@link #vlCap()}. */
  public int operationalVls() {
    return bits(43, 4, 4);
  }

  public void operationalVls(int code) {
    putBits(43, 4, 4, code);
  }

  public boolean partitionEnforcementInbound() {
    return bits(43, 3, 1) == 1;
  }

  public void partitionEnforcementInbound(boolean enforce) {
    putBits(43, 3, 1, enforce ? 1 : 0);
  }

  public boolean partitionEnforcementOutbound() {
    return bits(43, 2, 1) == 1;
  }

  public void partitionEnforcementOutbound(boolean enforce) {
    putBits(43, 2, 1, enforce ? 1 : 0);
  }

  /** Datagrams refused for their M_Key. */
  public int mKeyViolations() {
    return get16(44);
  }

  public void mKeyViolations(int count) {
    put16(44, count);
  }

  /** Packets dropped for their P_Key. */
  public int pKeyViolations() {
    return get16(46);
  }

  public void pKeyViolations(int count) {
    put16(46, count);
  }

  /** Packets dropped for their Q_Key. */
  public int qKeyViolations() {
    return get16(48);
  }

  public void qKeyViolations(int count) {
    put16(48, count);
  }

  /** Entries of the GUID table. */
  public int guidCap() {
    return get8(50);
  }

  public void guidCap(int entries) {
    put8(50, entries);
  }

  /** Asks the port's clients to register again what they had registered at the subnet manager. */
  public boolean clientReregister() {
    return bits(51, 7, 1) == 1;
  }

  public void clientReregister(boolean reregister) {
    putBits(51, 7, 1, reregister ? 1 : 0);
  }

  /** The longest time between traps and the like, 4.096 us * 2^code. */
  public int subnetTimeout() {
    return bits(51, 0, 5);
  }

  public void subnetTimeout(int code) {
    putBits(51, 0, 5, code);
  }

  /** The longest time until an answer, 4.096 us * 2^code. */
  public int respTimeValue() {
    return bits(52, 0, 5);
  }

  public void respTimeValue(int code) {
    putBits(52, 0, 5, code);
  }

  /** Errors of the link within a time that raise trap 129. */
  public int localPhyErrors() {
    return bits(53, 4, 4);
  }

  public void localPhyErrors(int threshold) {
    putBits(53, 4, 4, threshold);
  }

  /** Overruns within a time that raise trap 130. */
  public int overrunErrors() {
    return bits(53, 0, 4);
  }

  public void overrunErrors(int threshold) {
    putBits(53, 0, 4, threshold);
  }

  /** The second mask; valid if bit 15 of the first is set. */
  public int capabilityMask2() {
    return get16(60);
  }

  public void capabilityMask2(int mask) {
    put16(60, mask);
  }

  /** True if the port knows the extended speeds; otherwise the three fields mean nothing. */
  public boolean hasExtendedSpeeds() {
    return (capabilityMask() & CAPABILITY_EXTENDED_SPEEDS) != 0;
  }

  /** Bit: 1 = FDR, 2 = EDR, 4 = HDR, 8 = NDR; 0: see {@link #linkSpeedActive()}. */
  public int linkSpeedExtActive() {
    return bits(62, 4, 4);
  }

  public void linkSpeedExtActive(int bit) {
    putBits(62, 4, 4, bit);
  }

  public int linkSpeedExtSupported() {
    return bits(62, 0, 4);
  }

  public void linkSpeedExtSupported(int mask) {
    putBits(62, 0, 4, mask);
  }

  public int linkSpeedExtEnabled() {
    return bits(63, 0, 5);
  }

  public void linkSpeedExtEnabled(int mask) {
    putBits(63, 0, 5, mask);
  }
}
