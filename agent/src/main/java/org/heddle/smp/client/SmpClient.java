package org.heddle.smp.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadHeader;
import org.heddle.mad.MadMethod;
import org.heddle.mad.MadStatus;
import org.heddle.mad.ManagementClass;
import org.heddle.mad.Notice;
import org.heddle.mad.Smp;
import org.heddle.mad.TransactionId;
import org.heddle.smp.transport.SmpTransport;

/**
 * Sends requests and matches answers: at most a window of them in flight, each with a timer, resent
 * until it is answered or the attempts are used up.
 *
 * <p>One thread, no locks, no clock of its own. Handlers run inside {@link #submit} and {@link
 * #drain}; they may submit further requests, which wait until the window has room. Answers come in
 * any order; an answer to an earlier attempt counts, anything that comes later is dropped.
 *
 * <p>A request may thus arrive twice, and the second copy late. All requests of subnet management
 * write whole attributes, so a copy does no harm unless something else has been written to the same
 * place in the meantime, which a timeout above the fabric's packet lifetime excludes.
 *
 * <p>Traps are handed to a listener and answered with TrapRepress. Broken transport is an {@link
 * UncheckedIOException}.
 */
public final class SmpClient implements AutoCloseable {
  /** Takes the outcome of a request. */
  @FunctionalInterface
  public interface Handler {
    void done(SmpOutcome outcome);
  }

  private record Request(
      SmpRoute route, int method, int attributeId, int modifier, byte[] data, Handler handler) {}

  /** A request under way. */
  private static final class Slot {
    private final Smp smp = Smp.allocate();
    private Request request;
    private int sequence;
    private int attempt;
    private long deadlineNs;
  }

  private static final long NS_PER_MS = 1_000_000;

  private final SmpTransport transport;
  private final SmpOptions options;
  private final LongSupplier clockNs;
  private final Slot[] slots;
  private final int[] free;
  private int freeCount;
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private final byte[] arrived = new byte[MadHeader.MAD_SIZE];
  private final Smp arrivedSmp = new Smp().wrap(arrived, 0);
  private int sequence;
  private int depth;
  private Consumer<Notice> trapListener = notice -> {};
  private long mKey;

  private long sent;
  private long resent;
  private long ignored;
  private long silent;

  /** Requests that may still stay without an answer before nothing more is sent. */
  private long patience = Long.MAX_VALUE;

  /**
   * A client.
   *
   * @param transport closed with the client
   * @param clockNs nanoseconds, as {@link System#nanoTime()}
   */
  public SmpClient(SmpTransport transport, SmpOptions options, LongSupplier clockNs) {
    this.transport = transport;
    this.options = options;
    this.clockNs = clockNs;
    this.slots = new Slot[options.window()];
    this.free = new int[options.window()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot();
      free[i] = slots.length - 1 - i;
    }
    this.freeCount = slots.length;
  }

  /** The management key that goes with every request from now on; 0 for none. */
  public void mKey(long key) {
    mKey = key;
  }

  /** Who is told of traps; the notice is valid until the listener returns. */
  public void onTrap(Consumer<Notice> listener) {
    trapListener = listener;
  }

  /** Requests sent so far, repetitions not counted. */
  public long sent() {
    return sent;
  }

  /** Repetitions sent so far. */
  public long resent() {
    return resent;
  }

  /** Requests that were sent and stayed without an answer so far. */
  public long silent() {
    return silent;
  }

  /**
   * Limits how much of a fabric that does not answer is asked: when so many requests from now on
   * have stayed without an answer, all that are not sent yet end as {@link SmpOutcome.Silence} of
   * no attempts. Each round of a window that nobody answers takes all attempts' time.
   *
   * @param requests {@link Long#MAX_VALUE} for no limit
   */
  public void patience(long requests) {
    patience = requests;
  }

  /** Datagrams that belonged to no request under way. */
  public long ignored() {
    return ignored;
  }

  /** Asks for an attribute; see {@link #submit}. */
  public void get(SmpRoute route, int attributeId, int modifier, Handler handler) {
    submit(route, MadMethod.GET, attributeId, modifier, null, handler);
  }

  /** Sets an attribute; see {@link #submit}. */
  public void set(SmpRoute route, int attributeId, int modifier, byte[] data, Handler handler) {
    submit(route, MadMethod.SET, attributeId, modifier, data, handler);
  }

  /**
   * Sends a request as soon as the window has room; until then this waits for answers.
   *
   * @param data the attribute, at most 64 bytes, not changed until the outcome; null for none
   */
  public void submit(
      SmpRoute route, int method, int attributeId, int modifier, byte[] data, Handler handler) {
    Request request = new Request(route, method, attributeId, modifier, data, handler);
    if (depth > 0) {
      waiting.add(request); // from inside a handler: waiting here would nest without end
      return;
    }
    while (freeCount == 0 || !waiting.isEmpty()) {
      step(Long.MAX_VALUE);
    }
    start(request);
  }

  /** Waits until every request has its outcome. */
  public void drain() {
    while (freeCount < slots.length || !waiting.isEmpty()) {
      step(Long.MAX_VALUE);
    }
  }

  /**
   * Sends one request, waits for its outcome and for all others, too.
   *
   * @return the outcome; an answer has bytes of its own
   */
  public SmpOutcome call(SmpRoute route, int method, int attributeId, int modifier, byte[] data) {
    SmpOutcome[] result = new SmpOutcome[1];
    submit(route, method, attributeId, modifier, data, outcome -> result[0] = kept(outcome));
    drain();
    return result[0];
  }

  private static SmpOutcome kept(SmpOutcome outcome) {
    return outcome instanceof SmpOutcome.Answer answer
        ? new SmpOutcome.Answer(new Smp().wrap(answer.smp().copy(), 0))
        : outcome;
  }

  /** Listens for traps, for that long. */
  public void listen(long timeoutNs) {
    long end = clockNs.getAsLong() + timeoutNs;
    for (long now = clockNs.getAsLong(); now < end; now = clockNs.getAsLong()) {
      step(end);
    }
  }

  /** Gives data packets under way the time to arrive or to be discarded. */
  public void letPacketsArrive() {
    listen(options.drainMs() * NS_PER_MS);
  }

  /** Fills the window, waits until something comes, a timer ends or the time is up. */
  private void step(long untilNs) {
    while (freeCount > 0 && !waiting.isEmpty()) {
      start(waiting.poll());
    }
    if (freeCount == slots.length && untilNs == Long.MAX_VALUE) {
      return; // nothing is under way: all ended without being sent
    }
    long now = clockNs.getAsLong();
    long wait = untilNs == Long.MAX_VALUE ? Long.MAX_VALUE : untilNs - now;
    for (Slot slot : slots) {
      if (slot.request != null) {
        wait = Math.min(wait, slot.deadlineNs - now);
      }
    }
    switch (receive(Math.max(0, wait))) {
      case DATAGRAM -> dispatch();
      case UNDELIVERED -> undelivered();
      case NOTHING -> expire();
    }
  }

  private SmpTransport.Arrival receive(long waitNs) {
    try {
      return transport.receive(arrived, waitNs);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private UncheckedIOException broken(IOException e) {
    return new UncheckedIOException(transport.description() + ": " + e.getMessage(), e);
  }

  private void start(Request request) {
    if (patience <= 0) {
      tell(request.handler, new SmpOutcome.Silence(0));
      return;
    }
    int index = free[--freeCount];
    Slot slot = slots[index];
    sequence = TransactionId.next(sequence);
    slot.request = request;
    slot.sequence = sequence;
    slot.attempt = 0;
    request.route.fill(slot.smp, request.method, request.attributeId, request.modifier);
    slot.smp.mKey(mKey);
    if (request.data != null) {
      int length = Math.min(request.data.length, Smp.DATA_SIZE);
      System.arraycopy(request.data, 0, slot.smp.buffer(), slot.smp.dataOffset(), length);
    }
    sent++;
    send(index);
  }

  private void send(int index) {
    Slot slot = slots[index];
    slot.smp.transactionId(TransactionId.of(slot.sequence, index, slot.attempt));
    slot.deadlineNs = clockNs.getAsLong() + options.timeoutMs() * NS_PER_MS;
    try {
      transport.send(slot.smp.buffer(), slot.request.route.lid(), options.timeoutMs());
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The slot whose request this datagram belongs to, or -1. */
  private int match() {
    long id = arrivedSmp.transactionId();
    int index = TransactionId.slot(id);
    boolean ours =
        index < slots.length
            && slots[index].request != null
            && slots[index].sequence == TransactionId.sequence(id)
            && ManagementClass.isSubnetManagement(arrivedSmp.managementClass())
            && slots[index].request.attributeId == arrivedSmp.attributeId()
            && slots[index].request.modifier == arrivedSmp.attributeModifier();
    return ours ? index : -1;
  }

  private void dispatch() {
    if (!arrivedSmp.isResponse()) {
      unsolicited();
      return;
    }
    int index = match();
    if (index < 0) {
      ignored++;
      return;
    }
    int status = arrivedSmp.status();
    if (MadStatus.isBusy(status) && slots[index].attempt + 1 < options.attempts()) {
      return; // it wants to be asked again; the timer does
    }
    finish(
        index,
        status == MadStatus.OK
            ? new SmpOutcome.Answer(arrivedSmp)
            : new SmpOutcome.Refusal(status));
  }

  private void finish(int index, SmpOutcome outcome) {
    Handler handler = slots[index].request.handler;
    slots[index].request = null;
    free[freeCount++] = index;
    tell(handler, outcome);
  }

  private void tell(Handler handler, SmpOutcome outcome) {
    depth++;
    try {
      handler.done(outcome);
    } finally {
      depth--;
    }
  }

  private void undelivered() {
    int index = match();
    if (index < 0 || slots[index].attempt != TransactionId.attempt(arrivedSmp.transactionId())) {
      ignored++;
      return;
    }
    again(index);
  }

  private void expire() {
    long now = clockNs.getAsLong();
    for (int i = 0; i < slots.length; i++) {
      if (slots[i].request != null && slots[i].deadlineNs - now <= 0) {
        again(i);
      }
    }
  }

  private void again(int index) {
    Slot slot = slots[index];
    if (slot.attempt + 1 >= options.attempts()) {
      silent++;
      patience -= patience == Long.MAX_VALUE ? 0 : 1;
      finish(index, new SmpOutcome.Silence(slot.attempt + 1));
      return;
    }
    slot.attempt++;
    resent++;
    send(index);
  }

  /** A request of somebody else: only traps concern us. */
  private void unsolicited() {
    boolean trap =
        arrivedSmp.method() == MadMethod.TRAP
            && arrivedSmp.attributeId() == AttributeId.NOTICE
            && ManagementClass.isSubnetManagement(arrivedSmp.managementClass());
    if (!trap) {
      ignored++;
      return;
    }
    Notice notice = new Notice().wrap(arrivedSmp);
    if (!arrivedSmp.isDirected()) {
      repress(notice);
    }
    depth++;
    try {
      trapListener.accept(notice);
    } finally {
      depth--;
    }
  }

  /** Tells the sender of a trap that it has arrived, or it would go on sending it. */
  private void repress(Notice notice) {
    byte[] reply = Arrays.copyOf(arrived, arrived.length);
    new Smp().wrap(reply, 0).method(MadMethod.TRAP_REPRESS);
    try {
      transport.send(reply, notice.issuerLid(), 0);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
