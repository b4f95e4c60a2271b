// Elements, texts and lists that keep the focus when what they show changes.

export const $ = (id) => document.getElementById(id);

/** A number with its noun. */
export function many(n, word, plural = `${word}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? word : plural}`;
}

export const switches = (n) => many(n, 'switch', 'switches');

/** The machines of a fabric: hosts, if each has one adapter. */
export const machines = (f) => (f.machines === f.hosts ? many(f.hosts, 'host')
  : `${many(f.machines, 'machine')} with ${many(f.hosts, 'adapter')}`);

/** The first of a list, and that there are more. */
export function some(list, most = 6) {
  return list.slice(0, most).join(', ') + (list.length > most ? `, … (${list.length.toLocaleString('en')})` : '');
}

/** Reasons as a text; more than a few are behind the first. */
export function shortened(list, most = 2) {
  if (list.length <= most) {
    return list.join('; ');
  }
  return element('details', {}, element('summary', {}, `${list[0]}, and ${(list.length - 1).toLocaleString('en')} more`),
    element('ul', { className: 'plain' }, ...list.slice(1).map((x) => element('li', {}, x))));
}

/** An element with text or children; data attributes by `data`. */
export function element(tag, options = {}, ...children) {
  const { data, ...rest } = options;
  const out = Object.assign(document.createElement(tag), rest);
  Object.assign(out.dataset, data ?? {});
  out.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return out;
}

/** A button that keeps the focus under its role when the list around it is written anew. */
export function button(role, text, onclick, options = {}) {
  return element('button', { type: 'button', className: 'small', onclick, ...options, data: { role, ...options.data } }, text);
}

/** Terms and what they are; without those that are empty. */
export function terms(pairs) {
  return element('dl', { className: 'terms' }, ...pairs.filter(([, v]) => v !== '' && v !== null && v !== undefined)
    .flatMap(([t, v]) => [element('dt', {}, t), element('dd', {}, ...(Array.isArray(v) ? v : [String(v)]))]));
}

export function time(at) {
  const d = new Date(at);
  const today = d.toDateString() === new Date().toDateString();
  const text = d.toLocaleTimeString([], { hour12: false });
  return element('time', { dateTime: at, title: at }, today ? text : `${d.toLocaleDateString([])} ${text}`);
}

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

function focusable(node) {
  return node?.matches('button:not(:disabled), input, select, summary, a[href]')
    ? node : node?.querySelector('button:not(:disabled), input, select, summary, a[href]');
}

/**
 * Makes the children of a list these: `key` names an item, `sig` what it shows, `make` makes it. An
 * item that shows the same stays; one that had the focus gives it to what has taken its place.
 */
export function keyed(parent, items) {
  const had = new Map([...parent.children].map((n) => [n.dataset.key, n]));
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const holder = active?.closest('[data-key]');
  const key = holder?.dataset.key;
  const role = active?.dataset.role;
  const at = holder ? [...parent.children].indexOf(holder) : -1;
  const opened = new Set([...parent.querySelectorAll('details[open]')].map((d) => d.closest('[data-key]')?.dataset.key));
  let cursor = parent.firstElementChild;
  for (const item of items) {
    let node = had.get(item.key);
    if (!node || node.dataset.sig !== item.sig) {
      node = item.make();
      node.dataset.key = item.key;
      node.dataset.sig = item.sig;
      if (opened.has(item.key)) {
        node.querySelectorAll('details').forEach((d) => { d.open = true; });
      }
    }
    if (node === cursor) {
      cursor = cursor.nextElementSibling;
    } else {
      parent.insertBefore(node, cursor);
    }
  }
  while (cursor) {
    const next = cursor.nextElementSibling;
    cursor.remove();
    cursor = next;
  }
  if (active && document.activeElement !== active) {
    const same = [...parent.children].find((n) => n.dataset.key === key);
    const place = same ?? parent.children[Math.min(at, parent.children.length - 1)];
    const to = (role && place?.querySelector(`[data-role="${CSS.escape(role)}"]:not(:disabled)`)) || focusable(place);
    (to ?? parent.closest('section, [tabindex]'))?.focus({ preventScroll: true });
  }
}
