// What is selected: a switch, a host or a link, with its ports, and what can be done with it.

import { call, change, Lost } from './api.js';
import { confirmed, marksOf, planItems } from './ask.js';
import { $, button, element, many, some, terms } from './dom.js';
import { nameHost } from './form.js';
import { machinesOn } from './machines.js';
import { can, on, state, swatch, tell } from './state.js';

let shown = ''; // what the panel says, so that it is written anew only if that has changed
let asked = 0;

const mayDrain = (kind) => can.provide() && [...state.calls].some((c) => c.startsWith(`PUT /v1/${kind}/`));

async function read() {
  const mine = ++asked;
  const s = state.selected;
  if (!s) {
    write('', null);
    return;
  }
  const got = await call('GET', `/v1/nodes/${s.kind === 'link' ? s.a : s.guid}`).catch((e) => {
    if (e instanceof Lost) {
      return null;
    }
    throw e;
  });
  if (mine !== asked || !got) {
    return;
  }
  const machines = s.kind === 'host' ? machinesOn(s.guid) : [];
  const drained = [[...state.drained.links.keys()], [...state.drained.nodes]];
  write(JSON.stringify([s, got.ok ? got.data : null, machines, drained, state.session.role]),
    () => (got.ok ? (s.kind === 'link' ? linkPanel(s, got.data) : nodePanel(got.data)) : unknownPanel(s)));
}

function write(text, make) {
  if (text === shown) {
    return;
  }
  shown = text;
  const role = $('selection').contains(document.activeElement) ? document.activeElement.dataset.role : '';
  $('selection').replaceChildren(...(make ? make() : []));
  $('no-selection').hidden = Boolean(make);
  // the title is told, not the whole table of ports
  const name = $('selection').querySelector('h3')?.textContent ?? '';
  $('selected-say').textContent = name && `Selected: ${name}`;
  if (role) {
    ($('selection').querySelector(`[data-role="${CSS.escape(role)}"]`) ?? $('tab-selected')).focus();
  }
}

const title = (text) => element('h3', { tabIndex: -1 }, text);

/** A tenant's token sees no switches: what the picture says of it. */
function unknownPanel(s) {
  const i = state.shape?.byGuid.get(s.kind === 'link' ? s.a : s.guid);
  const j = s.kind === 'link' ? state.shape?.byGuid.get(s.b) : undefined;
  const names = [i, j].filter((x) => x !== undefined).map((x) => state.picture.names[x]);
  return [title(names.join(' – ') || s.guid),
    element('p', { className: 'hint' }, state.session.role === 'tenant' ? 'What is not yours is not shown.' : 'It is not there any more.')];
}

function tenantLink(name) {
  return element('button', { type: 'button', className: 'link', data: { role: `tenant ${name}` }, onclick: () => tell('choose', name) }, swatch(name), ` ${name}`);
}

const spread = (list) => list.flatMap((x, k) => (k ? [', ', x] : [x]));

function nodePanel({ node, lid, ports }) {
  const isSwitch = node.kind === 'switch';
  const links = ports.filter((p) => p.link);
  const level = !isSwitch ? '' : node.level === 0 ? 'no part of the tree' : `${node.level} of ${state.picture.levels}`;
  const machines = isSwitch ? [] : machinesOn(node.guid);
  const guids = isSwitch ? '' : ports.filter((p) => p.guid).map((p) => `${p.guid}${p.lid ? ` (LID ${p.lid})` : ''}`).join(', ');
  const out = [title(node.name || node.guid), terms([
    ['Kind', node.kind], ['State', node.state === 'drained' ? 'out of service' : node.state], ['GUID', node.guid], ['LID', lid || ''],
    ['Port GUID', guids], ['Level', level], ['Plane', state.picture.planes > 1 ? node.plane : ''],
    ['Ports', `${links.length} of ${node.ports} linked`],
    ['Tenants', node.tenants.length ? spread(node.tenants.map(tenantLink)) : isSwitch ? '' : 'none'],
    ['VMs', machines.map((m) => m.name).join(', ')],
  ])];
  const actions = [];
  if (isSwitch) {
    if (mayDrain('nodes')) {
      actions.push(drainButton('nodes', node.guid, node.name, node.state));
    }
    if (can.provide()) {
      actions.push(button('what-if', 'What if it failed?', () => whatIf(node.name, { op: 'without-switch', guid: node.guid })));
    }
  } else if (can.provide() && !node.tenants.length) {
    actions.push(button('name', 'Name it in the form', () => nameHost(node.name || node.guid)));
  }
  out.push(element('div', { className: 'buttons' }, ...actions), portTable(node.guid, links));
  return out;
}

const STATES = { up: '', drained: 'out of service', gone: 'gone' };

function who(l) {
  if (l.owner) {
    return [tenantLink(l.owner)];
  }
  return [l.tenants.length > 3 ? many(l.tenants.length, 'tenant') : l.tenants.map((t) => t.tenant).join(', ') || '–'];
}

function portTable(guid, links) {
  const rows = links.map(({ port, link: l }) => {
    const lower = l.from.guid === guid && l.from.port === port;
    const other = lower ? l.to : l.from;
    const known = state.shape.byGuid.has(other.guid);
    const to = known && state.shape.byGuid.has(guid) ? { kind: 'link', a: guid, b: other.guid }
      : known ? { kind: 'switch', guid: other.guid } : { kind: 'host', guid: other.guid };
    const go = element('button', { type: 'button', className: 'link', data: { role: `port ${port}` }, onclick: () => tell('select', to) },
      other.name || other.guid);
    const load = lower ? `${l.load.up} / ${l.load.down}` : `${l.load.down} / ${l.load.up}`;
    return element('tr', { className: l.state === 'drained' ? 'out' : '' }, element('td', {}, String(port)), element('td', {}, go),
      element('td', {}, load), element('td', {}, ...who(l)), element('td', {}, STATES[l.state] ?? l.state));
  });
  if (!rows.length) {
    return '';
  }
  const head = ['Port', 'Leads to', 'Out / in', 'Own, or users', ''];
  return element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: 'Ports' },
    element('table', {}, element('caption', { className: 'hint' }, 'out / in: destinations of tenants beyond the port, and back'),
      element('thead', {}, element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h)))), element('tbody', {}, ...rows)));
}

/** All cables between two switches. */
function linkPanel(s, { node, ports }) {
  const cables = ports.filter(({ link: l }) => l && [l.from.guid, l.to.guid].includes(s.b)).map((p) => p.link);
  if (!cables.length) {
    return unknownPanel(s);
  }
  const first = cables[0];
  const at = (end) => element('button', { type: 'button', className: 'link', data: { role: `end ${end.guid}` }, onclick: () => tell('select', { kind: 'switch', guid: end.guid }) },
    end.name || end.guid);
  return [title(`Link ${first.from.name || node.name} – ${first.to.name}`),
    terms([['Ends', [at(first.from), ' – ', at(first.to)]], ['Cables', many(cables.length, 'cable')]]),
    ...cables.map((l) => {
      const actions = [];
      if (mayDrain('links') && l.state !== 'gone') {
        actions.push(drainButton('links', l.id, `link ${l.id}`, l.state));
      }
      if (can.provide() && l.state === 'up') {
        actions.push(button(`what-if ${l.id}`, 'What if it failed?', () => whatIf(`link ${l.id}`, { op: 'without-link', link: l.id })));
      }
      return element('section', { className: 'cable' },
        terms([['Ports', `${l.from.port} – ${l.to.port}`], ['State', l.state === 'drained' ? 'out of service' : l.state], ['Id', l.id],
          ['Width', l.width ? `${l.width} ${l.speed}` : ''],
          ['Load', `${many(l.load.up, 'destination')} up, ${l.load.down} down`],
          ['Own link of', l.owner ? [tenantLink(l.owner)] : ''],
          ['Used by', l.tenants.length ? spread(l.tenants.map((t) => element('span', {}, tenantLink(t.tenant), ` ${t.up} / ${t.down}`))) : 'nobody']]),
        element('div', { className: 'buttons' }, ...actions));
    })];
}

function drainButton(kind, id, name, now) {
  const back = now === 'drained';
  return button(`drain ${id}`, back ? 'Return to service …' : 'Take out of service …', () => drain(kind, id, name, back), { data: { drain: id } });
}

/**
 * Takes something out of service, or back: what would change first. What is refused because tenants
 * would lose something can be forced, once who loses what has been seen.
 */
function drain(kind, id, name, back) {
  const path = `/v1/${kind}/${encodeURIComponent(id)}`;
  const body = { state: back ? 'up' : 'drained' };
  const forced = { ...body, force: true };
  const dry = async (what, question) => {
    const answer = await call('PUT', `${path}?dry_run=true`, what);
    const d = answer.data;
    return {
      ...answer,
      items: () => [...question(d.tenants ?? []), planItems({ proven: true, tenants: d.tenants ?? [], tables: d.tables })],
      marks: () => marksOf(d.tables),
    };
  };
  const losers = (tenants) => {
    const names = tenants.filter((t) => t.change === 'promise-broken').map((t) => t.name);
    return [element('p', {}, element('strong', { className: 'bad-kind' },
      names.length ? `${some(names, 4)} ${names.length === 1 ? 'loses' : 'lose'} what was promised.` : 'Nobody loses anything any more.'),
    ' Really take it out of service?')];
  };
  return confirmed(back ? `Return ${name} to service?` : `Take ${name} out of service?`, () => dry(body, () => []), () => change('PUT', path, body), {
    changes: back ? null : [kind === 'links' ? { op: 'without-link', link: id } : { op: 'without-switch', guid: id }],
    yes: back ? 'Return' : 'Take out',
    force: back ? null : {
      offer: 'See it forced …', dry: () => dry(forced, losers), real: () => change('PUT', path, forced), yes: 'Take out all the same',
    },
  });
}

/** What a failure would do; nothing is kept unless that is asked for. */
function whatIf(name, op) {
  return confirmed(`What if ${name} failed?`, async () => {
    const answer = await call('POST', '/v1/plans?dry_run=true', { changes: [op] });
    return {
      ...answer,
      items: () => [planItems(answer.data.result)],
      marks: () => marksOf(answer.data.result.tables),
    };
  }, null, { changes: [op] });
}

on('select', (selected) => {
  state.selected = selected;
  tell('selected');
  if (selected) {
    tell('tab', 'selected');
  }
  read();
});
on('picture', read);
on('machines', read);
on('found', read);
on('chosen', () => { shown = ''; read(); });
