// The console of the Heddle controller: draws what /v1 says, and asks /v1 for changes.

// Okabe and Ito's colours, which people with any kind of colour vision tell apart. After seven
// tenants they come again with stripes, then with dots.
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];
const RAMP = ['#414d6b', '#7c7b78', '#a59c74', '#d2bf5f', '#ffea46']; // of cividis
const SHARED = ['#0072b2', '#e69f00', '#d55e00'];
const PATTERNS = ['', 'striped', 'dotted'];
const EVENTS = 200;
const PAST = 12;

const $ = (id) => document.getElementById(id);
// Asking the browser for a style takes long when done for every switch: once for each drawing.
const styles = new Map();
function css(name) {
  if (!styles.has(name)) {
    styles.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  }
  return styles.get(name);
}
const many = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

/** An element with text or children. */
function element(tag, options = {}, ...children) {
  const out = Object.assign(document.createElement(tag), options);
  out.append(...children);
  return out;
}

// ---- the interface

let credentials = sessionStorage.getItem('heddle-credentials') ?? '';

/** Sends a request; the answer's status and document, of a refusal as well. */
async function call(method, path, body, more = {}) {
  const headers = { Accept: 'application/json', ...more };
  if (credentials) {
    headers.Authorization = credentials;
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(path, { method, headers, body: text });
  if (answer.status === 401) {
    await login(credentials ? 'That is not known here.' : '');
    return call(method, path, body, more);
  }
  return { ok: answer.ok, status: answer.status, etag: answer.headers.get('ETag'), data: await answer.json() };
}

/** A new key, so that a request that is sent twice is done once. */
function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
}

let loggingIn = null;

/** Asks for credentials; one dialog for all that wait. */
function login(why) {
  loggingIn ??= new Promise((resolve) => {
    $('login-why').textContent = why;
    $('login').showModal();
    $('login').oncancel = (e) => e.preventDefault();
    $('login-form').onsubmit = () => {
      const user = new TextEncoder().encode(`${$('user').value}:${$('password').value}`);
      credentials = $('token').value
        ? `Bearer ${$('token').value.trim()}`
        : `Basic ${btoa(String.fromCharCode(...user))}`;
      sessionStorage.setItem('heddle-credentials', credentials);
      $('login-form').reset();
      loggingIn = null;
      resolve();
    };
  });
  return loggingIn;
}

// ---- what is shown

let picture = null;
let shape = null; // the picture's rows and who is where
let mode = 'tenants';
let chosen = ''; // a tenant's name
let preview = null; // what a dry run would give
const colourOf = new Map(); // number of a tenant's colour; stays while the tenant does

function giveColours(tenants) {
  const names = new Set(tenants.map((t) => t.name));
  for (const name of colourOf.keys()) {
    if (!names.has(name)) {
      colourOf.delete(name);
    }
  }
  const used = new Set(colourOf.values());
  for (const t of [...tenants].sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1))) {
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

const colour = (n) => COLOURS[n % COLOURS.length];
const pattern = (n) => PATTERNS[Math.floor(n / COLOURS.length) % PATTERNS.length];

/** Rows from the picture's list of switches, and for each switch who has how many hosts there. */
function shapeOf(p) {
  const rows = [];
  const row = new Int32Array(p.level.length);
  const slot = new Int32Array(p.level.length);
  p.level.forEach((level, i) => {
    const at = Math.max(0, level - 1); // what is no part of the tree stands with the leaves
    (rows[at] ??= []).push(i);
  });
  rows.forEach((r, at) => r.forEach((i, k) => {
    row[i] = at;
    slot[i] = k;
  }));
  const owners = p.level.map(() => []);
  p.tenants.forEach((t) => {
    for (let k = 0; k < t.hosts.length; k += 2) {
      owners[t.hosts[k]].push([t.name, t.hosts[k + 1]]);
    }
  });
  const byGuid = new Map(p.guids.map((g, i) => [g, i]));
  const linkBy = new Map();
  for (let e = 0; e < p.links.length; e += 3) {
    linkBy.set(p.links[e] * p.level.length + p.links[e + 1], e / 3);
  }
  return { rows, row, slot, owners, byGuid, linkBy };
}

// ---- drawing

const canvas = $('picture');
const view = { zoom: 1, pan: 0, width: 0, height: 0, at: -1 };
const EDGE = { left: 58, right: 14, top: 22, bottom: 16 };
let waiting = false;

function redraw() {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }
}

const inner = () => view.width - EDGE.left - EDGE.right;
const band = () => Math.max(44, Math.min(150, view.height * 0.26));
const spacing = (r) => (inner() * view.zoom) / shape.rows[r].length;
const xOf = (i) => EDGE.left + (shape.slot[i] + 0.5) * spacing(shape.row[i]) - view.pan;

function yOf(r) {
  const high = shape.rows.length - 1;
  const bottom = view.height - EDGE.bottom - band() - 12;
  return high === 0 ? bottom : bottom - (r * (bottom - EDGE.top)) / high;
}

function clampView() {
  view.zoom = Math.max(1, Math.min(view.zoom, Math.max(1, shape.rows[0].length / 6)));
  view.pan = Math.max(0, Math.min(view.pan, inner() * (view.zoom - 1)));
}

function draw() {
  if (!picture || canvas.clientWidth < 10) {
    return;
  }
  const ratio = window.devicePixelRatio || 1;
  view.width = canvas.clientWidth;
  view.height = canvas.clientHeight;
  const wide = Math.round(view.width * ratio);
  const high = Math.round(view.height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  clampView();
  styles.clear();
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, view.width, view.height);
  c.save();
  c.beginPath();
  c.rect(EDGE.left - 8, 0, view.width - EDGE.left + 8, view.height);
  c.clip();
  drawLinks(c);
  drawPreviewLinks(c);
  shape.rows.forEach((r) => r.forEach((i) => drawSwitch(c, i)));
  drawCursor(c);
  c.restore();
  drawLabels(c);
  if (!document.documentElement.dataset.painted) {
    // the frame with the picture is on the screen before the next one begins
    requestAnimationFrame(() => {
      document.documentElement.dataset.painted = Math.round(performance.now());
    });
  }
  document.documentElement.dataset.epoch = picture.epoch;
}

/** Both ends of a link in pixels, or null if it is out of sight. */
function line(e) {
  const a = picture.links[3 * e];
  const b = picture.links[3 * e + 1];
  const x1 = xOf(a);
  const x2 = xOf(b);
  if (Math.max(x1, x2) < EDGE.left - 8 || Math.min(x1, x2) > view.width) {
    return null;
  }
  return [x1, yOf(shape.row[a]), x2, yOf(shape.row[b])];
}

/** All links, faint; where they are closer than pixels, one for many. */
function faintLinks(c) {
  const grid = Math.min(...shape.rows.map((_, r) => spacing(r))) < 5 ? 9 : 0;
  const seen = new Set();
  const paths = shape.rows.map(() => ({ path: new Path2D(), lines: 0 }));
  for (let e = 0; e < picture.links.length / 3; e++) {
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
  c.strokeStyle = css('--link');
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
  faintLinks(c);
  if (mode === 'tenants') {
    const taken = new Map();
    for (const t of picture.tenants) {
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
      stroke(c, colour(n), own.length > 1500 ? 1 : 1.8, own, chosen && chosen !== t.name ? 0.05 : pale);
    }
    c.setLineDash([]);
    return;
  }
  const groups = new Map();
  const most = Math.max(1, maximum(picture.load));
  picture.load.forEach((load, e) => {
    if (load > 0) {
      const step = mode === 'load'
        ? Math.min(RAMP.length - 1, Math.floor((load / most) * RAMP.length))
        : Math.min(SHARED.length, picture.sharing[e]) - 1;
      if (!groups.has(step)) {
        groups.set(step, []);
      }
      groups.get(step).push([e, 0]);
    }
  });
  [...groups.keys()].sort((a, b) => a - b).forEach((step) =>
    stroke(c, (mode === 'load' ? RAMP : SHARED)[step], 1.4 + 0.5 * step, groups.get(step), 0.95));
}

const maximum = (list) => list.reduce((a, b) => Math.max(a, b), 0);

function drawPreviewLinks(c) {
  if (!preview) {
    return;
  }
  c.setLineDash([5, 4]);
  stroke(c, css('--ring'), 2, preview.links.map((e) => [e, -2]));
  c.setLineDash([]);
}

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

function drawSwitch(c, i) {
  const x = xOf(i);
  const gap = spacing(shape.row[i]);
  if (x < EDGE.left - 8 - gap || x > view.width + gap) {
    return;
  }
  const y = yOf(shape.row[i]);
  const w = Math.max(1, Math.min(26, gap * 0.72));
  c.fillStyle = css('--switch');
  c.fillRect(x - w / 2, y - 5, w, 10);
  if (picture.hosts[i] > 0) {
    drawHosts(c, i, x, y + 12, gap);
  }
}

/** Hosts of a switch as squares, or as one bar of shares where squares would be too small. */
function drawHosts(c, i, x, y, gap) {
  const total = picture.hosts[i];
  const width = Math.max(1, Math.min(gap * 0.86, 64));
  const height = shape.row[i] === 0 ? band() : 18;
  let size = Math.min(14, Math.sqrt((width * height) / total));
  let columns = Math.max(1, Math.floor(width / size));
  while (size > 3 && Math.ceil(total / columns) * size > height) {
    size -= 0.5;
    columns = Math.max(1, Math.floor(width / size));
  }
  const would = preview?.hosts.get(i) ?? 0;
  const free = css('--free');
  const dim = (name) => (chosen && chosen !== name ? 0.18 : 1);
  if (size >= 4) {
    const cells = shape.owners[i].flatMap(([name, n]) => Array(n).fill(name));
    const left = x - (Math.min(columns, total) * size) / 2;
    for (let k = 0; k < total; k++) {
      const cx = left + (k % columns) * size;
      const cy = y + Math.floor(k / columns) * size;
      const s = size - 1;
      if (k < cells.length) {
        c.globalAlpha = dim(cells[k]);
        fill(c, colourOf.get(cells[k]), cx, cy, s, s);
        c.globalAlpha = 1;
      } else {
        c.fillStyle = free;
        c.fillRect(cx, cy, s, s);
        if (k < cells.length + would) {
          c.strokeStyle = css('--ring');
          c.lineWidth = 1.4;
          c.strokeRect(cx + 0.7, cy + 0.7, s - 1.4, s - 1.4);
        }
      }
    }
    return;
  }
  c.fillStyle = free;
  c.fillRect(x - width / 2, y, width, height);
  let top = y;
  for (const [name, n] of shape.owners[i]) {
    const part = (height * n) / total;
    c.globalAlpha = dim(name);
    fill(c, colourOf.get(name), x - width / 2, top, width, part);
    c.globalAlpha = 1;
    top += part;
  }
  if (would) {
    c.fillStyle = css('--ring');
    c.globalAlpha = 0.6;
    c.fillRect(x - width / 2, top, width, (height * would) / total);
    c.globalAlpha = 1;
  }
}

function drawCursor(c) {
  if (view.at < 0) {
    return;
  }
  const own = [];
  for (let e = 0; e < picture.links.length / 3; e++) {
    if (picture.links[3 * e] === view.at || picture.links[3 * e + 1] === view.at) {
      own.push([e, 0]);
    }
  }
  stroke(c, css('--ring'), 1, own, 0.7);
  c.strokeStyle = css('--ring');
  c.lineWidth = 2;
  const w = Math.max(8, Math.min(26, spacing(shape.row[view.at]) * 0.72) + 6);
  c.strokeRect(xOf(view.at) - w / 2, yOf(shape.row[view.at]) - 8, w, 16);
}

function drawLabels(c) {
  c.fillStyle = css('--soft');
  c.font = '12px system-ui, "DejaVu Sans", sans-serif';
  c.textBaseline = 'middle';
  const top = shape.rows.length - 1;
  shape.rows.forEach((r, at) => {
    const what = at === 0 ? 'leaves' : at === top ? 'roots' : `level ${at + 1}`;
    c.fillText(what, 2, yOf(at) - 6);
    c.fillText(r.length.toLocaleString('en'), 2, yOf(at) + 8);
  });
  c.fillText('hosts', 2, yOf(0) + 12 + band() / 2 - 6);
  c.fillText(picture.hosts.reduce((a, b) => a + b, 0).toLocaleString('en'), 2, yOf(0) + 12 + band() / 2 + 8);
}

// ---- moving in the picture

function zoomAt(x, factor) {
  const before = view.zoom;
  view.zoom *= factor;
  clampView();
  const at = x - EDGE.left + view.pan;
  view.pan = at * (view.zoom / before) - (x - EDGE.left);
  redraw();
}

function nearest(x, y) {
  let best = -1;
  let distance = Infinity;
  shape.rows.forEach((r, at) => {
    const dy = Math.abs(y - yOf(at));
    const below = at === 0 && y > yOf(0) ? 0 : dy;
    const k = Math.floor((x - EDGE.left + view.pan) / spacing(at));
    if (k >= 0 && k < r.length && below < Math.min(distance, 40)) {
      distance = below;
      best = r[k];
    }
  });
  return best;
}

function tell(i) {
  view.at = i;
  if (i < 0) {
    $('detail').textContent = '\u00a0';
  } else {
    const level = picture.level[i];
    const what = level === 1 ? 'leaf' : level === 0 ? 'no part of the tree' : level === picture.levels ? 'root' : `level ${level}`;
    const parts = [`${picture.names[i]} (${what})`];
    if (picture.planes > 1) {
      parts[0] += `, plane ${picture.plane[i]}`;
    }
    if (picture.hosts[i]) {
      const held = shape.owners[i].reduce((a, o) => a + o[1], 0);
      parts.push(`${many(picture.hosts[i], 'host')}, ${picture.hosts[i] - held} without tenant`);
      parts.push(...shape.owners[i].map(([name, n]) => `${name}: ${n}`));
    }
    let cables = 0;
    let load = 0;
    let sharing = 0;
    for (let e = 0; e < picture.load.length; e++) {
      if (picture.links[3 * e] === i || picture.links[3 * e + 1] === i) {
        cables += picture.links[3 * e + 2];
        load = Math.max(load, picture.load[e]);
        sharing = Math.max(sharing, picture.sharing[e]);
      }
    }
    parts.push(`${many(cables, 'cable')} to switches`);
    if (load) {
      parts.push(`busiest link: ${many(load, 'pair')} of hosts, most shared: ${many(sharing, 'tenant')}`);
    }
    $('detail').textContent = parts.join(' · ');
  }
  redraw();
}

function intoSight(i) {
  const x = xOf(i);
  if (x < EDGE.left) {
    view.pan -= EDGE.left - x + 40;
  } else if (x > view.width - EDGE.right) {
    view.pan += x - view.width + EDGE.right + 40;
  }
}

/** Goes along the row, or to the switch of another row that stands nearest. */
function step(dx, dy) {
  let to = shape.rows[0][0];
  if (view.at >= 0) {
    const at = Math.max(0, Math.min(shape.rows.length - 1, shape.row[view.at] + dy));
    const row = shape.rows[at];
    const part = (shape.slot[view.at] + 0.5) / shape.rows[shape.row[view.at]].length;
    const k = dy ? Math.floor(part * row.length) : shape.slot[view.at] + dx;
    to = row[Math.max(0, Math.min(row.length - 1, k))];
  }
  intoSight(to);
  tell(to);
}

function showAll() {
  view.zoom = 1;
  view.pan = 0;
  redraw();
}

const KEYS = {
  ArrowLeft: () => step(-1, 0),
  ArrowRight: () => step(1, 0),
  ArrowUp: () => step(0, 1),
  ArrowDown: () => step(0, -1),
  '+': () => zoomAt(view.at < 0 ? view.width / 2 : xOf(view.at), 1.5),
  '=': () => zoomAt(view.at < 0 ? view.width / 2 : xOf(view.at), 1.5),
  '-': () => zoomAt(view.at < 0 ? view.width / 2 : xOf(view.at), 1 / 1.5),
  0: showAll,
  Escape: () => {
    choose('');
    tell(-1);
  },
};

canvas.addEventListener('keydown', (e) => {
  if (picture && KEYS[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) {
    e.preventDefault();
    KEYS[e.key]();
  }
});
canvas.addEventListener('wheel', (e) => {
  if (picture) {
    e.preventDefault();
    zoomAt(e.offsetX, Math.exp(-e.deltaY / 400));
  }
}, { passive: false });
let drag = null;
canvas.addEventListener('pointerdown', (e) => {
  drag = { x: e.clientX, pan: view.pan };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointermove', (e) => {
  if (!picture) {
    return;
  }
  if (drag) {
    view.pan = drag.pan - (e.clientX - drag.x);
    redraw();
  } else {
    const i = nearest(e.offsetX, e.offsetY);
    if (i !== view.at) {
      tell(i);
    }
  }
});
canvas.addEventListener('pointerup', () => {
  drag = null;
});
canvas.addEventListener('pointercancel', () => {
  drag = null;
});
canvas.addEventListener('pointerleave', () => {
  if (picture && document.activeElement !== canvas) {
    tell(-1);
  }
});
$('in').onclick = () => picture && zoomAt(view.width / 2, 1.5);
$('out').onclick = () => picture && zoomAt(view.width / 2, 1 / 1.5);
$('whole').onclick = () => picture && showAll();
new ResizeObserver(redraw).observe(canvas);
for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
  matchMedia(query).addEventListener('change', redraw);
}
$('modes').addEventListener('change', (e) => {
  mode = e.target.value;
  legend();
  redraw();
});

// ---- lists beside the picture

function swatch(n) {
  styles.clear();
  const out = element('span', { className: 'swatch', ariaHidden: 'true' });
  const c = colour(n);
  const card = css('--card');
  out.style.background = {
    '': c,
    striped: `repeating-linear-gradient(0deg, ${c} 0 3px, ${card} 3px 5px)`,
    dotted: `radial-gradient(${card} 22%, ${c} 26%) 0 0 / 5px 5px`,
  }[pattern(n)];
  return out;
}

function plain(value) {
  const out = element('span', { className: 'swatch', ariaHidden: 'true' });
  out.style.background = value;
  return out;
}

function legend() {
  const out = [];
  if (mode === 'load') {
    const most = maximum(picture?.load ?? []);
    RAMP.forEach((c, k) => {
      const high = Math.ceil((most * (k + 1)) / RAMP.length);
      out.push(element('li', {}, plain(c), `to ${high.toLocaleString('en')}`));
    });
    out.push(element('li', {}, 'pairs of hosts of one tenant whose route uses the link, in its busier direction'));
  } else if (mode === 'sharing') {
    ['one tenant', 'two', 'three or more'].forEach((text, k) => out.push(element('li', {}, plain(SHARED[k]), text)));
    out.push(element('li', {}, 'whose routes use the link'));
  } else {
    out.push(element('li', {}, plain('var(--free)'), 'host without tenant'));
    out.push(element('li', {}, 'lines in a colour: links that are a tenant\u2019s own; dashed black or white: what you ask for'));
  }
  $('legend').replaceChildren(...out);
}

function choose(name) {
  chosen = chosen === name ? '' : name;
  for (const b of document.querySelectorAll('#tenants .pick')) {
    b.setAttribute('aria-pressed', String(b.dataset.name === chosen));
  }
  redraw();
}

function listTenants() {
  const shown = [...picture.tenants].sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1));
  const rows = shown.map((t) => {
    const what = `${many(t.host_count, 'host')}${t.link_count ? `, ${many(t.link_count, 'link')}` : ''}`;
    const pick = element('button', { type: 'button', className: 'pick', title: `${t.pkey}, ${t.policy}` },
      swatch(colourOf.get(t.name)),
      element('span', { className: 'who' }, t.name, element('span', { className: 'what' }, what)));
    pick.dataset.name = t.name;
    pick.setAttribute('aria-pressed', String(t.name === chosen));
    pick.onclick = () => choose(t.name);
    if (t.broken.length) {
      pick.append(element('span', { className: 'broken', title: t.broken.join('; ') }, 'broken'));
    }
    const change = element('button', { type: 'button', className: 'small', ariaLabel: `Change ${t.name}` }, 'Change');
    change.onclick = () => edit(t.name);
    const go = element('button', { type: 'button', className: 'small', ariaLabel: `Let ${t.name} go` }, 'Let go');
    go.dataset.go = t.name;
    go.onclick = () => letGo(t.name);
    return element('li', {}, pick, change, go);
  });
  $('tenants').replaceChildren(...rows);
  $('none').hidden = rows.length > 0;
}

function facts(f) {
  $('fabric').textContent = `${f.name}: ${many(f.hosts, 'host')}, ${many(f.switches, 'switch').replace('switchs', 'switches')}`;
  $('free').textContent = f.free_hosts === undefined ? '–' : f.free_hosts.toLocaleString('en');
  $('epoch').textContent = f.epoch ?? '–';
  const sync = $('sync');
  const s = f.status;
  const behind = s && (!s.in_sync || s.epoch !== f.epoch);
  sync.className = `chip ${!s || behind ? (s?.problems.length ? 'bad' : '') : 'good'}`;
  sync.textContent = !s ? 'tenant’s view' : behind ? (s.differing ? `${many(s.differing, 'block')} differ` : 'working') : 'fabric is as wanted';
  sync.title = s ? [...s.problems, ...(f.notes ?? [])].join('; ') : '';
}

// ---- reading

let reading = null;
let again = false;

/** Reads fabric and picture; while one reading goes on, any number of wishes become one more. */
async function refresh() {
  if (reading) {
    again = true;
    return reading;
  }
  reading = read();
  try {
    await reading;
  } finally {
    reading = null;
  }
  if (again) {
    again = false;
    return refresh();
  }
  return undefined;
}

async function read() {
  const fabrics = await call('GET', '/v1/fabrics');
  const f = fabrics.data.items[0];
  const got = await call('GET', `/v1/fabrics/${encodeURIComponent(f.name)}/picture`);
  facts(f);
  if (!got.ok) {
    return;
  }
  picture = got.data;
  shape = shapeOf(picture);
  giveColours(picture.tenants);
  if (!colourOf.has(chosen)) {
    chosen = '';
  }
  if (view.at >= picture.level.length) {
    view.at = -1;
  }
  $('count').textContent = picture.tenants.length.toLocaleString('en');
  canvas.setAttribute('aria-label',
    `Fabric ${picture.fabric}: ${picture.levels} levels, ${picture.level.length} switches, ${f.hosts} hosts, `
    + `${picture.tenants.length} tenants`);
  $('leave').hidden = !credentials;
  listTenants();
  legend();
  redraw();
}

let soon = 0;

function refreshSoon() {
  clearTimeout(soon);
  soon = setTimeout(() => refresh().then(past).catch(trouble), 120);
}

function trouble(e) {
  $('sync').className = 'chip bad';
  $('sync').textContent = `no answer: ${e.message}`;
}

// ---- asking for a change

let decision = { body: '', ok: false };
let editing = null; // name and version of the tenant that is being changed
let asked = 0;

function formBody() {
  return {
    name: $('name').value.trim(),
    hosts: Number($('hosts').value),
    policy: $('policy').value,
    oversubscription: Number($('over').value),
    ...(editing ? { owner: editing.owner, allocator: editing.allocator } : {}),
  };
}

function say(kind, title, ...more) {
  $('decision').className = kind;
  $('decision').replaceChildren(...(title ? [element('strong', {}, title)] : []), ...more);
}

/** What becomes of tables, as items of a list. */
function tableItems(tables) {
  if (!tables) {
    return [];
  }
  if (!tables.blocks) {
    return [element('li', {}, 'no table changes')];
  }
  const names = tables.most.map((s) => element('li', {}, `${s.name || s.guid}: ${many(s.blocks, 'block')}`));
  if (tables.switches > names.length) {
    names.push(element('li', {}, `and ${tables.switches - names.length} more`));
  }
  const head = `${many(tables.blocks, 'block')} of ${many(tables.switches, 'switch').replace('switchs', 'switches')} written`;
  return [element('li', {}, element('details', {}, element('summary', {}, head), element('ul', {}, ...names)))];
}

/** What a tenant gets and loses. */
function diff(before, after, tables) {
  const items = [];
  const had = new Map((before?.hosts ?? []).map((h) => [h.guid, h]));
  const has = new Map((after?.hosts ?? []).map((h) => [h.guid, h]));
  const some = (list) => list.slice(0, 6).map((h) => h.name || h.guid).join(', ') + (list.length > 6 ? ', …' : '');
  const row = (sign, list, other) => {
    const differing = [...list.values()].filter((h) => !other.has(h.guid));
    if (differing.length) {
      const leaves = new Set(differing.map((h) => h.leaf)).size;
      const on = `${many(differing.length, 'host')} on ${leaves} ${leaves === 1 ? 'leaf' : 'leaves'}`;
      items.push(element('li', { className: sign }, `${on}: ${some(differing)}`));
    }
  };
  row('plus', has, had);
  row('minus', had, has);
  const key = (l) => `${l.from}/${l.port}`;
  const hadLinks = new Set((before?.links ?? []).map(key));
  const hasLinks = new Set((after?.links ?? []).map(key));
  const got = [...hasLinks].filter((l) => !hadLinks.has(l)).length;
  const lost = [...hadLinks].filter((l) => !hasLinks.has(l)).length;
  if (got) {
    items.push(element('li', { className: 'plus' }, `${many(got, 'link')} of its own`));
  }
  if (lost) {
    items.push(element('li', { className: 'minus' }, many(lost, 'link')));
  }
  if (after && after.pkey !== before?.pkey) {
    items.push(element('li', { className: 'plus' }, `partition key ${after.pkey}`));
  }
  return element('ul', { className: 'diff' }, ...items, ...tableItems(tables));
}

function refusal(data) {
  return [element('span', {}, data.detail || data.title || 'no reason was given'),
    ...(data.hints?.length ? [element('ul', { className: 'diff' }, ...data.hints.map((h) => element('li', {}, h)))] : [])];
}

function showPreview(tenant) {
  preview = null;
  if (tenant && shape) {
    const hosts = new Map();
    for (const h of tenant.hosts) {
      const i = shape.byGuid.get(h.leaf);
      if (i !== undefined) {
        hosts.set(i, (hosts.get(i) ?? 0) + 1);
      }
    }
    const links = new Set();
    for (const l of tenant.links) {
      const a = shape.byGuid.get(l.from);
      const b = shape.byGuid.get(l.to);
      const e = shape.linkBy.get(Math.min(a, b) * picture.level.length + Math.max(a, b));
      if (e !== undefined) {
        links.add(e);
      }
    }
    preview = { hosts, links: [...links] };
  }
  redraw();
}

function send(dry) {
  const body = formBody();
  const how = dry ? '?dry_run=true' : '';
  const key = dry ? {} : { 'Idempotency-Key': freshKey() };
  return editing
    ? call('PUT', `/v1/tenants/${encodeURIComponent(editing.name)}${how}`, body, { ...key, 'If-Match': editing.etag })
    : call('POST', `/v1/tenants${how}`, body, key);
}

/** Asks what would become of the form, and shows it. */
async function decide() {
  const mine = ++asked;
  const body = JSON.stringify(formBody());
  decision = { body, ok: false };
  if (!$('form').checkValidity()) {
    showPreview(null);
    say('', '');
    return;
  }
  say('asking', 'Asking …');
  const answer = await send(true);
  if (mine !== asked) {
    return; // the form says something else by now
  }
  decision.ok = answer.ok;
  if (!answer.ok) {
    showPreview(null);
    say('refused', 'Refused', ...refusal(answer.data));
  } else if (answer.data.outcome === 'unchanged') {
    showPreview(null);
    decision.ok = false;
    say('accepted', 'It is that way already');
  } else {
    showPreview(answer.data.tenant);
    say('accepted', editing ? 'Can be changed' : 'Can be admitted', diff(editing?.tenant, answer.data.tenant, answer.data.tables));
  }
}

let typing = 0;

function formChanged() {
  decision.ok = false;
  asked++;
  $('decision').className = 'asking'; // what is there is the answer to something else
  clearTimeout(typing);
  typing = setTimeout(() => decide().catch(trouble), 250);
}

$('form').addEventListener('input', formChanged);
$('form').addEventListener('submit', async (e) => {
  e.preventDefault();
  clearTimeout(typing);
  if (!decision.ok || decision.body !== JSON.stringify(formBody())) {
    await decide().catch(trouble); // seen first, applied by the next press
    return;
  }
  $('admit').disabled = true;
  try {
    const answer = await send(false);
    const name = formBody().name;
    if (answer.ok) {
      clearForm();
      say('applied', `${name} ${answer.data.outcome === 'accepted' ? 'is there' : answer.data.outcome}, epoch ${answer.data.epoch}`);
      await refresh();
    } else {
      say('refused', 'Refused', ...refusal(answer.data));
    }
  } catch (x) {
    trouble(x);
  } finally {
    $('admit').disabled = false;
  }
});

function clearForm() {
  asked++;
  decision = { body: '', ok: false };
  editing = null;
  $('form').reset();
  $('name').readOnly = false;
  $('form-title').textContent = 'Admit a tenant';
  $('admit').textContent = 'Admit';
  say('', '');
  showPreview(null);
}

$('clear').onclick = clearForm;

async function edit(name) {
  const got = await call('GET', `/v1/tenants/${encodeURIComponent(name)}`);
  if (!got.ok) {
    return;
  }
  clearForm();
  const t = got.data;
  editing = { name, etag: got.etag, tenant: t, owner: t.owner, allocator: t.allocator };
  $('name').value = name;
  $('name').readOnly = true;
  $('hosts').value = t.hosts.length;
  $('policy').value = t.policy;
  $('over').value = t.oversubscription;
  $('form-title').textContent = `Change ${name}`;
  $('admit').textContent = 'Change';
  $('hosts').focus();
}

/** Shows what a dry run says, and does it if that is wanted. */
async function confirmed(title, dry, real) {
  const would = await dry();
  $('ask-title').textContent = title;
  $('ask-text').replaceChildren(...(would.ok ? would.items() : refusal(would.data)));
  $('ask-yes').hidden = !would.ok;
  $('ask').showModal();
  $(would.ok ? 'ask-yes' : 'ask-no').focus();
  $('ask-yes').onclick = async () => {
    $('ask').close();
    const answer = await real().catch(trouble);
    if (answer && !answer.ok) {
      say('refused', 'Refused', ...refusal(answer.data));
    }
    await refresh();
  };
  $('ask-no').onclick = () => $('ask').close();
}

async function letGo(name) {
  const path = `/v1/tenants/${encodeURIComponent(name)}`;
  const there = await call('GET', path);
  if (!there.ok) {
    refreshSoon();
    return;
  }
  const match = { 'If-Match': there.etag };
  await confirmed(`Let ${name} go?`, async () => {
    const answer = await call('DELETE', `${path}?dry_run=true`, undefined, match);
    return { ...answer, items: () => [diff(there.data, null, answer.data.tables)] };
  }, () => call('DELETE', path, undefined, { ...match, 'Idempotency-Key': freshKey() }));
}

// ---- history

async function past() {
  const epoch = picture?.epoch ?? 0;
  const got = await call('GET', `/v1/history?after=${Math.max(0, epoch - PAST)}&limit=${PAST}`);
  $('past').hidden = !got.ok;
  if (!got.ok) {
    return; // a tenant has none
  }
  const rows = got.data.items.reverse().map((h) => {
    const back = element('button', { type: 'button', className: 'small', ariaLabel: `Return to epoch ${h.epoch}` }, 'Return');
    back.onclick = () => rollback(h.epoch);
    back.hidden = h.epoch === epoch;
    return element('li', {}, element('span', {}, time(h.at), `${h.epoch}: `, element('span', { className: 'kind' }, h.kind),
      ` ${h.subject}${h.actor ? `, ${h.actor}` : ''}`), back);
  });
  $('history').replaceChildren(...rows);
}

async function rollback(epoch) {
  await confirmed(`Make the tenants what they were at epoch ${epoch}?`, async () => {
    const answer = await call('POST', '/v1/rollback?dry_run=true', { epoch });
    return { ...answer, items: () => [element('ul', { className: 'diff' }, ...tableItems(answer.data.tables))] };
  }, () => call('POST', '/v1/rollback', { epoch }, { 'Idempotency-Key': freshKey() }));
}

// ---- events

function time(at) {
  const d = new Date(at);
  return element('time', { dateTime: at, title: at }, d.toLocaleTimeString([], { hour12: false }));
}

const BAD = new Set(['drift', 'promise-broken', 'agent-failed']);

function show(e) {
  const kind = element('span', { className: BAD.has(e.kind) ? 'kind bad-kind' : 'kind' }, e.kind);
  $('events').prepend(element('li', {}, time(e.at), kind, ` ${e.subject}`, e.text ? `: ${e.text}` : ''));
  while ($('events').children.length > EVENTS) {
    $('events').lastChild.remove();
  }
  refreshSoon();
}

/** Reads the stream as it comes; lines of an event end with an empty one. */
async function listen(last) {
  const headers = { Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) };
  if (credentials) {
    headers.Authorization = credentials;
  }
  const answer = await fetch('/v1/events', { headers });
  if (!answer.ok) {
    throw new Error(`status ${answer.status}`);
  }
  $('live').className = 'chip good';
  $('live').textContent = 'live';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const data = part.split('\n').filter((l) => l.startsWith('data: ')).map((l) => l.slice(6)).join('\n');
      const id = part.split('\n').find((l) => l.startsWith('id: '));
      if (id) {
        position.id = id.slice(4);
        show(JSON.parse(data));
      }
    }
  }
}

const position = { id: '' };

async function listenForEver() {
  for (let pause = 500; ; pause = Math.min(15000, pause * 2)) {
    try {
      await listen(position.id);
      pause = 500;
    } catch {
      // shown below; the next attempt goes on where this one stopped
    }
    $('live').className = 'chip bad';
    $('live').textContent = 'events interrupted';
    await new Promise((resolve) => setTimeout(resolve, pause));
    refreshSoon();
  }
}

$('leave').onclick = () => {
  sessionStorage.removeItem('heddle-credentials');
  location.reload();
};

refresh().then(() => {
  listenForEver();
  return past();
}).catch(trouble);
setInterval(() => {
  if (!document.hidden) {
    call('GET', '/v1/fabrics').then((r) => facts(r.data.items[0])).catch(trouble);
  }
}, 5000);
