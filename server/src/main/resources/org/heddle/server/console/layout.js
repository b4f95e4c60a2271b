// Where the switches, hosts and links of the picture are, in pixels.

import { state } from './state.js';

const EDGE = { left: 58, right: 14, top: 24, bottom: 14 };
const GAP = 0.03; // between planes, of the width

export const view = { zoom: 1, pan: 0, width: 0, height: 0 };

/**
 * Rows from the picture's list of switches; planes stand side by side in columns, and what is no
 * part of the tree in one more. Where each host's port is in the list of all of them.
 */
export function shapeOf(p) {
  const planes = Math.max(1, p.planes);
  const strangers = planes > 1 && p.plane.some((x) => x < 0);
  const columns = planes + (strangers ? 1 : 0);
  const n = p.level.length;
  const rows = [];
  const shape = {
    rows, columns, planes,
    row: new Int32Array(n), slot: new Int32Array(n), column: new Int32Array(n),
    first: new Int32Array(n + 1),
    lists: [], // by row and column
    start: [], wide: [],
    owners: p.level.map(() => []),
    byGuid: new Map(p.guids.map((g, i) => [g, i])),
    linkBy: new Map(),
    linksOf: null,
  };
  for (let i = 0; i < n; i++) {
    const at = Math.max(0, p.level[i] - 1); // what is no part of the tree stands with the leaves
    shape.row[i] = at;
    shape.column[i] = planes === 1 ? 0 : p.plane[i] < 0 ? planes : p.plane[i];
    (rows[at] ??= []).push(i);
    shape.first[i + 1] = shape.first[i] + p.hosts[i];
  }
  for (let r = 0; r < rows.length; r++) {
    rows[r] ??= [];
    shape.lists[r] = Array.from({ length: columns }, () => []);
    for (const i of rows[r]) {
      const list = shape.lists[r][shape.column[i]];
      shape.slot[i] = list.length;
      list.push(i);
    }
    rows[r] = shape.lists[r].flat();
  }
  const most = Array.from({ length: columns }, (_, c) => Math.max(1, ...shape.lists.map((l) => l[c].length)));
  const sum = most.reduce((a, b) => a + b, 0);
  const room = 1 - GAP * (columns - 1);
  let x = 0;
  for (const m of most) {
    shape.start.push(x);
    shape.wide.push((room * m) / sum);
    x += (room * m) / sum + GAP;
  }
  p.tenants.forEach((t) => {
    for (let k = 0; k < t.hosts.length; k += 2) {
      shape.owners[t.hosts[k]].push([t.name, t.hosts[k + 1]]);
    }
  });
  for (let e = 0; e < p.links.length; e += 3) {
    shape.linkBy.set(p.links[e] * n + p.links[e + 1], e / 3);
  }
  return shape;
}

/** The link between two switches, or undefined. */
export function linkBetween(a, b) {
  return state.shape.linkBy.get(Math.min(a, b) * state.picture.level.length + Math.max(a, b));
}

/** Links of a switch. */
export function linksOf(i) {
  const { links } = state.picture;
  if (!state.shape.linksOf) {
    const lists = state.picture.level.map(() => []);
    for (let e = 0; e < links.length / 3; e++) {
      lists[links[3 * e]].push(e);
      lists[links[3 * e + 1]].push(e);
    }
    state.shape.linksOf = lists;
  }
  return state.shape.linksOf[i];
}

/** The switch of a host's port. */
export function switchOf(cell) {
  const { first } = state.shape;
  let low = 0;
  let high = first.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (first[middle] <= cell) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

export const left = () => EDGE.left;
export const inner = () => Math.max(1, view.width - EDGE.left - EDGE.right);

const SQUARE = 16; // a host's, at most
const roomBelow = () => Math.max(44, Math.min(150, view.height * 0.26));
let bandFor = '';
let bandHigh = 0;

/** Height of the hosts below the leaves: what they need, but not more than a part of the picture. */
export function band() {
  const key = [view.width, view.height, view.zoom, state.picture.epoch, state.picture.fingerprint].join();
  if (key !== bandFor) {
    bandFor = key;
    bandHigh = 18;
    for (const list of state.shape.lists[0]) {
      const most = list.reduce((a, i) => Math.max(a, state.picture.hosts[i]), 0);
      if (most > 0) {
        const [size, across] = squares(most, spacing(list[0]), roomBelow());
        bandHigh = Math.max(bandHigh, size < 4 ? roomBelow() : Math.ceil(most / across) * size);
      }
    }
  }
  return bandHigh;
}

const barWidth = (gap) => Math.max(1, Math.min(gap * 0.86, 100));

/** Size and columns of so many squares in a place. */
function squares(total, gap, height) {
  const width = barWidth(gap);
  let size = Math.min(SQUARE, Math.sqrt((width * height) / total));
  let across = Math.max(1, Math.floor(width / size));
  while (size > 3 && Math.ceil(total / across) * size > height) {
    size -= 0.5;
    across = Math.max(1, Math.floor(width / size));
  }
  return [size, across];
}

const columnX = (c) => EDGE.left + state.shape.start[c] * inner() * view.zoom - view.pan;
const columnWidth = (c) => state.shape.wide[c] * inner() * view.zoom;

export function spacing(i) {
  const c = state.shape.column[i];
  return columnWidth(c) / state.shape.lists[state.shape.row[i]][c].length;
}

export function closest() {
  let out = Infinity;
  state.shape.lists.forEach((row) => row.forEach((list) => {
    if (list.length) {
      out = Math.min(out, spacing(list[0]));
    }
  }));
  return out;
}

export const xOf = (i) => columnX(state.shape.column[i]) + (state.shape.slot[i] + 0.5) * spacing(i);

export function yOf(r) {
  const high = state.shape.rows.length - 1;
  const bottom = view.height - EDGE.bottom - band() - 12;
  return high === 0 ? bottom : bottom - (r * (bottom - EDGE.top)) / high;
}

/** Left end and width of each plane's column. */
export const columns = () => state.shape.start.map((_, c) => [columnX(c), columnWidth(c)]);

export function clampView() {
  const most = Math.max(...state.shape.rows.map((r) => r.length));
  view.zoom = Math.max(1, Math.min(view.zoom, Math.max(1, most / 6)));
  view.pan = Math.max(0, Math.min(view.pan, inner() * (view.zoom - 1)));
}

/** Zooms so that what is at a place stays there. */
export function zoomAt(x, factor) {
  const before = view.zoom;
  view.zoom *= factor;
  clampView();
  const at = x - left() + view.pan;
  view.pan = at * (view.zoom / before) - (x - left());
}

export function outOfSight(x, gap) {
  return x < EDGE.left - 8 - gap || x > view.width + gap;
}

/** Both ends of a link in pixels, or null if it is out of sight. */
export function line(e) {
  const { links } = state.picture;
  const a = links[3 * e];
  const b = links[3 * e + 1];
  const x1 = xOf(a);
  const x2 = xOf(b);
  if (Math.max(x1, x2) < EDGE.left - 8 || Math.min(x1, x2) > view.width) {
    return null;
  }
  return [x1, yOf(state.shape.row[a]), x2, yOf(state.shape.row[b])];
}

/**
 * The squares of a switch's hosts: left, top, size and columns; null if they would be too small,
 * and where the bar is then.
 */
export function cells(i) {
  const total = state.picture.hosts[i];
  const height = state.shape.row[i] === 0 ? band() : 18;
  const [size, across] = squares(total, spacing(i), state.shape.row[i] === 0 ? roomBelow() : height);
  const width = barWidth(spacing(i));
  const top = yOf(state.shape.row[i]) + 12;
  const x = xOf(i);
  const bar = { left: x - width / 2, top, width, height };
  return size < 4 ? { bar } : { left: x - (Math.min(across, total) * size) / 2, top, size, across, total };
}

/** The corner of a host's square, or null if it is part of a bar. */
export function cellAt(i, cell) {
  const box = cells(i);
  if (box.bar) {
    return null;
  }
  const k = cell - state.shape.first[i];
  return [box.left + (k % box.across) * box.size, box.top + Math.floor(k / box.across) * box.size, box.size];
}

/** What is under a point: a switch, a host's port, a link, or nothing. */
export function under(x, y) {
  const { rows, lists } = state.shape;
  let best = null;
  let distance = 14;
  for (let r = 0; r < rows.length; r++) {
    const dy = Math.abs(y - yOf(r));
    const below = r === 0 && y > yOf(0) + 9;
    if (dy < distance || (below && !best)) {
      const i = at(lists[r], x);
      if (i >= 0 && (below || Math.abs(x - xOf(i)) < Math.max(9, spacing(i) * 0.5))) {
        best = { kind: 'switch', i };
        distance = dy;
      }
    }
  }
  if (best && state.shape.row[best.i] === 0 && y > yOf(0) + 9) {
    return cellUnder(best.i, x, y) ?? best;
  }
  return best ?? linkUnder(x, y);
}

function at(row, x) {
  for (let c = 0; c < row.length; c++) {
    const k = Math.floor(((x - columnX(c)) / columnWidth(c)) * row[c].length);
    if (k >= 0 && k < row[c].length) {
      return row[c][k];
    }
  }
  return -1;
}

function cellUnder(i, x, y) {
  const box = cells(i);
  if (box.bar) {
    return null;
  }
  const across = Math.floor((x - box.left) / box.size);
  const k = Math.floor((y - box.top) / box.size) * box.across + across;
  return across < 0 || across >= box.across || k < 0 || k >= box.total
    ? null : { kind: 'cell', i, cell: state.shape.first[i] + k };
}

function linkUnder(x, y) {
  if (closest() < 4) {
    return null; // so many in each pixel that none is meant
  }
  let best = null;
  let distance = 5;
  for (let e = 0; e < state.picture.links.length / 3; e++) {
    const l = line(e);
    if (!l || y < Math.min(l[1], l[3]) || y > Math.max(l[1], l[3])) {
      continue;
    }
    const [dx, dy] = [l[2] - l[0], l[3] - l[1]];
    const d = Math.abs(dy * x - dx * y + l[2] * l[1] - l[3] * l[0]) / Math.hypot(dx, dy);
    if (d < distance) {
      distance = d;
      best = { kind: 'link', e };
    }
  }
  return best;
}

/** The switch of a row that stands nearest to a place. */
export function nearestIn(r, x) {
  let best = state.shape.rows[r][0];
  for (const i of state.shape.rows[r]) {
    if (Math.abs(xOf(i) - x) < Math.abs(xOf(best) - x)) {
      best = i;
    }
  }
  return best;
}
