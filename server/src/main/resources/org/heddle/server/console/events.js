// Events as they happen, those before, and the journal.

import { call, headersOf, Lost } from './api.js';
import { rollback } from './ask.js';
import { $, button, element, keyed, pause, time } from './dom.js';
import { can, on, state, tell } from './state.js';

const FIRST = 200; // events that are there when the page opens
const KEPT = 1000;
const SHOWN = 200;
const SILENCE = 25000; // the stream says something every 10 s
const BURST = 20; // events at once: they are shown later, or nothing else would be done
const PAST = 12;

const severity = new Map(); // by kind, as the controller says
const events = []; // the newest first, each once
let last = 0; // everything up to this id is there, or was not for this reader
let waiting = false;

// ---- the list

function matches(e) {
  const kind = $('event-kind').value;
  const words = $('event-subject').value.trim().toLowerCase();
  return (!kind || e.kind === kind) && (!words || `${e.subject} ${e.text}`.toLowerCase().includes(words));
}

function list() {
  waiting = false;
  const shown = [];
  for (let k = 0; k < events.length && shown.length < SHOWN; k++) {
    if (matches(events[k])) {
      shown.push(events[k]);
    }
  }
  keyed($('events'), shown.map((e) => ({ key: String(e.id), sig: '', make: () => row(e) })));
  $('no-events').hidden = shown.length > 0;
  $('no-events').textContent = events.length ? 'None like that among the last.' : 'None yet.';
  kinds();
}

/** Trouble and warnings; of a kind that nobody has told of, nothing is known. */
const isMarked = (kind) => (severity.get(kind) ?? 'info') !== 'info';

async function learnKinds() {
  const got = await call('GET', '/v1/event-kinds');
  if (got.ok) {
    got.data.items.forEach((k) => severity.set(k.kind, k.severity));
  }
}

function row(e) {
  const kind = element('span', { className: isMarked(e.kind) ? 'kind bad-kind' : 'kind' }, e.kind);
  const plain = !e.text || e.text === e.subject || ['changed', 'gone'].includes(e.text); // the kind says as much
  return element('li', {}, time(e.at), kind, ` ${e.subject}`, plain ? '' : `: ${e.text}`);
}

/** The kinds there are to choose from, without taking the choice away. */
function kinds() {
  const there = [...new Set(events.map((e) => e.kind))].sort();
  const now = [...$('event-kind').options].slice(1).map((o) => o.value);
  if (there.join() !== now.join()) {
    const had = $('event-kind').value;
    $('event-kind').replaceChildren(element('option', { value: '' }, 'all kinds'),
      ...[...new Set([...there, ...(had ? [had] : [])])].sort().map((k) => element('option', { value: k, selected: k === had }, k)));
  }
}

/** Many that come at once are shown together, and only where somebody looks. */
function listSoon(many = 1) {
  if (!waiting && !$('part-activity').hidden) {
    waiting = true;
    setTimeout(list, many > BURST ? 500 : 60);
  }
}

function take(list_) {
  for (const e of list_) {
    if (e.id > last) {
      events.unshift(e);
      last = e.id;
    }
  }
  events.length = Math.min(events.length, KEPT);
  listSoon(list_.length);
}

/** The last events; if the controller knows fewer than this page, it is another one. */
async function begin() {
  await learnKinds(); // again after a break: it may be a newer program
  const got = await call('GET', `/v1/events?last=${FIRST}&limit=${FIRST}`);
  if (!got.ok) {
    return;
  }
  const newest = got.data.items.at(-1)?.id ?? 0;
  if (newest < last) {
    events.length = 0;
    last = 0;
  }
  take(got.data.items);
  if (events.length === 0) {
    list();
  }
}

async function older() {
  const first = events.at(-1)?.id ?? 0;
  const got = await call('GET', `/v1/events?after=${Math.max(0, first - 1 - FIRST)}&limit=${FIRST}`);
  if (got.ok) {
    const before = got.data.items.filter((e) => e.id < first).reverse();
    events.push(...before);
    $('older').hidden = before.length === 0;
    list();
  }
}

// ---- the stream

function live(kind, text) {
  $('live').className = `chip ${kind}`;
  $('live').textContent = text;
}

/** Reads the stream as it comes; lines of an event end with an empty one. */
async function listen() {
  const stop = new AbortController();
  let alarm = 0;
  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => stop.abort(), SILENCE);
  };
  heard();
  try {
    const headers = headersOf({ Accept: 'text/event-stream', 'Last-Event-ID': String(last) });
    const answer = await fetch('/v1/events', { headers, signal: stop.signal });
    if (!answer.ok) {
      throw new Error(`status ${answer.status}`);
    }
    live('good', 'live');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        return;
      }
      heard();
      text += value;
      const parts = text.split('\n\n');
      text = parts.pop();
      const got = parts.filter((p) => /^id: /m.test(p)).map((p) =>
        JSON.parse(p.split('\n').filter((l) => l.startsWith('data: ')).map((l) => l.slice(6)).join('\n')));
      if (parts.some((p) => p.startsWith('event: too-many'))) {
        throw new Error('too many readers');
      }
      if (got.length) {
        take(got);
        tell('happened', got);
      }
    }
  } finally {
    clearTimeout(alarm);
  }
}

/** The last events, then the stream from there; again whenever it breaks. */
export async function follow() {
  $('events').ariaLive = 'off'; // those of the past are not read out
  for (let wait = 500; ; wait = Math.min(8000, 2 * wait)) {
    const began = Date.now();
    try {
      await begin();
      setTimeout(() => { $('events').ariaLive = 'polite'; }, 1000);
      await listen();
    } catch {
      // said below; the next attempt goes on where this one stopped
    }
    if (Date.now() - began > 5000) {
      wait = 500;
    }
    live('bad', 'events interrupted');
    await pause(wait * (0.7 + 0.6 * Math.random()));
    tell('changed');
  }
}

on('entered', (tab) => tab === 'activity' && list());
$('event-kind').onchange = list;
$('event-subject').oninput = list;
$('older').onclick = older;

// ---- the journal

async function past() {
  if (!can.seeAll()) {
    $('past').hidden = true;
    return;
  }
  const epoch = state.picture?.epoch ?? 0;
  const got = await call('GET', `/v1/history?after=${Math.max(0, epoch - PAST)}&limit=${PAST}`);
  $('past').hidden = !got.ok;
  if (!got.ok) {
    return;
  }
  const may = can.provide();
  keyed($('history'), got.data.items.reverse().map((h) => ({
    key: String(h.epoch),
    sig: String(h.epoch === epoch) + may,
    make: () => {
      const back = may && h.epoch !== epoch
        ? button('return', 'Return', () => rollback(h.epoch), { ariaLabel: `Return to epoch ${h.epoch}` }) : null;
      return element('li', {}, element('span', {}, time(h.at), `${h.epoch}: `, element('span', { className: 'kind' }, h.kind),
        ` ${h.subject}${h.actor ? `, ${h.actor}` : ''}`), back);
    },
  })));
}

on('picture', () => past().catch((e) => {
  if (!(e instanceof Lost)) {
    throw e;
  }
}));
