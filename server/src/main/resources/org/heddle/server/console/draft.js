// The plan that is being drawn up: changes collected here and there, then worked out together.

import { Lost } from './api.js';
import { keep, refusal } from './ask.js';
import { $, button, element, keyed, many } from './dom.js';
import { can, on, POLICIES, state, tell } from './state.js';

const PLACE = 'heddle-draft'; // kept until the tab is closed
const MOST = 100; // changes in one plan

let changes = [];
let making = false;

/** The changes collected so far. */
export const collected = () => changes;

function switchName(guid) {
  const i = state.shape?.byGuid.get(guid);
  return i === undefined ? guid : state.picture.names[i];
}

function linkName(id) {
  const i = state.shape?.byGuid.get(id.split(':')[0]);
  return i === undefined ? id : `${state.picture.names[i]} port ${id.split(':')[1]}`;
}

function what(t) {
  const hosts = t.host_guids ? many(t.host_guids.length, 'named host') : many(t.hosts ?? 0, 'host');
  return `${hosts}, ${POLICIES[t.policy] ?? t.policy}`;
}

/** A change in words. */
export function changeWords(c) {
  switch (c.op) {
    case 'create': return `admit ${c.tenant.name} (${what(c.tenant)})`;
    case 'replace': return `change ${c.tenant.name} (${what(c.tenant)})`;
    case 'delete': return `let ${c.name} go`;
    case 'rollback': return `return to epoch ${c.epoch}`;
    case 'without-link': return `without link ${linkName(c.link)}`;
    case 'without-switch': return `without switch ${switchName(c.guid)}`;
    case 'start-vm': return `start VM ${c.vm.name} on ${c.vm.host}`;
    case 'stop-vm': return `stop VM ${c.name}`;
    case 'migrate': return `move ${c.moves.slice(0, 3).map((m) => `${m.vm} to ${m.to}`).join(', ')}${c.moves.length > 3 ? ', …' : ''}`;
    default: return c.op;
  }
}

const subject = (c) => `${c.op} ${c.tenant?.name ?? c.name ?? c.link ?? c.guid ?? c.epoch}`;

function remember() {
  sessionStorage.setItem(PLACE, JSON.stringify(changes));
  list();
  tell('draft');
}

/** Adds changes; the same of the same thing takes the place of what was there. */
function collect(more) {
  for (const c of more) {
    const at = changes.findIndex((x) => subject(x) === subject(c));
    changes = at < 0 ? [...changes, c] : changes.with(at, c);
  }
  say('');
  remember();
}

function say(kind, ...text) {
  $('draft-say').className = `decision ${kind}`;
  $('draft-say').hidden = text.length === 0;
  $('draft-say').replaceChildren(...text);
}

function list() {
  keyed($('draft'), changes.map((c, k) => ({
    key: subject(c),
    sig: JSON.stringify([c, k, changeWords(c)]),
    make: () => row(c, k),
  })));
  $('no-draft').hidden = changes.length > 0;
  $('draft-buttons').hidden = changes.length === 0;
  $('draft-make').disabled = making || changes.length > MOST;
  $('drafted').hidden = changes.length === 0 || !can.provide();
  const text = `${many(changes.length, 'change')} in the plan`;
  if ($('drafted').textContent !== text) {
    $('drafted').textContent = text;
  }
  if (changes.length > MOST) {
    say('refused', `A plan has ${MOST} changes at most.`);
  }
}

function row(c, k) {
  const words = changeWords(c);
  const up = button('up', '↑', () => {
    changes = changes.with(k - 1, c).with(k, changes[k - 1]);
    remember();
  }, { ariaLabel: `Earlier: ${words}`, disabled: k === 0 });
  const drop = button('drop', 'Remove', () => {
    changes = changes.filter((x) => x !== c);
    say('');
    remember();
  }, { ariaLabel: `Remove: ${words}` });
  return element('li', {}, element('span', { className: 'who wrap' }, `${k + 1}. ${words}`), up, drop);
}

async function make() {
  const mine = changes;
  making = true;
  list();
  say('asking', 'Is worked out …');
  try {
    const answer = await keep(mine);
    if (!answer.ok) {
      say('refused', element('strong', {}, 'Refused'), ...refusal(answer.data));
    } else if (!answer.data.result.proven) {
      say('refused', `Plan ${answer.data.id} cannot be done; its changes are still here.`);
    } else {
      say('');
      if (mine === changes) {
        changes = [];
        remember();
      }
    }
  } catch (e) {
    if (!(e instanceof Lost)) {
      throw e;
    }
    say('refused', 'Nobody has answered.');
  } finally {
    making = false;
    list();
  }
}

$('draft-make').onclick = make;
$('draft-clear').onclick = () => {
  changes = [];
  say('');
  remember();
  $('drawn-up').focus();
};
$('drafted').onclick = () => {
  tell('tab', 'plans');
  $('drawn-up').focus();
};
on('collect', collect);
on('progress', (job) => {
  const p = job.progress;
  if (making && p?.total) {
    say('asking', `Is worked out: ${p.done ?? 0} of ${p.total}${p.what ? ` ${p.what}` : ''} …`);
  }
});
on('session', () => {
  $('drawn-up').hidden = !can.provide();
  if (can.provide() && !changes.length) {
    try {
      changes = JSON.parse(sessionStorage.getItem(PLACE) ?? '[]');
    } catch {
      changes = [];
    }
  }
  list();
});
on('picture', list); // names of switches may have come
