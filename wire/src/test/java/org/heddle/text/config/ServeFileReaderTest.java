package org.heddle.text.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.junit.jupiter.api.Test;

class ServeFileReaderTest {
  private static Parsed<ServeFile> read(String text) {
    return ServeFileReader.read(Source.of("serve.yaml", text));
  }

  @Test
  void whatIsNotSaidIsLeftOpen() {
    assertThat(read("version: 1\n").get()).isEqualTo(ServeFile.EMPTY);
  }

  @Test
  void everyKeyIsRead() {
    ServeFile file =
        read("""
        version: 1
        listen: 127.0.0.1:8480
        data: /var/lib/heddle
        database: jdbc:postgresql://localhost/heddle
        database_user: heddle
        database_password_file: /etc/heddle/password
        fabric: XGFT(2;4,4;1,4)
        agent: opensm
        engine: ftree
        machines: m.yaml
        interval_ms: 500
        correct_drift: false
        files: /etc/heddle/opensm
        via: umad:mlx5_0
        reload: [systemctl, kill, -s, HUP, opensm]
        tls_keystore: /etc/heddle/tls.p12
        tls_password_file: /etc/heddle/tls.password
        settle_ms: 3000
        requests_per_second: 7
        provider_requests_per_second: 700
        failures_per_minute: 0
        write_drift: false
        opensm_conf: /etc/opensm/opensm.conf
        m_key_file: /etc/heddle/m_key
        tenant_keys: 0x4000-0x7ffe
        job_keys: 1 - 16383
        plugins: /usr/lib/heddle/plugins
        open: true
        connections_per_address: 20
        keep_history: 0
        keep_audit: 5000
        archive: /var/backups/heddle
        proxies: [10.0.0.1, "2001:db8::/32"]
        tls_client_ca_file: /etc/heddle/clients.pem
        tls_client_required: true
        quotas:
          "*": {hosts: 8, requests_per_second: 5}
          blue: {hosts: 16, links: 40, vms: 3}
        """)
            .get();
    assertThat(file.listen()).contains("127.0.0.1:8480");
    assertThat(file.data()).contains("/var/lib/heddle");
    assertThat(file.database()).contains("jdbc:postgresql://localhost/heddle");
    assertThat(file.databaseUser()).contains("heddle");
    assertThat(file.databasePasswordFile()).contains("/etc/heddle/password");
    assertThat(file.fabric()).contains("XGFT(2;4,4;1,4)");
    assertThat(file.agent()).contains("opensm");
    assertThat(file.engine()).contains("ftree");
    assertThat(file.machines()).contains("m.yaml");
    assertThat(file.intervalMillis()).isEqualTo(500);
    assertThat(file.correctDrift()).isFalse();
    assertThat(file.files()).contains("/etc/heddle/opensm");
    assertThat(file.via()).contains("umad:mlx5_0");
    assertThat(file.reload()).containsExactly("systemctl", "kill", "-s", "HUP", "opensm");
    assertThat(file.tlsKeystore()).contains("/etc/heddle/tls.p12");
    assertThat(file.tlsPasswordFile()).contains("/etc/heddle/tls.password");
    assertThat(file.settleMillis()).isEqualTo(3000);
    assertThat(file.limits()).isEqualTo(new ServeFile.Limits(7, 700, 0));
    assertThat(file.live().writeDrift()).isFalse();
    assertThat(file.live().opensmConf()).contains("/etc/opensm/opensm.conf");
    assertThat(file.live().mKeyFile()).contains("/etc/heddle/m_key");
    assertThat(file.keys())
        .isEqualTo(
            new ServeFile.Keys(
                Optional.of(new ServeFile.KeyRange(0x4000, 0x7ffe)),
                Optional.empty(),
                Optional.of(new ServeFile.KeyRange(1, 0x3fff))));
    assertThat(file.plugins()).contains("/usr/lib/heddle/plugins");
    assertThat(file.open()).isTrue();
    assertThat(file.keep())
        .isEqualTo(new ServeFile.Keep(0, 100_000, 5000, Optional.of("/var/backups/heddle")));
    assertThat(file.network())
        .isEqualTo(
            new ServeFile.Network(
                20,
                List.of("10.0.0.1", "2001:db8::/32"),
                Optional.of("/etc/heddle/clients.pem"),
                true));
    assertThat(file.quotas())
        .isEqualTo(
            Map.of(
                "*",
                new ServeFile.Quota(
                    OptionalInt.of(8), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(5)),
                "blue",
                new ServeFile.Quota(
                    OptionalInt.of(16),
                    OptionalInt.of(40),
                    OptionalInt.of(3),
                    OptionalInt.empty())));
  }

  @Test
  void aRangeOfKeysThatIsNoneIsRefused() {
    for (String range : List.of("0x7fff", "0-5", "5-4", "1-0x7fff", "a-b", "1-2-3", "[1, 2]")) {
      assertThat(read("version: 1\njob_keys: " + range + "\n").problems())
          .as(range)
          .extracting(Problem::line)
          .contains(2);
    }
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() {
    Parsed<ServeFile> parsed =
        read("version: 2\nagents: x\nagent: sm\ninterval_ms: soon\nreload: [a, [b]]\n");
    assertThat(parsed.ok()).isFalse();
    assertThat(parsed.problems())
        .extracting(Problem::line)
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(read("").ok()).isFalse();
    assertThat(read("- a\n").ok()).isFalse();
  }

  @Test
  void whoMeantToHaveTlsDoesNotGetHttpInClear() {
    Parsed<ServeFile> parsed = read("version: 1\n#tls_keystore: x\ntls_password_file: y\n");
    assertThat(parsed.ok()).isFalse();
    assertThat(parsed.problems()).extracting(Problem::line).containsExactly(3);
    assertThat(parsed.problems().getFirst().message()).contains("without 'tls_keystore'");
  }

  @Test
  void aNearKeyIsOfferedInAWholeSentence() {
    assertThat(read("version: 1\nlistn: x\n").problems().getFirst().message())
        .startsWith("unknown key 'listn' of a configuration; did you mean 'listen'?");
  }

  @Test
  void proxiesAndQuotasThatAreNoneAreRefused() {
    for (String line :
        List.of(
            "proxies: [front.example.org]",
            "proxies: [10.0.0.0/33]",
            "proxies: [10.0.0.0/]",
            "quotas: 8",
            "quotas: {blue: 8}",
            "quotas: {blue: {host: 8}}",
            "quotas: {blue: {hosts: -1}}",
            "tls_client_ca_file: x",
            "tls_client_required: true")) {
      assertThat(read("version: 1\n" + line + "\n").problems())
          .as(line)
          .extracting(Problem::line)
          .contains(2);
    }
  }
}
