package org.heddle.plan.model;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a tenant's promise that does not hold at present. Decisions depend on the type; {@link
 * #sentence} is for people and documents, and {@link #of} parses it, since older databases have
 * only sentences. A breach and its sentence are equivalent: {@code of(b.sentence())} equals {@code
 * b}.
 */
public sealed interface Breach {
  /** What it is in words, without a full stop. */
  String sentence();

  /** Why something that a tenant holds is of no use. */
  enum Why {
    /** The fabric does not have it, or has it at another place. */
    GONE("is gone"),
    /** An operator took it out of service, or what it depends on. */
    OUT_OF_SERVICE("is out of service"),
    /** It is there, but nothing is at its port. */
    UNLINKED("has no link"),
    /** Its cable is there, but the tree as it is now has no place or coordinates for it. */
    UNPLACED("has no place in the tree as it is now"),
    /** It is slower than the machines that it serves. */
    SLOW("is slower than the machines that it serves");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    private static Optional<Why> of(String words) {
      return Arrays.stream(values()).filter(w -> w.words.equals(words)).findFirst();
    }
  }

  /**
   * A host that it holds is of no use.
   *
   * @param host its name
   */
  record LostHost(String host, Why why) implements Breach {
    @Override
    public String sentence() {
      return "host " + host + " " + why.words;
    }
  }

  /**
   * A port of a host that it holds is of no use; others of the same host are.
   *
   * @param host its name
   * @param adapter name of the adapter on the host, as {@code mlx5_1}; empty if it has none
   * @param port number there
   */
  record LostPort(String host, String adapter, int port, Why why) implements Breach {
    @Override
    public String sentence() {
      String of = adapter.isEmpty() ? "" : adapter + " ";
      return "host " + host + " " + why.words + " at " + of + "port " + port;
    }
  }

  /**
   * A link that it holds is of no use.
   *
   * @param from name of the switch at its lower end, the GUID if that is gone
   * @param port number there
   */
  record LostLink(String from, int port, Why why) implements Breach {
    @Override
    public String sentence() {
      return "link from " + from + " port " + port + " " + why.words;
    }
  }

  /**
   * Something that it lists is held by a tenant that came before it. Only databases of controllers
   * that gave one thing to two tenants have such tenants, and fabrics whose rails correspond in
   * another way than before.
   *
   * @param what the host or link
   * @param tenant who has it
   */
  record MeetsTenant(String what, String tenant) implements Breach {
    @Override
    public String sentence() {
      return what + MEETS + tenant + "'";
    }
  }

  /** It was to be kept apart from others, and gave way because that is not possible now. */
  record GaveWay(Policy policy) implements Breach {
    @Override
    public String sentence() {
      return WAY + policy.word();
    }
  }

  /**
   * Its hosts and links are there, but cannot be used together: a host hangs at another leaf, say.
   *
   * @param reason what the routing says
   */
  record Unroutable(String reason) implements Breach {
    @Override
    public String sentence() {
      return UNROUTABLE + reason;
    }
  }

  /** A sentence of a database that nobody understands any more. */
  record Said(String sentence) implements Breach {}

  /** The breach that a sentence tells of. */
  static Breach of(String sentence) {
    if (sentence.startsWith(WAY)) {
      Optional<Policy> policy = Policy.of(sentence.substring(WAY.length()));
      if (policy.isPresent()) {
        return new GaveWay(policy.get());
      }
    }
    if (sentence.startsWith(UNROUTABLE)) {
      return new Unroutable(sentence.substring(UNROUTABLE.length()));
    }
    int meets = sentence.lastIndexOf(MEETS);
    if (meets > 0 && sentence.endsWith("'")) {
      return new MeetsTenant(
          sentence.substring(0, meets),
          sentence.substring(meets + MEETS.length(), sentence.length() - 1));
    }
    Matcher link = LINK.matcher(sentence);
    if (link.matches()) {
      return new LostLink(
          link.group(1), Integer.parseInt(link.group(2)), Why.of(link.group(3)).orElseThrow());
    }
    Matcher of = HOST_PORT.matcher(sentence);
    if (of.matches()) {
      String adapter = of.group(3) == null ? "" : of.group(3);
      Why why = Why.of(of.group(2)).orElseThrow();
      return new LostPort(of.group(1), adapter, Integer.parseInt(of.group(4)), why);
    }
    Matcher host = HOST.matcher(sentence);
    return host.matches()
        ? new LostHost(host.group(1), Why.of(host.group(2)).orElseThrow())
        : new Said(sentence);
  }

  /** The sentences of several. */
  static List<String> sentences(Collection<Breach> breaches) {
    return breaches.stream().map(Breach::sentence).toList();
  }

  /** Beginning of the sentence of {@link GaveWay}. */
  String WAY = "its traffic meets that of others between switches: policy ";

  /** Beginning of the sentence of {@link Unroutable}. */
  String UNROUTABLE = "its hosts and links cannot be used together: ";

  /** Middle of the sentence of {@link MeetsTenant}. */
  String MEETS = " is held by tenant '";

  /** The sentence of {@link LostHost}. */
  Pattern HOST =
      Pattern.compile(
          "host (.*) (is gone|is out of service|has no link|"
              + "has no place in the tree as it is now)");

  /** The sentence of {@link LostPort}. */
  Pattern HOST_PORT =
      Pattern.compile(
          "host (.*) (is gone|is out of service|has no link|"
              + "has no place in the tree as it is now) at (?:(.*) )?port (\\d{1,9})");

  /** The sentence of {@link LostLink}. */
  Pattern LINK =
      Pattern.compile(
          "link from (.*) port (\\d{1,9}) (is gone|is out of service|"
              + "has no place in the tree as it is now|is slower than the machines that it serves)");
}
