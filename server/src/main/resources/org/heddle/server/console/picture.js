// The fabric as a picture: one canvas for what is, one above it for what is asked for, and one for
// what is pointed at, so that a large fabric is not drawn anew with every move of the pointer.

import { $ } from './dom.js';
import { clampView, left, view } from './layout.js';
import { drawCursor, drawMarks, drawPreview } from './overlay.js';
import { drawDrained, drawLabels, drawLinks, drawSwitch } from './paint.js';
import { forgetStyles, on, state } from './state.js';

const canvas = $('picture');
const asked = $('asked');
const above = $('above');
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

const redraw = () => wish(BASE | ASKED | ABOVE);
const redrawAsked = () => wish(ASKED | ABOVE);
const redrawAbove = () => wish(ABOVE);

/** A context in CSS pixels, cleared and clipped to the right of the labels. */
function context(of) {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(view.width * ratio);
  const high = Math.round(view.height * ratio);
  if (of.width !== wide || of.height !== high) {
    of.width = wide;
    of.height = high;
  }
  const c = of.getContext('2d');
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

new ResizeObserver(redraw).observe(canvas);
for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
  matchMedia(query).addEventListener('change', redraw);
}
for (const what of ['picture', 'view', 'mode', 'chosen']) {
  on(what, redraw);
}
on('hosts', redrawAsked);
on('preview', redrawAsked);
on('marks', redrawAsked);
on('cursor', redrawAbove);
on('selected', redrawAbove);
