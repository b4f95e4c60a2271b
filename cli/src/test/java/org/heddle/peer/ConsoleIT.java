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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

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
    Program.need(Program.CHROMIUM);
  }

  private PeerProcess serve(String... more) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--open", "--listen", "127.0.0.1:0", "--data"));
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
    browser.await("document.getElementById('decision').classList.contains('" + is + "')");
  }

  private static String text(Chromium browser, String id) {
    return browser.value("document.getElementById('" + id + "').innerText").asString();
  }

  private static int pixels(Chromium browser) {
    return browser
        .value(
            "(async () => { await new Promise("
                + "r => requestAnimationFrame(() => requestAnimationFrame(r)));"
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
    browser.await("!document.getElementById('admit').disabled");
    browser.click("#admit");
    browser.await("document.querySelectorAll('#tenants li').length === " + tenants);
    browser.await("document.documentElement.dataset.epoch === '" + tenants + "'");
  }

  /** Opens the page and waits until everything is there. */
  private static void open(Chromium browser, String address) {
    browser.open("about:blank");
    browser.open(address);
    browser.await("document.documentElement.dataset.ready");
  }

  private static void tab(Chromium browser, String name) {
    browser.click("#tab-" + name);
    browser.await("!document.getElementById('part-" + name + "').hidden");
  }

  private static int count(Chromium browser, String selector) {
    return browser.value("document.querySelectorAll('" + selector + "').length").asInt();
  }

  /** Posts a body to the server itself. */
  private static String post(String address, String path, String token, String body)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(address + path))
              .POST(HttpRequest.BodyPublishers.ofString(body));
      if (!token.isEmpty()) {
        request.header("Authorization", "Bearer " + token);
      }
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
      return answer.body();
    }
  }

  @Test
  void threeTenantsAreAdmittedByMouseOneIsRefusedAndOneGoes() throws Exception {
    try (PeerProcess serve = serve();
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      String address = address(serve);
      open(browser, address);
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
      browser.click("[data-role=smaller]");
      decision(browser, "accepted");
      browser.click("#clear");

      browser.await("document.getElementById('sync').textContent === 'fabric is as wanted'");
      browser.click("#modes input[value=load]");
      browser.await("document.querySelector('#legend').innerText.includes('–100 (')");
      browser.click("#modes input[value=sharing]");
      browser.scheme("dark");
      browser.await("document.querySelector('#legend').innerText.includes('three or more')");
      browser.click("button[data-go=\"genomics\"]");
      browser.await("document.getElementById('ask').open");
      browser.await("!document.getElementById('ask-yes').hidden");
      assertThat(text(browser, "ask-text")).contains("100 hosts", "blocks of");
      picture(browser, "console-diff");
      browser.click("#ask-yes");
      browser.await("document.querySelectorAll('#tenants li').length === 2");
      eventsOfThePast(browser, address);
    }
  }

  /** The picture may have a tenant before the page knows that its own request made it. */
  @Test
  @Tag("slow")
  void whatIsTypedWhileATenantIsAdmittedStays() throws Exception {
    try (PeerProcess serve = serve();
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      open(browser, address(serve));
      browser.value(
          "(() => { const sent = fetch; window.answered = 0;"
              + " window.fetch = async (path, more) => {"
              + " if (!String(path).startsWith('/v1/jobs/')) return sent(path, more);"
              + " while (!window.typed) await new Promise(r => setTimeout(r, 20));"
              + " const got = await sent(path, more); window.answered++; return got; };"
              + " return 0; })()");
      fill(browser, "physics", 60);
      decision(browser, "accepted");
      browser.click("#admit");
      browser.await("document.querySelectorAll('#tenants li').length === 1");
      fill(browser, "genomics", 100);
      decision(browser, "accepted");
      browser.value("window.typed = 1");
      browser.await("window.answered > 0 && !document.getElementById('admit').disabled");
      assertThat(browser.value("document.getElementById('name').value").asString())
          .isEqualTo("genomics");
      assertThat(text(browser, "decision")).contains("Can be admitted", "100 hosts");
      browser.click("#admit");
      browser.await("document.querySelectorAll('#tenants li').length === 2");
    }
  }

  /** A page that is opened later shows the events before, each once, and then the next. */
  private static void eventsOfThePast(Chromium browser, String address) throws Exception {
    open(browser, address);
    tab(browser, "activity");
    browser.await("document.getElementById('events').innerText.includes('tenant-deleted')");
    assertThat(text(browser, "events")).contains("tenant-created physics", "weather", "in-sync");
    browser.await("document.getElementById('live').textContent === 'live'");
    post(address, "v1/tenants", "", "{\"name\":\"late\",\"hosts\":3}");
    browser.await("document.getElementById('events').innerText.includes('late')");
    JsonNode counts = // of one moment: the next event may come any time
        browser.value(
            "(() => { const all = [...document.querySelectorAll('#events li')];"
                + " return [new Set(all.map(e => e.dataset.key)).size, all.length]; })()");
    assertThat(counts.get(0).asInt()).isEqualTo(counts.get(1).asInt()).isGreaterThanOrEqualTo(5);
    browser.type("#event-subject", "late");
    browser.await("document.querySelectorAll('#events li').length === 1");
    picture(browser, "console-activity");
  }

  @Test
  void changesAreCollectedWorkedOutTogetherAppliedAndGoOutOfDate() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;6,8;1,6)");
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      String address = address(serve);
      open(browser, address);
      admit(browser, "green", 40, 1);
      browser.click("button[data-go=\"green\"]");
      browser.click("#ask-keep");
      drafted(browser, "1 change in the plan");
      fill(browser, "red", 30);
      decision(browser, "refused");
      browser.await(
          "document.getElementById('decision').innerText"
              + ".includes('Together with the 1 change in the plan: it goes')");
      browser.click("#keep");
      drafted(browser, "2 changes in the plan");
      fill(browser, "blue", 7);
      decision(browser, "accepted");
      browser.click("#keep");
      drafted(browser, "3 changes in the plan");
      picture(browser, "console-collect");
      browser.click("#drafted");
      browser.await("document.activeElement.id === 'drawn-up'");
      assertThat(text(browser, "draft"))
          .contains("1. let green go", "2. admit red (30 hosts, own links)", "3. admit blue");
      browser.value(
          "document.querySelector('[data-key=\"create blue\"] [data-role=drop]').focus()");
      browser.press("Enter");
      drafted(browser, "2 changes in the plan");
      assertThat(browser.value("document.activeElement.dataset.role").asString())
          .isEqualTo("drop"); // of the change before it
      browser.click("#draft-make");
      browser.await("document.getElementById('plan').innerText.includes('proven')");
      assertThat(text(browser, "plan")).contains("red admitted", "green goes", "written");
      browser.await("document.querySelectorAll('#draft li').length === 0");
      picture(browser, "console-plan");
      apply(browser, 2);
      browser.await("document.getElementById('count').textContent === '1'");
      aPlanGoesOutOfDate(browser, address);
    }
  }

  private static void drafted(Chromium browser, String text) {
    browser.await("document.getElementById('drafted').textContent === '" + text + "'");
  }

  private static void apply(Chromium browser, int epoch) {
    browser.click("#plan-apply");
    browser.click("#ask-yes");
    browser.await(
        "document.getElementById('plan').innerText.includes('Applied, epoch " + epoch + "')");
  }

  /** A plan that is shown while somebody else changes something; tried again it can be applied. */
  private static void aPlanGoesOutOfDate(Chromium browser, String address) throws Exception {
    tab(browser, "tenants");
    fill(browser, "blue", 7);
    decision(browser, "accepted");
    browser.click("#keep");
    browser.click("#drafted");
    browser.click("#draft-make");
    browser.await("document.getElementById('plan').innerText.includes('blue admitted')");
    post(address, "v1/tenants", "", "{\"name\":\"other\",\"hosts\":2}");
    browser.await("document.getElementById('plan').innerText.includes('Out of date')");
    assertThat(count(browser, "#plan-apply")).isZero();
    browser.click("#plan-again");
    browser.await("document.getElementById('plan').innerText.includes('Plan 3')");
    apply(browser, 4);
    browser.await("document.getElementById('count').textContent === '3'");
    browser.click("[data-plan=\"2\"]");
    browser.await("document.getElementById('plan').innerText.includes('Out of date')");
    browser.click("#plan-edit");
    drafted(browser, "1 change in the plan");
  }

  @Test
  void whatBreaksAPromiseIsTakenOutOfServiceByForceAfterAQuestion() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;6,8;1,6)");
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      String address = address(serve);
      post(address, "v1/tenants", "", "{\"name\":\"red\",\"hosts\":48}");
      open(browser, address);
      browser.type("#find-text", "S1_0");
      browser.press("Enter");
      browser.click("[data-drain]");
      browser.await("!document.getElementById('ask-force').hidden");
      assertThat(text(browser, "ask-text")).contains("would lose what they were promised: red");
      assertThat(count(browser, "#ask-yes:not([hidden])")).isZero();
      browser.click("#ask-force");
      browser.await("!document.getElementById('ask-yes').hidden");
      assertThat(text(browser, "ask-text")).contains("red loses what was promised", "Really");
      assertThat(browser.value("document.activeElement.id").asString()).isEqualTo("ask-no");
      picture(browser, "console-force");
      browser.press("Enter"); // no
      browser.await("!document.getElementById('ask').open");
      browser.click("[data-drain]");
      browser.click("#ask-force");
      browser.click("#ask-yes");
      browser.await("document.getElementById('selection').innerText.includes('Return to service')");
      browser.await("document.getElementById('broken').textContent === '1 promise broken'");
      browser.click("#broken");
      browser.await("document.activeElement.id === 'status-title'");
      assertThat(text(browser, "status-list"))
          .contains("promise broken red", "out of service: switch S1_0");
      assertThat(text(browser, "legend")).contains("out of service");
      picture(browser, "console-broken");
    }
  }

  @Test
  void hostsAreNamedAndWhatIsSelectedIsTold() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;6,8;1,6)");
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      open(browser, address(serve));
      browser.type("#name", "picked");
      browser.click("#more summary");
      browser.type("#named", "H_0_[0-2],H_1_5");
      decision(browser, "accepted");
      assertThat(text(browser, "decision")).contains("4 hosts on 2 leaves", "H_1_5");
      browser.type("#named", "H_0_[0-2],nobody");
      decision(browser, "refused");
      assertThat(text(browser, "decision")).contains("no host is called nobody");
      browser.type("#named", "H_0_[0-2],H_1_5");
      decision(browser, "accepted");
      browser.click("#admit");
      browser.await("document.documentElement.dataset.epoch === '1'");

      browser.type("#find-text", "H_1_5");
      browser.press("Enter");
      browser.await("document.getElementById('selection').innerText.includes('H_1_5')");
      assertThat(text(browser, "selection")).contains("GUID", "LID", "picked", "S1_1");
      browser.type("#find-text", "S2_0");
      browser.press("Enter");
      browser.await("document.getElementById('selection').innerText.includes('S2_0')");
      assertThat(text(browser, "selection")).contains("8 of 8 linked", "S1_7");
      browser.click("[data-role=\"what-if\"]");
      browser.await("document.getElementById('ask-text').innerText.includes('written')");
      browser.press("Escape");
      browser.await("!document.getElementById('ask').open");
      browser.click("[data-role=\"port 2\"]");
      browser.await("document.getElementById('selection').innerText.includes('Link S1_1')");
      picture(browser, "console-selected");
    }
  }

  @Test
  @Tag("slow")
  void aMachineMovesAndALinkIsTakenOutOfServiceAndReturned() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;6,8;1,6)");
        Chromium browser = Chromium.start(directory, 1400, 900)) {
      String address = address(serve);
      post(address, "v1/tenants", "", "{\"name\":\"red\",\"hosts\":9,\"policy\":\"def\"}");
      post(address, "v1/vms", "", "{\"name\":\"web\",\"tenant\":\"red\",\"host\":\"H_0_0\"}");
      open(browser, address);
      tab(browser, "machines");
      browser.click("[data-move=web]");
      browser.await("document.activeElement.id === 'to-web'");
      for (int hosts = 0; hosts < 6; hosts++) {
        browser.press("ArrowDown"); // beyond the leaf: the first of another one
      }
      decisionOfMoves(browser);
      assertThat(text(browser, "moves-say")).contains("web: H_0_0", "switches change", "(SMPs)");
      picture(browser, "console-machines");
      browser.click("#moves-apply");
      browser.await("document.getElementById('migrations').innerText.includes('done')");
      assertThat(text(browser, "vm-list")).doesNotContain("H_0_0");

      browser.type("#find-text", "S2_5");
      browser.press("Enter");
      browser.await("document.querySelector('[data-role=\"port 8\"]')");
      browser.click("[data-role=\"port 8\"]");
      browser.await("document.getElementById('selection').innerText.includes('Link S1_7')");
      for (String next : List.of("Return to service", "Take out of service")) {
        int before = pixels(browser);
        browser.click("[data-drain]");
        browser.await("!document.getElementById('ask-yes').hidden");
        assertThat(text(browser, "ask-text")).contains("proven");
        browser.click("#ask-yes");
        browser.await("!document.getElementById('ask').open");
        browser.await("document.getElementById('selection').innerText.includes('" + next + "')");
        serve.await("another picture", () -> pixels(browser) != before);
      }
    }
  }

  private static void decisionOfMoves(Chromium browser) {
    browser.await("!document.getElementById('moves-apply').disabled");
  }

  @Test
  void thePictureIsUsableByKeys() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;4,8;1,4)");
        Chromium browser = Chromium.start(directory, 1000, 700)) {
      open(browser, address(serve));
      browser.value("document.getElementById('picture').focus()");
      browser.press("ArrowRight");
      assertThat(text(browser, "detail")).contains("S1_0", "4 hosts");
      browser.press("ArrowDown");
      browser.press("ArrowRight");
      assertThat(text(browser, "detail")).contains("H_0_1", "without tenant", "LID");
      browser.press("Enter");
      browser.await("document.getElementById('selection').innerText.includes('H_0_1')");
      browser.press("ArrowLeft");
      browser.press("ArrowUp");
      browser.press("ArrowRight");
      browser.press("ArrowUp");
      assertThat(text(browser, "detail")).contains("root", "8 cables");
      browser.press("End");
      assertThat(text(browser, "detail")).contains("S2_3");
      browser.press("Home");
      assertThat(text(browser, "detail")).contains("S2_0");
      browser.press("Escape");
      assertThat(text(browser, "detail")).isEmpty();
      assertThat(browser.value("document.activeElement.id").asString()).isEqualTo("picture");
      String unnamed =
          "[...document.querySelectorAll('input,select')]"
              + ".filter(e => e.labels.length === 0 && !e.ariaLabel)";
      assertThat(browser.value(unnamed + ".length").asInt()).isZero();
      browser.value("document.getElementById('tab-tenants').focus()");
      browser.value("document.getElementById('tab-selected').focus()");
      browser.press("ArrowLeft");
      browser.await("!document.getElementById('part-activity').hidden");
    }
  }

  @Test
  @Tag("slow")
  void viewersAndTenantsAreOfferedNoMoreThanTheyMay() throws Exception {
    try (PeerProcess serve = serve("--fabric", "XGFT(2;6,8;1,6)");
        Chromium browser = Chromium.start(directory, 1200, 800)) {
      String address = address(serve);
      String root = token(address, "", "{\"name\":\"root\",\"role\":\"provider\"}");
      String eye = token(address, root, "{\"name\":\"eye\",\"role\":\"viewer\"}");
      String red = token(address, root, "{\"name\":\"r\",\"role\":\"tenant\",\"tenant\":\"red\"}");
      for (String name : List.of("red", "blue")) {
        String body = "{\"name\":\"%s\",\"owner\":\"%s\",\"hosts\":5}".formatted(name, name);
        post(address, "v1/tenants", root, body);
      }
      login(browser, address, eye);
      browser.await("document.querySelectorAll('#tenants li').length === 2");
      assertThat(text(browser, "who")).isEqualTo("eye (viewer)");
      assertThat(count(browser, "#admission:not([hidden])")).isZero();
      assertThat(count(browser, "[data-go]")).isZero();
      assertThat(count(browser, "#tab-plans:not([hidden])")).isOne();

      login(browser, address, red);
      browser.await("document.querySelectorAll('#tenants li').length === 1");
      assertThat(browser.value("document.body.innerText").asString()).doesNotContain("blue");
      assertThat(count(browser, "#tab-plans:not([hidden]), #more:not([hidden])")).isZero();
      assertThat(count(browser, "#mode-sharing:not([hidden])")).isZero(); // it tells of others
      browser.value("document.getElementById('picture').focus()");
      browser.press("ArrowRight");
      assertThat(text(browser, "detail")).contains("yours").doesNotContain("without tenant");
      fill(browser, "red.two", 3);
      decision(browser, "accepted");
      browser.click("#admit");
      browser.await("document.querySelectorAll('#tenants li').length === 2");
      tab(browser, "activity");
      browser.await("document.getElementById('events').innerText.includes('red.two')");
      assertThat(text(browser, "events")).doesNotContain("blue");
    }
  }

  private static String token(String address, String by, String body) throws Exception {
    Matcher m =
        Pattern.compile("\"access_token\":\"([^\"]+)\"")
            .matcher(post(address, "v1/tokens", by, body));
    assertThat(m.find()).isTrue();
    return m.group(1);
  }

  private static void login(Chromium browser, String address, String token) {
    browser.open(address);
    browser.await("document.getElementById('login')");
    browser.value("sessionStorage.clear()");
    browser.open("about:blank");
    browser.open(address);
    browser.await("document.getElementById('login')?.open");
    browser.type("#token", token);
    browser.press("Enter");
    browser.await("document.documentElement.dataset.ready");
  }

  @Test
  @Tag("slow")
  void aPageLivesThroughARestartOfTheController() throws Exception {
    List<String> options = List.of("--data", directory.resolve("data").toString());
    try (ServeProcess one = new ServeProcess(directory, "one", options);
        Chromium browser = Chromium.start(directory, 1200, 800)) {
      one.start("serving at");
      open(browser, one.base() + "/");
      admit(browser, "red", 5, 1);
      one.kill();
      browser.await("!document.getElementById('trouble').hidden");
      assertThat(text(browser, "trouble")).contains("does not answer");
      fill(browser, "blue", 4);
      one.start("serving at");
      browser.await("document.getElementById('trouble').hidden");
      decision(browser, "accepted");
      browser.click("#admit");
      browser.await("document.querySelectorAll('#tenants li').length === 2");
      browser.await("document.getElementById('live').textContent === 'live'");
      tab(browser, "activity");
      browser.await("document.getElementById('events').innerText.includes('blue')");
    }
  }

  @Test
  @Tag("slow")
  void aPageOfAStandbySaysSoAndGoesOnOnceItLeads() throws Exception {
    Program.need(Program.POSTGRES);
    Path file = directory.resolve("serve.yaml");
    Files.writeString(file, "version: 1\ndatabase_user: " + PostgresCluster.USER + "\n");
    try (PostgresCluster cluster = PostgresCluster.start(directory)) {
      List<String> options = List.of("--config", file.toString(), "--database", cluster.url());
      try (ServeProcess leader = new ServeProcess(directory, "a", options);
          ServeProcess standby = new ServeProcess(directory, "b", options);
          Chromium browser = Chromium.start(directory, 1200, 800)) {
        leader.start("serving at");
        post(leader.base() + "/", "v1/tenants", "", "{\"name\":\"red\",\"hosts\":5}");
        standby.start("standing by at");
        browser.open(standby.base() + "/");
        browser.await(
            "(t => t?.includes('stands by') && t.includes('"
                + leader.base()
                + "'))(document.getElementById('trouble')?.innerText)");
        leader.kill();
        browser.await("document.documentElement.dataset.ready");
        browser.await("document.querySelectorAll('#tenants li').length === 1");
        browser.await("document.getElementById('trouble').hidden");
      }
    }
  }

  @Test
  void planesStandSideBySide() throws Exception {
    StringBuilder net = new StringBuilder();
    for (int plane = 0; plane < 2; plane++) {
      for (int leaf = 0; leaf < 3; leaf++) {
        net.append("Switch 8 \"P%dL%d\"\n".formatted(plane, leaf));
        for (int h = 0; h < 4; h++) {
          net.append("[%d] \"H%d-%d\"[%d]\n".formatted(h + 1, leaf, h, plane + 1));
        }
        for (int s = 0; s < 2; s++) {
          net.append("[%d] \"P%dS%d\"[%d]\n".formatted(s + 5, plane, s, leaf + 1));
        }
      }
      for (int s = 0; s < 2; s++) {
        net.append("Switch 3 \"P%dS%d\"\n".formatted(plane, s));
      }
    }
    for (int h = 0; h < 12; h++) {
      net.append("Hca 2 \"H%d-%d\"\n".formatted(h / 4, h % 4));
    }
    Path file = directory.resolve("planes.net");
    Files.writeString(file, net);
    try (PeerProcess serve = serve("--fabric", file.toString());
        Chromium browser = Chromium.start(directory, 1200, 800)) {
      open(browser, address(serve));
      browser.value("document.getElementById('picture').focus()");
      for (int leaf = 0; leaf < 4; leaf++) {
        browser.press("ArrowRight");
        assertThat(text(browser, "detail")).contains("plane " + leaf / 3);
      }
      browser.press("ArrowUp");
      assertThat(text(browser, "detail")).contains("root", "plane 1");
      picture(browser, "console-planes");
    }
  }

  @Test
  @Tag("slow")
  void elevenThousandHostsAreThereAtOnce() throws Exception {
    try (PeerProcess serve = serve("--fabric", LARGE);
        Chromium browser = Chromium.start(directory, 1400, 860)) {
      String address = address(serve);
      awaitInSync(serve, address);
      List<Integer> millis = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        open(browser, address);
        browser.await("document.documentElement.dataset.painted"); // a frame may come late
        millis.add(browser.value("Number(document.documentElement.dataset.painted)").asInt());
      }
      System.err.println("ConsoleIT, 11,664 hosts: picture after " + millis + " ms");
      assertThat(millis).allMatch(m -> m > 0); // how many depends on the machine
      admit(browser, "climate", 2500, 1);
      admit(browser, "materials", 1800, 2);
      admit(browser, "imaging", 700, 3);
      browser.await("document.getElementById('sync').textContent === 'fabric is as wanted'");
      picture(browser, "console-large");
      assertThat(text(browser, "fabric")).contains("11,664 hosts");
    }
  }
}
