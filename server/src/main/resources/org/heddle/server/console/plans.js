// Plans: changes tried together and kept with what would become of them.

import { call, change, Lost, pages } from './api.js';
import { confirmed, keep, marksOf, planItems } from './ask.js';
import { $, element, keyed, many, time } from './dom.js';
import { changeWords } from './draft.js';
import { can, mark, on, state, tell } from './state.js';

const SHOWN = 50;
const FEW = 6;

let plans = [];
let from = 0; // where the last ones begin
let open = 0; // number of the plan that is shown
let shown = ''; // its document

const STATES = {
  ready: 'ready', refused: 'refused', applied: 'applied', stale: 'out of date',
};

/** Reads the last plans; the states of the older ones among them may have changed. */
export async function readPlans() {
  if (!can.seeAll() || !can.call('GET', '/v1/plans')) {
    return;
  }
  const got = await pages('/v1/plans', 20, from ? String(from) : '');
  if (!got) {
    return;
  }
  plans = got.slice(-SHOWN).reverse();
  from = got.length > SHOWN ? got[got.length - SHOWN - 1].id : from;
  list();
  if (open) {
    await show(open);
  }
}

function list() {
  keyed($('plan-list'), plans.map((p) => ({
    key: String(p.id),
    sig: JSON.stringify([p.state, p.applied_epoch, p.id === open]),
    make: () => {
      const pick = element('button', { type: 'button', className: 'pick', data: { role: 'pick', plan: p.id } },
        element('span', { className: `state ${p.state}` }, STATES[p.state] ?? p.state),
        element('span', { className: 'who' }, `Plan ${p.id}`,
          element('span', { className: 'what' }, `${many(p.changes, 'change')}, `, time(p.created), p.actor)));
      pick.setAttribute('aria-expanded', String(p.id === open));
      pick.onclick = () => (p.id === open ? close() : openPlan(p.id));
      return element('li', {}, pick);
    },
  })));
  $('no-plans').hidden = plans.length > 0;
}

function close() {
  open = 0;
  shown = '';
  $('plan').hidden = true;
  mark(null);
  list();
}

async function openPlan(id) {
  open = id;
  shown = '';
  list();
  await show(id);
}

async function show(id) {
  const got = await call('GET', `/v1/plans/${id}`);
  if (id !== open) {
    return;
  }
  if (!got.ok) {
    close();
    return;
  }
  const text = JSON.stringify(got.data);
  if (text !== shown) {
    shown = text;
    document_(got.data);
  }
  if (got.data.state !== 'applied') {
    mark(marksOf(got.data.result.tables));
  }
}

function verdict(p) {
  switch (p.state) {
    case 'stale': return `Out of date: it was made on epoch ${p.epoch}, and the state is another one now. It cannot be applied; try it again.`;
    case 'applied': return `Applied, epoch ${p.applied_epoch}.`;
    case 'refused': return 'Refused: it cannot be applied.';
    default: return `Made on epoch ${p.epoch}, which is still the state.`;
  }
}

function document_(p) {
  const buttons = [];
  if (can.provide()) {
    if (p.state === 'ready') {
      buttons.push(element('button', { type: 'button', className: 'main', id: 'plan-apply', onclick: () => apply(p) }, 'Apply …'));
    }
    if (p.state !== 'applied') {
      buttons.push(element('button', { type: 'button', id: 'plan-edit', onclick: () => edit(p) }, 'Change it'));
    }
    if (p.state !== 'ready') {
      buttons.push(element('button', { type: 'button', id: 'plan-again', onclick: () => again(p) }, 'Try again on the present state'));
    }
  }
  buttons.push(element('button', { type: 'button', onclick: close }, 'Close'));
  const focused = $('plan').contains(document.activeElement) ? document.activeElement.id : '';
  $('plan').replaceChildren(
    element('h3', {}, `Plan ${p.id}`),
    changeList(p.changes),
    element('p', { className: `hint ${p.state === 'stale' || p.state === 'refused' ? 'bad-kind' : ''}` }, verdict(p)),
    planItems(p.result),
    element('div', { className: 'buttons' }, ...buttons));
  $('plan').hidden = false;
  if (focused) {
    ($(focused) ?? $('plan').querySelector('button')).focus();
  }
}

/** The changes one by one; of many the rest on demand. */
function changeList(changes) {
  const items = (list) => list.map((c) => element('li', {}, changeWords(c)));
  const rest = changes.slice(FEW);
  return element('div', {}, element('ol', { className: 'plain' }, ...items(changes.slice(0, FEW))),
    rest.length ? element('details', {}, element('summary', {}, `and ${rest.length} more`), element('ol', { className: 'plain', start: FEW + 1 }, ...items(rest))) : null);
}

/** Its changes go back to those that are collected. */
function edit(p) {
  tell('collect', p.changes);
  close();
  $('drawn-up').focus();
}

async function apply(p) {
  const answer = await confirmed(`Apply plan ${p.id}?`, async () => ({
    ok: true,
    items: () => [planItems(p.result)],
    marks: () => marksOf(p.result.tables),
  }), () => change('POST', `/v1/plans/${p.id}/apply`, {}));
  if (answer) {
    await readPlans();
  }
}

async function again(p) {
  const answer = await keep(p.changes);
  if (!answer.ok) {
    $('plan').prepend(element('p', { className: 'bad-kind', role: 'alert' }, answer.data.detail ?? 'refused'));
  }
}

on('plan', async (id) => {
  tell('tab', 'plans');
  open = id;
  shown = '';
  await readPlans();
  $('plan-list').querySelector(`[data-plan="${id}"]`)?.focus();
});
on('left', (tab) => {
  if (tab === 'plans') {
    mark(null);
  }
});
on('entered', (tab) => tab === 'plans' && readPlans());
let epoch = -1;
on('picture', () => { // what was ready may be out of date
  if (state.picture.epoch !== epoch && !$('part-plans').hidden) {
    readPlans().catch((e) => {
      if (!(e instanceof Lost)) {
        throw e;
      }
    });
  }
  epoch = state.picture.epoch;
});
