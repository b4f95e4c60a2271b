// The list of tenants.

import { call, change } from './api.js';
import { confirmed, diff, marksOf } from './ask.js';
import { $, button, element, keyed, many, shortened } from './dom.js';
import { edit } from './form.js';
import { byAge, can, colourOf, on, POLICIES, state, swatch, tell } from './state.js';

const FEW = 8; // more than these can be looked through

function list() {
  if (!state.picture) {
    return;
  }
  const { tenants } = state.picture;
  $('look').hidden = tenants.length <= FEW;
  const wanted = $('look').hidden ? '' : $('look').value.trim().toLowerCase();
  const found = byAge(tenants).filter((t) => t.name.toLowerCase().includes(wanted));
  const shown = [...found.filter((t) => t.broken.length), ...found.filter((t) => !t.broken.length)]; // trouble first
  const may = can.change();
  keyed($('tenants'), shown.map((t) => ({
    key: t.name,
    sig: JSON.stringify([t.host_count, t.link_count, t.broken, t.pkey, t.policy, t.name === state.chosen, colourOf.get(t.name), may]),
    make: () => row(t, may),
  })));
  $('none').hidden = tenants.length > 0;
  $('count').textContent = tenants.length.toLocaleString('en');
}

function row(t, may) {
  const what = `${many(t.host_count, 'host')}${t.link_count ? `, ${many(t.link_count, 'own link')}` : ''}${t.link_count && t.policy === 'links' ? '' : ` · ${POLICIES[t.policy] ?? t.policy}`} · ${t.pkey}`;
  const pick = element('button', { type: 'button', className: 'pick', data: { name: t.name, role: 'pick' } }, swatch(t.name),
    element('span', { className: 'who' }, t.name, element('span', { className: 'what' }, what)));
  pick.setAttribute('aria-pressed', String(t.name === state.chosen));
  pick.onclick = () => tell('choose', state.chosen === t.name ? '' : t.name);
  const out = element('li', {}, pick);
  if (may) {
    out.append(button('change', 'Change', () => edit(t.name), { ariaLabel: `Change ${t.name}` }),
      button('go', 'Let go', () => letGo(t.name), { ariaLabel: `Let ${t.name} go`, data: { go: t.name } }));
  }
  if (t.broken.length) {
    out.append(element('div', { className: 'line' }, element('span', { className: 'broken' }, 'promise broken: '), shortened(t.broken)));
  }
  return out;
}

async function letGo(name) {
  const path = `/v1/tenants/${encodeURIComponent(name)}`;
  const there = await call('GET', path);
  if (!there.ok) {
    tell('changed');
    return;
  }
  const match = { 'If-Match': there.etag };
  await confirmed(`Let ${name} go?`, async () => {
    const answer = await call('DELETE', `${path}?dry_run=true`, undefined, match);
    return {
      ...answer,
      items: () => [diff(there.data, null, answer.data.tables)],
      marks: () => marksOf(answer.data.tables),
    };
  }, () => change('DELETE', path, undefined, match), { changes: [{ op: 'delete', name }], yes: 'Let go' });
}

on('choose', (name) => {
  state.chosen = name;
  list();
  tell('chosen');
});
on('picture', list);
$('look').addEventListener('input', list);
