// What the page knows, and who wants to hear when it changes.

export const state = {
  session: { name: '', role: '', tenant: '', open: false },
  calls: new Set(), // "GET /v1/vms"
  fabric: null,
  picture: null,
  shape: null, // the picture's rows and who is where
  hosts: null, // names, GUIDs and LIDs of its hosts
  mode: 'tenants',
  chosen: '', // a tenant's name
  cursor: null, // what is pointed at in the picture
  machines: [],
  selected: null, // {kind: 'switch' | 'host', guid} or {kind: 'link', a, b}
  preview: null, // what a dry run would give a tenant
  marks: null, // switches whose entries would change, hosts that a machine leaves or goes to
  drained: { links: new Map(), nodes: new Set() }, // links with the number of cables; GUIDs
};

const listeners = new Map();

export function on(what, listener) {
  if (!listeners.has(what)) {
    listeners.set(what, []);
  }
  listeners.get(what).push(listener);
}

export function tell(what, ...data) {
  for (const listener of listeners.get(what) ?? []) {
    listener(...data);
  }
}

export const maximum = (list) => list.reduce((a, b) => Math.max(a, b), 0);

/** Shows which switches would change and which hosts machines leave and go to, or nothing. */
export function mark(marks) {
  state.marks = marks;
  tell('marks');
}

/** What the reader may do; the server decides, this only offers no more. */
export const can = {
  change: () => state.session.role === 'provider' || state.session.role === 'tenant',
  provide: () => state.session.role === 'provider',
  seeAll: () => state.session.role !== 'tenant',
  call: (method, path) => state.calls.has(`${method} ${path}`),
};

/** What a policy promises, in a word. */
export const POLICIES = { links: 'own links', phy: 'no channel shared', vlane: 'own lane', def: 'key only' };

// ---- colours

// Seven colours, in the style as --tenant-0 and on, other ones for dark and light; people with any
// kind of colour vision tell them apart. Then they come again with stripes, then with dots.
const COLOURS = 7;
const PATTERNS = ['', 'striped', 'dotted'];

export const colourOf = new Map(); // number of a tenant's colour; stays while the tenant does
export const colour = (n) => `--tenant-${n % COLOURS}`;
export const pattern = (n) => PATTERNS[Math.floor(n / COLOURS) % PATTERNS.length];
export const byAge = (tenants) =>
  [...tenants].sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1));

export function giveColours(tenants) {
  const names = new Set(tenants.map((t) => t.name));
  for (const name of colourOf.keys()) {
    if (!names.has(name)) {
      colourOf.delete(name);
    }
  }
  const used = new Set(colourOf.values());
  for (const t of byAge(tenants)) {
    if (!colourOf.has(t.name)) {
      let n = 0;
      while (used.has(n)) {
        n++;
      }
      used.add(n);
      colourOf.set(t.name, n);
    }
  }
}

// Asking the browser for a style takes long when done for every switch: once for each drawing.
const styles = new Map();

export function css(name) {
  if (!styles.has(name)) {
    styles.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  }
  return styles.get(name);
}

export const forgetStyles = () => styles.clear();

/** A square in a colour. */
export function plain(value) {
  const out = document.createElement('span');
  out.className = 'swatch';
  out.ariaHidden = 'true';
  out.style.background = value;
  return out;
}

/** A square in a tenant's colour and pattern; they follow dark and light by themselves. */
export function swatch(name) {
  const n = colourOf.get(name);
  if (n === undefined) {
    return plain('var(--free)');
  }
  const c = `var(${colour(n)})`;
  return plain({
    '': c,
    striped: `repeating-linear-gradient(0deg, ${c} 0 3px, var(--card) 3px 5px)`,
    dotted: `radial-gradient(var(--card) 22%, ${c} 26%) 0 0 / 5px 5px`,
  }[pattern(n)]);
}
