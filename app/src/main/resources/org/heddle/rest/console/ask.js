// What would change, in words, and the dialog that asks before it is done.

import { call, change, Lost } from './api.js';
import { $, element, many, some, switches } from './dom.js';
import { mark } from './picture.js';
import { can, tell } from './state.js';

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

export function refusal(data) {
  return [element('span', {}, data.detail || data.title || 'no reason was given'),
    ...(data.hints?.length ? [element('ul', { className: 'diff' }, ...data.hints.map((h) => element('li', {}, h)))] : [])];
}

const WORDS = {
  admitted: 'admitted', gone: 'goes', moved: 'other hosts or links', changed: 'changed',
  'promise-broken': 'promise broken', 'promise-restored': 'promise kept again',
};

const OF_MACHINES = {
  stranded: 'not reached any more', stopped: 'stopped', moved: 'moved', reached: 'reached again',
  'as-host': 'routed as its host again', started: 'started', rerouted: 'other ways, as its host',
};

/** What happens to machines: by name where it is more than another way, else how many. */
function machineItems(machines) {
  if (!machines?.total) {
    return [];
  }
  const named = machines.list.filter((m) => m.change !== 'rerouted').slice(0, 20);
  const place = (s) => (s ? s.host : '');
  const rows = named.map((m) => element('li', {},
    element('span', { className: m.change === 'stranded' ? 'kind bad-kind' : 'kind' }, m.name),
    ` ${OF_MACHINES[m.change] ?? m.change} (${m.before && m.after && m.before.host !== m.after.host
      ? `${place(m.before)} → ${place(m.after)}` : place(m.after ?? m.before)})`));
  const rest = machines.total - named.length;
  return rest ? [...rows, element('li', {}, `${many(rest, named.length ? 'more machine' : 'machine')}: other ways, or as above`)] : rows;
}

/** What a plan does: to whom, to which tables, proven or why not. */
export function planItems(result) {
  const side = (s) => (s ? `${many(s.hosts, 'host')}, ${many(s.links, 'link')}, ${s.policy}, ${s.pkey}` : '');
  const rows = result.tenants.map((t) => {
    const bad = t.change === 'promise-broken';
    const became = t.before && t.after ? `${side(t.before)} → ${side(t.after)}` : side(t.after ?? t.before);
    const why = t.after?.broken?.length ? `: ${t.after.broken.join('; ')}` : '';
    return element('li', {}, element('span', { className: bad ? 'kind bad-kind' : 'kind' }, t.name),
      ` ${WORDS[t.change] ?? t.change} (${became})${why}`);
  });
  const verdict = result.proven
    ? element('li', { className: 'proven' }, 'proven: routes, links of tenants\u2019 own, isolation')
    : element('li', { className: 'unproven' }, ...refusal({ detail: result.reason, hints: result.hints }));
  const nobody = rows.length || !result.proven ? [] : [element('li', {}, 'nothing happens to any tenant')];
  return element('ul', { className: 'diff' }, verdict, ...rows, ...nobody, ...machineItems(result.machines), ...(result.proven ? tableItems(result.tables) : []));
}

/** Keeps changes as a plan, and opens it. */
export async function keep(changes) {
  const answer = await change('POST', '/v1/plans', { changes });
  if (answer.ok) {
    tell('plan', answer.data.id);
  }
  return answer;
}

/**
 * Shows what a dry run says, and does it if that is wanted. The dry run's answer may bring `items`,
 * the elements that say it, and `marks` for the picture. With `changes` it can be kept as a plan.
 *
 * @returns the answer of what was done, or null
 */
export async function confirmed(title, dry, real, { changes = null, yes = 'Apply' } = {}) {
  const dialog = $('ask');
  $('ask-title').textContent = title;
  $('ask-text').replaceChildren('Asking what would change …');
  $('ask-yes').hidden = true;
  $('ask-yes').textContent = yes;
  $('ask-keep').hidden = true;
  dialog.showModal();
  $('ask-no').focus();
  const chosen = new Promise((resolve) => {
    $('ask-yes').onclick = () => resolve('yes');
    $('ask-keep').onclick = () => resolve('keep');
    $('ask-no').onclick = () => resolve('no');
    dialog.oncancel = () => resolve('no');
  });
  try {
    const would = await dry();
    $('ask-text').replaceChildren(...(would.ok ? would.items() : refusal(would.data)));
    mark(would.ok ? would.marks?.() ?? null : null);
    $('ask-yes').hidden = !would.ok || !real;
    $('ask-keep').hidden = !changes || !can.provide();
    if (would.ok && real) {
      $('ask-yes').focus();
    }
    const what = await chosen;
    if (what === 'no') {
      return null;
    }
    const buttons = [$('ask-yes'), $('ask-keep')];
    buttons.forEach((b) => { b.disabled = true; });
    const answer = await (what === 'keep' ? keep(changes) : real()).finally(() => buttons.forEach((b) => { b.disabled = false; }));
    if (!answer.ok) {
      $('ask-text').replaceChildren(element('strong', { className: 'bad-kind' }, 'Refused'), element('br'), ...refusal(answer.data));
      buttons.forEach((b) => { b.hidden = true; });
      $('ask-no').focus();
      await new Promise((resolve) => {
        $('ask-no').onclick = resolve;
        dialog.oncancel = resolve;
      });
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
