package org.heddle.mad;

/** Management classes (section 13.4.4). */
public final class ManagementClass {
  /** Subnet management, LID-routed. */
  public static final int SUBNET_LID = 0x01;

  /** Subnet administration. */
  public static final int SUBNET_ADMINISTRATION = 0x03;

  /** Performance management. */
  public static final int PERFORMANCE = 0x04;

  /** Subnet management by directed route. */
  public static final int SUBNET_DIRECTED = 0x81;

  private ManagementClass() {}

  /** True for both classes of subnet management. */
  public static boolean isSubnetManagement(int managementClass) {
    return managementClass == SUBNET_LID || managementClass == SUBNET_DIRECTED;
  }
}
