package org.heddle.server.ufm;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.control.Controller;
import org.heddle.control.model.Request;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Change.Adding;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import tools.jackson.databind.JsonNode;

/**
 * OpenStack's calls, by the driver networking-mlnx: networks and ports as Neutron describes them. A
 * network is a partition, whose key is the network's segmentation id; a port is a member, whose
 * GUID is in the port's DHCP client id. Neutron's own ids are kept as labels, since it may delete
 * by nothing else. Every change is durable before its answer, which yet is 202 with a job, as the
 * driver expects; it takes 404 for a deletion as success, and repeats everything else that fails.
 */
final class CloudX {
  /** Option 61 of DHCP: the client's identifier, with the port GUID as its last eight bytes. */
  private static final List<String> CLIENT_ID = List.of("client-id", "61");

  private static final int GUID_DIGITS = 16;
  private static final int LONGEST_ID = 64;

  private static final byte[] NOTHING = {'{', '}'};

  private final Controller controller;

  CloudX(Controller controller) {
    this.controller = controller;
  }

  UfmAnswer network(UfmCall call) throws UfmBody.Wrong {
    if (call.path().size() > 3) {
      return UfmAnswer.error(404, "no such resource");
    }
    UfmBody body = body(call);
    String id = id(call, body);
    Optional<Tenant> there = ofNetwork(id);
    return switch (call.method()) {
      case "POST", "PUT" -> there.isPresent() ? sameKey(body, there.get()) : make(call, body, id);
      case "DELETE" ->
          there.isPresent()
              ? answer(submit(call, new Change.DeleteKey(there.get().pkey())))
              : UfmAnswer.error(404, "no network " + id);
      default -> UfmAnswer.error(405, call.method() + " is not for networks");
    };
  }

  /** To delete what the path names no body is needed; many clients and proxies drop it then. */
  private static UfmBody body(UfmCall call) throws UfmBody.Wrong {
    boolean none = call.body().length == 0 && call.path().size() == 3;
    return UfmBody.read(none && call.method().equals("DELETE") ? NOTHING : call.body());
  }

  /** The id is at the end of the path, or in the body only; some send both. */
  private static String id(UfmCall call, UfmBody body) throws UfmBody.Wrong {
    String given = body.text("id", "");
    String id = call.path().size() == 3 ? call.path().get(2) : given;
    if (id.isBlank() || id.length() > LONGEST_ID || !given.isEmpty() && !given.equals(id)) {
      throw new UfmBody.Wrong("id is missing, or not the one in the path");
    }
    return id;
  }

  private Optional<Tenant> ofNetwork(String id) {
    return controller.view().all().stream()
        .filter(t -> t.spec().partition().isNetwork())
        .filter(t -> t.spec().partition().label().equals(id))
        .findFirst();
  }

  private UfmAnswer sameKey(UfmBody body, Tenant there) throws UfmBody.Wrong {
    OptionalInt key = key(body);
    return key.isPresent() && key.getAsInt() != there.pkey()
        ? UfmAnswer.error(409, "the network has key " + UfmText.key(there.pkey()) + " already")
        : UfmAnswer.accepted(controller.view().epoch());
  }

  private UfmAnswer make(UfmCall call, UfmBody body, String id) throws UfmBody.Wrong {
    OptionalInt key = key(body);
    if (key.isEmpty()) {
      throw new UfmBody.Wrong("provider:segmentation_id is missing: expected a number from 1");
    }
    if (controller.view().tenantOfKey(key.getAsInt()).isPresent()) {
      return UfmAnswer.error(409, "key " + UfmText.key(key.getAsInt()) + " is another partition's");
    }
    return answer(submit(call, new Change.Create(partition(key.getAsInt(), id))));
  }

  private static TenantSpec partition(int key, String network) {
    PartitionOptions options =
        PartitionOptions.ofKey(key).withOrigin(Origin.CLIENT).withIpOverIb(true).withLabel(network);
    return TenantSpec.partition(UfmText.autoName(key), "", options, List.of());
  }

  private static OptionalInt key(UfmBody body) throws UfmBody.Wrong {
    JsonNode node = body.at("provider:segmentation_id");
    if (node.isMissingNode() || node.isNull()) {
      return OptionalInt.empty();
    }
    int key = node.isInt() ? node.intValue() : 0;
    if (!PartitionOptions.isKey(key)) {
      throw new UfmBody.Wrong(
          "provider:segmentation_id '" + node.asString("") + "' is no key: expected 1 to 32766");
    }
    return OptionalInt.of(key);
  }

  UfmAnswer port(UfmCall call) throws UfmBody.Wrong {
    if (call.path().size() > 3) {
      return UfmAnswer.error(404, "no such resource");
    }
    UfmBody body = body(call);
    String id = id(call, body);
    return switch (call.method()) {
      case "POST", "PUT" -> bind(call, body, id);
      case "DELETE" -> unbind(call, body, id);
      default -> UfmAnswer.error(405, call.method() + " is not for ports");
    };
  }

  /** A member, and where it is one. */
  private record Bound(int key, Member member) {}

  private List<Bound> bound(String port) {
    return controller.view().all().stream()
        .flatMap(t -> t.spec().members().stream().map(m -> new Bound(t.pkey(), m)))
        .filter(b -> b.member().label().equals(port))
        .toList();
  }

  /** A port that comes again with another GUID, after its host was replaced, loses the old one. */
  private UfmAnswer bind(UfmCall call, UfmBody body, String id) throws UfmBody.Wrong {
    Optional<Tenant> network = ofNetwork(body.text("network_id", ""));
    if (network.isEmpty()) {
      return UfmAnswer.error(404, "no network " + body.text("network_id", ""));
    }
    int key = network.get().pkey();
    Optional<Long> guid = guid(body);
    Outcome outcome =
        new Outcome.Unchanged(controller.view().epoch(), Optional.empty()); // an Ethernet port
    if (guid.isPresent()) {
      TenantSpec fresh = partition(key, network.get().spec().partition().label());
      List<Member> member = List.of(new Member(guid.get(), true, true, id));
      outcome = submit(call, new Change.AddMembers(fresh, member, Adding.ADD));
    }
    for (Bound old : bound(id)) {
      boolean stays = old.key() == key && guid.filter(g -> g == old.member().guid()).isPresent();
      if (!stays && !(outcome instanceof Outcome.Refused)) {
        outcome = remove(call, old.key(), old.member().guid());
      }
    }
    return answer(outcome);
  }

  private UfmAnswer unbind(UfmCall call, UfmBody body, String id) throws UfmBody.Wrong {
    Optional<Outcome> outcome = Optional.empty();
    for (Bound old : bound(id)) {
      if (outcome.filter(o -> o instanceof Outcome.Refused).isEmpty()) {
        outcome = Optional.of(remove(call, old.key(), old.member().guid()));
      }
    }
    if (outcome.isEmpty()) {
      outcome = unlabelled(body).map(b -> remove(call, b.key(), b.member().guid()));
    }
    return outcome.map(CloudX::answer).orElseGet(() -> UfmAnswer.error(404, "no port " + id));
  }

  /** A member that somebody named again by another interface, which knows no labels. */
  private Optional<Bound> unlabelled(UfmBody body) throws UfmBody.Wrong {
    Optional<Long> guid = guid(body);
    if (guid.isEmpty()) {
      return Optional.empty();
    }
    return ofNetwork(body.text("network_id", ""))
        .flatMap(
            t ->
                t.spec().members().stream()
                    .filter(m -> m.guid() == guid.get() && m.label().isEmpty())
                    .map(m -> new Bound(t.pkey(), m))
                    .findFirst());
  }

  private static Optional<Long> guid(UfmBody body) throws UfmBody.Wrong {
    for (JsonNode option : body.at("extra_dhcp_opts")) {
      if (CLIENT_ID.contains(option.path("opt_name").asString(""))) {
        String value = option.path("opt_value").asString("").toLowerCase(Locale.ROOT);
        String digits = value.replace(":", "").replace("-", "");
        int from = digits.length() - GUID_DIGITS;
        if (from < 0) {
          throw new UfmBody.Wrong(
              "client-id '" + value + "' has no GUID: expected 8 bytes or more");
        }
        return Optional.of(UfmBody.guid(digits.substring(from)));
      }
    }
    return Optional.empty();
  }

  private Outcome remove(UfmCall call, int key, long guid) {
    return submit(call, new Change.RemoveMembers(key, List.of(guid)));
  }

  private Outcome submit(UfmCall call, Change change) {
    return controller.submit(change, Request.of(call.actor())).join();
  }

  private static UfmAnswer answer(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted a -> UfmAnswer.accepted(a.epoch());
      case Outcome.Unchanged u -> UfmAnswer.accepted(u.epoch());
      case Outcome.Refused no -> UfmApi.refused(no);
    };
  }
}
