package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.Main;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a browser without a screen, against {@code heddle serve} as a process of its own.
 * With {@code -Dheddle.console.pictures=DIR} pictures of the page are left there.
 */
class ConsoleIT {
  private static final Pattern ADDRESS = Pattern.compile("console: (http://[0-9.:]+/)");
  private static final String LARGE = "XGFT(3;18,18,36;1,18,18)";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void browser() {
    Chromium.assumePresent();
  }

  private PeerProcess serve(String... more) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--listen", "127.0.0.1:0", "--data"));
    command.add(directory.resolve("data").toString());
    command.addAll(List.of(more));
    return PeerProcess.start(directory, directory.resolve("serve.out"), Map.of(), command);
  }

  private String address(PeerProcess serve) {
    String[] found = new String[1];
    serve.await(
        "address of the console",
        () -> {
          Matcher m = ADDRESS.matcher(Peers.tail(directory.resolve("serve.out")));
          found[0] = m.find() ? m.group(1) : null;
          return found[0] != null;
        });
    return found[0];
  }

  private static void awaitInSync(PeerProcess serve, String address) {
    URI uri = URI.create(address + "v1/fabrics");
    try (HttpClient client = HttpClient.newHttpClient()) {
      serve.await(
          "sync",
          () ->
              client
                  .sendAsync(
                      HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                  .join()
                  .body()
                  .contains("\"in_sync\":true"));
    }
  }

  private static void picture(Chromium browser, String name) throws Exception {
    String to = System.getProperty("heddle.console.pictures");
    if (to != null) {
      Files.write(Path.of(to).resolve(name + ".png"), browser.screenshot());
    }
  }

  private static void fill(Chromium browser, String name, int hosts) {
    browser.type("#name", name);
    browser.type("#hosts", Integer.toString(hosts));
  }

  private static void decision(Chromium browser, String is) {
    browser.await("document.getElementById('decision').className === '" + is + "'");
  }

  private static String text(Chromium browser, String id) {
    return browser.value("document.getElementById('" + id + "').innerText").asString();
  }

  private static int pixels(Chromium browser) {
    return browser
        .value(
            "(async () => { await new Promise(r => setTimeout(r, 0));"
                + " const p = document.getElementById('picture');"
                + " const d = p.getContext('2d').getImageData(0, 0, p.width, p.height).data;"
                + " let h = 0; for (let i = 0; i < d.length; i++) h = (h * 31 + d[i]) | 0;"
                + " return h; })()")
        .asInt();
  }

  private static void admit(Chromium browser, String name, int hosts, int tenants) {
    fill(browser, name, hosts);
    decision(browser, "accepted");
    assertThat(text(browser, "decision")).contains("Can be admitted", "%,d hosts".formatted(hosts));
    browser.click("#admit");
    browser.await("document.querySelectorAll('#tenants li').length === " + tenants);
    browser.await("document.documentElement.dataset.epoch === '" + tenants + "'");
  }

  @Test
  void threeTenantsAreAdmittedByClickOneIsRefusedAndOneGoes() throws Exception {
    try (PeerProcess serve = serve();
        Chromium browser = Chromium.start(directory, 1400, 860)) {
      browser.open(address(serve));
      browser.await("document.documentElement.dataset.painted");
      browser.await("document.getElementById('live').textContent === 'live'");
      int empty = pixels(browser);
      admit(browser, "physics", 60, 1);
      int one = pixels(browser);
      admit(browser, "genomics", 100, 2);
      fill(browser, "weather", 45);
      decision(browser, "accepted");
      picture(browser, "console-admit");
      browser.click("#admit");
      browser.await("document.documentElement.dataset.epoch === '3'");
      assertThat(List.of(empty, one, pixels(browser))).doesNotHaveDuplicates();

      fill(browser, "greedy", 500);
      decision(browser, "refused");
      assertThat(text(browser, "decision")).contains("Refused", "free hosts: 119");
      picture(browser, "console-refused");
      browser.click("#clear");

      browser.await("document.getElementById('sync').textContent === 'fabric is as wanted'");
      browser.await("document.getElementById('events').innerText.includes('in-sync')");
      assertThat(text(browser, "events")).contains("tenant-created physics", "weather");
      browser.click("#modes input[value=sharing]");
      browser.scheme("dark");
      browser.await("document.querySelector('#legend').innerText.includes('three or more')");

      browser.click("button[data-go=\"genomics\"]");
      browser.await("document.getElementById('ask').open");
      assertThat(text(browser, "ask-text")).contains("100 hosts", "blocks of");
      picture(browser, "console-diff");
      browser.click("#ask-yes");
      browser.await("document.getElementById('events').innerText.includes('tenant-deleted')");
      browser.await("document.querySelectorAll('#tenants li').length === 2");
    }
  }

  @Test
  void thePictureIsUsableByKeys() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;4,8;1,4)");
        Chromium browser = Chromium.start(directory, 1000, 700)) {
      browser.open(address(serve));
      browser.await("document.documentElement.dataset.painted");
      browser.value("document.getElementById('picture').focus()");
      browser.press("ArrowRight");
      assertThat(text(browser, "detail")).contains("S1_0", "4 hosts");
      browser.press("ArrowRight");
      browser.press("ArrowUp");
      assertThat(text(browser, "detail")).contains("root", "8 cables");
      String unnamed =
          "[...document.querySelectorAll('input,select')].filter(e => e.labels.length === 0)";
      assertThat(browser.value(unnamed + ".length").asInt()).isZero();
    }
  }

  @Test
  void elevenThousandHostsAreThereAtOnce() throws Exception {
    try (PeerProcess serve = serve("--fabric", LARGE);
        Chromium browser = Chromium.start(directory, 1400, 860)) {
      String address = address(serve);
      awaitInSync(serve, address);
      List<Integer> millis = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        browser.open("about:blank");
        browser.open(address);
        browser.await("document.documentElement.dataset.painted");
        millis.add(browser.value("Number(document.documentElement.dataset.painted)").asInt());
      }
      System.err.println("ConsoleIT, 11,664 hosts: picture after " + millis + " ms");
      admit(browser, "climate", 2500, 1);
      admit(browser, "materials", 1800, 2);
      admit(browser, "imaging", 700, 3);
      browser.await("document.getElementById('sync').textContent === 'fabric is as wanted'");
      picture(browser, "console-large");
      assertThat(text(browser, "fabric")).contains("11,664 hosts");
    }
  }
}
