// The console of the Heddle controller: draws what /v1 says, and asks /v1 for changes.

import { call, connection, hasCredentials, logout, Lost } from './api.js';
import { $, machines, many, pause, switches } from './dom.js';
import { follow } from './events.js';
import { shapeOf } from './layout.js';
import { giveColours, on, state, tell } from './state.js';
import './details.js';
import './draft.js';
import './form.js';
import './jobs.js';
import './keys.js';
import './legend.js';
import './machines.js';
import './picture.js';
import './plans.js';
import './pointer.js';
import { facts } from './status.js';
import './tenants.js';

const LOOK = 5000; // between looks at the reconciler's state

// ---- what there is

let reading = null;
let again = false;

/** Reads fabric and picture; while one reading goes on, any number of wishes become one more. */
async function refresh() {
  if (reading) {
    again = true;
    return reading;
  }
  reading = read();
  try {
    await reading;
  } finally {
    reading = null;
  }
  if (again) {
    again = false;
    return refresh();
  }
  return undefined;
}

async function read() {
  const fabrics = await call('GET', '/v1/fabrics');
  if (!fabrics.ok) {
    return;
  }
  const f = fabrics.data.items[0];
  const got = await call('GET', `/v1/fabrics/${encodeURIComponent(f.name)}/picture`);
  facts(f);
  if (!got.ok) {
    return;
  }
  state.picture = got.data;
  state.shape = shapeOf(got.data);
  state.drained = drainedOf(got.data);
  giveColours(got.data.tenants);
  if (!got.data.tenants.some((t) => t.name === state.chosen)) {
    state.chosen = '';
  }
  $('picture').setAttribute('aria-label',
    `Fabric ${got.data.fabric}: ${many(got.data.levels, 'level')}, ${got.data.planes > 1 ? `${got.data.planes} planes, ` : ''}`
    + `${switches(got.data.level.length)}, ${machines(f)}, ${many(got.data.tenants.length, 'tenant')}`);
  tell('picture');
  if (ready) {
    await hosts();
  }
}

/** What is out of service: switches by GUID, links with the number of their cables. */
function drainedOf(p) {
  const pairs = p.drained_links ?? [];
  const links = new Map();
  for (let k = 0; k < pairs.length; k += 2) {
    links.set(pairs[k], pairs[k + 1]);
  }
  return { links, nodes: new Set((p.drained_switches ?? []).map((i) => p.guids[i])) };
}

// ---- what the picture does without at first

let ready = false;
let named = '';

/** Names of the hosts, once for each cabling (a tenant's token: for each choice of its hosts). */
async function hosts() {
  const key = state.picture.fingerprint + (state.session.role === 'tenant' ? state.picture.owners.join() : '');
  if (named === key) {
    return;
  }
  const got = await call('GET', `/v1/fabrics/${encodeURIComponent(state.picture.fabric)}/hosts`);
  if (!got.ok) {
    return;
  }
  named = key;
  const { names, guids, port_guids: portGuids, lids } = got.data;
  const byName = new Map();
  const byGuid = new Map();
  const put = (map, at, c) => (map.has(at) ? map.get(at).push(c) : map.set(at, [c]));
  guids.forEach((guid, c) => {
    if (guid) {
      put(byGuid, guid, c);
      put(byName, names[c], c);
      const word = names[c].split(' ')[0]; // "node001 HCA-1" is node001, too
      if (word !== names[c]) {
        put(byName, word, c);
      }
    }
  });
  state.hosts = { names, guids, portGuids, lids, byName, byGuid };
  tell('hosts');
}

async function calls() {
  const got = await call('GET', '/v1/openapi.json');
  if (got.ok) {
    state.calls = new Set(Object.entries(got.data.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((m) => `${m.toUpperCase()} ${path}`)));
  }
  $('tab-machines').hidden = !state.calls.has('GET /v1/vms');
  tell('calls');
}

async function session() {
  const got = await call('GET', '/v1/session');
  if (!got.ok) {
    return;
  }
  state.session = got.data;
  $('who').textContent = got.data.open ? '' : `${got.data.name} (${got.data.role}${got.data.tenant ? ` ${got.data.tenant}` : ''})`;
  $('who').hidden = got.data.open;
  $('leave').hidden = !hasCredentials();
  $('tab-plans').hidden = got.data.role === 'tenant';
  tell('session');
}

// ---- parts beside the picture

const tabs = [...document.querySelectorAll('[role=tab]')];
let tab = 'tenants';

function openTab(name) {
  if (name === tab) {
    return;
  }
  tell('left', tab);
  tab = name;
  for (const t of tabs) {
    const here = t.id === `tab-${name}`;
    t.setAttribute('aria-selected', String(here));
    t.tabIndex = here ? 0 : -1;
    $(t.getAttribute('aria-controls')).hidden = !here;
  }
  tell('entered', name);
}

for (const t of tabs) {
  t.onclick = () => openTab(t.id.slice(4));
}
$('tabs').addEventListener('keydown', (e) => {
  const shown = tabs.filter((t) => !t.hidden);
  const at = shown.findIndex((t) => t.id === `tab-${tab}`);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[e.key];
  if (to !== undefined) {
    e.preventDefault();
    const next = shown[(to + shown.length) % shown.length];
    openTab(next.id.slice(4));
    next.focus();
  }
});
on('tab', openTab);

// ---- finding

function find(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted || !state.picture) {
    return null;
  }
  const { picture } = state;
  const h = state.hosts;
  const tenant = picture.tenants.find((t) => t.name.toLowerCase() === wanted);
  if (tenant) {
    return { tenant: tenant.name };
  }
  const sw = (i) => (i >= 0 ? { kind: 'switch', guid: picture.guids[i] } : null);
  const host = (c) => (c >= 0 ? { kind: 'host', guid: h.guids[c] } : null);
  const is = (x) => x.toLowerCase() === wanted;
  const begins = (x) => x.toLowerCase().startsWith(wanted);
  const lid = /^(lid )?\d+$/.test(wanted) ? Number(wanted.replace('lid ', '')) : -1;
  return sw(picture.guids.findIndex(is)) ?? sw(picture.names.findIndex(is))
    ?? (h ? host(h.guids.findIndex(is)) ?? host(h.portGuids.findIndex(is)) ?? host(h.names.findIndex(is))
      ?? host(h.lids.findIndex((l) => l === lid)) ?? host(h.names.findIndex(begins)) : null)
    ?? sw(picture.names.findIndex(begins));
}

$('find').addEventListener('submit', (e) => {
  e.preventDefault();
  const found = find($('find-text').value);
  $('find-say').textContent = found ? '' : 'not found';
  if (found?.tenant) {
    tell('choose', found.tenant);
    tell('tab', 'tenants');
  } else if (found) {
    tell('select', found);
  }
});
$('find-text').addEventListener('input', () => {
  $('find-say').textContent = '';
});

// ---- whether anybody answers

function trouble() {
  const lost = connection.since > 0;
  $('trouble').hidden = !lost;
  if (lost) {
    const since = new Date(connection.since).toLocaleTimeString([], { hour12: false });
    const text = `${connection.why.startsWith('no answer') ? 'The controller does not answer' : connection.why}, since ${since}. What is shown may be old; it is asked again by itself.`;
    if ($('trouble').textContent !== text) {
      $('trouble').textContent = text;
    }
    $('sync').className = 'chip bad';
    $('sync').textContent = 'no answer';
  }
}

on('lost', trouble);
on('found', trouble);
on('slow', (seconds) => {
  $('slow').hidden = !seconds;
  $('slow').textContent = seconds ? `asked too often, waits ${seconds} s` : '';
});
on('login', () => session().catch(ignoreLost));

function ignoreLost(e) {
  if (!(e instanceof Lost)) {
    throw e;
  }
}

let soon = 0;

function refreshSoon(millis = 120) {
  clearTimeout(soon);
  soon = setTimeout(() => refresh().catch(ignoreLost), millis);
}

// many events in a row are one reading, but not so late that nothing seems to happen
let happened = 0;
on('happened', () => {
  const now = performance.now();
  happened = now - happened > 1500 ? now : happened;
  refreshSoon(now - happened > 1000 ? 0 : 120);
});
on('changed', () => refreshSoon(0));
on('found', () => refreshSoon(0));

async function watch() {
  for (let wait = 1000; ; wait = connection.since ? Math.min(5000, wait * 1.6) : 1000) {
    await pause(connection.since ? wait : LOOK);
    if (document.hidden && !connection.since) {
      continue;
    }
    try {
      const got = await call('GET', '/v1/fabrics', undefined, {}, 15000);
      if (got.ok) {
        facts(got.data.items[0]);
        if (state.picture && (got.data.items[0].epoch ?? state.picture.epoch) !== state.picture.epoch) {
          refreshSoon(0); // an event was missed, or the stream is interrupted
        }
      }
    } catch (e) {
      ignoreLost(e);
    }
  }
}

$('leave').onclick = logout;

async function start() {
  for (;;) {
    try {
      await Promise.all([session(), refresh()]);
      break;
    } catch (e) {
      ignoreLost(e);
      await pause(1500);
    }
  }
  follow();
  watch();
  for (;;) {
    try {
      await calls();
      tell('session'); // what may be offered depends on both
      ready = true;
      await hosts();
      break;
    } catch (e) {
      ignoreLost(e);
      await pause(1500);
    }
  }
  document.documentElement.dataset.ready = 'yes';
}

start();
