package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done to a file is seen, and a file that nobody touches is not read for ever. */
class WrittenFilesTest {
  @TempDir Path directory;

  private Instant now = Instant.now();
  private final WrittenFiles files = new WrittenFiles(() -> now);

  private Path file(String name) {
    return directory.resolve(name);
  }

  private void write(String name, String text) throws IOException {
    Path beside = file("." + name);
    Files.writeString(beside, text);
    WrittenFiles.Fresh fresh = WrittenFiles.Fresh.read(beside, _ -> {});
    files.put(
        file(name),
        fresh,
        () -> Files.move(beside, file(name), StandardCopyOption.REPLACE_EXISTING));
  }

  @BeforeEach
  void written() throws IOException {
    write("opensm.conf", "a 1\nb 2\n");
    write("partitions.conf", "Default=0x7fff : ALL=limited ;\nred=0x0101 : 0x7=full ;\n");
  }

  @Test
  void whatNobodyTouchedIsAsItWas() {
    assertThat(files.look()).isEmpty();
    now = now.plusSeconds(60);
    assertThat(files.look()).isEmpty();
    assertThat(files.damages()).isZero();
  }

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private void seen(String name, String told, Damage damage) throws IOException {
    now = now.plusSeconds(60);
    files.look();
    byte[] before = Files.readAllBytes(file(name));
    long damages = files.damages();
    damage.to(file(name));
    assertThat(files.look()).singleElement().asString().startsWith(name).contains(told);
    assertThat(files.look()).as("until it is right").hasSize(1);
    assertThat(files.wrong()).isEqualTo(1);
    assertThat(files.damages()).isEqualTo(damages + 1);
    write(name, new String(before, java.nio.charset.StandardCharsets.UTF_8));
    assertThat(files.look()).singleElement().asString().contains("OpenSM may have read that");
    assertThat(files.wrong()).isZero();
    files.told();
    assertThat(files.look()).isEmpty();
  }

  @Test
  void everyDamageIsSeenUntilTheFileIsRightAndOpensmWasTold() throws IOException {
    seen("opensm.conf", "it is gone", Files::delete);
    seen("opensm.conf", "line 2 is 'b 3'", f -> Files.writeString(f, "a 1\nb 3\n"));
    seen("opensm.conf", "it ends after line 0", f -> Files.writeString(f, ""));
    seen("opensm.conf", "line 3 is 'c'", f -> Files.writeString(f, "a 1\nb 2\nc"));
    seen(
        "opensm.conf",
        "cannot be read",
        f -> {
          Files.delete(f);
          Files.createDirectory(f);
          Files.writeString(f.resolve("x"), "so that it cannot be replaced by a file");
          Files.delete(f.resolve("x"));
        });
    seen(
        "partitions.conf",
        "0x0000000000000009 is a limited member of 0x0101",
        f ->
            Files.writeString(f, Files.readString(f).replace("0x7=full", "0x7=full, 0x9=limited")));
    seen(
        "partitions.conf",
        "0x0000000000000007 is no member of 0x0101",
        f -> Files.writeString(f, Files.readString(f).replace("0x7=full", "")));
    seen(
        "partitions.conf",
        "partition 0x0101 is gone",
        f -> Files.writeString(f, "Default=0x7fff : ALL=limited ;\n"));
    seen(
        "partitions.conf",
        "ALL is a full member of 0x7fff",
        f -> Files.writeString(f, Files.readString(f).replace("limited", "full")));
    seen("partitions.conf", "lets every port into", f -> Files.writeString(f, "\0\1garbage\n;"));
    seen(
        "partitions.conf",
        "permissions",
        f -> Files.setPosixFilePermissions(f, PosixFilePermissions.fromString("rwxrwxrwx")));
  }

  /** With size, time and name as they were; only the inode's own time tells. */
  @Test
  void aFileThatOnlyLooksAsItWasIsSeen() throws IOException {
    files.look();
    now = now.plusSeconds(60);
    assertThat(files.look()).isEmpty();
    FileTime time = Files.getLastModifiedTime(file("opensm.conf"));
    Files.writeString(file("opensm.conf"), "a 2\nb 1\n");
    Files.setLastModifiedTime(file("opensm.conf"), time);
    assertThat(files.look()).singleElement().asString().contains("line 1 is 'a 2'");
  }

  /** Away for a moment between two looks: OpenSM may have looked just then. */
  @Test
  void aFileThatCameBackIsToldUntilOpensmIs() throws IOException {
    files.look();
    Path away = file("away");
    Files.move(file("partitions.conf"), away);
    Files.copy(away, file("partitions.conf"));
    assertThat(files.look()).singleElement().asString().contains("touched meanwhile");
    assertThat(files.wrong()).isZero();
    files.told();
    assertThat(files.look()).isEmpty();
    now = now.plusSeconds(60);
    assertThat(files.look()).isEmpty();
  }

  @Test
  void filesThatAreNotUsedAnyMoreAreForgotten() throws IOException {
    Files.delete(file("opensm.conf"));
    assertThat(files.look()).hasSize(1);
    files.retain(List.of("partitions.conf"));
    assertThat(files.look()).isEmpty();
  }

  /** Any sequence of writes by others: right and untouched, or told of. */
  @Test
  void nothingThatOthersWriteIsTakenForOurs() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    String ours = Files.readString(file("opensm.conf"));
    for (int i = 0; i < 300; i++) {
      now = now.plusMillis(random.nextInt(1_500));
      List<String> done = new ArrayList<>();
      for (int k = random.nextInt(3); k > 0; k--) {
        String text = random.nextBoolean() ? ours : ours.replace('1', (char) ('2' + k));
        done.add(text);
        Files.writeString(file("opensm.conf"), text);
      }
      String last = done.isEmpty() ? ours : done.getLast();
      List<String> told = files.look();
      if (!last.equals(ours)) {
        assertThat(told).as("%d: %s", i, done).hasSize(1);
        write("opensm.conf", ours);
        files.look();
      }
      files.told();
      assertThat(files.look()).as("%d", i).isEmpty();
    }
  }
}
