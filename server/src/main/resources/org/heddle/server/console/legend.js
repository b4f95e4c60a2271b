// What the colours of the picture mean, with numbers.

import { $, element, many } from './dom.js';
import { loadClasses, SHARED } from './paint.js';
import { on, plain, state, tell } from './state.js';

const mark = (kind) => element('span', { className: `swatch ${kind}`, ariaHidden: 'true' });

function ofLoad() {
  const { load } = state.picture;
  const classes = loadClasses(load);
  const counts = classes.map(() => 0);
  let none = 0;
  for (const n of load) {
    if (n > 0) {
      counts[classes.findIndex((c) => n <= c.to)]++;
    } else {
      none++;
    }
  }
  const text = (c) => (c.from === c.to ? c.to.toLocaleString('en') : `${c.from.toLocaleString('en')}–${c.to.toLocaleString('en')}`);
  const whose = state.session.role === 'tenant' ? 'of your hosts' : 'of hosts of one tenant';
  return [[`Pairs ${whose} whose routes use the link, in its busier direction:`],
    [mark('none'), `none (${many(none, 'link')})`],
    ...(none === load.length ? [] : classes).map((c, k) => [plain(`var(${c.colour})`), `${text(c)} (${many(counts[k], 'link')})`])];
}

function ofSharing() {
  const counts = [0, 0, 0];
  let most = 0;
  for (const n of state.picture.sharing) {
    if (n > 0) {
      counts[Math.min(3, n) - 1]++;
      most = Math.max(most, n);
    }
  }
  return [['Tenants whose routes use the link:'],
    ...['one', 'two', most > 3 ? `three or more, at most ${most}` : 'three or more'].map((text, k) =>
      [plain(`var(${SHARED[k]})`), `${text} (${many(counts[k], 'link')})`])];
}

function ofTenants() {
  return [[mark('free'), state.session.role === 'tenant' ? 'host that is not yours' : 'free host'], [mark('own'), 'a tenant\u2019s own link'],
    ...(state.preview ? [[mark('asked'), 'asked for']] : [])];
}

/** Only what there is at the moment, so that it stays short. */
function legend() {
  const items = !state.picture ? [] : state.mode === 'load' ? ofLoad() : state.mode === 'sharing' ? ofSharing() : ofTenants();
  if (state.marks) {
    items.push([mark('marked'), 'entries would change']);
  }
  if (state.drained.links.size || state.drained.nodes.size) {
    items.push([mark('drained'), 'out of service']);
  }
  $('legend').replaceChildren(...items.map((children) => element('li', {}, ...children)));
}

$('modes').addEventListener('change', (e) => {
  state.mode = e.target.value;
  tell('mode');
});

/** A tenant is not told who else is on a link, so it is not shown as if nobody were. */
on('session', () => {
  const own = state.session.role === 'tenant';
  $('mode-sharing').hidden = own;
  if (own && state.mode === 'sharing') {
    $('modes').querySelector('[value=tenants]').click();
  }
});
for (const what of ['picture', 'mode', 'session', 'preview', 'marks']) {
  on(what, legend);
}
