// The form that admits and changes tenants: what would become of it is asked as it is typed.

import { call, change, Lost } from './api.js';
import { diff, marksOf, planItems, refusal } from './ask.js';
import { $, button, element, many, some } from './dom.js';
import { collected } from './draft.js';
import { linkBetween } from './layout.js';
import { can, mark, on, state, tell } from './state.js';

let decision = { body: '', ok: false, collectable: false };
let editing = null; // the tenant that is being changed, and its version
let asked = 0;
let typing = 0;

/** `node[001-016,20],x7` as names; throws what is wrong with it. */
export function expand(text) {
  const out = [];
  for (const word of text.match(/(?:[^\s,[\]]+|\[[^\]]*\])+|[[\]]/g) ?? []) {
    let all = [''];
    for (const part of word.split(/(\[[^\]]*\])/)) {
      const inside = part.startsWith('[') ? ranges(part.slice(1, -1)) : [part];
      all = all.flatMap((a) => inside.map((b) => a + b));
      if (all.length > 100000) {
        throw new Error(`${word} is too long`);
      }
    }
    for (const name of all) {
      if (/[[\]]/.test(name)) {
        throw new Error(`a bracket too many in ${word}`);
      }
      out.push(name);
    }
  }
  return [...new Set(out)];
}

function ranges(text) {
  return text.split(',').flatMap((part) => {
    const m = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part);
    if (!m) {
      throw new Error(`[${text}] is no list of numbers`);
    }
    const [low, high] = [Number(m[1]), Number(m[2] ?? m[1])];
    if (high < low || high - low > 99999) {
      throw new Error(`[${text}] is no range`);
    }
    return Array.from({ length: high - low + 1 }, (_, k) => String(low + k).padStart(m[1].length, '0'));
  });
}

/** GUIDs of hosts, or of ports, for names and GUIDs; throws which are not there. */
function resolve(text, ofPorts) {
  const names = expand(text);
  if (names.length && !state.hosts) {
    throw new Error('the names of the hosts have not come yet');
  }
  const out = [];
  const unknown = [];
  for (const name of names) {
    if (/^0x[0-9a-f]{1,16}$/i.test(name)) {
      out.push(name.toLowerCase());
      continue;
    }
    const found = state.hosts.byName.get(name);
    if (!found) {
      unknown.push(name);
    } else if (new Set(found.map((c) => state.hosts.guids[c])).size > 1) {
      throw new Error(`${name} is the name of several hosts: use a GUID`);
    } else {
      out.push(...(ofPorts ? found.map((c) => state.hosts.portGuids[c]) : [state.hosts.guids[found[0]]]));
    }
  }
  if (unknown.length) {
    throw new Error(`no host is called ${some(unknown, 4)}`);
  }
  return [...new Set(out)];
}

function members() {
  const out = [];
  for (const word of $('members').value.match(/(?:[^\s,[\]]+|\[[^\]]*\])+/g) ?? []) {
    const limited = /=limited$/.test(word);
    for (const guid of resolve(word.replace(/=(limited|full)$/, ''), true)) {
      out.push({ guid, membership: limited ? 'limited' : 'full' });
    }
  }
  return out;
}

const provider = () => can.provide();

function formBody() {
  const named = provider() ? resolve($('named').value, false) : [];
  const extra = provider() ? members() : [];
  const key = provider() ? $('pkey').value.trim() : '';
  return {
    name: $('name').value.trim(),
    ...(named.length ? { host_guids: named } : { hosts: Number($('hosts').value) }),
    policy: $('policy').value,
    oversubscription: Number($('over').value),
    ...(extra.length || (editing && $('members').value !== editing.members) ? { members: extra } : {}),
    ...(key ? { pkey: key } : {}),
    ...(editing ? { owner: editing.owner, allocator: editing.allocator } : {}),
  };
}

function say(kind, title, ...more) {
  $('decision').className = `decision wide ${kind}`;
  $('decision').replaceChildren(...(title ? [element('strong', {}, title)] : []), ...more);
  $('keep').hidden = !(provider() && decision.collectable);
}

function showPreview(tenant) {
  state.preview = null;
  if (tenant && state.shape) {
    const { shape, hosts } = state;
    const before = new Set(editing?.tenant.hosts.map((h) => h.guid));
    const fresh = tenant.hosts.filter((h) => !before.has(h.guid));
    const counts = new Map();
    for (const h of fresh) {
      const i = shape.byGuid.get(h.leaf);
      if (i !== undefined) {
        counts.set(i, (counts.get(i) ?? 0) + 1);
      }
    }
    const links = new Set();
    for (const l of tenant.links) {
      const a = shape.byGuid.get(l.from);
      const b = shape.byGuid.get(l.to);
      const e = a === undefined || b === undefined ? undefined : linkBetween(a, b);
      if (e !== undefined) {
        links.add(e);
      }
    }
    state.preview = { hosts: counts, links: [...links], cells: fresh.flatMap((h) => hosts?.byGuid.get(h.guid) ?? []) };
  }
  tell('preview');
}

function send(dry, body) {
  const path = editing ? `/v1/tenants/${encodeURIComponent(editing.name)}` : '/v1/tenants';
  const method = editing ? 'PUT' : 'POST';
  const match = editing ? { 'If-Match': editing.etag } : {};
  return dry ? call(method, `${path}?dry_run=true`, body, match) : change(method, path, body, match);
}

function nothing() {
  showPreview(null);
  mark(null);
}

/** Asks what would become of the form, and shows it. */
async function decide() {
  const mine = ++asked;
  decision = { body: '', ok: false, collectable: false };
  nothing();
  if (!$('form').checkValidity()) {
    say('', '', 'What would happen is said here as you type.');
    return;
  }
  let body;
  try {
    body = formBody();
  } catch (e) {
    say('refused', 'Not asked', element('span', {}, e.message));
    return;
  }
  say('asking', 'Asking …');
  let answer;
  try {
    answer = await send(true, body);
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    say('asking', 'Nobody answers; it is asked again when somebody does.');
    return;
  }
  if (mine !== asked) {
    return; // the form says something else by now
  }
  const ok = answer.ok && answer.data.outcome !== 'unchanged';
  // what does not go alone may go together with other changes
  decision = { body: JSON.stringify(body), ok, collectable: ok || answer.status === 409 || answer.status === 422 };
  if (!answer.ok) {
    say('refused', 'Refused', ...refusal(answer.data), smaller(answer.data));
    if (decision.collectable && provider() && collected().length) {
      await together(mine, body);
    }
  } else if (answer.data.outcome === 'unchanged') {
    say('accepted', 'It is that way already');
  } else {
    showPreview(answer.data.tenant);
    mark(marksOf(answer.data.tables));
    say('accepted', editing ? 'Can be changed' : 'Can be admitted', diff(editing?.tenant, answer.data.tenant, answer.data.tables));
  }
}

/** A button that asks for what would fit. */
function smaller(data) {
  const most = data.hints?.map((h) => /^largest tenant that fits now: (\d+) hosts?$/.exec(h)?.[1]).find(Boolean);
  return Number(most) > 0 && !$('hosts').disabled ? button('smaller', `Ask for ${many(Number(most), 'host')}`, () => {
    $('hosts').value = most;
    changed();
    $('hosts').focus();
  }) : '';
}

const op = (tenant) => ({ op: editing ? 'replace' : 'create', tenant });

/** Whether what does not go alone goes together with what is collected in the plan. */
async function together(mine, body) {
  const others = collected();
  const answer = await call('POST', '/v1/plans?dry_run=true', { changes: [...others, op(body)] });
  if (mine !== asked || !answer.ok) {
    return;
  }
  const { result } = answer.data;
  $('decision').append(element('div', { className: 'together' },
    element('strong', { className: result.proven ? 'good-kind' : 'bad-kind' },
      `Together with the ${many(others.length, 'change')} in the plan: ${result.proven ? 'it goes' : 'refused as well'}`),
    planItems(result)));
}

function fits() {
  const named = $('named').value.trim() !== '';
  $('hosts').disabled = named;
  $('hosts').required = !named;
  $('hosts').min = provider() && $('members').value.trim() ? 0 : 1;
}

function changed() {
  decision.ok = false;
  asked++;
  fits();
  explain();
  $('keep').hidden = true;
  $('decision').className = 'decision wide asking'; // what is there is the answer to something else
  clearTimeout(typing);
  typing = setTimeout(decide, 250);
}

function current() {
  try {
    return decision.body === JSON.stringify(formBody());
  } catch {
    return false;
  }
}

$('form').addEventListener('input', changed);
$('form').addEventListener('submit', async (e) => {
  e.preventDefault();
  clearTimeout(typing);
  if (!decision.ok || !current()) {
    await decide(); // seen first, applied by the next press
    return;
  }
  await apply(send(false, JSON.parse(decision.body)), (answer, name) =>
    `${name} ${answer.data.outcome === 'accepted' ? 'is there' : answer.data.outcome}${answer.data.epoch ? `, epoch ${answer.data.epoch}` : ''}`);
});
$('keep').onclick = () => {
  if (current()) {
    const body = JSON.parse(decision.body);
    tell('collect', [op(body)]);
    clearForm();
    say('applied', `${body.name}: added to the plan`);
    $('name').focus();
  }
};

async function apply(sent, words) {
  const buttons = [$('admit'), $('keep'), $('clear')];
  const mine = asked;
  const name = $('name').value.trim();
  buttons.forEach((b) => { b.disabled = true; });
  $('decision').classList.add('asking');
  try {
    const answer = await sent;
    if (answer.ok) {
      if (mine === asked) { // else the form is about something else by now
        clearForm();
        say('applied', words(answer, name));
      }
      tell('changed');
    } else {
      decision.ok = false;
      say('refused', 'Refused', ...refusal(answer.data));
    }
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    say('refused', 'No answer', element('span', {}, 'Nobody has answered for two minutes; whether it was done is seen once somebody does.'));
  } finally {
    buttons.forEach((b) => { b.disabled = false; });
    if (document.activeElement === document.body) {
      $('name').focus(); // the button that was pressed lost the focus while it was disabled
    }
  }
}

export function clearForm() {
  asked++;
  clearTimeout(typing);
  decision = { body: '', ok: false, collectable: false };
  editing = null;
  $('form').reset();
  $('name').readOnly = false;
  $('form-title').textContent = 'Admit a tenant';
  $('admit').textContent = 'Admit';
  roles();
  fits();
  explain();
  say('', '', 'What would happen is said here as you type.');
  nothing();
}

$('clear').onclick = () => {
  clearForm();
  $('name').focus();
};

export async function edit(name) {
  const got = await call('GET', `/v1/tenants/${encodeURIComponent(name)}`);
  if (!got.ok) {
    return;
  }
  clearForm();
  const t = got.data;
  const others = new Set(t.hosts.flatMap((h) => state.hosts?.byGuid.get(h.guid)?.map((c) => state.hosts.portGuids[c]) ?? []));
  const extra = t.members.filter((m) => !others.has(m.guid)).map((m) => m.guid + (m.membership === 'limited' ? '=limited' : ''));
  editing = { name, etag: got.etag, tenant: t, owner: t.owner, allocator: t.allocator, members: extra.join(', ') };
  $('name').value = name;
  $('name').readOnly = true;
  $('hosts').value = t.hosts.length;
  $('policy').value = t.policy;
  $('over').value = t.oversubscription;
  $('members').value = editing.members;
  fits();
  explain();
  $('form-title').textContent = `Change ${name}`;
  $('admit').textContent = 'Change';
  tell('tab', 'tenants');
  $('hosts').focus();
}

/** Adds a host to those that are named in the form. */
export function nameHost(name) {
  const there = $('named').value.trim();
  $('named').value = there ? `${there}, ${name}` : name;
  $('more').open = true;
  tell('tab', 'tenants');
  changed();
}

const PROMISES = {
  links: 'Nobody else uses the links between switches that it gets.',
  phy: 'Its traffic shares no channel between switches with another tenant’s.',
  vlane: 'Where it shares a channel, its traffic has a virtual lane of its own.',
  def: 'Others cannot reach it; links are shared with them.',
};

/** The choices in words, for who does not know them. */
function explain() {
  const over = Number($('over').value);
  const share = $('policy').value === 'links' && over > 1 ? ` ${over} of its hosts at a switch share each.` : '';
  $('policy-hint').textContent = PROMISES[$('policy').value] + share;
}

function roles() {
  $('admission').hidden = !can.change();
  $('more').hidden = !provider();
  $('name').placeholder = state.session.role === 'tenant' ? `${state.session.tenant} or ${state.session.tenant}.…` : '';
}

on('session', roles);
clearForm();
on('found', () => {
  if (can.change() && $('name').value && !decision.ok) {
    decide();
  }
});
