// How the fabric is: in the header in a word, and in full what is wrong and what is out of service.

import { $, element, keyed, machines, many, shortened, switches } from './dom.js';
import { can, on, state, tell } from './state.js';

const SHOWN = 40;

/** What the list of fabrics says of the one that is shown. */
export function facts(f) {
  state.fabric = f;
  $('fabric').textContent = `${f.name}: ${machines(f)}, ${switches(f.switches)}`;
  $('free').parentElement.hidden = f.free_hosts === undefined;
  $('free').textContent = f.free_hosts === undefined ? '' : f.free_hosts.toLocaleString('en');
  $('epoch').parentElement.hidden = f.epoch === undefined;
  $('epoch').textContent = f.epoch ?? '';
  chip();
  list();
}

const behind = (s, f) => !s.in_sync || s.epoch !== f.epoch;

function chip() {
  const f = state.fabric;
  const s = f.status;
  const late = s && behind(s, f);
  const text = !s ? 'tenant’s view' : !late ? 'fabric is as wanted'
    : s.problems.length ? many(s.problems.length, 'problem') : s.differing ? `${many(s.differing, 'block')} differ` : 'working';
  const sync = $('sync');
  sync.className = `chip ${!s ? '' : late ? (s.problems.length ? 'bad' : '') : 'good'}`;
  if (sync.textContent !== text) {
    sync.textContent = text; // or screen readers would say the same again and again
  }
}

function words(f, s) {
  if (!s) {
    return 'What is shown is yours; the rest of the fabric is not.';
  }
  if (!behind(s, f)) {
    return `The switches have what is wanted: epoch ${f.epoch}.`;
  }
  const differing = s.differing ? `, ${many(s.differing, 'block')} of tables differ` : '';
  return `Wanted is epoch ${f.epoch}; the switches have epoch ${s.epoch}${differing}. ${s.problems.length ? 'It is tried again by itself.' : 'It is being written.'}`;
}

const go = (text, role, onclick) => element('button', { type: 'button', className: 'link', data: { role }, onclick }, text);
const item = (key, sig, ...children) => ({ key, sig: JSON.stringify(sig), make: () => element('li', {}, ...children) });

function broken() {
  return (state.picture?.tenants ?? []).filter((t) => t.broken.length).map((t) =>
    item(`t ${t.name}`, t.broken, element('span', { className: 'who wrap' },
      element('span', { className: 'bad-kind' }, 'promise broken '), go(t.name, 'go', () => {
        tell('choose', t.name);
        tell('tab', 'tenants');
      }), element('span', { className: 'what' }, shortened(t.broken)))));
}

function drained() {
  const { picture, drained: out } = state;
  if (!picture) {
    return [];
  }
  const nodes = [...out.nodes].map((guid) => {
    const name = picture.names[state.shape.byGuid.get(guid)] ?? guid;
    return item(`n ${guid}`, name, element('span', { className: 'who wrap' }, 'out of service: switch ',
      go(name, 'go', () => tell('select', { kind: 'switch', guid }))));
  });
  const links = [...out.links].filter(([e]) => ![0, 1].some((k) => out.nodes.has(picture.guids[picture.links[3 * e + k]])));
  return [...nodes, ...links.map(([e, cables]) => {
    const [a, b] = [picture.links[3 * e], picture.links[3 * e + 1]];
    const name = `${picture.names[a]} – ${picture.names[b]}`;
    return item(`l ${picture.guids[a]} ${picture.guids[b]}`, [name, cables], element('span', { className: 'who wrap' }, 'out of service: ',
      go(name, 'go', () => tell('select', { kind: 'link', a: picture.guids[a], b: picture.guids[b] })),
      cables > 1 ? ` (${many(cables, 'cable')})` : ''));
  })];
}

function list() {
  const f = state.fabric;
  if (!f) {
    return;
  }
  const text = words(f, f.status);
  if ($('status-say').textContent !== text) {
    $('status-say').textContent = text;
  }
  const say = (kind, all) => all.map((x, k) => item(`${kind} ${k}`, x, element('span', { className: `who wrap ${kind === 'p' ? 'bad-kind' : ''}` }, x)));
  const all = [...say('p', f.status?.problems ?? []), ...broken(), ...say('f', f.notes ?? []), ...drained()];
  keyed($('status-list'), all.slice(0, SHOWN));
  $('status-more').textContent = all.length > SHOWN ? `and ${(all.length - SHOWN).toLocaleString('en')} more` : '';
  const n = (state.picture?.tenants ?? []).filter((t) => t.broken.length).length;
  $('broken').hidden = n === 0;
  $('broken').textContent = `${many(n, 'promise')} broken`;
}

function open() {
  tell('tab', 'activity');
  $('status-title').focus();
}

$('sync').onclick = open;
$('broken').onclick = open;
on('picture', list);
on('session', () => {
  $('modes').title = can.seeAll() ? '' : 'Of your own hosts only';
});
