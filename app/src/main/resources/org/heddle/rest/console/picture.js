// The fabric as a picture: one canvas for what is, one above it for what is asked for, and one for
// what is pointed at, so that a large fabric is not drawn anew with every move of the pointer.

import { $, element, many } from './dom.js';
import {
  band, cellAt, cells, clampView, closest, columns, inner, left, line, linkBetween, linksOf, nearestIn,
  outOfSight, spacing, switchOf, under, view, xOf, yOf,
} from './layout.js';
import { colour, colourOf, css, forgetStyles, on, pattern, plain, state, tell } from './state.js';

const RAMP = ['#414d6b', '#7c7b78', '#a59c74', '#d2bf5f', '#ffea46']; // of cividis
const MANY = 1500; // lines that would be one spot
const SHARED = ['#0072b2', '#e69f00', '#d55e00'];

const canvas = $('picture');
const asked = $('asked');
const above = $('above');
let cursor = null; // {kind: 'switch', i}, {kind: 'cell', i, cell} or {kind: 'link', e}
let byKeys = false; // the cursor was moved by keys: it is told to screen readers and stays
let waiting = 0;

const BASE = 1;
const ASKED = 2;
const ABOVE = 4;

function wish(what) {
  if (!waiting) {
    requestAnimationFrame(() => {
      const now = waiting;
      waiting = 0;
      draw(now);
    });
  }
  waiting |= what;
}

export const redraw = () => wish(BASE | ASKED | ABOVE);
const redrawAsked = () => wish(ASKED | ABOVE);
const redrawAbove = () => wish(ABOVE);

/** A context in CSS pixels, cleared and clipped to the right of the labels. */
function context(on_) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(view.width * ratio);
  const high = Math.round(view.height * ratio);
  if (on_.width !== wide || on_.height !== high) {
    on_.width = wide;
    on_.height = high;
  }
  const c = on_.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, view.width, view.height);
  c.save();
  c.beginPath();
  c.rect(left() - 8, 0, view.width - left() + 8, view.height);
  c.clip();
  return c;
}

function draw(what) {
  if (!state.picture || canvas.clientWidth < 10) {
    return;
  }
  view.width = canvas.clientWidth;
  view.height = canvas.clientHeight;
  clampView();
  forgetStyles();
  if (what & BASE) {
    const c = context(canvas);
    drawLinks(c);
    drawDrained(c);
    state.shape.rows.forEach((r) => r.forEach((i) => drawSwitch(c, i)));
    c.restore();
    drawLabels(c);
    painted();
  }
  if (what & ASKED) {
    const c = context(asked);
    drawPreview(c);
    drawMarks(c);
    c.restore();
  }
  const c = context(above);
  drawCursor(c);
  c.restore();
}

function painted() {
  const data = document.documentElement.dataset;
  if (!data.painted) {
    // the frame with the picture is on the screen before the next one begins
    requestAnimationFrame(() => {
      data.painted ??= Math.round(performance.now());
    });
  }
  data.epoch = state.picture.epoch;
}

// ---- links

/** Links, faint; where they are closer than pixels, one for many. */
function faintLinks(c, style, all) {
  const { picture, shape } = state;
  const grid = closest() < 5 ? 9 : 0;
  const seen = new Set();
  const paths = shape.rows.map(() => ({ path: new Path2D(), lines: 0 }));
  for (const e of all) {
    const l = line(e);
    if (!l) {
      continue;
    }
    const row = shape.row[picture.links[3 * e]];
    if (grid) {
      l[0] = Math.round(l[0] / grid) * grid;
      l[2] = Math.round(l[2] / grid) * grid;
      const key = (l[0] * 16384 + l[2]) * 16 + row;
      if (seen.has(key)) {
        continue;
      }
      seen.add(key);
    }
    paths[row].lines++;
    paths[row].path.moveTo(l[0], l[1]);
    paths[row].path.lineTo(l[2], l[3]);
  }
  c.strokeStyle = style;
  c.lineWidth = 1;
  for (const { path, lines } of paths) {
    c.globalAlpha = Math.max(0.06, Math.min(0.4, 400 / (lines + 1)));
    c.stroke(path);
  }
  c.globalAlpha = 1;
}

function stroke(c, style, width, links, alpha = 1) {
  const path = new Path2D();
  for (const [e, offset] of links) {
    const l = line(e);
    if (l) {
      path.moveTo(l[0] + offset, l[1]);
      path.lineTo(l[2] + offset, l[3]);
    }
  }
  c.globalAlpha = alpha;
  c.strokeStyle = style;
  c.lineWidth = width;
  c.stroke(path);
  c.globalAlpha = 1;
}

function drawLinks(c) {
  faintLinks(c, css('--link'), state.picture.load.keys());
  if (state.mode === 'tenants') {
    ownLinks(c);
    return;
  }
  const { picture } = state;
  const load = state.mode === 'load';
  const groups = new Map();
  const most = Math.max(1, maximum(picture.load));
  picture.load.forEach((n, e) => {
    if (n > 0) {
      const step = load
        ? Math.min(RAMP.length - 1, Math.floor((n / most) * RAMP.length))
        : Math.min(SHARED.length, picture.sharing[e]) - 1;
      if (!groups.has(step)) {
        groups.set(step, []);
      }
      groups.get(step).push([e, 0]);
    }
  });
  [...groups.keys()].sort((a, b) => a - b).forEach((step) =>
    stroke(c, (load ? RAMP : SHARED)[step], 1.4 + 0.5 * step, groups.get(step), 0.95));
}

function ownLinks(c) {
  const taken = new Map();
  for (const t of state.picture.tenants) {
    const own = [];
    for (let k = 0; k < t.links.length; k += 2) {
      const before = taken.get(t.links[k]) ?? 0;
      taken.set(t.links[k], before + 1);
      own.push([t.links[k], 2 * before]);
    }
    const n = colourOf.get(t.name);
    c.setLineDash(pattern(n) === 'striped' ? [6, 3] : pattern(n) === 'dotted' ? [2, 3] : []);
    // thousands of lines in a few pixels: thin and pale, or nothing under them would be seen
    const pale = Math.max(0.12, Math.min(0.9, 500 / own.length));
    const alpha = state.chosen && state.chosen !== t.name ? 0.05 : pale;
    stroke(c, colour(n), own.length > MANY ? 1 : 1.8, own, alpha);
  }
  c.setLineDash([]);
}

const maximum = (list) => list.reduce((a, b) => Math.max(a, b), 0);

/** Links that were taken out of service: the card's colour over them, grey dashes over that. */
function drawDrained(c) {
  const all = [...state.drained.links.keys()].map((e) => [e, 0]);
  stroke(c, css('--card'), 4, all);
  c.setLineDash([4, 4]);
  stroke(c, css('--soft'), 1.8, all);
  c.setLineDash([]);
}

// ---- switches and hosts

function fill(c, n, x, y, w, h) {
  c.fillStyle = colour(n);
  c.fillRect(x, y, w, h);
  const kind = pattern(n);
  if (kind && w >= 3 && h >= 3) {
    c.fillStyle = css('--card');
    if (kind === 'striped') {
      c.fillRect(x, y + h * 0.4, w, Math.max(1, h * 0.22));
    } else {
      c.fillRect(x + w * 0.36, y + h * 0.36, Math.max(1, w * 0.3), Math.max(1, h * 0.3));
    }
  }
}

const switchWidth = (i) => Math.max(1, Math.min(26, spacing(i) * 0.72));

function drawSwitch(c, i) {
  const x = xOf(i);
  if (outOfSight(x, spacing(i))) {
    return;
  }
  const y = yOf(state.shape.row[i]);
  const w = switchWidth(i);
  if (state.drained.nodes.has(state.picture.guids[i])) {
    c.fillStyle = css('--card');
    c.fillRect(x - w / 2, y - 5, w, 10);
    c.setLineDash([2, 2]);
    c.strokeStyle = css('--soft');
    c.lineWidth = 1.5;
    c.strokeRect(x - w / 2 + 0.7, y - 4.3, Math.max(1, w - 1.4), 8.6);
    c.setLineDash([]);
  } else {
    c.fillStyle = css('--switch');
    c.fillRect(x - w / 2, y - 5, w, 10);
  }
  if (state.picture.hosts[i] > 0) {
    drawHosts(c, i);
  }
}

const dim = (name) => (state.chosen && state.chosen !== name ? 0.18 : 1);

/** Hosts of a switch as squares, or as one bar of shares where squares would be too small. */
function drawHosts(c, i) {
  const box = cells(i);
  const { picture, shape } = state;
  const free = css('--free');
  if (box.bar) {
    const { left: x, top, width, height } = box.bar;
    c.fillStyle = free;
    c.fillRect(x, top, width, height);
    let y = top;
    for (const [name, n] of shape.owners[i]) {
      const part = (height * n) / picture.hosts[i];
      c.globalAlpha = dim(name);
      fill(c, colourOf.get(name), x, y, width, part);
      c.globalAlpha = 1;
      y += part;
    }
    return;
  }
  const s = box.size - 1;
  for (let k = 0; k < box.total; k++) {
    const x = box.left + (k % box.across) * box.size;
    const y = box.top + Math.floor(k / box.across) * box.size;
    const owner = picture.owners[shape.first[i] + k];
    if (owner < 0) {
      c.fillStyle = free;
      c.fillRect(x, y, s, s);
    } else {
      const { name } = picture.tenants[owner];
      c.globalAlpha = dim(name);
      fill(c, colourOf.get(name), x, y, s, s);
      c.globalAlpha = 1;
    }
  }
}

function drawLabels(c) {
  const { shape, picture } = state;
  c.fillStyle = css('--soft');
  c.font = '12px system-ui, "DejaVu Sans", sans-serif';
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  const top = shape.rows.length - 1;
  shape.rows.forEach((r, at) => {
    const what = at === 0 ? 'leaves' : at === top ? 'roots' : `level ${at + 1}`;
    c.fillText(what, 2, yOf(at) - 6);
    c.fillText(r.length.toLocaleString('en'), 2, yOf(at) + 8);
  });
  const middle = yOf(0) + 12 + band() / 2;
  const total = picture.hosts.reduce((a, b) => a + b, 0);
  c.fillText(shape.planes > 1 ? 'ports' : 'hosts', 2, middle - 6);
  c.fillText(total.toLocaleString('en'), 2, middle + 8);
  if (shape.columns > 1) {
    c.textAlign = 'center';
    columns().forEach(([x, width], at) => {
      c.fillText(at < shape.planes ? `plane ${at}` : 'no part of a plane', x + width / 2, 8);
    });
    c.textAlign = 'left';
  }
}

// ---- what is asked for or pointed at

/** Lines around squares of hosts; where they are a bar, a part of it. */
function ring(c, style, width, list) {
  c.strokeStyle = style;
  c.lineWidth = width;
  for (const cell of list) {
    const i = switchOf(cell);
    const at = outOfSight(xOf(i), spacing(i)) ? null : cellAt(i, cell);
    if (at) {
      c.strokeRect(at[0] + 0.2, at[1] + 0.2, at[2] - 1.4, at[2] - 1.4);
    }
  }
}

function drawPreview(c) {
  const { preview, shape, picture } = state;
  if (!preview) {
    return;
  }
  if (preview.links.length > MANY) {
    faintLinks(c, css('--ring'), preview.links);
  } else {
    c.setLineDash([5, 4]);
    stroke(c, css('--ring'), 2, preview.links.map((e) => [e, -2]));
    c.setLineDash([]);
  }
  ring(c, css('--ring'), 1.6, preview.cells);
  for (const [i, n] of preview.hosts) {
    const { bar } = cells(i);
    if (bar) {
      const held = shape.owners[i].reduce((a, o) => a + o[1], 0);
      c.fillStyle = css('--ring');
      c.globalAlpha = 0.6;
      c.fillRect(bar.left, bar.top + (bar.height * held) / picture.hosts[i], bar.width, (bar.height * n) / picture.hosts[i]);
      c.globalAlpha = 1;
    }
  }
}

function drawMarks(c) {
  const { marks, shape } = state;
  if (!marks) {
    return;
  }
  c.strokeStyle = css('--mark');
  c.fillStyle = css('--mark');
  for (const guid of marks.switches) {
    const i = shape.byGuid.get(guid);
    if (i === undefined || outOfSight(xOf(i), spacing(i))) {
      continue;
    }
    const w = switchWidth(i);
    const [x, y] = [xOf(i), yOf(shape.row[i])];
    if (w < 8) {
      c.fillRect(x - Math.max(1, w / 2), y - 9, Math.max(2, w), 18);
    } else {
      c.lineWidth = 2.5;
      c.strokeRect(x - w / 2 - 3, y - 8, w + 6, 16);
    }
  }
  const of = (list) => list.flatMap((guid) => state.hosts?.byGuid.get(guid) ?? []);
  c.setLineDash([3, 2]);
  ring(c, css('--mark'), 2.4, of(marks.from));
  c.setLineDash([]);
  ring(c, css('--mark'), 3, of(marks.to));
}

/** What the selection of the page is in this picture, as a cursor. */
function selectedAt() {
  const s = state.selected;
  if (!s) {
    return null;
  }
  if (s.kind === 'host') {
    const cell = state.hosts?.byGuid.get(s.guid)?.[0];
    return cell === undefined ? null : { kind: 'cell', i: switchOf(cell), cell };
  }
  const a = state.shape.byGuid.get(s.kind === 'link' ? s.a : s.guid);
  if (a === undefined || s.kind === 'switch') {
    return a === undefined ? null : { kind: 'switch', i: a };
  }
  const b = state.shape.byGuid.get(s.b);
  const e = b === undefined ? undefined : linkBetween(a, b);
  return e === undefined ? null : { kind: 'link', e };
}

function outline(c, at, width) {
  c.strokeStyle = css('--ring');
  if (at.kind === 'link') {
    c.setLineDash(state.drained.links.has(at.e) ? [4, 4] : []);
    stroke(c, css('--ring'), width + 1, [[at.e, 0]]);
    c.setLineDash([]);
    return;
  }
  if (at.kind === 'cell') {
    ring(c, css('--ring'), width + 0.4, [at.cell]);
    return;
  }
  stroke(c, css('--ring'), 1, linksOf(at.i).map((e) => [e, 0]), 0.7);
  c.lineWidth = width;
  const w = Math.max(8, switchWidth(at.i) + 6);
  c.strokeRect(xOf(at.i) - w / 2, yOf(state.shape.row[at.i]) - 8, w, 16);
}

function drawCursor(c) {
  const chosen = selectedAt();
  if (chosen) {
    outline(c, chosen, 2.4);
  }
  if (cursor) {
    outline(c, cursor, 1.8);
  }
}

// ---- in words

function levelOf(i) {
  const level = state.picture.level[i];
  return level === 1 ? 'leaf' : level === 0 ? 'no part of the tree' : level === state.picture.levels ? 'root' : `level ${level}`;
}

function loadOf(list) {
  let load = 0;
  let sharing = 0;
  for (const e of list) {
    load = Math.max(load, state.picture.load[e]);
    sharing = Math.max(sharing, state.picture.sharing[e]);
  }
  return [load, sharing];
}

function switchWords(i) {
  const { picture, shape, drained } = state;
  const parts = [`${picture.names[i]} (${levelOf(i)})${picture.planes > 1 && picture.plane[i] >= 0 ? `, plane ${picture.plane[i]}` : ''}`];
  if (drained.nodes.has(picture.guids[i])) {
    parts.push('out of service');
  }
  if (picture.hosts[i]) {
    const held = shape.owners[i].reduce((a, o) => a + o[1], 0);
    parts.push(`${many(picture.hosts[i], 'host')}, ${picture.hosts[i] - held} without tenant`);
    parts.push(...shape.owners[i].map(([name, n]) => `${name}: ${n}`));
  }
  const own = linksOf(i);
  const cables = own.reduce((a, e) => a + picture.links[3 * e + 2], 0);
  const [load, sharing] = loadOf(own);
  parts.push(`${many(cables, 'cable')} to switches`);
  if (load) {
    parts.push(`busiest link: ${many(load, 'pair')} of hosts, most shared: ${many(sharing, 'tenant')}`);
  }
  return parts;
}

function cellWords({ i, cell }) {
  const { picture, hosts } = state;
  const name = hosts?.names[cell] || hosts?.guids[cell] || 'host';
  const owner = picture.owners[cell];
  const free = state.session.role === 'tenant' ? 'not yours' : 'without tenant';
  const lid = hosts?.lids[cell] ? [`LID ${hosts.lids[cell]}`] : [];
  return [name, owner < 0 ? free : picture.tenants[owner].name, ...lid, `on ${picture.names[i]}`];
}

function linkWords(e) {
  const { picture } = state;
  const owners = picture.tenants.filter((t) => t.links.some((x, k) => k % 2 === 0 && x === e)).map((t) => t.name);
  return [`${picture.names[picture.links[3 * e]]} – ${picture.names[picture.links[3 * e + 1]]}`,
    many(picture.links[3 * e + 2], 'cable'),
    ...(state.drained.links.has(e) ? [`${state.drained.links.get(e)} out of service`] : []),
    ...(owners.length ? [`own link of ${owners.join(', ')}`] : []),
    picture.load[e] ? `${many(picture.load[e], 'pair')} of hosts, ${many(picture.sharing[e], 'tenant')}` : 'no load'];
}

function point(to) {
  cursor = to;
  $('detail').ariaLive = byKeys ? 'polite' : 'off';
  $('detail').textContent = !to ? '\u00a0'
    : (to.kind === 'switch' ? switchWords(to.i) : to.kind === 'cell' ? cellWords(to) : linkWords(to.e)).join(' · ');
  redrawAbove();
}

function select(to) {
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

// ---- moving in the picture

function zoomAt(x, factor) {
  const before = view.zoom;
  view.zoom *= factor;
  clampView();
  const at = x - left() + view.pan;
  view.pan = at * (view.zoom / before) - (x - left());
  redraw();
}

function intoSight(i) {
  const x = xOf(i);
  if (x < left()) {
    view.pan -= left() - x + 40;
  } else if (x > view.width - 14) {
    view.pan += x - view.width + 54;
  }
}

/** Goes along the row, to the switch of another row that stands nearest, or to the hosts below. */
function step(dx, dy) {
  const { shape, picture } = state;
  byKeys = true;
  const from = cursor?.kind === 'link' ? { kind: 'switch', i: picture.links[3 * cursor.e] } : cursor;
  let to;
  if (!from) {
    to = { kind: 'switch', i: shape.rows[0][0] };
  } else if (from.kind === 'cell') {
    to = stepHost(from, dx, dy);
  } else if (dy < 0 && shape.row[from.i] === 0 && picture.hosts[from.i]) {
    to = { kind: 'cell', i: from.i, cell: shape.first[from.i] };
  } else if (dy) {
    const r = Math.max(0, Math.min(shape.rows.length - 1, shape.row[from.i] + dy));
    to = { kind: 'switch', i: r === shape.row[from.i] ? from.i : nearestIn(r, xOf(from.i)) };
  } else {
    const row = shape.rows[shape.row[from.i]];
    const k = row.indexOf(from.i) + dx;
    to = { kind: 'switch', i: row[Math.max(0, Math.min(row.length - 1, k))] };
  }
  intoSight(to.i);
  point(to);
  redraw();
}

function stepHost({ i, cell }, dx, dy) {
  const { shape } = state;
  const box = cells(i);
  const next = cell + (dy ? -dy * (box.across ?? 1) : dx);
  if (next < shape.first[i]) {
    return { kind: 'switch', i };
  }
  return { kind: 'cell', i, cell: Math.min(next, shape.first[i + 1] - 1) };
}

function showAll() {
  view.zoom = 1;
  view.pan = 0;
  redraw();
}

const middle = () => (cursor && cursor.kind !== 'link' ? xOf(cursor.i) : view.width / 2);

const KEYS = {
  ArrowLeft: () => step(-1, 0),
  ArrowRight: () => step(1, 0),
  ArrowUp: () => step(0, 1),
  ArrowDown: () => step(0, -1),
  '+': () => zoomAt(middle(), 1.5),
  '=': () => zoomAt(middle(), 1.5),
  '-': () => zoomAt(middle(), 1 / 1.5),
  0: showAll,
  Enter: () => select(cursor),
  Escape: () => {
    byKeys = false;
    tell('choose', '');
    tell('select', null);
    point(null);
  },
};

canvas.addEventListener('keydown', (e) => {
  if (state.picture && KEYS[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) {
    e.preventDefault();
    KEYS[e.key]();
  }
});
canvas.addEventListener('wheel', (e) => {
  // without a modifier the page scrolls where it has to: on narrow screens
  if (state.picture && (e.ctrlKey || innerWidth > 900)) {
    e.preventDefault();
    zoomAt(e.offsetX, Math.exp(-e.deltaY / 400));
  }
}, { passive: false });

let drag = null;
canvas.addEventListener('pointerdown', (e) => {
  drag = { x: e.clientX, pan: view.pan, moved: false };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointermove', (e) => {
  if (!state.picture) {
    return;
  }
  if (drag) {
    drag.moved ||= Math.abs(e.clientX - drag.x) > 4;
    if (drag.moved) {
      view.pan = drag.pan - (e.clientX - drag.x);
      redraw();
    }
    return;
  }
  byKeys = false;
  const to = under(e.offsetX, e.offsetY);
  if (JSON.stringify(to) !== JSON.stringify(cursor)) {
    point(to);
  }
});
canvas.addEventListener('pointerup', (e) => {
  if (drag && !drag.moved && state.picture) {
    const to = under(e.offsetX, e.offsetY);
    point(to);
    select(to);
  }
  drag = null;
});
canvas.addEventListener('pointercancel', () => {
  drag = null;
});
canvas.addEventListener('pointerleave', () => {
  if (state.picture && !byKeys) {
    point(null);
  }
});
$('in').onclick = () => state.picture && zoomAt(view.width / 2, 1.5);
$('out').onclick = () => state.picture && zoomAt(view.width / 2, 1 / 1.5);
$('whole').onclick = () => state.picture && showAll();
new ResizeObserver(redraw).observe(canvas);
for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
  matchMedia(query).addEventListener('change', redraw);
}
$('modes').addEventListener('change', (e) => {
  state.mode = e.target.value;
  legend();
  redraw();
});

// ---- the legend

export function legend() {
  const out = [];
  const item = (...children) => out.push(element('li', {}, ...children));
  if (state.mode === 'load') {
    const most = maximum(state.picture?.load ?? []);
    RAMP.forEach((c, k) => {
      item(plain(c), `to ${Math.ceil((most * (k + 1)) / RAMP.length).toLocaleString('en')}`);
    });
    item('pairs of hosts of one tenant whose route uses the link, in its busier direction');
  } else if (state.mode === 'sharing') {
    ['one tenant', 'two', 'three or more'].forEach((text, k) => item(plain(SHARED[k]), text));
    item('whose routes use the link');
  } else {
    item(plain('var(--free)'), state.session.role === 'tenant' ? 'not yours' : 'free host');
    item(element('span', { className: 'swatch own', ariaHidden: 'true' }), 'a tenant\u2019s own link');
    item(element('span', { className: 'swatch asked', ariaHidden: 'true' }), 'asked for');
  }
  item(element('span', { className: 'swatch marked', ariaHidden: 'true' }), 'entries would change');
  item(element('span', { className: 'swatch drained', ariaHidden: 'true' }), 'out of service');
  $('legend').replaceChildren(...out);
}

on('picture', () => {
  const n = state.picture.level.length;
  const links = state.picture.links.length / 3;
  const gone = cursor && (cursor.kind === 'link' ? cursor.e >= links : cursor.i >= n || cursor.cell >= state.shape.first[n]);
  if (gone) {
    cursor = null;
  }
  point(cursor);
  legend();
  redraw();
});
on('hosts', redrawAsked);
on('preview', redrawAsked);
on('chosen', redraw);
on('selected', redrawAbove);

/** Shows which switches would change, or nothing. */
export function mark(marks) {
  state.marks = marks;
  redrawAsked();
}
