package org.heddle.draw;

import java.util.ArrayList;
import java.util.List;
import org.heddle.draw.layout.Names;
import org.heddle.draw.layout.TreeShape;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.topology.Recognition;
import org.heddle.topology.ShapeFit;

/** The words of a drawing: heading, what the fabric is, what is wrong with it. */
final class Summary {
  private Summary() {}

  static String title(Scene scene) {
    String title = scene.options().title().strip();
    if (!title.isEmpty()) {
      return title;
    }
    return "Fabric of "
        + Counted.machines(scene.fabric())
        + " and "
        + Names.count(scene.fabric().switchCount(), "switch", "switches");
  }

  /** One sentence a line; the first says the shape. */
  static List<String> lines(Scene scene) {
    List<String> lines = new ArrayList<>();
    if (!scene.options().subtitle().isBlank()) {
      lines.add(scene.options().subtitle().strip());
    }
    lines.add(shape(scene));
    String damage = damage(scene);
    if (!damage.isEmpty()) {
      lines.add(damage);
    }
    return lines;
  }

  private static String shape(Scene scene) {
    Fabric fabric = scene.fabric();
    StringBuilder text = new StringBuilder();
    if (scene.recognition() instanceof Recognition.Found found) {
      text.append("Fat-tree of ").append(Names.count(found.tree().levels(), "level", "levels"));
      found.tree().fit().ifPresent(fit -> text.append(fitted(fit)));
      text.append(": ");
    }
    text.append(Counted.machines(scene.fabric()));
    text.append(", ").append(Names.count(fabric.switchCount(), "switch", "switches"));
    scene.shape().ifPresent(tree -> levels(text, tree));
    if (scene.cables().cables() > 0) {
      text.append(", ").append(Names.count(scene.cables().cables(), "cable", "cables"));
      text.append(" between them");
    }
    if (scene.hosts().routers() > 0) {
      text.append(", ").append(Names.count(scene.hosts().routers(), "router", "routers"));
    }
    if (scene.hosts().aggregations() > 0) {
      text.append(", ")
          .append(
              Names.count(scene.hosts().aggregations(), "aggregation node", "aggregation nodes"));
    }
    return text.toString();
  }

  private static String fitted(ShapeFit fit) {
    return switch (fit.match()) {
      case EXACT -> ", " + fit.shape();
      case DAMAGED -> ", damaged " + fit.shape();
      case APPROXIMATE -> ", nearest to " + fit.shape();
    };
  }

  private static void levels(StringBuilder text, TreeShape tree) {
    if (tree.levels() < 2) {
      return;
    }
    for (int level = 1; level <= tree.levels(); level++) {
      text.append(level == 1 ? " (" : " + ").append(Names.count(tree.row(level).length));
    }
    text.append(')');
  }

  private static String damage(Scene scene) {
    if (!scene.options().findings()) {
      return "";
    }
    if (scene.recognition() instanceof Recognition.Refused refused) {
      return refused.findings().isEmpty()
          ? "No fat-tree"
          : "No fat-tree: " + refused.findings().getFirst().message();
    }
    int missing = scene.missingCables();
    int findings = scene.recognition().findings().size();
    List<String> parts = new ArrayList<>();
    if (missing > 0) {
      parts.add(Names.count(missing, "link", "links") + " missing");
    }
    if (scene.slowCables() > 0) {
      parts.add(Names.count(scene.slowCables(), "link", "links") + " slower than their peers");
    }
    if (findings > 0) {
      parts.add(Names.count(findings, "finding", "findings"));
    }
    return String.join(", ", parts);
  }
}
