// The picture by keys: from switch to switch, to the hosts below, and what a mouse does besides.

import { cursor, letGo, point, select } from './cursor.js';
import { $ } from './dom.js';
import { cells, left, nearestIn, view, xOf, zoomAt } from './layout.js';
import { showAll } from './pointer.js';
import { state, tell } from './state.js';

const PAGE = 10; // so many steps of Page Up and Page Down go through a row

function intoSight(i) {
  const x = xOf(i);
  if (x < left()) {
    view.pan -= left() - x + 40;
  } else if (x > view.width - 14) {
    view.pan += x - view.width + 54;
  }
}

function go(to) {
  cursor.byKeys = true;
  intoSight(to.i);
  point(to);
  tell('view');
}

/** Where keys start from: of a link its lower end; of nothing the first leaf. */
function here() {
  const at = state.cursor;
  if (!at) {
    return null;
  }
  return at.kind === 'link' ? { kind: 'switch', i: state.picture.links[3 * at.e] } : at;
}

const first = () => ({ kind: 'switch', i: state.shape.rows[0][0] });

/** Along the row by so many; all of it with Infinity. */
function along(dx) {
  const at = here();
  if (!at) {
    return first();
  }
  if (at.kind === 'cell') {
    return stepHost(at, dx);
  }
  const row = state.shape.rows[state.shape.row[at.i]];
  const k = row.indexOf(at.i) + dx;
  return { kind: 'switch', i: row[Math.max(0, Math.min(row.length - 1, k))] };
}

/** To the switch of the row above or below that stands nearest, or to the hosts below. */
function across(dy) {
  const { shape, picture } = state;
  const at = here();
  if (!at) {
    return first();
  }
  if (at.kind === 'cell') {
    return stepHost(at, -dy * (cells(at.i).across ?? 1));
  }
  if (dy < 0 && shape.row[at.i] === 0 && picture.hosts[at.i]) {
    return { kind: 'cell', i: at.i, cell: shape.first[at.i] };
  }
  const r = Math.max(0, Math.min(shape.rows.length - 1, shape.row[at.i] + dy));
  return { kind: 'switch', i: r === shape.row[at.i] ? at.i : nearestIn(r, xOf(at.i)) };
}

function stepHost({ i, cell }, by) {
  const { shape } = state;
  const next = cell + by;
  if (next < shape.first[i] && by !== -Infinity) {
    return { kind: 'switch', i };
  }
  return { kind: 'cell', i, cell: Math.max(shape.first[i], Math.min(next, shape.first[i + 1] - 1)) };
}

function page() {
  const at = here();
  return !at || at.kind === 'cell' ? 5 : Math.max(2, Math.ceil(state.shape.rows[state.shape.row[at.i]].length / PAGE));
}

function zoom(factor) {
  const at = here();
  zoomAt(at ? xOf(at.i) : view.width / 2, factor);
  tell('view');
}

const KEYS = {
  ArrowLeft: () => go(along(-1)),
  ArrowRight: () => go(along(1)),
  ArrowUp: () => go(across(1)),
  ArrowDown: () => go(across(-1)),
  Home: () => go(along(-Infinity)),
  End: () => go(along(Infinity)),
  PageUp: () => go(along(-page())),
  PageDown: () => go(along(page())),
  '+': () => zoom(1.5),
  '=': () => zoom(1.5),
  '-': () => zoom(1 / 1.5),
  0: showAll,
  Enter: () => select(state.cursor),
  Escape: letGo,
};

$('picture').addEventListener('keydown', (e) => {
  if (state.picture && KEYS[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) {
    e.preventDefault();
    KEYS[e.key]();
  }
});
