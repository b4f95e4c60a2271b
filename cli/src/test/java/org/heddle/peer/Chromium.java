package org.heddle.peer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A browser without a screen, driven by its DevTools protocol: one page. */
final class Chromium implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** In the queue once there will be no more messages. */
  private static final String ENDED = "";

  private static final int MOST_PRESSES = 20;

  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final PeerProcess process;
  private final WebSocket socket;
  private int sent;

  private Chromium(PeerProcess process, String address) {
    this.process = process;
    this.socket = client.newWebSocketBuilder().buildAsync(URI.create(address), new Reader()).join();
  }

  /** Puts whole messages into the queue. */
  private final class Reader implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        messages.add(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
      messages.add(ENDED);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      messages.add(ENDED);
    }
  }

  /** Starts one with its profile in a directory. */
  static Chromium start(Path directory, int width, int height) throws IOException {
    Path profile = Files.createDirectories(directory.resolve("profile"));
    PeerProcess process =
        PeerProcess.start(
            directory,
            directory.resolve("chromium.out"),
            Map.of("HOME", directory.toString()),
            List.of(
                Program.CHROMIUM.find().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-extensions",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "--window-size=" + width + "," + height,
                "about:blank"));
    Path file = profile.resolve("DevToolsActivePort");
    process.await("port of the DevTools", () -> Files.isRegularFile(file) && !read(file).isEmpty());
    String port = read(file).lines().findFirst().orElseThrow();
    String[] page = new String[1];
    process.await("page", () -> (page[0] = page(port)) != null);
    return new Chromium(process, page[0]);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return "";
    }
  }

  private static String page(String port) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
      HttpRequest request = HttpRequest.newBuilder(list).build();
      String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      for (JsonNode target : JSON.readTree(body)) {
        if (target.path("type").asString().equals("page")) {
          return target.path("webSocketDebuggerUrl").asString();
        }
      }
      return null;
    } catch (IOException _) {
      return null;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a command and waits for its result. */
  JsonNode command(String method, ObjectNode parameters) {
    int id = ++sent;
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    try {
      while (true) {
        String text = messages.poll(PeerProcess.DEADLINE.toSeconds(), TimeUnit.SECONDS);
        if (text == null || text.equals(ENDED)) {
          throw new AssertionError("no answer to " + method + " " + parameters + process.report());
        }
        JsonNode answer = JSON.readTree(text);
        if (answer.path("id").asInt(-1) == id) {
          return answer;
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static ObjectNode parameters() {
    return JSON.createObjectNode();
  }

  /** Goes to a page. */
  void open(String address) {
    command("Page.navigate", parameters().put("url", address));
  }

  /** The value of an expression of JavaScript. */
  JsonNode value(String expression) {
    JsonNode answer =
        command(
            "Runtime.evaluate",
            parameters()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    JsonNode result = answer.path("result");
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** Waits until an expression is true; what the page says is told if it never is. */
  void await(String expression) {
    // between two pages there is no document
    String there = "Boolean(document.documentElement && (" + expression + "))";
    try {
      process.await(expression, () -> value(there).asBoolean(false));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\nthe page says: " + said(), e);
    }
  }

  /** The beginning of what can be read, in one line. */
  private String said() {
    try {
      String text = value("document.body.innerText").asString().replaceAll("\\s+", " ");
      return text.substring(0, Math.min(2000, text.length()));
    } catch (RuntimeException | AssertionError e) {
      return e.toString();
    }
  }

  /**
   * Clicks with the mouse on the middle of what a selector finds, once it is there, can be clicked,
   * and nothing lies above it.
   */
  void click(String selector) {
    String found = "document.querySelector('" + selector + "')";
    // it may be made anew or move between the look and the press: then it is pressed again
    for (int tries = 0; tries < MOST_PRESSES; tries++) {
      await(
          "(() => { const e = "
              + found
              + "; if (!e || e.disabled) return false; e.scrollIntoView({block: 'nearest'});"
              + " const r = e.getBoundingClientRect();"
              + " const h = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);"
              + " return h === e || e.contains(h); })()");
      JsonNode at =
          value(
              "(() => { window.hit = false; document.addEventListener('click', e => {"
                  + " window.hit = Boolean(e.target.closest('"
                  + selector
                  + "')); }, {capture: true, once: true}); const e = "
                  + found
                  + "; if (!e) return null; const r = e.getBoundingClientRect();"
                  + " return [r.left + r.width / 2, r.top + r.height / 2]; })()");
      if (at.isArray()) {
        mouse(at.get(0).asDouble(), at.get(1).asDouble());
        if (value("window.hit").asBoolean(false)) {
          return;
        }
      }
    }
    throw new AssertionError(selector + " cannot be clicked; the page says: " + said());
  }

  /** Moves the mouse to a place of the page, and presses its left button there. */
  void mouse(double x, double y) {
    command(
        "Input.dispatchMouseEvent", parameters().put("type", "mouseMoved").put("x", x).put("y", y));
    for (String type : List.of("mousePressed", "mouseReleased")) {
      command(
          "Input.dispatchMouseEvent",
          parameters()
              .put("type", type)
              .put("x", x)
              .put("y", y)
              .put("button", "left")
              .put("clickCount", 1));
    }
  }

  /** Types into what a selector finds, in place of what is there. */
  void type(String selector, String text) {
    click(selector);
    value("document.querySelector('" + selector + "').select()");
    command("Input.insertText", parameters().put("text", text));
  }

  /** Presses a key: its name as events have it. */
  void press(String key) {
    for (String type : List.of("keyDown", "keyUp")) {
      ObjectNode parameters = parameters().put("type", type).put("key", key).put("code", key);
      if (key.equals("Enter")) {
        parameters.put("text", "\r").put("windowsVirtualKeyCode", 13);
      } else if (key.equals("Escape")) {
        parameters.put("windowsVirtualKeyCode", 27); // or dialogs do not notice
      } else if (key.equals("ArrowDown")) {
        parameters.put("windowsVirtualKeyCode", 40); // or lists to choose from do not
      }
      command("Input.dispatchKeyEvent", parameters);
    }
  }

  /** Makes the page dark or light. */
  void scheme(String scheme) {
    ObjectNode parameters = parameters();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", scheme);
    command("Emulation.setEmulatedMedia", parameters);
  }

  /** A picture of the page. */
  byte[] screenshot() {
    JsonNode answer = command("Page.captureScreenshot", parameters().put("format", "png"));
    return Base64.getDecoder().decode(answer.path("result").path("data").asString());
  }

  /** Its helpers write into its profile until they have ended, too. */
  @Override
  public void close() {
    socket.abort();
    client.close();
    List<ProcessHandle> helpers = process.children();
    process.close();
    for (ProcessHandle helper : helpers) {
      helper.destroyForcibly();
      helper.onExit().join();
    }
  }
}
