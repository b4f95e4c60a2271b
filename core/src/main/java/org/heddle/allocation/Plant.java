package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/**
 * A fat-tree as an allocator sees it: leaves with slots for hosts, and links with coordinates that
 * mean the same thing all over the tree.
 *
 * <p><b>Position</b>: an up-link of a leaf. Two leaves of one sub-tree that use the same position
 * meet at the same level-2 switch, and a flow that goes up at a position comes down at the same
 * one, in whatever sub-tree. <b>Plane</b>: what the level-2 switches of a position are called, one
 * (or none) a sub-tree; parallel links between a leaf and a level-2 switch are positions of the
 * same plane. <b>Root link</b>: an up-link of a level-2 switch, numbered inside its plane so that
 * equal numbers lead to the same root. Trees of two levels have one sub-tree and no root links.
 * Levels above the third are not used: their links belong to nobody.
 *
 * <p>What the fabric lacks is missing here: a dead link has no port ({@link Fabric#NONE}), and
 * neither has one that is slower than the machines that it would serve ({@link #isSlow}); a dead
 * host has no slot, a missing level-2 switch no links. Hosts on upper switches, aggregation nodes
 * and routers are not allocatable.
 *
 * <p><b>Machines.</b> What has a slot, and what is counted as a host, is a machine with all its
 * adapters ({@link org.heddle.fabric.Machines}). A leaf of a plant is a <i>unit</i>: one leaf
 * switch if its machines have one adapter, else all the leaf switches that the same machines have.
 *
 * <p><b>Rails.</b> What the machines of a unit have on one of its leaf switches, or one adapter of
 * each if they have several on a switch, is a rail. A coordinate stands for one link in each rail,
 * and is there only if all rails of the unit have it. No link is in two rails, whether these are
 * separate trees or share switches. So what is found for one adapter a machine holds on every rail
 * at the same time. In units that are not regular, where some machines share leaves and others do
 * not, and for traffic across rails ({@link Rails#JOINED}), every leaf of a tenant's units gets the
 * same positions, as many as a unit has machines of it.
 *
 * <p>Immutable; accessors are O(1). Indices: sub-tree t, leaf l (those of a sub-tree are
 * contiguous), slot s, position p, plane q, root link r.
 */
public final class Plant {
  final Fabric fabric;
  final PlantShape shape;

  Plant(Fabric fabric, PlantShape shape) {
    this.fabric = fabric;
    this.shape = shape;
  }

  /** A plant, or why there is none. */
  public sealed interface Outcome {
    /**
     * It is there.
     *
     * @param notes what is not used and why, one sentence each
     */
    record Built(Plant plant, List<String> notes) implements Outcome {
      public Built {
        notes = List.copyOf(notes);
      }
    }

    /** No allocator can work on this fabric. */
    record Unsupported(String reason) implements Outcome {}
  }

  /** The plant of a recognised tree. O(links). */
  public static Outcome of(Fabric fabric, FatTree tree) {
    return PlantBuilder.build(fabric, tree);
  }

  /**
   * The plant of an undamaged tree.
   *
   * @throws IllegalArgumentException if the tree has no leaf with hosts
   */
  public static Plant of(TreeSpec spec) {
    Fabric fabric = TreeGenerator.generate(spec);
    Recognition found = FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE);
    if (found instanceof Recognition.Found f && of(fabric, f.tree()) instanceof Outcome.Built b) {
      return b.plant();
    }
    throw new IllegalArgumentException("no allocator can work on " + spec);
  }

  /**
   * Rails of one tree, or of islands that no machine joins.
   *
   * @param first the first of them
   * @param leaves leaf switches a unit has in it at most
   * @param lanes rails of one leaf switch: {@code first + leaf * lanes + lane}
   */
  public record Block(int first, int leaves, int lanes) {}

  /** The fabric whose node and port ids are used here. */
  public Fabric fabric() {
    return fabric;
  }

  // ---- hosts

  /** Number of allocatable hosts. */
  public int hostCount() {
    return shape.hostCount;
  }

  /** Number of sub-trees: groups of leaves that meet at level-2 switches. */
  public int subtreeCount() {
    return shape.firstLeaf.length - 1;
  }

  /** First leaf of a sub-tree; {@code firstLeaf(subtreeCount())} is the number of leaves. */
  public int firstLeaf(int subtree) {
    return shape.firstLeaf[subtree];
  }

  /** Number of leaves. */
  public int leafCount() {
    return shape.leafSubtree.length;
  }

  /** Sub-tree of a leaf. */
  public int subtreeOf(int leaf) {
    return shape.leafSubtree[leaf];
  }

  /**
   * The island of a leaf: switches join its hosts to those of the same island, whoever has the
   * links, and to no others.
   */
  public int islandOf(int leaf) {
    return shape.leafIsland[leaf];
  }

  /** Number of islands, at least 1. */
  public int islands() {
    return shape.islands;
  }

  /** The leaf switch, in the first rail. */
  public int leafSwitch(int leaf) {
    return shape.leafSwitch[0][leaf];
  }

  /** The leaf switch of a rail, {@link Fabric#NONE} if the unit has no such rail. */
  public int leafSwitch(int rail, int leaf) {
    return shape.leafSwitch[rail][leaf];
  }

  /** True if the switch is a leaf of the unit. */
  boolean isAt(int leaf, int sw) {
    return Arrays.binarySearch(shape.switches[leaf], sw) >= 0;
  }

  /** Leaf switches of a unit, ascending. A copy. */
  public int[] switches(int leaf) {
    return shape.switches[leaf].clone();
  }

  /** Number of host slots of a leaf. */
  public int slots(int leaf) {
    return shape.hosts[leaf].length;
  }

  /** Number of host slots of a sub-tree. */
  public int slotsOfSubtree(int subtree) {
    return shape.subtreeSlots[subtree];
  }

  /** Largest number of slots a leaf has. */
  public int maxSlots() {
    return shape.maxSlots;
  }

  /** Node id of the first adapter in a slot; slots are in the order of the leaf's ports. */
  public int host(int leaf, int slot) {
    return shape.hosts[leaf][slot];
  }

  /** Number of adapters of the machine that has that first adapter. */
  public int adapterCount(int host) {
    return fabric.machines().adapterCount(fabric.machines().of(host));
  }

  /** Node id of the i-th adapter of the machine that has that first adapter. */
  public int adapter(int host, int i) {
    return fabric.machines().adapter(fabric.machines().of(host), i);
  }

  /** What to call the machine: the adapter's description if it has one adapter only. */
  public String name(int host) {
    return adapterCount(host) == 1
        ? fabric.description(host)
        : fabric.machines().name(fabric.machines().of(host));
  }

  /** Leaf of a host, or {@link Fabric#NONE} if the node is not allocatable. */
  public int leafOfHost(int node) {
    return shape.hostLeaf[node];
  }

  /**
   * Why the machine of an adapter has no place although it is cabled to the tree, as the end of a
   * sentence about it; empty for nodes of machines that have one, and others.
   */
  public Optional<String> whyLeftOut(int node) {
    int machine = fabric.machines().of(node);
    return machine == Fabric.NONE
        ? Optional.empty()
        : Optional.ofNullable(shape.why[machine]).map(why -> why.words);
  }

  /** How many machines are left out, and why: a sentence for each reason, with the first one. */
  public List<String> leftOut() {
    return leftOut(fabric, shape.why);
  }

  static List<String> leftOut(Fabric fabric, MachineUnits.Why[] why) {
    List<String> out = new ArrayList<>();
    for (MachineUnits.Why reason : MachineUnits.Why.values()) {
      int n = 0;
      int first = Fabric.NONE;
      for (int m = why.length - 1; m >= 0; m--) {
        if (why[m] == reason) {
          n++;
          first = m;
        }
      }
      if (n > 0) {
        out.add(
            (n == 1 ? "%s not allocated: %s %s" : "%s not allocated, like %s, which %s")
                .formatted(
                    Counted.of(n, "machine is", "machines are"),
                    fabric.machines().name(first),
                    reason.words));
      }
    }
    return out;
  }

  /** The first adapters of the machines that some nodes are in; those of none are left out. */
  public BitSet machines(BitSet nodes) {
    BitSet out = new BitSet();
    nodes.stream()
        .filter(node -> leafOfHost(node) != Fabric.NONE)
        .forEach(node -> out.set(host(leafOfHost(node), slotOfHost(node))));
    return out;
  }

  /** Slot of a host on its leaf, or {@link Fabric#NONE} if the node is not allocatable. */
  public int slotOfHost(int node) {
    return shape.hostSlot[node];
  }

  // ---- links

  /**
   * True if the link at a port, that of its lower end, is slower than the machines that it would
   * serve. Nobody can have it: it counts as absent.
   */
  public boolean isSlow(int port) {
    return shape.slow.get(port);
  }

  /** Number of links that are slower than the machines that they would serve. */
  public int slowLinks() {
    return shape.slow.cardinality();
  }

  /** The sentence of so many slow links, without a full stop. */
  static String slower(int count) {
    return Counted.of(count, "link is", "links are")
        + " slower than the machines that "
        + (count == 1 ? "it would serve and is" : "they would serve and are")
        + " not given";
  }

  /** Rails by tree. A copy. */
  public List<Block> blocks() {
    return List.of(shape.blocks);
  }

  /** True if machines of some unit meet each other over links of the tree only. */
  public boolean irregular() {
    return shape.irregular;
  }

  /** True if machines of the unit meet each other over links of the tree only. */
  public boolean linksInside(int leaf) {
    return shape.inside[leaf];
  }

  /** True if the rails of every tree meet at the switches above the leaves. */
  public boolean railsMeet() {
    return shape.joinable;
  }

  /** True if some unit has several leaf switches in one tree: rails meet above them. */
  public boolean severalLeaves() {
    return shape.severalLeaves;
  }

  /** Number of rails, at least 1. */
  public int rails() {
    return shape.leafSwitch.length;
  }

  /** Number of positions. */
  public int positions() {
    return shape.planeOf.length;
  }

  /** Number of planes. */
  public int planes() {
    return shape.planes;
  }

  /** Plane of a position. */
  public int planeOf(int position) {
    return shape.planeOf[position];
  }

  /** Number of root links a plane can have. */
  public int rootLinks() {
    return shape.rootLinks;
  }

  /** True if there are switches above the level-2 switches. */
  public boolean threeLevels() {
    return shape.rootLinks > 0;
  }

  /** Port id of the leaf's end of its link at a position, or {@link Fabric#NONE}. */
  public int upPort(int rail, int leaf, int position) {
    return shape.upPort[rail][leaf * positions() + position];
  }

  /** The level-2 switch of a sub-tree in a plane, or {@link Fabric#NONE}. */
  public int spine(int rail, int subtree, int plane) {
    return shape.spine[rail][subtree * shape.planes + plane];
  }

  /** Port id of the level-2 switch's end of its root link, or {@link Fabric#NONE}. */
  public int rootPort(int rail, int subtree, int plane, int root) {
    return shape.rootPort[rail][(subtree * shape.planes + plane) * shape.rootLinks + root];
  }

  /** True if the leaf's unit has a link at a position in each of its rails. */
  public boolean hasUp(int leaf, int position) {
    return Bits.get(shape.upMask, leaf * shape.positionWords, position);
  }

  /** True if a level-2 switch has a root link in each rail. */
  public boolean hasRoot(int subtree, int plane, int root) {
    return Bits.get(shape.rootMask, (subtree * shape.planes + plane) * shape.rootWords, root);
  }

  /** True if some adapter of the machine in a slot is accepted: one stands for all. */
  public boolean accepts(HostChoice choice, int leaf, int slot) {
    int host = host(leaf, slot);
    boolean any = choice.accepts(host);
    for (int i = 1; !any && i < adapterCount(host); i++) {
      any = choice.accepts(adapter(host, i));
    }
    return any;
  }

  /** What the machine in a slot costs: the most that one of its adapters does. */
  public int cost(HostChoice choice, int leaf, int slot) {
    int host = host(leaf, slot);
    int most = choice.cost(host);
    for (int i = 1; i < adapterCount(host); i++) {
      most = Math.max(most, choice.cost(adapter(host, i)));
    }
    return most;
  }

  /** Share of the up-links of leaves that are there, of those a regular tree would have. */
  public double upsAlive() {
    return shape.upsAlive;
  }

  /** Share of the root links that are there; 1 if there are no roots. */
  public double rootsAlive() {
    return shape.rootsAlive;
  }

  /** True if links that a regular tree would have are missing. */
  public boolean damaged() {
    return shape.upsAlive < 1 || shape.rootsAlive < 1;
  }

  /** Number of longs of a mask over the slots of a leaf. */
  public int slotWords() {
    return shape.slotWords;
  }

  /** Number of longs of a mask over positions. */
  public int positionWords() {
    return shape.positionWords;
  }

  /** Number of longs of a mask over the root links of a plane. */
  public int rootWords() {
    return shape.rootWords;
  }
}
