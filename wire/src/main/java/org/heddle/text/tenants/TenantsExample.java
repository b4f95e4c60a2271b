package org.heddle.text.tenants;

import java.util.List;

/** The text of the file that {@code heddle tenants init} writes. */
final class TenantsExample {
  private static final String HEAD =
      """
      # Tenants of an InfiniBand fabric. Check this file with
      #   heddle tenants validate FILE FABRIC
      #   heddle tenants explain FILE FABRIC
      version: 1

      # strict: routing fails if a policy cannot be kept. best-effort: it is kept as far as
      # possible, and the rest is reported.
      mode: best-effort

      # Data virtual lanes the hardware has (1..15; 8 on many switches).
      data_lanes: 8

      # Largest share of the channels between switches that tenants with policy phy may take.
      physical_share: 50%

      # Tenants that may share channels and lanes with each other whatever their policy:
      # sharing:
      #   - [blue, green]

      # How much traffic hosts receive, 1..100, in all their tenants (default 1):
      # weights:
      #   store*: 50

      tenants:
        - name: blue
          # 15 bits; 0x8101 is the same key with the full-member bit. auto lets Heddle choose.
          pkey: 0x0101
          # phy: shares no channel between switches with anybody.
          # vlane: shares channels, but on lanes of its own. def: as far as possible.
          policy: phy
          # No host of this tenant may be in another one.
          exclusive: true
          members:
      """;

  private static final String SECOND =
      """
        - name: green
          pkey: auto
          policy: vlane
          members:
      """;

  private static final String TAIL =
      """
            # A port that the fabric does not have yet (a virtual function) is kept as pending:
            # - 0x0002c90300a1b2c3
            # Storage that everybody reaches, and that reaches nobody by itself:
            # - hosts: store*
            #   membership: limited
            # One rail of hosts with several adapters:
            # - hosts: gpu[01-08]
            #   hca: mlx5_0
            # Any free hosts, close together:
            # - count: 4
      """;

  private TenantsExample() {}

  static String text(List<String> first, List<String> second, String special) {
    StringBuilder out = new StringBuilder(HEAD);
    members(first, out);
    if (!special.isEmpty()) {
      out.append("    # Weights in this tenant only:\n");
      out.append("    weights:\n      ").append(special).append(": 20\n");
    }
    out.append('\n').append(SECOND);
    members(second, out);
    return out.append(TAIL).toString();
  }

  private static void members(List<String> expressions, StringBuilder out) {
    if (expressions.isEmpty()) {
      int lineEnd = out.length() - 1;
      out.insert(lineEnd, " []");
    }
    for (String expression : expressions) {
      out.append("      - ").append(expression).append('\n');
    }
  }
}
