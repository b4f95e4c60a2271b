package org.heddle.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.heddle.draw.layout.Cables;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.SlowLinks;
import org.heddle.topology.TreeFinding;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class FabricDrawingTest {
  private static final DrawOptions PLAIN = DrawOptions.defaults();

  @Test
  void everySwitchAndHostOfATreeIsDrawnOnceWithinThePage() throws Exception {
    for (String spec :
        List.of(
            "XGFT(2;4,8;1,4)", "XGFT(3;6,6,6;1,6,6)", "XGFT(4;2,3,2,3;1,2,2,2)", "XGFT(1;5;1)")) {
      Fabric fabric = Samples.tree(spec);
      Document svg = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN));
      assertAllDrawn(svg, fabric);
      assertWithinPage(svg);
    }
  }

  @Test
  void everySwitchAndHostOfARefusedFabricIsDrawnOnceWithinThePage() throws Exception {
    for (Fabric fabric :
        List.of(
            Samples.ring(8, 3),
            Samples.ring(50, 2),
            Samples.ring(90, 1),
            Samples.damaged("XGFT(3;6,6,6;1,6,6)", 0.05))) {
      Document svg = parse(Samples.draw(fabric, Samples.refused("a loop"), PLAIN));
      assertAllDrawn(svg, fabric);
      assertWithinPage(svg);
      assertThat(texts(svg)).contains("No fat-tree: a loop");
    }
  }

  @Test
  void aLargeFabricStaysSmallAndCountsEveryHost() throws Exception {
    Fabric fabric = Samples.tree("XGFT(3;18,18,36;1,18,18)");
    byte[] bytes = Samples.draw(fabric, Samples.found(fabric), PLAIN.withLoad(Samples.loads()));
    assertThat(bytes.length).isLessThan(2_000_000);
    Document svg = parse(bytes);
    assertThat(sum(svg, "data-hosts")).isEqualTo(11_664);
    assertThat(ids(svg, "data-switch")).hasSize(1_620);
    assertThat(sum(svg, "data-links")).as("bundled links above level 2").isEqualTo(11_664);
    assertWithinPage(svg);
  }

  @Test
  void theSameFabricGivesTheSameBytes() {
    byte[] first = drawDamaged();
    assertThat(drawDamaged()).isEqualTo(first);
  }

  private static byte[] drawDamaged() {
    Fabric fabric = Samples.damaged("XGFT(3;6,6,6;1,6,6)", 0.05);
    DrawOptions options = PLAIN.withLoad(Samples.loads()).withTheme(Theme.AUTO);
    return Samples.draw(fabric, Samples.found(fabric), options);
  }

  @Test
  void missingLinksAreDrawnAndCounted() throws Exception {
    Fabric fabric = Samples.damaged("XGFT(3;6,6,6;1,6,6)", 0.05);
    int whole = new Cables(Samples.tree("XGFT(3;6,6,6;1,6,6)"), new int[108]).cables();
    int left = new Cables(fabric, new int[108]).cables();
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN));
    assertThat(titles(svg).stream().filter(t -> t.startsWith("missing: 1 link")))
        .hasSize(whole - left);
    assertThat(texts(svg)).contains(whole - left + " links missing");

    Document without =
        parse(Samples.draw(fabric, Samples.found(fabric), PLAIN.withFindings(false)));
    assertThat(titles(without)).noneMatch(t -> t.startsWith("missing"));
  }

  @Test
  void slowLinksAreMarkedAndCounted() throws Exception {
    for (String spec : List.of("XGFT(2;4,8;1,4)", "XGFT(3;6,6,6;1,6,6)")) {
      Fabric whole = FabricShuffle.ports(Samples.tree(spec), 3);
      Fabric fabric = FabricExtras.withSlowHosts(FabricExtras.withSlowLinks(whole, 0.1, 1), 0.1, 1);
      List<TreeFinding> slow = SlowLinks.find(fabric, Samples.found(fabric));
      Document svg = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN));
      for (TreeFinding f : slow) {
        assertThat(titles(svg)).anyMatch(t -> t.contains(f.message()));
      }
      long links =
          slow.stream()
              .filter(f -> fabric.isSwitch(fabric.peerNode(fabric.port(f.node(), f.port()))))
              .count();
      assertThat(links).isGreaterThan(0).isLessThan(slow.size());
      assertThat(
              elements(svg, "g").stream()
                  .filter(g -> g.getAttribute("class").equals("sl"))
                  .toList())
          .hasSize(2) // the links, and the key
          .anySatisfy(
              g -> assertThat(g.getElementsByTagName("path").getLength()).isEqualTo((int) links));
      assertThat(texts(svg)).contains(slow.size() + " links slower than their peers", "slow link");
      assertThat(texts(parse(Samples.draw(whole, Samples.found(whole), PLAIN))))
          .doesNotContain("slow");
    }
  }

  @Test
  void aSwitchWithAFindingIsMarkedAndSaysWhy() throws Exception {
    Fabric fabric = Samples.tree("XGFT(2;4,8;1,4)");
    TreeFinding finding = new TreeFinding("odd", "port 5 flaps", 3, 5);
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric, finding), PLAIN));
    List<Element> bad = new ArrayList<>();
    for (Element e : elements(svg, "rect")) {
      if (e.hasAttribute("data-switch") && e.getAttribute("class").contains("bad")) {
        bad.add(e);
      }
    }
    assertThat(bad).hasSize(1);
    assertThat(bad.getFirst().getAttribute("data-switch")).isEqualTo("3");
    assertThat(bad.getFirst().getTextContent()).endsWith("port 5 flaps");
  }

  @Test
  void smallDrawingsColourBothDirectionsAndTooltipsTellThem() throws Exception {
    Fabric fabric = Samples.tree("XGFT(2;2,2;1,1)");
    int up = fabric.port(0, 3);
    DrawOptions options = PLAIN.withLoad(port -> port == up ? 2 : fabric.peer(port) == up ? 1 : 0);
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric), options));
    assertThat(titles(svg)).anyMatch(t -> t.endsWith("destinations per channel: 2 up, 1 down"));
    assertThat(classes(svg)).contains("q0", "q1", "u");
    assertThat(texts(svg)).contains("destinations per channel", "unused");

    Document down =
        parse(Samples.draw(fabric, Samples.found(fabric), options.withLoadView(LoadView.DOWN)));
    assertThat(classes(down)).contains("q0").doesNotContain("q1");
  }

  @Test
  void namesWithMarkupAndControlCharactersStayText() throws Exception {
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(1, 4, "a<b> & \"c\" 'd'\u0007\ud800\ufffe");
    b.addCa(2, 1, "]]>\n\u0000;\ud83d\ude00");
    b.connect(1, 1, 0, 1);
    Fabric fabric = b.build();
    DrawOptions options = PLAIN.withTitle("</title>&\u001b[1m").withSubtitle("\u0085x");
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric), options));
    assertThat(titles(svg)).contains("</title>&\u241b[1m");
    assertThat(titles(svg)).anyMatch(t -> t.startsWith("a<b> & \"c\" 'd'\u2407\ufffd\ufffd (0x"));
    assertThat(titles(svg)).anyMatch(t -> t.startsWith("]]>\u240a\u2400;\ud83d\ude00 (0x"));
  }

  @Test
  void managedSwitchesAreCalledByTheirShortName() throws Exception {
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(1, 4, "MF0;leaf-7:MQM8700/U1");
    b.addCa(2, 1, "n1 HCA-1");
    b.connect(1, 1, 0, 1);
    Fabric fabric = b.build();
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN));
    assertThat(texts(svg)).contains("leaf-7", "n1 HCA-1");
    assertThat(titles(svg)).anyMatch(s -> s.startsWith("MF0;leaf-7:MQM8700/U1 (0x"));
  }

  @Test
  void aRecognisedTreeIsCalledByItsShape() throws Exception {
    Fabric fabric = Samples.damaged("XGFT(3;6,6,6;1,6,6)", 0.05);
    Document svg = parse(Samples.draw(fabric, FatTreeRecogniser.recognise(fabric), PLAIN));
    assertThat(texts(svg)).anyMatch(s -> s.contains("levels, damaged XGFT(3;6,6,6;1,6,6): 216"));
    assertAllDrawn(svg, fabric);
  }

  @Test
  void fabricsWithoutSwitchesOrWithoutAnythingAreDrawn() throws Exception {
    Fabric nothing = new FabricBuilder().build();
    parse(Samples.draw(nothing, Samples.refused("no switch"), PLAIN.withLoad(p -> 1)));

    FabricBuilder b = new FabricBuilder();
    b.addCa(1, 1, "left");
    b.addCa(2, 1, "right");
    b.addCa(3, 0, "alone");
    b.connect(0, 1, 1, 1);
    Fabric pair = b.build();
    Document svg = parse(Samples.draw(pair, Samples.refused("no switch"), PLAIN));
    assertAllDrawn(svg, pair);
    assertThat(texts(svg)).contains("left", "right", "alone");
  }

  @Test
  void switchesOutsideTheTreeAndUnconnectedOnesAreDrawn() throws Exception {
    FabricBuilder b = new FabricBuilder();
    for (int i = 0; i < 3; i++) {
      b.addSwitch(0x10 + i, 8, "sw" + i);
      b.addCa(0x100 + i, 1, "h" + i);
    }
    b.connect(0, 1, 2, 1);
    b.connect(1, 1, 0, 5);
    b.connect(3, 1, 2, 5);
    Fabric fabric = b.build();
    Recognition onlyFirst =
        new Recognition.Found(new FatTree(1, new int[] {1, 0, 0}, new int[] {0}), List.of());
    Document tree = parse(Samples.draw(fabric, onlyFirst, PLAIN));
    assertAllDrawn(tree, fabric);
    Document graph = parse(Samples.draw(fabric, Samples.refused("parts"), PLAIN));
    assertAllDrawn(graph, fabric);
    assertWithinPage(graph);
  }

  @Test
  void furtherPortsOfAHostAreDrawnButNotCountedAsHosts() throws Exception {
    Fabric fabric = Samples.tree("PGFT(2;4,4;2,2;1,1)");
    Document svg = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN));
    assertAllDrawn(svg, fabric);
    assertThat(ids(svg, "data-port")).hasSize(16);
    assertThat(texts(svg)).contains("further port of a host", "plane 1: 16 hosts");
  }

  @Test
  void aggregationNodesAreNoHosts() throws Exception {
    Fabric fabric = FabricExtras.withAggregationNodes(Samples.tree("XGFT(2;4,8;1,4)"));
    Recognition tree = Samples.found(Samples.tree("XGFT(2;4,8;1,4)"));
    Document svg = parse(Samples.draw(fabric, tree, PLAIN));
    assertThat(texts(svg))
        .anyMatch(t -> t.contains(": 32 hosts, ") && t.contains("12 aggregation nodes"));
    assertAllDrawn(svg, fabric);
  }

  @Test
  void hostColoursComeFromTheCallerAndMustBeColours() throws Exception {
    Fabric fabric = Samples.tree("XGFT(2;4,8;1,4)");
    Recognition tree = Samples.found(fabric);
    int host = fabric.switchCount();
    DrawOptions options = PLAIN.withHostColour(n -> n == host ? "#e15759" : null);
    Document svg = parse(Samples.draw(fabric, tree, options));
    List<Element> coloured = new ArrayList<>();
    for (Element e : elements(svg, "rect")) {
      if (e.getAttribute("style").equals("fill:#e15759")) {
        coloured.add(e);
      }
    }
    assertThat(coloured).hasSize(1);
    assertThat(coloured.getFirst().getAttribute("data-host")).isEqualTo("" + host);
    DrawOptions wrong = PLAIN.withHostColour(n -> "red;stroke:url(x)");
    assertThatThrownBy(() -> Samples.draw(fabric, tree, wrong))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLegendNamesAsManyColoursAsFitAndCountsTheRest() throws Exception {
    Fabric fabric = Samples.tree("XGFT(2;4,8;1,4)");
    Recognition tree = Samples.found(fabric);
    List<DrawOptions.Key> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(new DrawOptions.Key(TenantColours.of(i), "tenant-" + i));
    }
    Document svg = parse(Samples.draw(fabric, tree, PLAIN.withLegend(keys)));
    List<String> words = elements(svg, "text").stream().map(Element::getTextContent).toList();
    long shown = words.stream().filter(w -> w.startsWith("tenant-")).count();
    assertThat(shown).isBetween(3L, 99L);
    assertThat(words).contains("tenant-0", "and " + (100 - shown) + " more");
    Document two = parse(Samples.draw(fabric, tree, PLAIN.withLegend(keys.subList(0, 2))));
    words = elements(two, "text").stream().map(Element::getTextContent).toList();
    assertThat(words).contains("tenant-0", "tenant-1").noneMatch(w -> w.startsWith("and "));
  }

  @Test
  void coloursOfTenantsAreDistinctAndWellFormed() {
    List<String> colours = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      colours.add(TenantColours.of(i));
    }
    assertThat(colours).allMatch(c -> c.matches("#[0-9a-f]{6}")).doesNotHaveDuplicates();
  }

  @Test
  void theThemeDecidesTheColoursAndPaperIsAlwaysWhite() {
    Fabric fabric = Samples.tree("XGFT(2;2,2;1,2)");
    String light = text(fabric, Theme.LIGHT);
    String dark = text(fabric, Theme.DARK);
    String auto = text(fabric, Theme.AUTO);
    assertThat(light).contains(".bg{fill:#ffffff}").doesNotContain("@media");
    assertThat(dark).contains(".bg{fill:#12171d}").contains("@media print{.bg{fill:#ffffff}");
    assertThat(auto).contains("@media (prefers-color-scheme:dark){.bg{fill:#12171d}");
  }

  private static String text(Fabric fabric, Theme theme) {
    DrawOptions options = PLAIN.withTheme(theme);
    return new String(Samples.draw(fabric, Samples.found(fabric), options), StandardCharsets.UTF_8);
  }

  @Test
  void drawingsAreAccessible() throws Exception {
    Fabric fabric = Samples.tree("XGFT(2;2,2;1,2)");
    Element root = parse(Samples.draw(fabric, Samples.found(fabric), PLAIN)).getDocumentElement();
    assertThat(root.getAttribute("role")).isEqualTo("img");
    String[] labels = root.getAttribute("aria-labelledby").split(" ");
    List<String> found = new ArrayList<>();
    for (int i = 0; i < root.getChildNodes().getLength(); i++) {
      if (root.getChildNodes().item(i) instanceof Element e && e.hasAttribute("id")) {
        found.add(e.getAttribute("id"));
        assertThat(e.getTextContent()).isNotBlank();
      }
    }
    assertThat(found).containsExactly(labels);
  }

  /** Rewrite the golden file with {@code -Dheddle.golden.update=true} and look at the picture. */
  @Test
  void aSmallTreeLooksAsItDid() throws IOException {
    Fabric fabric = Samples.tree("XGFT(2;2,2;1,2)");
    DrawOptions options =
        PLAIN.withTitle("Four hosts").withLoad(port -> fabric.numberOf(port) > 2 ? 1 : 2);
    byte[] drawn = Samples.draw(fabric, Samples.found(fabric), options);
    if (Boolean.getBoolean("heddle.golden.update")) {
      java.nio.file.Files.write(
          java.nio.file.Path.of("src/test/resources/org/heddle/draw/four-hosts.svg"), drawn);
    }
    try (InputStream in = getClass().getResourceAsStream("four-hosts.svg")) {
      assertThat(new String(drawn, StandardCharsets.UTF_8))
          .isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void anyFabricWithAnyLevelsIsDrawnCompletely() throws Exception {
    for (int seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = Samples.random(random);
      int[] level = new int[fabric.switchCount()];
      int height = random.nextInt(1, 5);
      Arrays.setAll(level, i -> random.nextInt(height + 1));
      int[] leaves = IntStream.range(0, level.length).filter(i -> level[i] == 1).toArray();
      Recognition claimed = new Recognition.Found(new FatTree(height, level, leaves), List.of());
      DrawOptions options = PLAIN.withLoad(port -> port % 40 - 1);
      assertAllDrawn(parse(Samples.draw(fabric, claimed, options)), fabric);
      assertAllDrawn(parse(Samples.draw(fabric, Samples.refused("random"), options)), fabric);
    }
  }

  private static Document parse(byte[] svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg));
  }

  private static List<Element> elements(Document svg, String name) {
    NodeList nodes = svg.getElementsByTagName(name);
    List<Element> out = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      out.add((Element) nodes.item(i));
    }
    return out;
  }

  private static List<String> texts(Document svg) {
    return elements(svg, "text").stream().map(Element::getTextContent).toList();
  }

  private static List<String> titles(Document svg) {
    return elements(svg, "title").stream().map(Element::getTextContent).toList();
  }

  private static Set<String> classes(Document svg) {
    Set<String> out = new HashSet<>();
    elements(svg, "path").forEach(e -> out.add(e.getAttribute("class")));
    return out;
  }

  /** Values of an id attribute; each may appear only once. */
  private static Set<Integer> ids(Document svg, String attribute) {
    Set<Integer> out = new HashSet<>();
    for (Element e : elements(svg, "*")) {
      if (e.hasAttribute(attribute)) {
        assertThat(out.add(Integer.valueOf(e.getAttribute(attribute))))
            .as(attribute + " " + e.getAttribute(attribute) + " drawn once")
            .isTrue();
      }
    }
    return out;
  }

  private static int sum(Document svg, String attribute) {
    int sum = 0;
    for (Element e : elements(svg, "*")) {
      sum += e.hasAttribute(attribute) ? Integer.parseInt(e.getAttribute(attribute)) : 0;
    }
    return sum;
  }

  private static void assertAllDrawn(Document svg, Fabric fabric) {
    assertThat(ids(svg, "data-switch")).hasSize(fabric.switchCount());
    assertThat(ids(svg, "data-host")).hasSize(fabric.nodeCount() - fabric.switchCount());
  }

  /** No switch or host sticks out of the page, and no two switches overlap. */
  private static void assertWithinPage(Document svg) {
    Element root = svg.getDocumentElement();
    double width = Double.parseDouble(root.getAttribute("width"));
    double height = Double.parseDouble(root.getAttribute("height"));
    List<double[]> switches = new ArrayList<>();
    for (Element e : elements(svg, "rect")) {
      if (e.hasAttribute("data-switch") || e.hasAttribute("data-host")) {
        double[] box = new double[4];
        String[] names = {"x", "y", "width", "height"};
        for (int i = 0; i < 4; i++) {
          box[i] = Double.parseDouble(e.getAttribute(names[i]));
        }
        assertThat(box[0]).isNotNegative();
        assertThat(box[1]).isNotNegative();
        assertThat(box[0] + box[2]).isLessThan(width);
        assertThat(box[1] + box[3]).isLessThan(height);
        if (e.hasAttribute("data-switch")) {
          switches.add(box);
        }
      }
    }
    switches.sort((a, b) -> Double.compare(a[0], b[0]));
    for (int i = 0; i < switches.size(); i++) {
      double[] a = switches.get(i);
      for (int k = i + 1; k < switches.size() && switches.get(k)[0] < a[0] + a[2]; k++) {
        double[] b = switches.get(k);
        assertThat(b[1] >= a[1] + a[3] || a[1] >= b[1] + b[3]).as("switches apart").isTrue();
      }
    }
  }
}
