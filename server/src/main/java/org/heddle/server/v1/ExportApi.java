package org.heddle.server.v1;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.heddle.control.Controller;
import org.heddle.plan.DesiredState;
import org.heddle.server.http.Call;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import org.heddle.text.state.StateFileWriter;
import org.heddle.text.tenants.TenantsFileWriter;

/** The desired state as a file: for the provider and viewers. */
public final class ExportApi {
  private final Controller controller;

  public ExportApi(Controller controller) {
    this.controller = controller;
  }

  /**
   * The file.
   *
   * @param epoch of the state that it says
   * @param format tenants or state
   * @param text its content
   */
  record FileDocument(String fabric, long epoch, String format, String text) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/export", false, "The tenants as a file", this::export)
            .taking(List.of("format"))
            .answers(FileDocument.class));
  }

  private Reply export(Call call) {
    if (!call.actor().sees("")) {
      throw Problem.notFound();
    }
    String format = call.query().getOrDefault("format", "tenants");
    DesiredState v = controller.view();
    StateExchange exchange = new StateExchange(v);
    byte[] bytes =
        switch (format) {
          case "tenants" ->
              TenantsFileWriter.write(
                  exchange.tenantsFile(),
                  List.of(
                      "Tenants of '" + v.name() + "' at epoch " + v.epoch() + ".",
                      "heddle tenants apply FILE makes a controller's tenants what is said here."));
          case "state" -> StateFileWriter.write(exchange.stateFile(engine(v)));
          default -> throw Problem.malformed("'format' is tenants or state");
        };
    return Reply.ok(
        new FileDocument(v.name(), v.epoch(), format, new String(bytes, StandardCharsets.UTF_8)));
  }

  private String engine(DesiredState v) {
    return controller.store().load(v.name()).orElseThrow().engine();
  }
}
