package org.heddle.mad;

/**
 * Notice, the content of traps (sections 13.4.8.2 and 14.2.5.1).
 *
 * <pre>
 *   0  IsGeneric (1) Type (7) | ProducerType (24)
 *   4  TrapNumber | IssuerLID
 *   8  NoticeToggle (1) NoticeCount (15)
 *  10  DataDetails, 54 bytes
 * </pre>
 */
public final class Notice extends Flyweight {
  /** The state of a link of the switch has changed. */
  public static final int LINK_STATE_CHANGED = 128;

  /** Too many local link errors. */
  public static final int LINK_INTEGRITY = 129;

  /** Too many buffer overruns. */
  public static final int BUFFER_OVERRUN = 130;

  /** Flow control has stopped working. */
  public static final int FLOW_CONTROL_WATCHDOG = 131;

  /** Capability mask, enabled speed or width, or the description has changed. */
  public static final int LOCAL_CHANGES = 144;

  /** The system image GUID has changed. */
  public static final int SYSTEM_IMAGE_GUID_CHANGED = 145;

  /** Somebody used a wrong M_Key. */
  public static final int BAD_M_KEY = 256;

  /** Somebody used a wrong P_Key, noticed by an adapter. */
  public static final int BAD_P_KEY = 257;

  /** Somebody used a wrong Q_Key. */
  public static final int BAD_Q_KEY = 258;

  /** Somebody used a wrong P_Key, noticed by a switch. */
  public static final int BAD_P_KEY_AT_SWITCH = 259;

  public Notice() {
    super(Smp.DATA_SIZE);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public Notice wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public Notice wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  /** False for notices that only their vendor understands. */
  public boolean isGeneric() {
    return bits(0, 7, 1) == 1;
  }

  /** 0 fatal, 1 urgent, 2 security, 3 subnet management, 4 informational. */
  public int type() {
    return bits(0, 0, 7);
  }

  /** Sets both fields of the first byte. */
  public void type(boolean generic, int type) {
    put8(0, (generic ? 0x80 : 0) | type);
  }

  /** 1 adapter, 2 switch, 3 router, 4 manager. */
  public int producer() {
    return get24(1);
  }

  public void producer(int producer) {
    put24(1, producer);
  }

  public int trapNumber() {
    return get16(4);
  }

  public void trapNumber(int number) {
    put16(4, number);
  }

  /** LID of the port that says so. */
  public int issuerLid() {
    return get16(6);
  }

  public void issuerLid(int lid) {
    put16(6, lid);
  }

  public boolean toggle() {
    return bits(8, 7, 1) == 1;
  }

  public int count() {
    return get16(8) & 0x7fff;
  }

  /** Sets toggle and count. */
  public void count(boolean toggle, int count) {
    put16(8, (toggle ? 0x8000 : 0) | count);
  }

  /** The LID the notice is about: in trap 128 at byte 10, in the others at byte 12. */
  public int subjectLid() {
    return get16(trapNumber() == LINK_STATE_CHANGED ? 10 : 12);
  }

  public void subjectLid(int lid) {
    put16(trapNumber() == LINK_STATE_CHANGED ? 10 : 12, lid);
  }

  /** Port of traps 129 to 131. */
  public int subjectPort() {
    return get8(14);
  }

  public void subjectPort(int port) {
    put8(14, port);
  }

  /** The new capability mask, in trap 144. */
  public int capabilityMask() {
    return get32(16);
  }

  public void capabilityMask(int mask) {
    put32(16, mask);
  }

  /** Says that {@link #localChanges()} counts and not the capability mask alone, in trap 144. */
  public void otherLocalChanges(boolean other) {
    putBits(15, 0, 1, other ? 1 : 0);
  }

  /** What else has changed, in trap 144: 1 description, 2 enabled width, 4 enabled speed. */
  public int localChanges() {
    return get16(20) & 7;
  }

  public void localChanges(int mask) {
    put16(20, mask & 7);
  }

  /** The second LID of traps 257 to 259. */
  public int secondLid() {
    return get16(14);
  }

  public void secondLid(int lid) {
    put16(14, lid);
  }

  /** Which datagram had the wrong M_Key, in trap 256. */
  public void refused(int drSlid, int method, int attributeId, int modifier, long mKey) {
    put16(14, drSlid);
    put8(16, method);
    put16(18, attributeId);
    put32(20, modifier);
    put64(24, mKey);
  }

  /** Method of the datagram that trap 256 is about. */
  public int refusedMethod() {
    return get8(16);
  }

  /** Attribute of the datagram that trap 256 is about. */
  public int refusedAttribute() {
    return get16(18);
  }

  /** The wrong M_Key, in trap 256. */
  public long refusedKey() {
    return get64(24);
  }

  /** Sets what {@link #key()} gives. */
  public void key(int key) {
    if (trapNumber() == BAD_P_KEY_AT_SWITCH) {
      put16(16, key);
    } else {
      put32(16, key);
    }
  }

  /** Service level of the packet with the wrong key, in traps 257 to 259. */
  public int keyLevel() {
    return bits(trapNumber() == BAD_P_KEY_AT_SWITCH ? 18 : 20, 4, 4);
  }

  public void keyLevel(int level) {
    putBits(trapNumber() == BAD_P_KEY_AT_SWITCH ? 18 : 20, 4, 4, level);
  }

  /** The port of the switch that dropped the packet, in trap 259. */
  public int droppedAt() {
    return get8(60);
  }

  /** Sets switch and port that dropped the packet, in trap 259. */
  public void droppedAt(int switchLid, int port) {
    put16(58, switchLid);
    put8(60, port);
  }

  /** The P_Key or the Q_Key of traps 257 to 259: 32 bits, in trap 259 16. */
  public int key() {
    return trapNumber() == BAD_P_KEY_AT_SWITCH ? get16(16) : get32(16);
  }

  /** The trap in words. */
  public String describe() {
    if (!isGeneric()) {
      return "vendor notice " + trapNumber() + " from LID " + issuerLid();
    }
    String what =
        switch (trapNumber()) {
          case LINK_STATE_CHANGED -> "link state changed at LID " + subjectLid();
          case LINK_INTEGRITY -> "link errors at LID " + subjectLid() + " port " + subjectPort();
          case BUFFER_OVERRUN ->
              "buffer overruns at LID " + subjectLid() + " port " + subjectPort();
          case FLOW_CONTROL_WATCHDOG ->
              "flow control stopped at LID " + subjectLid() + " port " + subjectPort();
          case LOCAL_CHANGES -> "capabilities or description changed at LID " + subjectLid();
          case SYSTEM_IMAGE_GUID_CHANGED -> "system image GUID changed at LID " + subjectLid();
          case BAD_M_KEY -> "wrong M_Key from LID " + subjectLid();
          case BAD_P_KEY, BAD_P_KEY_AT_SWITCH ->
              "wrong P_Key from LID " + subjectLid() + " to LID " + secondLid();
          case BAD_Q_KEY -> "wrong Q_Key from LID " + subjectLid() + " to LID " + secondLid();
          default -> "something at LID " + issuerLid();
        };
    return "trap " + trapNumber() + ": " + what;
  }
}
