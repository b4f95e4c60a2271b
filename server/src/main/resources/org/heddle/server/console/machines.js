// Virtual machines, where they could move to, and what moved.

import { call, change, Lost, pages } from './api.js';
import { confirmed, marksOf, refusal, tableItems } from './ask.js';
import { $, button, element, keyed, many, some, switches, time } from './dom.js';
import { byAge, can, mark, on, state, swatch, tell } from './state.js';

const FEW = 60; // so many are shown at once, more group by group
const PAST = 20;

let migrations = [];
let moves = []; // [{vm, to}]: moved together, as one epoch
let asked = 0;
let accepted = null; // body of the request that can be done
let targets = new Map(); // hosts of a tenant, of this epoch
let shownMigration = null;

const there = () => can.call('GET', '/v1/vms');
export const machinesOn = (guid) => state.machines.filter((m) => m.host_guid === guid);

export async function readMachines() {
  if (!there()) {
    return;
  }
  const got = await pages('/v1/vms');
  state.machines = got ?? [];
  moves = moves.filter((x) => state.machines.some((m) => m.name === x.vm));
  listMachines();
  listMoves();
  if (can.call('GET', '/v1/migrations')) {
    const epoch = state.picture?.epoch ?? 0;
    const past = await pages('/v1/migrations', 20, epoch > 500 ? String(epoch - 500) : '');
    migrations = (past ?? []).slice(-PAST).reverse();
    listMigrations();
  }
  tell('machines');
}

// ---- the list

function listMachines() {
  const by = $('vm-by').value;
  const wanted = $('vm-look').value.trim().toLowerCase();
  const shown = state.machines.filter((m) => `${m.name} ${m.tenant} ${m.host}`.toLowerCase().includes(wanted));
  const groups = new Map();
  for (const m of shown) {
    const key = by === 'tenant' ? m.tenant : m.host || m.host_guid;
    if (!groups.has(key)) {
      groups.set(key, []);
    }
    groups.get(key).push(m);
  }
  const all = shown.length <= FEW;
  const moving = new Set(moves.map((x) => x.vm));
  const order = [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  keyed($('vm-list'), order.map(([key, list]) => ({
    key,
    sig: JSON.stringify([by, all, can.change(), list.map((m) => [m.name, m.version, m.lid, m.stranded, m.host, m.tenant, moving.has(m.name)])]),
    make: () => group(key, list, by, all, moving),
  })));
  $('no-vms').hidden = state.machines.length > 0;
  $('vm-count').textContent = state.machines.length ? `(${state.machines.length.toLocaleString('en')})` : '';
}

function group(key, list, by, all, moving) {
  const body = element('ul', { className: 'rows' });
  const fill = () => body.children.length || body.append(...list.map((m) => row(m, by, moving.has(m.name))));
  const head = element('summary', {}, by === 'tenant' ? swatch(key) : '', ` ${key} `,
    element('span', { className: 'soft' }, many(list.length, 'VM')));
  const out = element('details', { open: all, ontoggle: fill }, head, body);
  if (all) {
    fill();
  }
  return element('li', {}, out);
}

function row(m, by, moving) {
  const text = by === 'tenant' ? `on ${m.host}` : m.tenant;
  const out = element('li', {}, swatch(m.tenant), element('span', { className: 'who' }, m.name,
    element('span', { className: 'what' }, `${text} · LID ${m.lid}${m.own_lid ? '' : ' (of its host)'}`),
    m.stranded ? element('span', { className: 'what bad-kind' }, m.stranded) : ''));
  if (can.change()) {
    out.append(button(`move ${m.name}`, moving ? 'Moving' : 'Move', () => add(m), { disabled: moving, ariaLabel: `Move ${m.name}`, data: { move: m.name } }),
      button(`stop ${m.name}`, 'Stop', () => stop(m), { ariaLabel: `Stop ${m.name}` }));
  }
  return out;
}

function stop(m) {
  const path = `/v1/vms/${encodeURIComponent(m.name)}`;
  return confirmed(`Stop ${m.name}?`, async () => {
    const answer = await call('DELETE', `${path}?dry_run=true`);
    return {
      ...answer,
      items: () => [element('p', {}, `On ${m.host}, LID ${m.lid}.`), element('ul', { className: 'diff' }, ...tableItems(answer.data.tables))],
      marks: () => marksOf(answer.data.tables),
    };
  }, () => change('DELETE', path), { yes: 'Stop' });
}

// ---- where to

/** The hosts of a tenant, or those at its members' ports. */
async function hostsOf(tenant) {
  if (!targets.has(tenant)) {
    const got = await call('GET', `/v1/tenants/${encodeURIComponent(tenant)}`);
    let list = got.ok ? got.data.hosts : [];
    if (got.ok && !list.length && state.hosts) {
      const ports = new Set(got.data.members.map((m) => m.guid));
      list = state.hosts.portGuids.flatMap((g, c) => (ports.has(g) ? [{ guid: state.hosts.guids[c], name: state.hosts.names[c], leaf: '' }] : []));
    }
    targets.set(tenant, list);
  }
  return targets.get(tenant);
}

function leafName(guid) {
  const i = state.shape?.byGuid.get(guid);
  return i === undefined ? 'hosts' : state.picture.names[i];
}

async function add(m) {
  if (!moves.some((x) => x.vm === m.name)) {
    moves.push({ vm: m.name, to: '' });
    await listMoves();
    listMachines();
    $('moves').querySelector(`select[data-vm="${CSS.escape(m.name)}"]`)?.focus();
  }
}

async function listMoves() {
  $('moving').hidden = moves.length === 0;
  const items = [];
  for (const x of moves) {
    const m = state.machines.find((y) => y.name === x.vm);
    const hosts = (await hostsOf(m.tenant)).filter((h) => h.guid !== m.host_guid);
    items.push({
      key: x.vm,
      sig: JSON.stringify([m.host, hosts.map((h) => h.guid)]),
      make: () => moveRow(x, m, hosts),
    });
  }
  keyed($('moves'), items);
  accepted = null;
  await tryMoves();
}

function moveRow(x, m, hosts) {
  const leaves = new Map();
  for (const h of hosts) {
    const leaf = leafName(h.leaf);
    if (!leaves.has(leaf)) {
      leaves.set(leaf, []);
    }
    leaves.get(leaf).push(h);
  }
  const used = new Map();
  for (const y of state.machines) {
    used.set(y.host_guid, (used.get(y.host_guid) ?? 0) + 1);
  }
  const select = element('select', { id: `to-${m.name}`, ariaLabel: `${m.name} moves to`, data: { role: 'to', vm: m.name } },
    element('option', { value: '' }, hosts.length ? 'to …' : `${m.tenant} has no other host`),
    ...[...leaves].map(([leaf, list]) => element('optgroup', { label: leaf }, ...list.map((h) =>
      element('option', { value: h.guid, selected: h.guid === x.to },
        `${h.name || h.guid}${used.has(h.guid) ? ` (${many(used.get(h.guid), 'VM')})` : ''}`)))));
  select.onchange = () => {
    moves.find((y) => y.vm === x.vm).to = select.value;
    tryMoves();
  };
  const drop = button('drop', '✕', () => {
    moves = moves.filter((y) => y.vm !== x.vm);
    listMoves();
    listMachines();
  }, { ariaLabel: `Do not move ${m.name}` });
  return element('li', {}, element('span', { className: 'who' }, m.name, element('span', { className: 'what' }, `from ${m.host}`)), select, drop);
}

function sayMoves(kind, ...what) {
  $('moves-say').className = `decision ${kind}`;
  $('moves-say').replaceChildren(...what);
  $('moves-apply').disabled = !accepted;
}

/** Switches that a dry run says would change; hosts that machines leave and go to. */
function marksOfMigration(doc) {
  return {
    switches: marksOf(doc.tables)?.switches ?? [],
    from: doc.moves.map((m) => m.from_guid),
    to: doc.moves.map((m) => m.to_guid),
  };
}

function migrationItems(doc) {
  const dropped = doc.dropped_lids ?? [];
  const done = doc.state !== 'would-be';
  return element('ul', { className: 'diff' },
    ...doc.moves.map((m) => element('li', {}, `${m.vm}: ${m.from || m.from_guid} → ${m.to || m.to_guid}, LID ${m.lid}, `,
      `${switches(m.switches)} ${done ? 'changed' : 'change'}${m.switches > m.minimum ? `, the least is ${m.minimum}` : ', the least there is'}`,
      m.widened ? element('em', {}, '; more than a move up and down the tree needs') : '')),
    doc.smps === null || doc.smps === undefined ? null : element('li', {}, `${many(doc.smps, 'block')} written (SMPs)`),
    element('li', {}, dropped.length ? `LIDs dropped temporarily: ${some(dropped.map(String), 8)}` : 'no LID is dropped temporarily'),
    ...(done ? [] : tableItems(doc.tables)));
}

/** What the moves would do, asked at once. */
async function tryMoves() {
  const mine = ++asked;
  accepted = null;
  const wanted = moves.filter((x) => x.to);
  if (!wanted.length) {
    sayMoves('', moves.length ? 'Choose where to.' : '');
    mark(null);
    return;
  }
  sayMoves('asking', 'Asking …');
  const method = $('moves-method').value;
  const body = { moves: wanted.map((x) => ({ vm: x.vm, to: x.to })), ...(method ? { method } : {}) };
  let answer;
  try {
    answer = await call('POST', '/v1/migrations?dry_run=true', body);
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    sayMoves('asking', 'Nobody answers.');
    return;
  }
  if (mine !== asked) {
    return;
  }
  const doc = answer.data;
  if (!answer.ok || doc.state === 'refused') {
    mark(null);
    sayMoves('refused', element('strong', {}, 'Refused'), ...refusal({ detail: doc.reason, ...doc }));
    return;
  }
  accepted = body;
  mark(marksOfMigration(doc));
  sayMoves('accepted', element('strong', {}, 'Can be moved'), migrationItems(doc));
}

async function applyMoves() {
  const body = accepted;
  accepted = null;
  $('moves-apply').disabled = true;
  try {
    const answer = await change('POST', '/v1/migrations', body);
    if (!answer.ok) {
      sayMoves('refused', element('strong', {}, 'Refused'), ...refusal(answer.data));
      return;
    }
    const moved = new Set(body.moves.map((x) => x.vm));
    moves = moves.filter((x) => !moved.has(x.vm));
    mark(null);
    $('moved').textContent = `Moved, epoch ${answer.data.epoch ?? answer.data.id ?? ''}.`;
    tell('changed');
    await readMachines();
    $('vm-list').querySelector('button')?.focus();
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    sayMoves('refused', 'Nobody has answered; whether it was done is seen once somebody does.');
  }
}

// ---- what moved

function listMigrations() {
  keyed($('migrations'), migrations.map((g) => ({
    key: String(g.id),
    sig: JSON.stringify([g.state, g.id === shownMigration]),
    make: () => {
      const what = some(g.moves.map((m) => m.vm), 3);
      const pick = element('button', { type: 'button', className: 'pick', data: { role: 'pick' } },
        element('span', { className: `state ${g.state}` }, g.state === 'pending' ? 'under way' : g.state),
        element('span', { className: 'who' }, what, element('span', { className: 'what' },
          time(g.at), `${g.moves.map((m) => `${m.from} → ${m.to}`).slice(0, 2).join(', ')}${g.moves.length > 2 ? ', …' : ''} · ${many(g.smps ?? 0, 'block')}`)));
      pick.setAttribute('aria-expanded', String(g.id === shownMigration));
      pick.onclick = () => {
        shownMigration = shownMigration === g.id ? null : g.id;
        mark(shownMigration ? marksOfMigration(g) : null);
        listMigrations();
      };
      return element('li', {}, pick, g.id === shownMigration ? migrationItems(g) : '');
    },
  })));
  $('no-migrations').hidden = migrations.length > 0;
}

// ---- starting one

let startable = null;

async function tryStart() {
  startable = null;
  $('vm-start').disabled = true;
  const name = $('vm-name').value.trim();
  const host = $('vm-host').value;
  if (!name || !host) {
    $('vm-say').className = 'decision wide';
    $('vm-say').replaceChildren();
    return;
  }
  const body = { name, tenant: $('vm-tenant').value, host };
  const answer = await call('POST', '/v1/vms?dry_run=true', body);
  const tables = answer.data.tables;
  $('vm-say').className = `decision wide ${answer.ok ? 'accepted' : 'refused'}`;
  $('vm-say').replaceChildren(element('strong', {}, answer.ok ? 'Can be started' : 'Refused'),
    ...(answer.ok ? [element('ul', { className: 'diff' }, ...tableItems(tables))] : refusal(answer.data)));
  if (answer.ok) {
    startable = body;
    mark(marksOf(tables));
  }
  $('vm-start').disabled = !answer.ok;
}

async function fillHosts() {
  const list = $('vm-tenant').value ? await hostsOf($('vm-tenant').value) : [];
  const had = $('vm-host').value;
  $('vm-host').replaceChildren(element('option', { value: '' }, list.length ? 'choose …' : 'none'),
    ...list.map((h) => element('option', { value: h.guid, selected: h.guid === had }, h.name || h.guid)));
}

async function fillTenants() {
  const had = $('vm-tenant').value;
  $('vm-tenant').replaceChildren(...byAge(state.picture?.tenants ?? []).map((t) =>
    element('option', { value: t.name, selected: t.name === had }, t.name)));
  await fillHosts();
}

let typing = 0;
$('vm-form').addEventListener('input', async (e) => {
  if (e.target === $('vm-tenant')) {
    await fillHosts();
  }
  clearTimeout(typing);
  typing = setTimeout(tryStart, 250);
});
$('vm-form').addEventListener('submit', async (e) => {
  e.preventDefault();
  if (!startable) {
    return;
  }
  const answer = await change('POST', '/v1/vms', startable);
  startable = null;
  $('vm-start').disabled = true;
  $('vm-say').className = `decision wide ${answer.ok ? 'applied' : 'refused'}`;
  $('vm-say').replaceChildren(...(answer.ok ? [`${$('vm-name').value} runs.`] : refusal(answer.data)));
  if (answer.ok) {
    $('vm-name').value = '';
    $('vm-name').focus();
    mark(null);
    tell('changed');
    await readMachines();
  }
});
$('vm-by').onchange = listMachines;
$('vm-look').oninput = listMachines;
$('moves-method').onchange = tryMoves;
$('moves-apply').onclick = applyMoves;
$('moves-clear').onclick = () => {
  moves = [];
  mark(null);
  listMoves();
  listMachines();
};

on('session', () => {
  $('vm-admission').hidden = !can.change() || !can.call('POST', '/v1/vms');
});
let epoch = -1;
on('picture', () => {
  if (state.picture.epoch !== epoch) {
    epoch = state.picture.epoch;
    targets = new Map();
  }
  fillTenants();
});
on('calls', () => readMachines());
let later = 0;
on('happened', (events) => {
  if (events.some((e) => e.kind.startsWith('vm-'))) {
    clearTimeout(later);
    later = setTimeout(() => readMachines().catch((e) => {
      if (!(e instanceof Lost)) {
        throw e;
      }
    }), 300);
  }
});
on('entered', (tab) => {
  if (tab === 'machines') {
    readMachines();
  }
});
on('left', (tab) => {
  if (tab === 'machines') {
    shownMigration = null;
    mark(null);
  }
});
