package org.heddle.text.state;

import org.heddle.addressing.AddressingOptions;
import org.heddle.fabric.Guid;

/**
 * Writes a file of virtual machines as JSON: one machine or hypervisor a line, keys in a fixed
 * order, so that the same state gives the same bytes and a difference shows what has changed. Every
 * text is read back and compared before it is returned.
 */
public final class VmFileWriter {
  private VmFileWriter() {}

  /**
   * The text of a state.
   *
   * @throws IllegalArgumentException if the content breaks a rule of the format, such as a LID that
   *     is used twice
   */
  public static byte[] write(VmFile file) {
    StringBuilder out = StateText.begin(VmFile.VERSION, file.fabric());
    options(file.options(), out);
    out.append("  \"next_vguid\": \"0x").append(Guid.hex16(file.nextVguid())).append("\",\n");
    out.append("  \"hypervisors\": [");
    StateText.list(file.hypervisors().stream().map(VmFileWriter::hypervisor).toList(), "  ", out);
    out.append("],\n  \"machines\": [");
    StateText.list(file.machines().stream().map(VmFileWriter::machine).toList(), "  ", out);
    out.append("]\n}\n");
    return StateText.proven(out, file.source(), file, VmFileReader::read, VmFile::canonical);
  }

  private static void options(AddressingOptions o, StringBuilder out) {
    out.append("  \"scheme\": \"").append(o.scheme().key()).append("\",\n");
    out.append("  \"lid_order\": \"").append(VmFileReader.word(o.order())).append("\",\n");
    out.append("  \"functions\": ").append(o.functions()).append(",\n");
    out.append("  \"table_entries\": ").append(o.fdbCapacity()).append(",\n");
    out.append("  \"pkey_table\": ").append(o.pkeyTable()).append(",\n");
    out.append("  \"gid_prefix\": \"0x").append(Guid.hex16(o.gidPrefix())).append("\",\n");
    out.append("  \"first_vguid\": \"0x").append(Guid.hex16(o.firstVguid())).append("\",\n");
  }

  private static String hypervisor(VmFile.Hypervisor h) {
    return "{\"port\": \""
        + h.port()
        + "\", \"name\": "
        + StateText.quoted(h.name())
        + ", \"lids\": "
        + h.lids()
        + "}";
  }

  private static String machine(VmFile.Machine m) {
    return ("{\"id\": \"%s\", \"vguid\": \"%s\", \"host\": \"%s\", \"function\": %d, \"lid\": %d,"
            + " \"own_lid\": %b, \"weight\": %d, \"pkeys\": %s}")
        .formatted(
            m.id(), m.vguid(), m.host(), m.function(), m.lid(), m.ownLid(), m.weight(), m.pkeys());
  }
}
