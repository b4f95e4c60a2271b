// What would change, in words, and the dialog that asks before it is done.

import { call, change, Lost } from './api.js';
import { $, element, many, shortened, some, switches } from './dom.js';
import { can, mark, POLICIES, state, tell } from './state.js';

/** What becomes of tables, as items of a list. */
export function tableItems(tables) {
  if (!tables) {
    return [];
  }
  if (!tables.blocks) {
    return [element('li', {}, 'no table changes')];
  }
  const names = tables.most.map((s) => element('li', {}, `${s.name || s.guid}: ${many(s.blocks, 'block')}`));
  if (tables.switches > names.length) {
    names.push(element('li', {}, `and ${(tables.switches - names.length).toLocaleString('en')} more`));
  }
  const head = `${many(tables.blocks, 'block')} of ${switches(tables.switches)} written`;
  return [element('li', {}, element('details', {}, element('summary', {}, head), element('ul', {}, ...names)))];
}

/** The switches of a dry run, to be marked in the picture. */
export function marksOf(tables) {
  return tables?.most?.length ? { switches: tables.most.map((s) => s.guid), from: [], to: [] } : null;
}

/** What a tenant gets and loses. */
export function diff(before, after, tables) {
  const items = [];
  const had = new Map((before?.hosts ?? []).map((h) => [h.guid, h]));
  const has = new Map((after?.hosts ?? []).map((h) => [h.guid, h]));
  const row = (sign, list, other) => {
    const differing = [...list.values()].filter((h) => !other.has(h.guid));
    if (differing.length) {
      const leaves = new Set(differing.map((h) => h.leaf)).size;
      const on = `${many(differing.length, 'host')} on ${many(leaves, 'leaf', 'leaves')}`;
      items.push(element('li', { className: sign }, `${on}: ${some(differing.map((h) => h.name || h.guid))}`));
    }
  };
  row('plus', has, had);
  row('minus', had, has);
  const key = (l) => `${l.from}/${l.port}`;
  const hadLinks = new Set((before?.links ?? []).map(key));
  const hasLinks = new Set((after?.links ?? []).map(key));
  const got = [...hasLinks].filter((l) => !hadLinks.has(l)).length;
  const lost = [...hadLinks].filter((l) => !hasLinks.has(l)).length;
  if (got) {
    items.push(element('li', { className: 'plus' }, `${many(got, 'link')} of its own`));
  }
  if (lost) {
    items.push(element('li', { className: 'minus' }, many(lost, 'link')));
  }
  if (after && after.pkey !== before?.pkey) {
    items.push(element('li', { className: 'plus' }, `partition key ${after.pkey}`));
  }
  const members = (after?.members ?? []).filter((m) => m.pending).length;
  if (members) {
    items.push(element('li', {}, `${many(members, 'member')} not in the fabric yet`));
  }
  return element('ul', { className: 'diff' }, ...items, ...tableItems(tables));
}

/** Why something is refused, and what would do instead. */
export function refusal(data) {
  const hint = (h) => { // "name: reason; reason; ..."
    const at = h.indexOf(': ');
    const list = h.slice(at + 2).split('; ');
    return at < 0 || list.length < 3 ? [h] : [`${h.slice(0, at)}: `, shortened(list)];
  };
  return [element('span', {}, data.detail || data.title || 'no reason was given'),
    ...(data.hints?.length ? [element('ul', { className: 'diff' }, ...data.hints.map((h) => element('li', {}, ...hint(h))))] : [])];
}

const WORDS = {
  admitted: 'admitted', gone: 'goes', moved: 'other hosts or links', changed: 'changed',
  'promise-broken': 'promise broken', 'promise-restored': 'promise kept again',
};

const FEW = 8; // tenants that are told at once

function tenantItem(t) {
  const side = (s) => [many(s.hosts, 'host'), ...(s.links ? [many(s.links, 'own link')] : []),
    ...(s.links && s.policy === 'links' ? [] : [POLICIES[s.policy] ?? s.policy]), s.pkey].join(', ');
  const [before, after] = [t.before && side(t.before), t.after && side(t.after)];
  const became = before && after && before !== after ? `${before} → ${after}` : after ?? before ?? '';
  const machines = state.machines.filter((m) => m.tenant === t.name).map((m) => m.name);
  const out = element('li', {}, element('span', { className: t.change === 'promise-broken' ? 'kind bad-kind' : 'kind' }, t.name),
    ` ${WORDS[t.change] ?? t.change} (${became})`);
  if (machines.length) {
    out.append(`; has ${many(machines.length, 'VM')}: ${some(machines, 3)}`);
  }
  if (t.after?.broken?.length) {
    out.append(': ', shortened(t.after.broken));
  }
  return out;
}

/** How many get what, in a line. */
function summary(tenants) {
  const counts = new Map();
  tenants.forEach((t) => counts.set(t.change, (counts.get(t.change) ?? 0) + 1));
  return [...counts].map(([change, n]) => `${n.toLocaleString('en')} ${WORDS[change] ?? change}`).join(', ');
}

const OF_MACHINES = {
  stranded: 'not reached any more', stopped: 'stopped', moved: 'moved', reached: 'reached again',
  'as-host': 'routed as its host again', started: 'started', rerouted: 'other ways',
};

/** What happens to virtual machines: by name where it is more than another way, else how many. */
function machineItems(machines) {
  if (!machines?.total) {
    return [];
  }
  const rows = machines.list.filter((m) => m.change !== 'rerouted').slice(0, FEW).map((m) => {
    const [before, after] = [m.before?.host, m.after?.host];
    const place = before && after && before !== after ? `${before} → ${after}` : after ?? before;
    return element('li', {}, element('span', { className: m.change === 'stranded' ? 'kind bad-kind' : 'kind' }, m.name),
      ` ${OF_MACHINES[m.change] ?? m.change} (${place})`);
  });
  const counts = Object.entries(machines.counts).map(([c, n]) => `${n.toLocaleString('en')} ${OF_MACHINES[c] ?? c}`);
  return machines.total > rows.length ? [...rows, element('li', {}, `${many(machines.total, 'VM')}: ${counts.join(', ')}`)] : rows;
}

/** What a plan does: to whom, to which tables, proven or why not. */
export function planItems(result) {
  if (!result.proven) {
    return element('ul', { className: 'diff' }, element('li', { className: 'unproven' }, ...refusal({ detail: result.reason, hints: result.hints })));
  }
  const first = (t) => (t.change === 'promise-broken' ? 0 : 1);
  const all = [...result.tenants].sort((a, b) => first(a) - first(b));
  const rows = all.slice(0, FEW).map(tenantItem);
  if (all.length > FEW) {
    rows.unshift(element('li', {}, `${many(all.length, 'tenant')}: ${summary(all)}`));
    rows.push(element('li', {}, element('details', {}, element('summary', {}, `and ${many(all.length - FEW, 'more tenant')}`),
      element('ul', { className: 'diff' }, ...all.slice(FEW).map(tenantItem)))));
  }
  return element('ul', { className: 'diff' }, element('li', { className: 'proven' }, 'proven: routes, links of tenants\u2019 own, isolation'),
    ...(rows.length ? rows : [element('li', {}, 'nothing happens to any tenant')]), ...machineItems(result.vms), ...tableItems(result.tables));
}

/** Keeps changes as a plan, and opens it. */
export async function keep(changes) {
  const answer = await change('POST', '/v1/plans', { changes });
  if (answer.ok) {
    tell('plan', answer.data.id);
  }
  return answer;
}

const dialog = $('ask');

/** What is pressed next, of those buttons that are shown; Escape is no. */
function pressed() {
  return new Promise((resolve) => {
    for (const what of ['yes', 'force', 'keep', 'no']) {
      $(`ask-${what}`).onclick = () => resolve(what);
    }
    dialog.oncancel = () => resolve('no');
  });
}

function offer(...what) {
  for (const name of ['yes', 'force', 'keep']) {
    $(`ask-${name}`).hidden = !what.includes(name);
  }
}

/** Asks what would happen, says it, and offers what can be done; what is pressed. */
async function shown(step, changes, force) {
  $('ask-text').replaceChildren('Asking what would change …');
  offer();
  $('ask-no').focus();
  const choice = pressed();
  const would = await Promise.race([step.dry(), choice]);
  if (would === 'no') {
    return 'no';
  }
  const done = would.ok && Boolean(step.real);
  $('ask-text').replaceChildren(...(would.ok ? would.items() : [element('strong', { className: 'bad-kind' }, 'Refused'), element('br'), ...refusal(would.data)]));
  mark(would.ok ? would.marks?.() ?? null : null);
  $('ask-yes').textContent = step.yes;
  $('ask-yes').classList.toggle('danger', Boolean(step.danger));
  $('ask-force').textContent = force?.offer ?? '';
  offer(done && 'yes', !would.ok && would.status === 409 && force && 'force', changes && can.provide() && 'keep');
  if (done && !step.danger) {
    $('ask-yes').focus();
  }
  return choice;
}

/** Says why it was refused after all, and waits until that is read. */
async function refused(answer) {
  $('ask-text').replaceChildren(element('strong', { className: 'bad-kind' }, 'Refused'), element('br'), ...refusal(answer.data));
  offer();
  $('ask-no').focus();
  await pressed();
}

/**
 * Shows what a dry run says, and does it if that is wanted. The dry run's answer may bring `items`,
 * the elements that say it, and `marks` for the picture. With `changes` it can be added to the plan
 * that is being drawn up; with `force` (`offer`, the button after a refusal; `dry`, `real`, `yes`)
 * what is refused can be seen, and done, all the same.
 *
 * @returns the answer of what was done, or null
 */
export async function confirmed(title, dry, real, { changes = null, yes = 'Apply', force = null } = {}) {
  $('ask-title').textContent = title;
  dialog.showModal();
  try {
    let step = { dry, real, yes };
    let what = await shown(step, changes, force);
    if (what === 'force') {
      step = { ...force, danger: true };
      what = await shown(step, changes, null);
    }
    if (what === 'keep') {
      tell('collect', changes);
    }
    if (what !== 'yes') {
      return null;
    }
    const buttons = ['yes', 'keep'].map((x) => $(`ask-${x}`));
    buttons.forEach((b) => { b.disabled = true; });
    const answer = await step.real().finally(() => buttons.forEach((b) => { b.disabled = false; }));
    if (!answer.ok) {
      await refused(answer);
    }
    tell('changed');
    return answer;
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    return null; // the page says that nobody answers
  } finally {
    dialog.close();
    offer();
    mark(null);
  }
}

/** Makes the tenants what they were. */
export function rollback(epoch) {
  return confirmed(`Make the tenants what they were at epoch ${epoch}?`, async () => {
    const answer = await call('POST', '/v1/rollback?dry_run=true', { epoch });
    return {
      ...answer,
      items: () => [element('ul', { className: 'diff' }, ...tableItems(answer.data.tables))],
      marks: () => marksOf(answer.data.tables),
    };
  }, () => change('POST', '/v1/rollback', { epoch }), { changes: [{ op: 'rollback', epoch }], yes: 'Return' });
}
