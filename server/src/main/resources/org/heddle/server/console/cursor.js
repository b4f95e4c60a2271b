// What the pointer or the keys are on, and what is selected there.

import { $ } from './dom.js';
import { on, state, tell } from './state.js';
import { wordsOf } from './words.js';

/** The cursor was moved by keys: it is told to screen readers and stays when the pointer leaves. */
export const cursor = { byKeys: false };

/** Puts the cursor: {kind: 'switch', i}, {kind: 'cell', i, cell}, {kind: 'link', e}, or nowhere. */
export function point(to) {
  state.cursor = to;
  $('detail').ariaLive = cursor.byKeys ? 'polite' : 'off';
  $('detail').textContent = to ? wordsOf(to) : '';
  tell('cursor');
}

export function select(to) {
  const { picture, hosts } = state;
  if (!to) {
    return;
  }
  if (to.kind === 'link') {
    const [a, b] = [picture.links[3 * to.e], picture.links[3 * to.e + 1]];
    tell('select', { kind: 'link', a: picture.guids[a], b: picture.guids[b] });
  } else if (to.kind === 'cell' && hosts?.guids[to.cell]) {
    tell('select', { kind: 'host', guid: hosts.guids[to.cell] });
  } else {
    tell('select', { kind: 'switch', guid: picture.guids[to.i] });
  }
}

/** Lets go of everything that is chosen, selected or pointed at. */
export function letGo() {
  cursor.byKeys = false;
  tell('choose', '');
  tell('select', null);
  point(null);
}

on('picture', () => {
  const at = state.cursor;
  const n = state.picture.level.length;
  const links = state.picture.links.length / 3;
  const gone = at && (at.kind === 'link' ? at.e >= links : at.i >= n || at.cell >= state.shape.first[n]);
  point(gone ? null : at);
});
