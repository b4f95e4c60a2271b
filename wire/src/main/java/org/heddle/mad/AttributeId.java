package org.heddle.mad;

/** Attributes of subnet management (section 14.2.5). */
public final class AttributeId {
  public static final int NOTICE = 0x0002;
  public static final int NODE_DESCRIPTION = 0x0010;
  public static final int NODE_INFO = 0x0011;
  public static final int SWITCH_INFO = 0x0012;
  public static final int GUID_INFO = 0x0014;
  public static final int PORT_INFO = 0x0015;
  public static final int P_KEY_TABLE = 0x0016;
  public static final int SL_TO_VL_MAPPING_TABLE = 0x0017;
  public static final int VL_ARBITRATION_TABLE = 0x0018;
  public static final int LINEAR_FORWARDING_TABLE = 0x0019;
  public static final int RANDOM_FORWARDING_TABLE = 0x001a;
  public static final int MULTICAST_FORWARDING_TABLE = 0x001b;
  public static final int SM_INFO = 0x0020;
  public static final int VENDOR_DIAG = 0x0030;
  public static final int LED_INFO = 0x0031;

  /** What an agent of a class can do; of all classes but subnet management (section 13.4.8.1). */
  public static final int CLASS_PORT_INFO = 0x0001;

  /** Performance management: counters of 4 to 32 bits, which stop at their largest value. */
  public static final int PORT_COUNTERS = 0x0012;

  /** Performance management: counters of 64 bits. */
  public static final int PORT_COUNTERS_EXTENDED = 0x001d;

  /** Vendor attribute of Mellanox devices. */
  public static final int MLNX_EXT_PORT_INFO = 0xff90;

  private AttributeId() {}

  /** The name in the specification, or the number. */
  public static String name(int id) {
    return switch (id) {
      case NOTICE -> "Notice";
      case NODE_DESCRIPTION -> "NodeDescription";
      case NODE_INFO -> "NodeInfo";
      case SWITCH_INFO -> "SwitchInfo";
      case GUID_INFO -> "GUIDInfo";
      case PORT_INFO -> "PortInfo";
      case P_KEY_TABLE -> "P_KeyTable";
      case SL_TO_VL_MAPPING_TABLE -> "SLtoVLMappingTable";
      case VL_ARBITRATION_TABLE -> "VLArbitrationTable";
      case LINEAR_FORWARDING_TABLE -> "LinearForwardingTable";
      case RANDOM_FORWARDING_TABLE -> "RandomForwardingTable";
      case MULTICAST_FORWARDING_TABLE -> "MulticastForwardingTable";
      case SM_INFO -> "SMInfo";
      case VENDOR_DIAG -> "VendorDiag";
      case LED_INFO -> "LedInfo";
      case MLNX_EXT_PORT_INFO -> "MlnxExtPortInfo";
      default -> String.format("attribute 0x%04x", id);
    };
  }
}
