// What there is, painted: links, switches, hosts and the labels of the rows.

import {
  band, cells, closest, columns, line, outOfSight, spacing, xOf, yOf,
} from './layout.js';
import { colour, colourOf, css, maximum, pattern, state } from './state.js';

export const MANY = 1500; // lines that would be one spot
export const SHARED = ['--shared-0', '--shared-1', '--shared-2']; // by one, two, more tenants
const STEPS = 5; // of load

// ---- links

/** Links, faint; where they are closer than pixels, one for many. */
export function faintLinks(c, style, all) {
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

export function stroke(c, style, width, links, alpha = 1) {
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

/** Classes of load, up to the most there is: their bounds, and the property that has the colour. */
export function loadClasses(load) {
  const most = Math.max(1, maximum(load));
  const bounds = [...new Set(Array.from({ length: STEPS }, (_, k) => Math.ceil((most * (k + 1)) / STEPS)))];
  return bounds.map((to, k) => ({
    from: k ? bounds[k - 1] + 1 : 1,
    to,
    step: k,
    colour: `--load-${bounds.length > 1 ? Math.round((k * (STEPS - 1)) / (bounds.length - 1)) : STEPS - 1}`,
  }));
}

export function drawLinks(c) {
  const { picture } = state;
  faintLinks(c, css('--link'), picture.load.keys());
  if (state.mode === 'tenants') {
    ownLinks(c);
    return;
  }
  const classes = state.mode === 'load' ? loadClasses(picture.load) : SHARED.map((name, k) => ({ to: k < 2 ? k + 1 : Infinity, step: k, colour: name }));
  const number = state.mode === 'load' ? picture.load : picture.sharing;
  const groups = classes.map(() => []);
  picture.load.forEach((n, e) => {
    if (n > 0) {
      groups[classes.findIndex((x) => number[e] <= x.to)]?.push([e, 0]);
    }
  });
  classes.forEach((x, k) => stroke(c, css(x.colour), 1.4 + 0.5 * x.step, groups[k], groups[k].length > MANY ? 0.5 : 0.95));
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
    stroke(c, css(colour(n)), own.length > MANY ? 1 : 1.8, own, alpha);
  }
  c.setLineDash([]);
}

/** Links that were taken out of service: the card's colour over them, grey dashes over that. */
export function drawDrained(c) {
  const all = [...state.drained.links.keys()].map((e) => [e, 0]);
  stroke(c, css('--card'), 4, all);
  c.setLineDash([4, 4]);
  stroke(c, css('--soft'), 1.8, all);
  c.setLineDash([]);
}

// ---- switches and hosts

function fill(c, n, x, y, w, h) {
  c.fillStyle = css(colour(n));
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

export const switchWidth = (i) => Math.max(1, Math.min(26, spacing(i) * 0.72));

export function drawSwitch(c, i) {
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
    if (width >= 4) {
      c.strokeStyle = css('--free-edge');
      c.lineWidth = 1;
      c.strokeRect(x + 0.5, top + 0.5, width - 1, height - 1);
    }
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
  c.strokeStyle = css('--free-edge');
  c.lineWidth = 1;
  for (let k = 0; k < box.total; k++) {
    const x = box.left + (k % box.across) * box.size;
    const y = box.top + Math.floor(k / box.across) * box.size;
    const owner = picture.owners[shape.first[i] + k];
    if (owner < 0) {
      c.fillStyle = free;
      c.fillRect(x, y, s, s);
      if (s >= 4) {
        c.strokeRect(x + 0.5, y + 0.5, s - 1, s - 1);
      }
    } else {
      const { name } = picture.tenants[owner];
      c.globalAlpha = dim(name);
      fill(c, colourOf.get(name), x, y, s, s);
      c.globalAlpha = 1;
    }
  }
}

export function drawLabels(c) {
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
  const middle = Math.max(yOf(0) + 12 + band() / 2, yOf(0) + 31); // clear of the leaves' label
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
